import DoctorTestSupport
import SSOCore
import SSODoctor
import Testing

@testable import SSOReproduce

/// What pasted failures taught: a caller, a URI, or a project that is not the source's is never called reproduced.
struct PastedFailureTests {
  /// The URI of a source is the one that the lab sends and the change names, as it is written there.
  @Test(arguments: [
    "msauth://com.contoso.notes/kZ3yTg7m%2BVxQ1p0c%2F9sJd2LwRbA%3D", "urn:ietf:wg:oauth:2.0:oob",
    "ms-appx-web://Microsoft.AAD.BrokerPlugin/S-1-15-2-1", "http://localhost:4200/",
    "msauth.com.contoso.notes://auth",
  ])
  func theRedirectURIOfTheSourceIsSent(_ uri: String) throws {
    let result = reproduce(
      "AADSTS50011: The redirect URI '\(uri)' specified in the request does not match the redirect URIs")
    #expect(result.verdict == .reproduced)
    #expect(result.changes.first?.text.hasSuffix("add the redirect URI \(uri).") == true, "\(result.changes)")
    #expect(result.facts.contains { $0.name == .redirectURI && $0.value == uri })
  }

  /// WAM's redirect URI in a recorded request is a program's, as in a sentence.
  @Test func aRecordedRequestOfWAMIsAPrograms() {
    var hop = Hop(from: .sdk, to: .provider, action: "GET /common/oauth2/v2.0/authorize", result: "")
    hop.sent = [NameValue("redirect_uri", "ms-appx-web://Microsoft.AAD.BrokerPlugin/S-1-15-2-1")]
    var caller = CallerEvidence()
    caller.take(request: hop)
    #expect(caller.platform == nil && caller.isProgram)
  }

  @Test(arguments: [
    // Entra once had the number of a late code for refresh tokens.
    "AADSTS70008: The refresh token has expired due to it being revoked.",
    // An app cannot send the URI of a page.
    "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=AADSTS50011: The redirect URI 'https://app.example/callback' does not match}",
  ])
  func anotherCallIsOnlyNear(_ text: String) {
    #expect(reproduce(text).verdict == .nearest)
  }

  /// Only an OAuth error is the same, and the suberror is not.
  @Test func anotherSuberrorIsAnotherMatter() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50004 \"(null)\" UserInfo={MSALOAuthErrorKey=unauthorized_client, MSALOAuthSubErrorKey=protection_policy_required}"
    )
    #expect(result.verdict == .notReproduced && result.changes.isEmpty)
  }

  @Test func anExchangedCodeIsNotADaemons() {
    let result = reproduce(
      "failed to exchange code for access token: AADSTS7000215: Invalid client secret provided.")
    #expect(result.facts.contains { $0.name == .caller && $0.value.contains("authorization code") })
  }

  @Test func theSDKsSentenceDecidesBetweenCauses() {
    let result = reproduce(
      "MSALErrorDescriptionKey=openid, profile, offline_access are reserved scopes and may not be specified in the acquire token call., MSALInternalErrorCodeKey=-42000"
    )
    #expect(result.cause == "reserved-scopes")
  }

  /// A status of the keychain is not just any small number.
  @Test func theStatusOfAProcessIsNotTheKeychains() {
    #expect(reproduce("exit status -50").failure == nil)
  }

  private func result(_ log: String, with fixture: AndroidFixture) throws -> Reproduction {
    var reader = EvidenceReader()
    if !log.isEmpty { try reader.read(EvidenceFile(name: "app.log", data: .init(log.utf8))) }
    reader.take(try fixture.diagnosis())
    return Reproducer(reader.finish()).reproduce()
  }

  /// The log of an iPhone is not reproduced by an app for Android.
  @Test func aProjectForAnotherSystemIsNotTheApp() throws {
    let result = try result(
      "Error Domain=MSALErrorDomain Code=-50000 MSALInternalErrorCodeKey=-42001", with: AndroidFixture())
    #expect(result.facts.contains { $0.name == .app && $0.value.hasPrefix("none:") })
    #expect(result.changes.allSatisfy { $0.place == nil })
  }

  /// The log says that the filter is missing, and the project has it.
  @Test func aMistakeThatTheProjectDoesNotHaveIsOnlyNear() throws {
    let result = try result(
      "com.microsoft.identity.client.exception.MsalClientException: app_manifest_validation_error",
      with: AndroidFixture())
    #expect(result.verdict == .nearest)
    #expect(result.difference?.contains("project's files do not have this mistake") == true)
  }

  /// The hash of a certificate may have slashes, and the change of a filter is the doctor's.
  @Test func theChangeOfAProjectIsTheOneThatMendsIt() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "msauth://com.contoso.notes/", with: "msauth://com.contoso.notes.dev/", in: AndroidFixture.configuration
    )
    let result = try result("", with: fixture)
    #expect(result.changes.first?.place?.contains("auth_config.json") == true, "\(result.changes)")
    #expect(
      AndroidFacts.signatureHash(in: "msauth://com.contoso.notes/kZ3yTg7m+VxQ1p0c/9sJd2LwRbA=")
        == "kZ3yTg7m+VxQ1p0c/9sJd2LwRbA=")
  }

  @Test func aProjectThatCannotBeReadDoesNotSucceed() throws {
    var fixture = AndroidFixture()
    fixture.replace("\"client_id\":", with: "\"client_id\"", in: AndroidFixture.configuration)
    let result = try result("", with: fixture)
    #expect(result.verdict != .reproduced)
    #expect(result.difference?.contains("cannot be read") == true, "\(result.difference ?? "")")
  }
}
