import SSOReference
import Testing

@testable import SSOReproduce

/// The callers that sentences show, and sentences that belong to another cause than their number.
struct CallerOfTextTests {
  /// The words of Entra's own sentence are not a page's: the redirect URI of a server is registered as a page's
  /// (Microsoft: Microsoft identity platform and OAuth 2.0 authorization code flow, "Redirect URIs for single-page apps").
  @Test(arguments: [
    "openid-client: AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests."
  ])
  func aServerRegisteredAsAPageIsMoved(_ text: String) {
    let result = reproduce(text)
    #expect(result.verdict == .reproduced && result.scenario?.contains("kind: webServer") == true)
    #expect(
      result.changes.first?.text.contains("from Single-page application to Web") == true, "\(result.changes)")
  }

  @Test func aSecretWithAnOriginLeavesItOut() {
    let result = reproduce(
      "Postman: AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application'"
    )
    #expect(result.verdict == .reproduced && result.cause == "server-sends-origin")
    #expect(result.changes.first?.text.contains("header Origin") == true)
  }

  /// Entra registers http for this machine alone (Microsoft: Redirect URI (reply URL) outline and restrictions).
  @Test(arguments: ["http://app.wingtip.example/signin-oidc", "http://localhost:5000/signin-oidc"])
  func aRedirectURIWithoutTLSIsNotRegistered(_ uri: String) {
    let result = reproduce(
      "Microsoft.AspNetCore.Authentication: AADSTS50011: The redirect URI '\(uri)' specified does not match")
    #expect(result.verdict == .reproduced)
    let text = result.changes.first?.text ?? ""
    #expect(text.contains("https://app.wingtip.example") == uri.contains("wingtip"), "\(text)")
    #expect(!result.changes.contains { $0.text.contains("add the redirect URI http://app") })
  }

  @Test(
    arguments: [
      (
        "AADSTS90023: Cross-origin token redemption is permitted only for the 'Single-Page Application'",
        9_002_326
      ),
      ("az login AADSTS70008: The refresh token has expired due to it being revoked.", 50173),
      (
        "azidentity: AADSTS70021: No matching federated identity record found for presented assertion.",
        700_211
      ),
      ("STS70021: No matching federated identity record found for presented assertion", 700_211),
    ])
  func aGeneralNumberIsTodays(_ text: String, _ today: Int) {
    let result = reproduce(text)
    #expect(result.verdict == .nearest && result.failure?.aadsts == today, "\(result.difference ?? "")")
  }

  @Test func aSentenceOfAnotherCauseIsOnlyNear() {
    let result = reproduce("AADSTS90023: An error occurred while processing incoming message.")
    #expect(result.verdict == .nearest && result.difference?.contains("many causes") == true)
    #expect(reproduce("AADSTS90023: Unsupported 'prompt' value.").verdict == .reproduced)
  }

  /// A password alone is not the caller without a hint.
  @Test(arguments: ["AADSTS50076: you must use multi-factor authentication", "AADSTS50079: must enrol"])
  func withoutAHintTheCallerIsAnApp(_ text: String) throws {
    let result = reproduce(text)
    #expect(result.failure != nil)
    if result.failure?.aadsts == 50076 { #expect(result.scenario?.contains("apps:") == true) }
  }

  /// The command names the grant of the failing call.
  @Test func aCommandWithADeviceCodeIsTheCall() {
    let result = reproduce("az login --use-device-code\nAADSTS53003: Access has been blocked")
    #expect(result.verdict == .nearest && result.difference?.contains("device code") == true)
  }

  /// A chain of credentials tries the machine's identity after the variables.
  @Test func aChainThatReachesTheMachineIsItsIdentity() {
    let result = reproduce(
      """
      DefaultAzureCredential failed to retrieve a token from the included credentials.
      - EnvironmentCredential authentication unavailable. Environment variables are not fully configured.
      - ManagedIdentityCredential authentication unavailable. The requested identity has not been assigned to this resource.
      {"error":"invalid_request","error_description":"Identity not found"}
      """)
    #expect(
      result.cause == "identity-not-assigned" && result.verdict == .reproduced, "\(result.difference ?? "")")
  }

  /// The order of the members does not decide the endpoint.
  @Test func anAnswerInAnyOrderIsTheTokenEndpoints() {
    let result = reproduce(
      #"adal4j.AuthenticationException: {"error_description":"AADSTS700016: Application was not found","error":"unauthorized_client","error_uri":"x"} ApplicationTokenCredentials"#
    )
    #expect(result.verdict == .reproduced && result.failure?.place == .token)
    #expect(result.call?.contains("clientCredentials") == true)
  }
}
