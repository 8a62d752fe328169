import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// A change to a manifest is as small as the mistake.
@Suite struct ManifestRepairTests {
  private static let other = "AbIqXSqBj7w+h11ZifsnqwgyKrY="
  private static let release = "app/src/release/AndroidManifest.xml"

  /// An activity with its own settings, and a filter for each of two keystores.
  private static func twoFilters(_ path: String) -> String {
    """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
        <application android:label="Notes">
            <!-- "com.microsoft.identity.client.BrowserTabActivity" takes the answer -->
            <activity
                android:name="com.microsoft.identity.client.BrowserTabActivity"
                android:launchMode="singleTask"
                android:exported="true">
                <intent-filter>
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="msauth" android:host="com.contoso.other" android:path="/\(other)" />
                </intent-filter>
                <intent-filter>
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="msauth" />
                    <data android:host="com.contoso.notes" />
                    <data android:path="\(path)" />
                </intent-filter>
            </activity>
        </application>
    </manifest>
    """
  }

  private static func changes(_ files: [String: String]) throws -> [String: String] {
    try withFolder(of: files) { folder in
      for _ in 0..<4 {
        let findings = try Doctor.examine([folder]).findings
        guard let repair = findings.lazy.compactMap(Repair.init).first else { break }
        try Data(repair.after.utf8).write(to: URL(filePath: repair.path))
        let left = try Doctor.examine([folder]).findings
        #expect(!left.contains(where: repair.isLeft))
      }
      #expect(try Doctor.examine([folder]).findings == [])
      return try files.keys.reduce(into: [:]) { texts, name in
        texts[name] = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      }
    }
  }

  @Test(arguments: ["\n", "\r\n"]) func onlyTheWrongAttributeChanges(_ end: String) throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    let wrong = Self.twoFilters(AndroidFixture.hash).replacing("\n", with: end)
    fixture.files[AndroidFixture.manifest] = wrong
    let right = Self.twoFilters("/" + AndroidFixture.hash).replacing("\n", with: end)
    #expect(try Self.changes(fixture.files)[AndroidFixture.manifest] == right)
  }

  @Test func aFilterIsAddedToTheActivity() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    let before = Self.twoFilters("/" + AndroidFixture.hash).replacing("\"msauth\"", with: "\"notes\"")
    fixture.files[AndroidFixture.manifest] = before
    let after = try #require(try Self.changes(fixture.files)[AndroidFixture.manifest])
    // Nothing of the old text is lost, and the new lines are below the others.
    #expect(Set(before.lines).isSubset(of: Set(after.lines)))
    let line = "\n                <data android:scheme=\"msauth\" android:host=\"com.contoso.notes\""
    #expect(after.ranges(of: line).count == 1, "\(after)")
  }

  @Test func whatAFilterLacksIsAdded() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace(
      "        <category android:name=\"android.intent.category.BROWSABLE\" />\n", with: "",
      in: AndroidFixture.manifest)
    let before = try #require(fixture.files[AndroidFixture.manifest])
    let after = try #require(try Self.changes(fixture.files)[AndroidFixture.manifest])
    let line = "        <category android:name=\"android.intent.category.BROWSABLE\" />\n"
    #expect(after.replacing(line, with: "") == before)
  }

  /// If a filter and a redirect URI differ, the value without a signature hash or with another package is wrong.
  @Test(arguments: [
    ("/" + AndroidFixture.encodedHash, "/" + AndroidFixture.encodedHash.replacing("%", with: "%25")),
    ("com.contoso.notes", "com.contoso.old"),
  ])
  func theRedirectURIIsMended(_ right: String, _ wrong: String) throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    let before = fixture.files
    fixture.replace(right, with: wrong, in: AndroidFixture.configuration)
    let finding = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
    #expect(finding.map(\.rule) == [.androidRedirect] && finding.first?.severity == .fails, "\(finding)")
    #expect(try Self.changes(fixture.files) == before)
  }

  /// Each build type has its configuration and its filter, one of which is wrong.
  private static func builds(replacing: Bool) -> AndroidFixture {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    let node = replacing ? " tools:node=\"replace\"" : ""
    fixture.files[release] = fixture.files[AndroidFixture.manifest]?
      .replacing("android:exported", with: node + " android:exported")
      .replacing("\"/" + AndroidFixture.hash, with: "\"" + other)
    fixture.files["app/src/release/res/raw/auth_config.json"] = fixture.files[AndroidFixture.configuration]?
      .replacing(
        AndroidFixture.encodedHash,
        with: other.replacing("+", with: "%2B").replacing("=", with: "%3D"))
    return fixture
  }

  @Test(arguments: [false, true]) func theFilterOfABuildTypeIsMended(_ replacing: Bool) throws {
    let fixture = Self.builds(replacing: replacing)
    let findings = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings
    #expect(
      findings.map(\.rule) == [.browserTabActivity] && findings.first?.severity == .fails, "\(findings)")
    #expect(findings.first?.place.path.hasSuffix(Self.release) == true)
    let after = try Self.changes(fixture.files)
    #expect(after[AndroidFixture.manifest] == fixture.files[AndroidFixture.manifest])
    #expect(after[Self.release]?.contains("\"/" + Self.other) == true)
  }

  /// A redirect URI without a path needs a filter without one, and not an empty attribute.
  @Test func aRedirectURIWithoutAPathNeedsNone() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace(
      "msauth://com.contoso.notes/\(AndroidFixture.encodedHash)",
      with: "msal\(AndroidFixture.clientID)://auth",
      in: AndroidFixture.configuration)
    fixture.replace(
      "\"broker_redirect_uri_registered\": true", with: "\"broker_redirect_uri_registered\": false",
      in: AndroidFixture.configuration)
    fixture.replace(
      "android:scheme=\"msauth\"", with: "android:scheme=\"msal\(AndroidFixture.clientID)\"",
      in: AndroidFixture.manifest)
    func finding() throws -> DoctorCheck? {
      try withFolder(of: fixture.files) { try Doctor.examine([$0]) }.findings.first {
        $0.rule == .browserTabActivity
      }
    }
    let data = "<data android:scheme=\"msal\(AndroidFixture.clientID)\" android:host=\"auth\" />"
    #expect(try finding()?.fix == data)
    let changed: String? = try withFolder(of: fixture.files) { folder in
      try Doctor.examine([folder]).findings.lazy.filter { $0.rule == .browserTabActivity }.compactMap(
        Repair.init
      )
      .first?.after
    }
    let mended: String = try #require(changed)
    fixture.files[AndroidFixture.manifest] = mended
    #expect(try finding() == nil && !mended.contains("android:path"))
  }
}
