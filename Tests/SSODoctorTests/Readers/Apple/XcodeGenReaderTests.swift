import DoctorTestSupport
import SSODevice
import Testing

@testable import SSODoctor

/// A project that XcodeGen makes for each build is read as XcodeGen makes it.
@Suite struct XcodeGenReaderTests {
  private static let list = """
    name: Lamp
    options: { bundleIdPrefix: com.contoso }
    packages:
      MSAL: { url: https://github.com/AzureAD/microsoft-authentication-library-for-objc, from: 1.6.0 }
    targets:
      Mail_App:
        type: application
        platform: iOS
        sources:
          - path: Mail
            excludes: ["Old/**"]
        dependencies: [{ package: MSAL }]
        info:
          path: Mail/Info.plist
          properties:
            CFBundleURLTypes:
              - CFBundleURLSchemes:
                  - msauth.$(PRODUCT_BUNDLE_IDENTIFIER)
            LSApplicationQueriesSchemes: [msauthv2, msauthv3]
        entitlements:
          path: Mail/Mail.entitlements
          properties:
            keychain-access-groups: [$(AppIdentifierPrefix)com.microsoft.adalcache]
      MailTests:
        type: bundle.unit-test
        platform: iOS
        sources: Tests
    """

  private static func diagnosis(_ list: String, _ others: [String: String] = [:]) throws -> Diagnosis {
    let files = [
      "project.yml": list, "Mail/SignIn.swift": XcodeFixture.signIn,
      "Mail/SceneDelegate.swift": XcodeFixture.sceneDelegate,
      "Mail/Old/Wrong.swift": "import MSAL\nlet config = MSALPublicClientApplicationConfig(clientId: \"\")",
      "Tests/LampTests.swift": "import MSAL",
    ]
    return try withFolder(of: files.merging(others) { $1 }) { try Doctor.examine([$0]) }
  }

  @Test func theGeneratedFilesAreTheAppsFiles() throws {
    let found = try Self.diagnosis(Self.list)
    #expect(found.apple.map(\.bundleID?.value) == ["com.contoso.Mail-App"])
    #expect(found.apple.map(\.querySchemes?.values) == [["msauthv2", "msauthv3"]])
    #expect(found.findings.filter { $0.rule != .callback }.isEmpty, "\(found.findings)")
  }

  @Test(arguments: [
    (
      "- msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "- bulb", DoctorRule.urlScheme,
      "CFBundleURLTypes:\n  - CFBundleURLSchemes:\n      - msauth.com.contoso.Mail-App"
    ),
    (", msauthv3]", "]", .querySchemes, "- msauthv3"),
    (
      "com.microsoft.adalcache", "com.contoso.other", .keychainGroup,
      "- $(AppIdentifierPrefix)com.microsoft.adalcache"
    ),
  ])
  func aMistakeHasItsLineAndItsFixInTheProjectFile(
    _ old: String, _ new: String, _ rule: DoctorRule, _ fix: String
  ) throws {
    // A file that an earlier version of the project file made does not excuse it.
    let before = ["Mail/Info.plist": XcodeFixture.info("com.contoso.Mail-App")]
    let found = try Self.diagnosis(Self.list.replacing(old, with: new), before).findings
      .filter { $0.rule != .callback }
    #expect(found.map(\.rule) == [rule], "\(found)")
    #expect(found.first?.place.path.hasSuffix("project.yml") == true && found.first?.place.line != nil)
    #expect(found.first?.fix == fix, "\(found.first?.fix ?? "")")
    #expect(found.first.flatMap { Repair($0) } == nil)
  }

  /// The target's own setting applies before that of a group, and a configuration's before both.
  @Test func settingsHaveXcodeGensOrder() throws {
    let settings = """
          settings:
            groups: [lamp]
            base: { PRODUCT_BUNDLE_IDENTIFIER: com.contoso.mail }
            configs: { release: { PRODUCT_BUNDLE_IDENTIFIER: com.contoso.mail.store } }
          info:
      """
    let list =
      Self.list.replacing("    info:", with: settings)
      + "\nsettingGroups: { lamp: { PRODUCT_BUNDLE_IDENTIFIER: com.contoso.group } }\n"
    let found = try Self.diagnosis(list)
    #expect(found.apple.map(\.bundleID?.value) == ["com.contoso.mail", "com.contoso.mail.store"])
  }

  @Test func templatesAndIncludedFilesAreMerged() throws {
    let head = try #require(Self.list.firstRange(of: "targets:"))
    let target = Self.list[head.upperBound...].replacing("  Mail_App:", with: "  App:")
    let found = try Self.diagnosis(
      "include: base.yml\ntargets:\n  Mail: { templates: [App], sources: [{ path: Mail/Extra }] }\n",
      [
        "base.yml": Self.list[..<head.lowerBound] + "targetTemplates:"
          + target.split(separator: "  MailTests")[0],
        "Mail/Extra/Lamp.swift": "import UIKit",
      ])
    #expect(found.apple.map(\.bundleID?.value) == ["com.contoso.Mail"], "\(found.unread)")
  }

  /// What does not say which sources it has is read where it lies.
  @Test func aBrokenProjectFileIsNoError() throws {
    for list in [
      "targets: [", "targets:\n  Mail: { type: application, platform: iOS }\n", "a: &a [*a]\ntargets:\n",
    ] {
      let found = try Self.diagnosis(list)
      #expect(found.apple.count <= 1 && found.unread.isEmpty)
    }
  }
}
