import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// Mistakes of apps with MSAL that the build, the names of resources, and the configuration show.
@Suite struct AndroidBuildTests {
  private static func findings(_ fixture: AndroidFixture) throws -> [DoctorCheck] {
    try fixture.diagnosis().findings
  }

  /// An app whose code creates the application object for one account.
  private static func single() -> AndroidFixture {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"]? += """

      val app = PublicClientApplication.createSingleAccountPublicClientApplication(context, R.raw.auth_config, listener)
      """
    fixture.replace(
      "\"client_id\"", with: "\"account_mode\": \"SINGLE\",\n\"client_id\"", in: AndroidFixture.configuration)
    return fixture
  }

  /// MSAL does not know a mode in other letters, and takes the usual one.
  @Test func theModeIsComparedAsItIs() throws {
    var fixture = Self.single()
    #expect(try Self.findings(fixture) == [])
    fixture.replace("\"SINGLE\"", with: "\"single\"", in: AndroidFixture.configuration)
    #expect(try Self.findings(fixture).map(\.mistake) == ["account_mode is not that of the code"])
  }

  /// A configuration that code names is one, whatever its keys are.
  @Test func theKeysOfAConfigurationAreAtTheTop() throws {
    var fixture = Self.single()
    let text = fixture.files[AndroidFixture.configuration] ?? ""
    fixture.files[AndroidFixture.configuration] = "{ \"msal\": \(text) }"
    let mistakes = try Self.findings(fixture).map(\.mistake)
    #expect(
      mistakes.contains("redirect_uri is missing") && mistakes.contains("client_id is missing"), "\(mistakes)"
    )
  }

  @Test(arguments: [
    "app/src/main/res/raw/msal-config.json", "app/src/main/res/raw/Auth.json", "app/src/main/res/raw/1a.json",
  ])
  func aResourceHasASimpleName(_ path: String) throws {
    var fixture = AndroidFixture()
    fixture.files[path] = fixture.files.removeValue(forKey: AndroidFixture.configuration)
    let findings = try Self.findings(fixture).filter { $0.mistake == "No resource can have the file's name" }
    #expect(findings.map(\.severity) == [.fails])
  }

  /// A dependency that is misspelt or a comment does not bring in MSAL; another way to name it may.
  @Test(arguments: [
    ("implementation 'com.microsoft.identity.client:msal:5.1.0'", 0),
    ("//implementation 'com.microsoft.identity.client:msal:5.1.0'", 1),
    ("implementation 'com.microsoft.identity.cleint:msal:5.1.0'", 1),
    ("implementation 'com.microsoft.identity.client:msla:5.1.0'", 1),
    ("implementation libs.msal", 0),
  ])
  func theBuildDependsOnMSAL(_ line: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace("{ implementation libs.msal }", with: "{\n\(line)\n}", in: "app/build.gradle")
    let findings = try Self.findings(fixture).filter { $0.mistake == "The build does not depend on MSAL" }
    #expect(findings.map(\.severity) == Array(repeating: .fails, count: count))
  }

  @Test func aPlaceholderOfTheFilterNeedsAValue() throws {
    var fixture = AndroidFixture()
    fixture.replace("/\(AndroidFixture.hash)", with: "${lampPath}", in: AndroidFixture.manifest)
    let findings = try Self.findings(fixture)
    #expect(findings.map(\.mistake) == ["The build lacks a manifest placeholder"], "\(findings)")
    fixture.files["app/build.gradle"]? += "\nandroid.defaultConfig.manifestPlaceholders.lampPath = path"
    #expect(try Self.findings(fixture) == [])
  }
}
