import SSOCore
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
      ("AADSTS901002: The 'resource' request parameter is not supported.", 9_010_010),
      ("AADSTS70001: The application named Lamp was not found in the tenant named Wingtip.", 700_016),
      ("AADSTS70001: Application 'Lamp' is disabled.", 7_000_112),
      (
        "AADSTS50001: The resource principal named api://lamp was not found in the tenant named Wingtip.",
        500_011
      ),
      ("AADSTS65005: Misconfigured application. The client has not listed any permissions", 650_056),
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
        "See https://aka.ms/msal-net-invalid-client for details. Original exception: AADSTS7000218: The request body",
        "MSAL.NET"
      ),
      (
        "Execution of class com.microsoft.aad.msal4j.AcquireTokenSilentSupplier failed. AADSTS50173: revoked",
        "MSAL4J, refresh token"
      ),
      (
        "com.microsoft.sqlserver.jdbc.SQLServerException: Failed to authenticate (Authentication=ActiveDirectoryPassword). AADSTS50126: Error validating",
        "a program in Java, a program without a secret, password"
      ),
      (
        "Error in process_aad_response(res) : Unauthorized (HTTP 401). AADSTS700016: Application was not found",
        "AzureAuth for R"
      ),
      (
        "Traceback (most recent call last):\n  File \"sync.py\", line 3\nAADSTS50173: revoked",
        "a program in Python"
      ),
      (
        "  File \"/usr/lib64/az/lib/python3.6/site-packages/azure/cli/core/_profile.py\"\nAADSTS50173: revoked",
        "Azure CLI"
      ),
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

  /// A password needs no redirect URI, so its type is not the cause.
  @Test func aPasswordNeedsNoRedirectURI() {
    let result = reproduce(
      "acquire_token_by_username_password AADSTS7000218: The request body must contain: 'client_secret'.")
    #expect(result.cause == "public-flows-not-allowed" && result.verdict == .reproduced)
    #expect(result.alternatives.isEmpty, "\(result.alternatives)")
  }

  /// The sentence, and not only the number, says what was refused.
  @Test(arguments: [
    (
      "The request was denied because one or more scopes requested are unauthorized or expired.",
      "scopes-not-granted"
    ),
    ("The provided value for the input parameter 'refresh_token' is not valid.", "refresh-token-not-valid"),
  ])
  func theSentenceOfANumberDecides(_ sentence: String, _ cause: String) {
    let result = reproduce("refresh_token() AADSTS70000: \(sentence)")
    #expect(result.cause?.hasPrefix(cause) == true && result.verdict == .reproduced, "\(result.cause ?? "")")
  }

  /// The page has its number only below “More details”.
  @Test(arguments: [
    ("You cannot access this right now", 53003), ("  You can’t access this right now", 53003),
    ("Need admin approval", 90094),
  ])
  func aTitleOfAPageIsOnlyNear(_ title: String, _ number: Int) {
    let result = reproduce("\(title)\nYour sign-in was successful but does not meet the criteria.")
    #expect(result.verdict == .nearest && result.failure?.aadsts == number, "\(result.difference ?? "")")
    #expect(result.failure?.place != .token)
    let numbered = reproduce("\(title)\nError Code: 53003")
    #expect(numbered.shown.aadsts == 53003 && numbered.facts.contains { $0.name == .page })
  }

  /// The sentence says which scopes are the mistake.
  @Test(arguments: [
    (".default scope can't be combined with resource-specific scopes.", Reproduction.Verdict.reproduced),
    ("One or more scopes in 'a b' are not compatible with each other.", .nearest),
  ])
  func theSentenceAboutScopesDecides(_ sentence: String, _ verdict: Reproduction.Verdict) {
    let result = reproduce(
      "AADSTS70011: The provided value for the input parameter 'scope' is not valid. \(sentence)")
    #expect(result.verdict == verdict, "\(result.cause ?? "")")
    #expect(verdict != .reproduced || result.cause == "default-beside-permissions")
  }

  /// The edge of a terminal cuts the name of a parameter.
  @Test func aParameterAtTheEndOfALineIsCompleted() {
    let result = reproduce(
      "con.refresh_token()\nAADSTS900144: The request body must contain the following parameter: 'refresh_toke\nn'."
    )
    #expect(result.cause?.hasPrefix("parameter-missing") == true && result.verdict == .reproduced)
    #expect(result.check?.name == "refresh_token present")
  }

  /// A page has no secret, so a daemon's failure is not its failure.
  @Test func aDaemonDoesNotStandForAPage() {
    let result = reproduce(
      "POST https://sso9.example.com/adfs/oauth2/token/ 400 (Bad Request)\nERROR ServerError: invalid_client: "
        + "undefined - [undefined]: MSIS9622: Client authentication failed.\nat acquireTokenPopup")
    #expect(result.verdict == .nearest)
    #expect(result.difference?.contains("a page in a browser") == true)
  }

  /// AD FS has its own numbers.
  @Test(arguments: [
    (
      "oauth2: cannot fetch token: {\"error\":\"invalid_grant\",\"error_description\":\"MSIS9612: The authorization code received",
      ["code-not-valid-at-ad-fs", "code-redeemed-twice-at-ad-fs"]
    ),
    (
      "msal-browser ServerError: invalid_client: MSIS9622: Client authentication failed.",
      ["secret-wrong-at-ad-fs"]
    ),
  ])
  func aNumberOfADFSIsReproduced(_ text: String, _ causes: [String]) {
    let result = reproduce(text)
    #expect(result.cause.map(causes.contains) == true, "\(result.cause ?? "none") \(result.difference ?? "")")
    #expect(result.failure?.symbol?.hasPrefix("MSIS") == true && !result.changes.isEmpty)
  }

  /// What is not a URI cannot be the API of a scope, and only version 1 sends it.
  @Test func aResourceThatIsNotAURIHasAStandIn() {
    let result = reproduce(
      "Microsoft.IdentityModel.Clients.ActiveDirectory.AdalServiceException {\"error\":\"invalid_resource\","
        + "\"error_description\":\"AADSTS500011: The resource principal named SomeEndpointResourceId was not found\","
        + "\"error_codes\":[500011]}")
    #expect(result.failure?.aadsts == 500_011, "\(result.difference ?? "")")
  }

  /// Without a sign of the caller, that assumption is the first.
  @Test(arguments: [
    "AADSTS50011: The redirect URI does not match", "AADSTS650056: Misconfigured application.",
  ])
  func anAssumedCallerIsSaidFirst(_ text: String) {
    #expect(reproduce(text).assumptions.first?.name == .caller)
  }

  /// A caller that no source shows may be another one than the lab's, so the result says that it is assumed.
  @Test(arguments: [
    ("AADSTS50105: The signed in user is not assigned to a role", "what made the call"),
    ("Traceback (most recent call last):\nAADSTS53003: Access has been blocked", "which kind of program"),
  ])
  func theResultSaysThatTheCallerIsAssumed(_ text: String, _ words: String) throws {
    let result = reproduce(text)
    #expect(result.verdict == .reproduced && result.assumedCaller?.contains(words) == true)
    #expect(!result.changes.isEmpty)
    let caller = try #require(result.assumptions.first { $0.name == .caller }?.value)
    let known = reproduce(text, caller: caller)
    #expect(known.verdict == .reproduced && known.assumedCaller == nil)
  }

  /// The callers of frameworks, editors, and older libraries.
  @Test(arguments: [
    (
      "{\"name\":\"AzureAD: OIDC Passport Strategy\",\"level\":30,\"msg\":\"authentication failed due to: In "
        + "_authCodeFlowHandler: failed to redeem authorization code: AADSTS7000215: Invalid client secret provided.\"}",
      "a web server"
    ),
    (
      "new Msal.UserAgentApplication(id)\nAADSTS50058: A silent sign-in request was sent but no user is signed in.",
      "MSAL.js, a page"
    ),
    (
      "ServerError: invalid_grant: AADSTS50076: must use multi-factor\n at @azure/msal-node\n"
        + "Product: Visual Studio Code\n at extension.bundle.js:2",
      "Visual Studio Code, a program without a secret"
    ),
    (
      "UserNamePasswordParameters com.microsoft.aad.msal4j AADSTS7000218: must contain the parameter: 'client_secret'",
      "MSAL4J, a program without a secret, password"
    ),
  ])
  func aCallerIsRead(_ text: String, _ words: String) {
    let fact = reproduce(text).facts.first { $0.name == .caller }
    #expect(fact?.value.contains(words) == true, "\(fact?.value ?? "none")")
  }

  /// MSAL.js 1 and older have no token endpoint, and a server signs in with no device code.
  @Test func theProtocolOfACallerDecides() {
    let page = reproduce("new UserAgentApplication(id)\nAADSTS65001: The user has not consented")
    #expect(page.verdict != .reproduced || page.failure?.place == .authorize)
    let server = reproduce(
      "OPError: invalid_client (AADSTS700025: Client is public so neither should be presented.")
    #expect(server.verdict == .nearest || server.scenario?.contains("kind: webServer") == true)
  }

  /// An app with a plugin has MSAL for the system that the text names, and never a program's.
  @Test(arguments: [
    ("cordova-plugin-msal on iOS: AADSTS50011: The redirect URI does not match", "iOS"),
    ("react-native-msal, Android 14: AADSTS50011: The redirect URI does not match", "Android"),
  ])
  func anAppWithAPluginIsAnApp(_ text: String, _ system: String) {
    let result = reproduce(text)
    #expect(result.scenario?.contains("platform: \(system)") == true, "\(result.scenario ?? "")")
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    let both = reproduce(text + "\nNot on iOS, only on Android")
    #expect(both.assumedCaller != nil && both.scenario?.contains("programs:") == false)
  }

  /// Google has the same word as Azure AD B2C.
  @Test func aWordOfGoogleIsNotAzures() {
    let result = reproduce("Access blocked\nError 400: redirect_uri_mismatch")
    #expect(result.difference?.contains("AADB2C90006") == false, "\(result.difference ?? "")")
  }

  /// A server redeems its code out of the browser's sight, and only its own response says that this failed.
  @Test(arguments: [
    (
      #"{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: Invalid client secret provided.\"}"#,
      7_000_215
    ),
    ("You do not have permission to view this page.", nil),
  ])
  func aServerThatRefusesTheResponseIsRead(_ body: String, _ number: Int?) {
    let uri = "https%3A%2F%2Flamp.azurewebsites.net%2F.auth%2Flogin%2Faad%2Fcallback"
    func entry(_ method: String, _ url: String, _ status: Int, _ form: String, _ body: String) -> String {
      """
      {"startedDateTime": "2026-01-05T10:00:00.000Z", "time": 1, "request": {"method": "\(method)", "url": "\(url)",
        "headers": [], "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "\(form)"}},
        "response": {"status": \(status), "headers": [], "content": {"mimeType": "text/html", "text": "\(body)"}}}
      """
    }
    let authorize =
      "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?response_type=code&response_mode=form_post"
      + "&client_id=6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31&scope=openid&state=1&redirect_uri=\(uri)"
    let entries = [
      entry("GET", authorize, 200, "", "lamp"),
      entry(
        "POST", "https://lamp.azurewebsites.net/.auth/login/aad/callback", 500, "code=0.AA&state=1", body),
    ]
    let result = reproduce(
      "{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ","))]}}")
    #expect(result.shown.aadsts == number)
    if number == nil {
      #expect(result.verdict == .notReproduced && result.difference?.contains("the app refused") == true)
    } else {
      #expect(result.verdict == .reproduced && result.shown.place == .token, "\(result.difference ?? "")")
      #expect(result.facts.contains { $0.name == .caller && $0.value.contains("a web server") })
    }
  }

  /// A terminal breaks a number anywhere.
  @Test(arguments: [
    "acquire_token_for_client AADSTS\n7000215: x", "acquire_token_for_client AADSTS7000\n215: x",
  ])
  func aNumberOverTwoLinesIsWhole(_ text: String) {
    #expect(reproduce(text).shown.aadsts == 7_000_215)
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
