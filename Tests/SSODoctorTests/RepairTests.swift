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
