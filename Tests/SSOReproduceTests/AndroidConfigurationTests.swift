import DoctorTestSupport
import SSOCore
import SSODoctor
import Testing

@testable import SSOReproduce

/// Projects for Android whose configurations have a mistake that MSAL reports, or that only the provider can.
@Suite struct AndroidConfigurationTests {
  private static func result(_ fixture: AndroidFixture) throws -> Reproduction {
    var files = fixture.files
    files["registration.json"] = nil
    return try withFolder(of: files) { folder in
      var reader = EvidenceReader()
      reader.take(try Doctor.examine([folder]))
      return Reproducer(reader.finish()).reproduce()
    }
  }

  @Test(arguments: [
    ("https://login.microsoftonline.com/common/oauth2/v2.0/authorize", "AADSTS90002"),
    ("https://login.microsoftonlin.com/common", "io_error"),
    ("login.microsoftonline.com/common", "IllegalArgumentException"),
    ("https://login.microsoftonline.com/common", ""),
  ])
  func anAddressFailsAsInTheSDK(_ url: String, _ code: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"audience\": { \"type\": \"AzureADMultipleOrgs\" }", with: "\"authority_url\": \"\(url)\"",
      in: AndroidFixture.configuration)
    let result = try Self.result(fixture)
    #expect(result.verdict == (code.isEmpty ? .notReproduced : .reproduced), "\(result.difference ?? "")")
    #expect(code.isEmpty || result.failure.map { ($0.codes + [$0.domain ?? ""]).contains(code) } == true)
  }

  /// Of several configurations, the one with the mistake is the call's.
  @Test(arguments: [("\"AAD\"", "\"AzureAD\"", "IllegalArgumentException"), ("b6c\"", "\"", "")])
  func theConfigurationWithTheMistakeIsTried(_ old: String, _ new: String, _ domain: String) throws {
    var fixture = AndroidFixture()
    let text = fixture.files[AndroidFixture.configuration] ?? ""
    // MSAL reads the configuration before the manifest.
    let hash = domain.isEmpty ? AndroidFixture.encodedHash : "8wqhslKBrD0XppDpZsZCTEOan%2B8%3D"
    fixture.files["app/src/main/res/raw/second.json"] = text.replacing(old, with: new)
      .replacing(AndroidFixture.encodedHash, with: hash)
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      val one = make(R.raw.auth_config)
      val two = make(R.raw.second)
      """
    let result = try Self.result(fixture)
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(domain.isEmpty || result.failure?.domain == domain, "\(String(describing: result.failure))")
    #expect(!domain.isEmpty || result.failure?.number == "AADSTS700016")
  }

  /// A configuration that another one's filter does not take is not a failure of the app.
  @Test func aFilterOfAnotherConfigurationIsNotDecisive() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/a_second.json"] = fixture.files[AndroidFixture.configuration]?
      .replacing(AndroidFixture.encodedHash, with: "8wqhslKBrD0XppDpZsZCTEOan%2B8%3D")
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      val all = listOf(R.raw.auth_config, R.raw.a_second)
      """
    #expect(try Self.result(fixture).verdict == .notReproduced)
  }
}
