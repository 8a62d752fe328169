import DoctorTestSupport
import Foundation
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// Property lists that are specified without their project.
@Suite struct LooseFileTests {
  static let info = XcodeFixture.info("")

  @Test(
    arguments: [
      (info, []), (info.replacing("msauthv3", with: "other"), [.querySchemes]),
      (info.replacing("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "mail"), [.urlScheme]),
      (info.replacing("$(PRODUCT_BUNDLE_IDENTIFIER)", with: "${PRODUCT_BUNDLE_IDENTIFIER}"), []),
      // The scheme reveals the value of the variable.
      (info.replacing("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.com.contoso.mail"), []),
    ] as [(String, [DoctorRule])])
  func anInfoPlistIsCheckedAlone(_ text: String, _ rules: [DoctorRule]) throws {
    let diagnosis = try withFolder(of: ["Info.plist": text]) { try Doctor.examine([$0 + "/Info.plist"]) }
    #expect(diagnosis.findings.map(\.rule) == rules, "\(diagnosis.findings)")
    #expect(!diagnosis.checks.isEmpty && !diagnosis.isUnchecked)
  }

  @Test func itsEntitlementsAreThoseOfTheSameApp() throws {
    let files = [
      "Info.plist": Self.info,
      "Mail.entitlements": XcodeFixture.entitlements.replacing(
        "com.microsoft.adalcache", with: "com.contoso.x"),
    ]
    let diagnosis = try withFolder(of: files) {
      try Doctor.examine([$0 + "/Info.plist", $0 + "/Mail.entitlements"])
    }
    #expect(diagnosis.findings.map(\.rule) == [.keychainGroup] && diagnosis.apple.count == 1)
  }

  /// The files of the article on ADAL: the app's own scheme, and only the query scheme `msauth`.
  static let listsOfADAL = [
    "Info.plist": info.replacing("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "x-msauth-mytestiosapp")
      .replacing("msauthv2", with: "msauth"),
    "entitlements.plist": XcodeFixture.entitlements.replacing(
      "com.microsoft.adalcache", with: "com.myapp.mycache"),
  ]

  @Test(arguments: [["/Info.plist", "/entitlements.plist"], [""]])
  func listsOfADALAreNotCheckedAsThoseOfMSAL(_ paths: [String]) throws {
    let diagnosis = try withFolder(of: Self.listsOfADAL) { folder in
      try Doctor.examine(paths.map { folder + $0 })
    }
    #expect(diagnosis.apple.map(\.sdk) == [.adal])
    // The code may set `defaultKeychainSharingGroup`.
    #expect(diagnosis.findings.map(\.rule) == [.keychainGroup] && !diagnosis.isUnchecked)
    #expect(diagnosis.findings.map(\.severity) == [.worksInSomeCases])
    #expect(
      diagnosis.findings.first?.check.found.hasSuffix(
        "com.myapp.mycache, which defaultKeychainSharingGroup in code may name") == true)
    #expect(diagnosis.verdict.certainty == .notVisible)
    #expect(diagnosis.verdict.meaning.contains("defaultKeychainSharingGroup in code, which is not visible"))
  }

  /// A file that does not identify an SDK is not reported as correct.
  @Test func aFileThatNamesNoSDKIsNotChecked() throws {
    let text = XcodeFixture.entitlements.replacing("com.microsoft.adalcache", with: "com.contoso.x")
    let diagnosis = try withFolder(of: ["Mail.entitlements": text]) {
      try Doctor.examine([$0 + "/Mail.entitlements"])
    }
    #expect(
      diagnosis.isUnchecked && diagnosis.subjects.first?.notSeen?.hasPrefix("Nothing in it names") == true)
  }
}
