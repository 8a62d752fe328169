import DoctorTestSupport
import Foundation
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference
import Testing

@testable import SSOReproduce

/// The lessons of pasted failures: a caller, a URI, or a project that is not the source's is never called reproduced.
struct PastedFailureTests {
  /// The lab sends, and the change names, the URI of a source exactly as it is written there.
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

  /// Nothing failed in a text that only speaks of a number, as ``LogReader`` reads it, whether it has one line or several.
  @Test(arguments: [
    "This PR turns AADSTS50076 into a signal of the lamp.",
    "3f2a91c Handle AADSTS50076 by asking for the lamp",
    "Should the lamp also cover AADSTS50079?", "AADSTS65001 disappeared after the consent.",
    "const lamp = /AADSTS(50076|50079)/;",
    "### AADSTS50011 — no such lamp\n\nThe lamp has another address. Add it to the list.",
  ])
  func nothingIsPlayedForAMention(_ text: String) {
    #expect(reproduce(text).verdict == .nothingRead)
  }

  /// A program that was only tried beside the call, or that differs from it, is not its caller.
  @Test(arguments: [
    "I've tried logging in and out of the azure cli, and nothing changes.\n",
    "In Postman it works, but our service gets: ", "Unlike the Azure CLI, our tool prints ",
    "Try again using the device code flow. ",
  ])
  func aProgramThatIsOnlyMentionedIsNotTheCaller(_ text: String) {
    let result = reproduce(text + "AADSTS50105: The signed in user is not assigned to a role")
    #expect(!result.facts.contains { $0.name == .caller } && result.assumptions.first?.name == .caller)
  }

  /// What only the failing call shows is assumed.
  @Test func theGrantThatIsPlayedIsAssumed() {
    let text = "We sign in with the device code flow.\nAADSTS50173: The provided grant has expired"
    let result = reproduce(text)
    #expect(result.assumptions.contains { $0.name == .grant && $0.why.contains("device code") })
    #expect(result.assumedCaller?.contains("redeems the refresh token") == true)
    let unshown = reproduce(
      "Get Token request returned http error: 400: AADSTS700082: The refresh token has expired")
    #expect(unshown.assumptions.first { $0.name == .caller }?.value.hasSuffix("refresh token") == true)
  }

  /// A code, or a refresh token: Entra's sentence has both.
  @Test func theSentenceOfANumberIsNoFactOfItsCall() {
    let result = reproduce(
      "OpenIdConnectHandler.RedeemAuthorizationCodeAsync: AADSTS70008: The provided authorization code or refresh token has expired due to inactivity."
    )
    #expect(result.verdict == .reproduced && result.cause == "code-expired", "\(result.difference ?? "")")
  }

  /// The outer exception's number has no world, and the inner one's has.
  @Test func theNumberOfAnInnerExceptionIsPlayed() {
    let result = reproduce(
      "AADSTS90010: The request is not supported.\n ---> MsalServiceException: AADSTS9001023: The grant type is not supported"
    )
    #expect(result.failure?.aadsts == 9_001_023 && result.facts.first?.value == "AADSTS9001023")
  }

  @Test(arguments: [
    "AADSTS135010", "AADB2C90289", "AADSTS650051", "interaction_in_progress", "AADSTS135011", "AADSTS50199",
    "AADSTS650052", "AADSTS700081", "AADSTS900382", "monitor_window_timeout", "AADSTS50146", "AADSTS70018",
    "AADSTS90027",
  ])
  func whatNoLabCanShowIsSaid(_ code: String) {
    let result = reproduce(code + ": something")
    #expect(result.verdict == .notReproduced && result.difference?.hasPrefix("no lab can show") == true)
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

  /// Microsoft's page of the code flow: the redirect URI of such a page has the wrong type.
  ///
  /// The console hides the number.
  @Test func aTokenRequestThatTheBrowserBlockedIsOfAPage() {
    func console(_ path: String) -> Reproduction {
      reproduce(
        "Access to XMLHttpRequest at 'https://login.microsoftonline.com/common/oauth2/v2.0/\(path)' from origin "
          + "'http://localhost:4200' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present"
      )
    }
    let result = console("token")
    #expect(
      result.verdict == .nearest && result.cause == "redirect-uri-not-of-a-page", "\(result.difference ?? "")"
    )
    #expect(result.failure?.aadsts == AADSTSCode.crossOriginRefused.rawValue)
    #expect(result.difference?.hasPrefix("the source shows only a request that the browser blocked") == true)
    #expect(result.facts.contains { $0.name == .origin && $0.value == "http://localhost:4200" })
    #expect(console("authorize").verdict == .nothingRead)
  }

  /// A web server may ask with prompt=none, as a page does.
  @Test func consentWithoutAPageIsAlsoAWebServers() {
    let result = reproduce(
      """
      GET https://login.microsoftonline.com/common/oauth2/v2.0/authorize?prompt=none&x-client-SKU=ID_NET8_0
      Microsoft.AspNetCore.Authentication.OpenIdConnect: error: 'interaction_required', error_description: 'AADSTS65001: \
      The user or administrator has not consented to use the application'
      """)
    #expect(
      result.verdict == .reproduced && result.failure?.place == .authorize, "\(result.difference ?? "")")
    #expect(result.cause == "consent-missing-without-page")
  }

  /// The entire answer depends on a caller that no source shows, so it comes first, and can be specified.
  @Test(arguments: [Platform.iOS, .macOS, .android])
  func theSystemOfTheAppMayBeNamed(_ platform: Platform) throws {
    let text = "AADSTS50105: The signed in user is not assigned to a role for the application"
    let first = try #require(reproduce(text).assumptions.first)
    #expect(first.name == .caller && first.why == Assumption.unshown)
    var reader = EvidenceReader()
    try reader.read(EvidenceFile(name: "a.log", data: Data(text.utf8)))
    var evidence = reader.finish()
    evidence.assume(appFor: platform)
    let result = Reproducer(evidence).reproduce()
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(result.scenario?.contains("platform: \(platform.rawValue)") == true, "\(result.scenario ?? "")")
    #expect(result.assumptions.contains { $0.name == .caller && $0.why == Assumption.chosen })
  }

  /// A step of the lab in a remedy is not part of the sentence.
  @Test func aSentenceHasNoPlaceholder() {
    let result = reproduce("Error Domain=MSALErrorDomain Code=-50000")
    #expect(result.verdict == .notReproduced && result.difference?.contains("{") == false)
  }

  /// Only an OAuth error is the same, and the suberror is not.
  @Test func anotherSuberrorIsAnotherMatter() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50004 \"(null)\" UserInfo={MSALOAuthErrorKey=unauthorized_client, MSALOAuthSubErrorKey=protection_policy_required}"
    )
    #expect(result.verdict == .notReproduced && result.changes.isEmpty)
  }

  /// Only a program that makes its own requests prints the token endpoint's response; its members may be on several
  /// lines.
  @Test(arguments: [
    #"{"error":"interaction_required","error_description":"AADSTS53003: Access has been blocked by Conditional Access policies.","error_codes":[53003],"trace_id":"x","suberror":"message_only"}"#,
    "{\n \"error_description\": \"AADSTS53003: Access has been blocked\",\n \"error_codes\": [\n 53003\n ]\n}",
  ])
  func anAnswerIsAProgramsAtTheTokenEndpoint(_ text: String) {
    let result = reproduce(text)
    #expect(result.verdict == .reproduced && result.failure?.place == .token, "\(result.difference ?? "")")
    #expect(result.call?.hasPrefix("call of the program") == true)
  }

  @Test func entrasErrorPageIsTheAuthorizationEndpoints() {
    let result = reproduce(
      "Sorry, but we’re having trouble signing you in.\nAADSTS900144: The request body must contain the following parameter: 'client_id'."
    )
    #expect(result.verdict == .reproduced && result.failure?.place == .authorize)
  }

  /// Signs of an Android app without a class of its SDK.
  @Test(arguments: [
    "06-12 17:56:16.123  1234  5678 E AuthActivity: AADSTS50011: The redirect URI does not match",
    "2026-06-12 17:56:16.123  1234-5678  Auth  com.example.app  E  AADSTS50011: The redirect URI does not match",
    "E/AuthActivity( 1234): AADSTS50011: The redirect URI does not match",
    "acquireTokenSilentAsync failed: AADSTS50011: The redirect URI does not match",
  ])
  func aLineOfAndroidIsAnAndroidApps(_ text: String) throws {
    let attempt = try #require(reproduce(text).attempt)
    #expect(attempt.world.device.platform == .android)
  }

  /// Signs of a caller other than an app for Apple's systems.
  @Test(
    arguments: [
      ("`az account get-access-token`\nAADSTS700082: The refresh token has expired", "Azure CLI"),
      (
        "V2Error: invalid_grant AADSTS700082: x. Status: Response_Status.Status_InteractionRequired", "broker"
      ),
      ("Invoke-RestMethod : AADSTS50126: x\n\"grant_type\" = \"password\";", "password"),
      ("failed to get token: oauth2: \"invalid_client\" \"AADSTS7000215: x\"", "a program in Go"),
      ("System.AggregateException: (AADSTS65001: x)", ".NET"),
      ("client_secret = abc\nAADSTS700016: Application was not found", "web server"),
      ("Microsoft.Azure.Commands.ResourceManager AADSTS50126: x", "PowerShell"),
    ])
  func aProgramIsSeen(_ text: String, _ words: String) {
    let fact = reproduce(text).facts.first { $0.name == .caller }
    #expect(fact?.value.contains(words) == true, "\(fact?.value ?? "none")")
  }

  /// The words of an older number decide which current number it is; the result is only near.
  @Test(
    arguments: [
      ("adal4j AADSTS70002: must contain the parameter: 'client_secret or client_assertion'.", 7_000_218),
      ("service principal AADSTS70002: x AADSTS50012: Invalid client secret is provided.", 7_000_215),
      ("AADSTS65005: a resource which is not listed in the requested permissions", 650_057),
      ("AADSTS70000: The provided 'code_verifier' input value does not match", 501_481),
      ("on_behalf_of AADSTS50013: Assertion audience does not match the Client app", 500_131),
    ])
  func anOlderNumberIsTodays(_ text: String, _ today: Int) {
    let result = reproduce(text)
    #expect(result.verdict == .nearest && result.failure?.aadsts == today, "\(result.difference ?? "")")
    #expect(!result.changes.isEmpty)
  }

  /// A code of one SDK is compared beside the number.
  @Test func anotherSDKsCodeBesideTheNumberIsOnlyNear() {
    #expect(reproduce("no_current_account, then AADSTS50173: revoked").verdict == .nearest)
  }

  /// SharePoint is in each directory of the lab, so another API is missing in its place.
  @Test func anAPIOfMicrosoftsMayBeMissing() {
    let result = reproduce(
      "AADSTS500011: The resource principal named https://fabrikam.sharepoint.com was not found in the tenant named Fabrikam Ltd. Inc. This can happen"
    )
    #expect(result.verdict == .reproduced && result.failure?.aadsts == 500_011)
    #expect(result.scenario?.contains("abrikam") == false)
  }

  @Test func theNameOfATenantMayHaveSpaces() {
    let text = "AADSTS700016: Application was not found in the directory 'Fabrikam Ltd. & Sons'."
    #expect(reproduce(text, keepsIDs: true).scenario?.contains("Fabrikam Ltd. & Sons") == true)
    #expect(reproduce(text).scenario?.contains("Fabrikam") == false)
  }

  @Test func coloursMayBeWithinANumber() {
    #expect(reproduce("AADSTS\u{1B}[31m50\u{1B}[0m105: not assigned").failure?.aadsts == 50105)
  }

  /// The name of an organisation or a person in an address does not reach the result.
  @Test(arguments: [
    "redirect URI 'https://app.example/cb?u=ada%40fabrikam.example&s=1'",
    "redirect URI 'https://fabrikam.b2clogin.com/cb'",
  ])
  func namesInAddressesAreReplaced(_ uri: String) {
    let result = reproduce("AADSTS50011: The \(uri) specified in the request does not match")
    #expect(result.scenario?.contains("fabrikam") == false)
    #expect(!result.facts.contains { $0.value.contains("fabrikam") })
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

  @Test func aConfigurationThatIsNotJSONDoesNotSucceed() throws {
    var fixture = AndroidFixture()
    fixture.replace("\"client_id\":", with: "\"client_id\"", in: AndroidFixture.configuration)
    let result = try result("", with: fixture)
    #expect(result.verdict != .reproduced)
    #expect(
      result.difference?.contains("The configuration is not JSON") == true, "\(result.difference ?? "")")
  }
}
