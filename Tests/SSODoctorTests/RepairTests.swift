import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// The change that a finding suggests fixes it: the same files are checked again, and the finding is gone.
@Suite struct RepairTests {
  /// Makes the changes one after another, and returns the rules that were fixed and the remaining ones.
  private static func mend(_ files: [String: String]) throws -> (mended: [DoctorRule], left: [DoctorRule]) {
    try withFolder(of: files) { folder in
      var mended: [DoctorRule] = []
      while mended.count < 10 {
        let findings = try Doctor.examine([folder]).findings
        guard let repair = findings.lazy.compactMap(Repair.init).first else {
          return (mended, findings.map(\.rule))
        }
        try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
        #expect(repair.difference.contains { $0.hasPrefix("+ ") })
        mended.append(repair.finding.rule)
      }
      return (mended, try Doctor.examine([folder]).findings.map(\.rule))
    }
  }

  @Test(
    arguments: XcodeMistake.all.filter {
      [.urlScheme, .querySchemes].contains($0.rule) || $0.place.hasSuffix(".entitlements:5")
    })
  func aPropertyListIsMended(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    let (mended, left) = try Self.mend(fixture.files)
    #expect(mended == [mistake.rule] && left == [])
  }

  /// The bundle ID of another app in a redirect URI or in a scheme becomes the app's own.
  @Test(arguments: [true, false])
  func anotherAppsBundleIDIsReplaced(_ isListed: Bool) throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "\"msauth.com.contoso.post://auth\"",
      in: "Mail/SignIn.swift")
    if isListed {
      fixture.replace(
        "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.com.contoso.post", in: "Mail/Info.plist")
    }
    let (mended, left) = try Self.mend(fixture.files)
    #expect(mended.contains(.brokerUnused) && left == [], "\(mended) \(left)")
  }

  /// A wrapper may be given a redirect URI that no file shows, so it is a question.
  @Test func theSchemeOfAnotherAppIsReplacedInAWrapper() throws {
    var fixture = XcodeFixture()
    fixture.files["package.json"] =
      #"{ "dependencies": { "react-native": "0.72.0", "react-native-msal": "^4.0.4" } }"#
    for name in ["SignIn.swift", "SceneDelegate.swift"] { fixture.files["Mail/" + name] = "import UIKit\n" }
    fixture.replace(
      "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.com.contoso.post", in: "Mail/Info.plist")
    try withFolder(of: fixture.files) { folder in
      let found = try Doctor.examine([folder]).findings.filter {
        $0.rule == .urlScheme && $0.subject == "Mail"
      }
      let repair = try #require(found.lazy.compactMap(Repair.init).first)
      #expect(repair.difference.contains("+         <string>msauth.com.contoso.mail</string>"))
    }
  }

  /// Another target or configuration of the project may need the value.
  @Test func aBundleIDOfTheProjectIsNotReplaced() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "\"msauth.com.contoso.mail://auth\"",
      in: "Mail/SignIn.swift")
    let key = "PRODUCT_BUNDLE_IDENTIFIER = com.contoso.mail;"
    let file = "Suite.xcodeproj/project.pbxproj"
    let parts = (fixture.files[file] ?? "").components(separatedBy: key)
    try #require(parts.count > 2)
    fixture.files[file] =
      parts[0] + key.replacing("mail;", with: "mail.debug;") + parts.dropFirst().joined(separator: key)
    try withFolder(of: fixture.files) { folder in
      let findings = try Doctor.examine([folder]).findings.filter { $0.rule == .brokerUnused }
      #expect(!findings.isEmpty && findings.allSatisfy { Repair($0) == nil }, "\(findings)")
    }
  }

  /// A list may have all its strings on one line, or each string on several.
  @Test(arguments: [
    ("Mail/Info.plist", "msauthv3", "other"), ("Mail/Info.plist", "msauthv2", "MSAuthV2"),
    ("Mail/Info.plist", "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "MSAuth.$(PRODUCT_BUNDLE_IDENTIFIER)"),
    ("Mail/Mail.entitlements", "com.microsoft.adalcache", "com.contoso.cache"),
  ])
  func aListIsMendedHoweverItIsWritten(_ file: String, _ old: String, _ new: String) throws {
    let styles: [(String) -> String] = [
      { $0.lines.map(\.trimmed).joined() },
      { $0.replacing("</string>", with: "\n</string>").replacing("msauthv3\n", with: "msauthv3") },
    ]
    for style in styles {
      var fixture = XcodeFixture()
      fixture.replace(old, with: new, in: file)
      fixture.files[file] = fixture.files[file].map(style)
      let (mended, left) = try Self.mend(fixture.files)
      #expect(!mended.isEmpty && left == [], "\(mended) \(left)")
    }
  }

  /// The lists are missing entirely.
  @Test func aMissingKeyIsAdded() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/Info.plist"] = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <key>UIApplicationSceneManifest</key>
        <dict/>
      </dict>
      </plist>
      """
    fixture.files["Mail/Mail.entitlements"] = "<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n"
    let (mended, left) = try Self.mend(fixture.files)
    #expect(Set(mended) == [.urlScheme, .querySchemes, .keychainGroup] && left == [])
  }

  @Test func outgoingConnectionsAreAllowed() throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace(
      "<key>keychain-access-groups</key>",
      with:
        "<key>com.apple.security.app-sandbox</key>\n<true/>\n<key>com.apple.security.network.client</key>\n<false/>\n<key>keychain-access-groups</key>",
      in: "Mail/Mail.entitlements")
    #expect(try Self.mend(fixture.files).mended == [.macNetwork])
  }

  @Test(
    arguments: OtherPlatformTests.mistakes.filter {
      $0.rule == .browserTabActivity || $0.what.hasPrefix("code makes")
    })
  func anAndroidProjectIsMended(_ mistake: OtherPlatformTests.Mistake) throws {
    var fixture = AndroidFixture()
    mistake.make(&fixture)
    fixture.files["registration.json"] = nil
    let (mended, left) = try Self.mend(fixture.files)
    #expect(mended == [mistake.rule] && left == [])
  }

  /// Source code, projects, and registrations are left to the developer, and so are values that are not filled in yet.
  @Test(
    arguments: XcodeMistake.all.filter {
      [.callback, .oldRedirect, .placeholder, .clientType].contains($0.rule)
    })
  func codeIsNotChanged(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    let mended = try fixture.inFolder { folder in
      try Doctor.examine([folder, folder + "/registration.json"]).findings.compactMap(Repair.init)
    }
    #expect(mended == [])
  }

  /// A document that a domain publishes has the wrong value once on its line.
  @Test(arguments: [
    (
      "web/.well-known/assetlinks.json",
      """
      [{
        "relation": ["delegate_permission/common.handle_all_url"],
        "target": {
          "namespace": "android_app", "package_name": "com.contoso.notes",
          "sha256_cert_fingerprints": ["\(String(repeating: "a1", count: 32))"]
        }
      }]
      """, 2
    ),
    (
      "web/.well-known/assetlinks.json",
      #"[{ "relation": "delegate_permission/common.handle_all_urls", "target": { "namespace": "android_app" } }]"#,
      1
    ),
    (
      "web/apple-app-site-association",
      #"{ "applinks": { "details": [{ "appID": "com.contoso.mail", "paths": "/in/*" }] } }"#, 2
    ),
    (
      "web/.well-known/oauth-protected-resource",
      """
      {
        "resource": "https://api.contoso.com/orders/",
        "authorization_servers": "https://login.microsoftonline.com/contoso.onmicrosoft.com",
        "scopes_supported": ["api://orders/read"]
      }
      """, 4
    ),
  ])
  func aPublishedDocumentIsMended(_ path: String, _ text: String, _ count: Int) throws {
    var fixture = XcodeFixture()
    fixture.files[path] = text
    let (mended, left) = try Self.mend(fixture.files)
    #expect(mended.count == count && left == [], "\(mended) \(left)")
  }

  /// The SDK would send the white space of a client ID.
  @Test func theWhiteSpaceOfAClientIDIsRemoved() throws {
    var fixture = XcodeFixture()
    fixture.replace(
      "static let clientID = \"\(XcodeFixture.clientID)\"",
      with:
        "static let clientID = Bundle.main.object(forInfoDictionaryKey: \"LampClient\") as? String ?? \"\"",
      in: "Mail/SignIn.swift")
    fixture.replace(
      "<key>LSApplicationQueriesSchemes</key>",
      with:
        "<key>LampClient</key>\n<string> \(XcodeFixture.clientID)</string>\n<key>LSApplicationQueriesSchemes</key>",
      in: "Mail/Info.plist")
    let (mended, left) = try Self.mend(fixture.files)
    #expect(mended == [.clientID] && left == [])
  }

  /// The first group is the app's default one, in which its own items are.
  @Test func theGroupOfTheSDKIsTheLast() throws {
    var fixture = XcodeFixture()
    fixture.replace("com.microsoft.adalcache", with: "com.contoso.shared", in: "Mail/Mail.entitlements")
    try fixture.inFolder { folder in
      let repair = try #require(try Doctor.examine([folder]).findings.compactMap(Repair.init).first)
      let list = try PropertyListReader.read(Data(repair.after.utf8))["keychain-access-groups"]
      #expect(
        list?.strings.map(\.text)
          == ["$(AppIdentifierPrefix)com.contoso.shared", "$(AppIdentifierPrefix)com.microsoft.adalcache"])
    }
  }

  @Test(arguments: ["msauthv3 ", " msauthv3", "MSAuthV3"])
  func aMisspeltQuerySchemeIsReplaced(_ scheme: String) throws {
    var fixture = XcodeFixture()
    fixture.replace("msauthv3", with: scheme, in: "Mail/Info.plist")
    try fixture.inFolder { folder in
      let findings = try Doctor.examine([folder]).findings
      #expect(findings.map(\.title) == ["LSApplicationQueriesSchemes misspells msauthv3"])
      let repair = try #require(findings.compactMap(Repair.init).first)
      #expect(repair.after.contains("<string>msauthv3</string>") && !repair.after.contains(scheme))
    }
  }

  /// The projects with a mistake whose fix is tried: those of an app, and the same files as a wrapper's.
  private static let mistaken: [(what: String, files: [String: String])] = {
    let apple = XcodeMistake.all.map { mistake in
      var fixture = XcodeFixture()
      mistake.make(&fixture)
      return (mistake.what, fixture.files)
    }
    let android = OtherPlatformTests.mistakes.map { mistake in
      var fixture = AndroidFixture()
      mistake.make(&fixture)
      fixture.files["registration.json"] = nil
      return (mistake.what, fixture.files)
    }
    return apple + android + [("a wrapper for iOS", wrapper(in: "ios")), ("for macOS", wrapper(in: "macos"))]
  }()

  /// A Flutter project whose folder for a platform is as the template made it: no scheme, no group, and no team.
  private static func wrapper(in folder: String) -> [String: String] {
    var fixture = XcodeFixture()
    if folder == "macos" { fixture.buildForMac() }
    fixture.replace(
      "\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n", with: "\tCODE_SIGN_IDENTITY = \"-\";\n",
      in: XcodeMistake.projectFile)
    var files = [
      "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.1.0\n",
      "lib/auth.dart": "import 'package:msal_auth/msal_auth.dart';\n",
    ]
    for (path, text) in fixture.files {
      var text = [".swift", ".m"].contains(where: path.hasSuffix) ? "import UIKit\n" : text
      if path.hasSuffix(".entitlements") {
        text =
          "<plist version=\"1.0\">\n<dict>\n  <key>com.apple.security.app-sandbox</key>\n  <true/>\n</dict>\n</plist>\n"
      }
      files["\(folder)/\(path)"] = text.replacing("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "contoso")
    }
    return files
  }

  /// Every rule with a change: after all changes, nothing that was mended is left, and no other rule fails that did not
  /// before.
  @Test(arguments: mistaken.indices)
  func aFixAddsNoError(_ index: Int) throws {
    let (what, files) = Self.mistaken[index]
    func errors(_ findings: [DoctorCheck]) -> Set<String> {
      Set(findings.filter { $0.severity == .fails }.map { "\($0.subject) \($0.rule.name)" })
    }
    try withFolder(of: files) { folder in
      let before = try Doctor.examine([folder]).findings
      var mended: [DoctorCheck] = []
      while mended.count < 20,
        let repair = try Doctor.examine([folder]).findings.lazy.compactMap(Repair.init).first
      {
        try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
        #expect(try !Doctor.examine([folder]).findings.contains(where: repair.isLeft), "\(what)")
        mended.append(repair.finding)
      }
      #expect(mended.count < 20)
      let after = try Doctor.examine([folder]).findings
      #expect(errors(after).subtracting(errors(before)) == [], "\(what): \(mended.map(\.title))")
    }
  }

  /// Text that is written into XML is escaped, and a value that only the developer knows is not written.
  @Test func valuesAreEscaped() throws {
    #expect(AppleRules.stringLine("a<b&c") == "<string>a&lt;b&amp;c</string>")
  }

  /// One filter fits all builds.
  @Test func theHostOfSeveralBuildsIsTheVariable() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace("${applicationId}", with: "com.contoso.other", in: AndroidFixture.manifest)
    fixture.replace(
      "defaultConfig {", with: "buildTypes { debug { applicationIdSuffix '.debug' } }\n  defaultConfig {",
      in: "app/build.gradle")
    try withFolder(of: fixture.files) { folder in
      let repair = try #require(
        try Doctor.examine([folder]).findings.filter { $0.rule == .browserTabActivity }
          .compactMap(Repair.init).first)
      #expect(repair.after.contains("android:host=\"${applicationId}\""))
    }
  }
}
