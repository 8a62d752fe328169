import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// Which files are the configuration of MSAL for Android, and which of them MSAL cannot parse.
@Suite struct ConfigurationFileTests {
  private static let defaults = "app/src/main/res/raw/msal_default_config.json"

  private static func diagnosis(_ fixture: AndroidFixture) throws -> Diagnosis {
    var fixture = fixture
    fixture.files["registration.json"] = nil
    return try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
  }

  /// msal_flutter passes no other configuration to MSAL.
  @Test func aDefaultWithTheAppsValuesIsItsConfiguration() throws {
    var fixture = AndroidFixture()
    fixture.files[Self.defaults] = fixture.files.removeValue(forKey: AndroidFixture.configuration)
    let diagnosis = try Self.diagnosis(fixture)
    #expect(diagnosis.android.map(\.configurations.count) == [1] && diagnosis.findings == [])
    fixture.files["app/src/main/java/Account.kt"]? +=
      "\nPublicClientApplication.create(context, id, authority, uri, listener)"
    #expect(try Self.diagnosis(fixture).android.map(\.configurations.count) == [0])
  }

  /// Without MSAL among the dependencies, a manifest and a file are left over.
  @Test(arguments: [("aad_oauth: ^1.0.1", 0), ("msal_mobile: ^0.1.0", 1)])
  func filesOfARemovedDependencyAreNotChecked(_ dependency: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    let text = fixture.files.removeValue(forKey: AndroidFixture.configuration)
    fixture.files["app/src/main/assets/auth_config.json"] = text?.replacing(
      AndroidFixture.encodedHash, with: AndroidFixture.hash)
    fixture.files["app/src/main/java/Account.kt"] = nil
    fixture.replace("libs.msal", with: "libs.core", in: "app/build.gradle")
    var files = Dictionary(uniqueKeysWithValues: fixture.files.map { ("android/" + $0.key, $0.value) })
    files["android/registration.json"] = nil
    files["pubspec.yaml"] = """
      name: notes
      description: Signs in at Microsoft.
      dependencies:
        flutter:
          sdk: flutter
        \(dependency)
      flutter:
        assets:
          - assets/microsoft.png
      """
    let diagnosis = try withFolder(of: files) { try Doctor.examine([$0]) }
    #expect(diagnosis.android.count == count && diagnosis.findings.isEmpty == (count == 0))
  }

  @Test func aFileThatCodePassesIsAConfiguration() throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = nil
    fixture.files["app/src/main/res/raw/sign_in.json"] = "{ \"client_id\": \"\(AndroidFixture.clientID)\" }"
    #expect(try Self.diagnosis(fixture).android.map(\.configurations.count) == [0])
    fixture.files["app/src/main/java/Sign.kt"] = Self.call("sign_in")
    let diagnosis = try Self.diagnosis(fixture)
    #expect(diagnosis.android.map(\.configurations.count) == [1])
    #expect(diagnosis.findings.map(\.mistake) == ["redirect_uri is missing"], "\(diagnosis.findings)")
  }

  private static func call(_ name: String) -> String {
    "import com.microsoft.identity.client.*\n"
      + "PublicClientApplication.createMultipleAccountPublicClientApplication(c, R.raw.\(name), l)"
  }

  @Test(arguments: [
    ("\"broker_redirect_uri_registered\": true,", "\"broker_redirect_uri_registered\": true", 5),
    ("\"default\": true }", "\"default\": true, }", 6), ("\"client_id\": ", "\"client_id\" ", 2),
    ("  ]\n}", "  ]\n", 8), ("  ]\n}", "  ]\n}\n}", 9),
  ])
  func aConfigurationThatIsNotJSONIsTheFinding(_ old: String, _ new: String, _ line: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace(old, with: new, in: AndroidFixture.configuration)
    let diagnosis = try Self.diagnosis(fixture)
    #expect(diagnosis.unread == [] && diagnosis.fails)
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.rule == .androidConfiguration && !finding.isQuestion)
    #expect(finding.mistake == "The configuration is not JSON" && finding.place.line == line, "\(finding)")
  }

  /// Gson reads more than JSON, so MSAL does not refuse it.
  @Test(arguments: [
    "{ 'client_id': 'a//b', redirect_uri = x; \"authorities\": [1,], }", "{ \"client_id\": \"a\", /* \" */ }",
    "{ \"a\": 1 } /* x", "{ \"client_id\": \"a\" \"b\": 1 }", "{ \"a\": [ { ] }",
  ])
  func gsonRefusesCommasBeforeTheEndAndGaps(_ text: String) {
    #expect(AndroidFacts.Configuration.parsingError(of: text) != nil)
  }

  @Test(arguments: [
    "{ 'client_id': 'a//b', redirect_uri = x; \"authorities\": [1,] }",
    "// c\n{ \"client_id\": \"a\" } # it's\n",
    "{ \"client_id\": \"a\\\"b\" }", "{}", "[]", "/* ' */ { \"client_id\": a\", \"b\": \"c://d\" }",
  ])
  func gsonTakesItsOwnForms(_ text: String) {
    #expect(AndroidFacts.Configuration.parsingError(of: text) == nil)
  }

  /// The values are those that Gson reads, and their places those of their keys.
  @Test func theValuesOfGsonsFormsAreRead() throws {
    let text = """
      // one
      { 'client_id': 'a\\u0062\\'c', redirect_uri = msauth,
        "authorities": [ { type: AAD }, ], 'account_mode': "SINGLE"; broker_redirect_uri_registered: TRUE }
      """.replacing(" },", with: " }")
    #expect(AndroidFacts.Configuration.mayBe(text))
    let configuration = try #require(try AndroidFacts.Configuration.read(text, path: "a.json"))
    #expect(configuration.clientID?.value == "ab'c" && configuration.clientID?.place.line == 2)
    #expect(configuration.redirectURI?.value == "msauth" && configuration.accountMode?.value == "SINGLE")
    #expect(
      configuration.authorities.map(\.type) == ["AAD"] && configuration.isBrokerRegistered?.value == true)
    #expect(configuration.accountMode?.place.line == 3)
  }

  @Test func aConfigurationInSingleQuotesIsChecked() throws {
    var fixture = AndroidFixture()
    let text = fixture.files[AndroidFixture.configuration]?.replacing("\"", with: "'")
    fixture.files[AndroidFixture.configuration] = text
    #expect(try Self.diagnosis(fixture).findings == [] && Self.diagnosis(fixture).unread == [])
    fixture.replace(
      "'redirect_uri': 'msauth://", with: "'redirect_uri': 'msauth://x.", in: AndroidFixture.configuration)
    #expect(try !Self.diagnosis(fixture).findings.isEmpty)
  }

  @Test func aDeepDocumentIsRefused() {
    let text = String(repeating: "[", count: 100_000)
    #expect(AndroidFacts.Configuration.parsingError(of: text) != nil)
  }

  /// A file that code passes nowhere, beside the one that it passes, is only not read.
  @Test func aBrokenFileBesideTheConfigurationIsNotRead() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/old.json"] = "{ \"client_id\": \"\", \"redirect_uri\": \"\", }"
    let diagnosis = try Self.diagnosis(fixture)
    #expect(diagnosis.unread.map { fileName($0.path) } == ["old.json"] && diagnosis.findings == [])
    fixture.files["app/src/main/java/Sign.kt"] = Self.call("old")
    #expect(try Self.diagnosis(fixture).findings.contains { $0.mistake == "The configuration is not JSON" })
  }
}
