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
    #expect(reproduce("AADSTS70002: Error validating credentials.").verdict == .nearest)
    #expect(
      reproduce("AADSTS70002: The client application must be marked as 'mobile.'").verdict == .reproduced)
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
    #expect(result.verdict == .reproduced && result.failure?.place == .token, "\(result.difference ?? "")")
    #expect(result.call?.contains("deviceCode") == true)
  }

  /// Signs of a program in place of an iPhone app.
  @Test(
    arguments: [
      ("failed: invalid_grant: 50173 - [2026-03-02 09:00:00Z]: AADSTS50173: revoked", "MSAL"),
      (
        "PS C:\\Users\\me> pac env list\nError: AADSTS700082: The refresh token has expired", "Power Platform"
      ),
      ("Microsoft.AspNetCore.Server.Kestrel: AADSTS65001: consent", "web server"),
      ("IDW10502: An MsalUiRequiredException was thrown AADSTS65001: consent", "web server"),
      ("Suggestion: run `azd auth login`\nAADSTS50173: revoked", "Azure Developer CLI"),
      (
        "ClientAuthError: invalid_grant: AADSTS50173: revoked\n at Object (/app/node_modules/@azure/msal-node/lib/index.js:1)",
        "MSAL Node, a web server"
      ),
      (
        "Microsoft.AspNetCore.Components.WebAssembly.Rendering: AADSTS9002326: Cross-origin",
        "Blazor WebAssembly, a page"
      ),
      ("kubelogin get-token --login spn: AADSTS7000215: Invalid client secret", "kubelogin, a daemon"),
      (
        "PHP Fatal error: Uncaught GuzzleHttp\\Exception\\ClientException: AADSTS7000215: Invalid client secret",
        "a web server"
      ),
    ])
  func aProgramIsNotTakenForAnApp(_ text: String, _ words: String) {
    let result = reproduce(text)
    let fact = result.facts.first { $0.name == .caller }
    #expect(fact?.value.contains(words) == true, "\(fact?.value ?? "none")")
    #expect(result.scenario?.contains("programs:") == true)
  }

  /// No registration gives a user flow a permission of Microsoft Graph.
  @Test func aUserFlowGetsNoPermissionOfGraph() {
    let result = reproduce("msal-browser: AADB2C90117: The scope User.Read provided is not supported.")
    #expect(result.verdict == .reproduced)
    #expect(result.changes.count == 1 && result.changes.first?.kind == .call, "\(result.changes)")
  }

  /// A code of MSAL that only stands for an OAuth error has as many causes as the error.
  @Test func aCodeForAnOAuthErrorIsOnlyNear() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50000 UserInfo={MSALOAuthErrorKey=invalid_scope, MSALInternalErrorCodeKey=-42005}"
    )
    #expect(result.verdict == .nearest, "\(result.difference ?? "")")
  }

  /// Only browsers send the `Origin` header on their own.
  @Test func aCrossOriginRedemptionWithoutAHintIsAPages() {
    let result = reproduce("AADSTS9002326: Cross-origin token redemption is permitted only for")
    #expect(result.cause == "redirect-uri-not-of-a-page")
  }

  /// The cause may follow its general number on a separate line.
  @Test(
    arguments: [
      (
        "acquireTokenForClient AADSTS70002: Error validating credentials.\nAADSTS50012: Invalid client secret",
        7_000_215
      ),
      (
        "acquireTokenForClient AADSTS70011: The scope https://graph.microsoft.com/User.Read is not valid.",
        1_002_012
      ),
    ])
  func anOlderNumberOfADaemonIsTodays(_ text: String, _ today: Int) {
    let result = reproduce(text)
    #expect(result.verdict == .nearest && result.failure?.aadsts == today, "\(result.difference ?? "")")
  }

  @Test func aTenantWithoutAConfigurationIsRefusedAtDiscovery() {
    let result = reproduce(
      """
      az login --tenant 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90
      Unable to get authority configuration for https://login.microsoftonline.com/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90.
      ValueError: OIDC Discovery endpoint rejects our request. Error: {"error":"invalid_tenant","error_description":"AADSTS90002: Tenant not found.","error_codes":[90002]}
      """)
    #expect(
      result.verdict == .reproduced && result.failure?.place == .discovery, "\(result.difference ?? "")")
  }

  /// A machine's refusal is read from a recording, as from a text.
  @Test func aRecordingOfAMachineIsRead() {
    let result = reproduce(
      """
      {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-01-05T10:00:00.000Z", "time": 1,
        "request": {"method": "GET", "httpVersion": "HTTP/1.1", "cookies": [], "queryString": [],
          "url": "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net",
          "headers": [{"name": "Metadata", "value": "true"}]},
        "response": {"status": 400, "statusText": "", "headers": [], "cookies": [], "redirectURL": "",
          "content": {"size": 1, "mimeType": "application/json",
            "text": "{\\"error\\": \\"invalid_request\\", \\"error_description\\": \\"Identity not found\\"}"}}}]}}
      """)
    #expect(
      result.cause == "identity-not-assigned" && result.verdict == .reproduced, "\(result.difference ?? "")")
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

  /// The provider's sentence names the parameter; a different parameter is a different mistake.
  @Test(arguments: [("scope", Reproduction.Verdict.reproduced), ("iss", .reproduced), ("nonce", .nearest)])
  func theParameterOfASentenceIsTheLabs(_ name: String, _ verdict: Reproduction.Verdict) {
    let result = reproduce(
      "acquire_token_for_client AADSTS90014: The required field '\(name)' is missing from the credential.")
    #expect(result.verdict == verdict, "\(result.difference ?? "")")
  }

  @Test func aParameterThatIsSentTwiceIsNamed() {
    let result = reproduce(
      "AADSTS9000411: The request is not properly formatted. The parameter 'login_hint' is duplicated.")
    #expect(result.verdict == .reproduced && result.scenario?.contains("login_hint:") == true)
    #expect(result.changes.first?.text == "Send login_hint once.")
  }

  @Test func aRecordingWithoutBodiesSaysSo() {
    let result = reproduce(
      """
      {"log": {"version": "1.2", "entries": [{"startedDateTime": "2026-01-05T10:00:00.000Z", "time": 1,
        "request": {"method": "POST", "url": "https://login.microsoftonline.com/common/oauth2/v2.0/token",
          "httpVersion": "HTTP/2", "cookies": [], "queryString": [], "headers": [],
          "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "grant_type=refresh_token"}},
        "response": {"status": 400, "statusText": "", "headers": [], "cookies": [], "redirectURL": "",
          "content": {"size": 1, "mimeType": "application/json"}}}]}}
      """)
    #expect(result.verdict == .notReproduced)
    #expect(result.difference?.contains("has status 400") == true, "\(result.difference ?? "")")
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
