import DoctorTestSupport
import Foundation
import SSODoctor
import SSOLab
import SSOScenarios
import TestSamples
import Testing

@testable import SSOReproduce

/// Reproductions of several sources together, and texts that must not be in them.
struct ReproductionTests {
  private static let log = """
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Beginning silent flow.
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Looking for access token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:02 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] Acquiring Access token via Refresh token...
    TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:03 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] acquireTokenSilent returning with error: (MSALErrorDomain, -50002) Error Domain=MSALErrorDomain Code=-50002 "(null)" UserInfo={MSALOAuthErrorKey=invalid_grant, MSALErrorDescriptionKey=AADSTS50173: User account 'jane.doe@wingtip.example' from tenant 'c0ffee00-1234-4abc-8def-001122334455' access_token=eyJhbGciOiJub25lIn0.e30.secretsecret}
    """

  @Test func theLogsNumberPlaceAndCodeAreReproduced() {
    let result = reproduce(Self.log)
    #expect(result.verdict == .reproduced)
    #expect(result.failure?.displayText == "AADSTS50173 at the token endpoint, MSALErrorDomain -50002")
    #expect(result.cause == "sessions-revoked")
    #expect(result.steps?.shared ?? 0 >= 3)
  }

  @Test func namesTenantsTokensAndIDsDoNotReachTheResult() throws {
    let result = reproduce(Self.log)
    let scenario = try #require(result.scenario)
    let text =
      String(describing: result.facts) + String(describing: result.assumptions) + scenario
      + String(describing: result.steps?.rows) + String(describing: result.changes.map(\.text))
    for secret in ["jane", "wingtip", "c0ffee00", "eyJ", "secretsecret", "3E4B5C6D"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    let kept = try #require(reproduce(Self.log, keepsIDs: true).scenario)
    #expect(
      kept.contains("jane.doe@wingtip.example") && kept.contains("c0ffee00-1234-4abc-8def-001122334455"))
    #expect(!kept.contains("eyJ"))
  }

  /// The steps of a log and the resource of an error may also name a tenant or a person.
  @Test(arguments: [
    """
    DEBUG:msal.telemetry:Generate or reuse correlation_id: 5f3c1d2e-1111-4222-8333-944455667788
    DEBUG:urllib3.connectionpool:https://login.microsoftonline.com:443 "GET /common/userrealm/jane.doe@wingtip.example?api-version=1.0 HTTP/1.1" 200 None
    DEBUG:urllib3.connectionpool:https://login.microsoftonline.com:443 "POST /wingtip.onmicrosoft.com/oauth2/v2.0/token HTTP/1.1" 400 None
    {'error': 'invalid_grant', 'error_description': 'AADSTS50126: Error validating credentials due to invalid username or password.'}
    """,
    "AADSTS500011: The resource principal named https://wingtip.onmicrosoft.com/orders-api was not found in the tenant named Wingtip Toys.",
  ])
  func namesInStepsAndResourcesDoNotReachTheResult(_ log: String) throws {
    let result = reproduce(log)
    let text =
      String(describing: result.facts) + String(describing: result.assumptions) + (result.scenario ?? "")
      + String(describing: result.steps?.rows) + String(describing: result.changes.map(\.text))
    #expect(result.verdict == .reproduced && !text.lowercased().contains("wingtip") && !text.contains("jane"))
  }

  /// The host of a resource may name a tenant, and a masked name replaces nothing.
  @Test func theHostOfAResourceDoesNotNameATenant() {
    let result = reproduce(
      "AADSTS500011: The resource principal named https://wingtip.sharepoint.com was not found in the tenant named ***."
    )
    #expect(result.facts.contains { $0.name == .resource && $0.value == "https://contoso.sharepoint.com" })
    #expect(!String(describing: result).lowercased().contains("wingtip"))
  }

  /// The only call of a long log is found behind lines of other programs, with the lines before it that name its app.
  @Test func theOnlyCallOfALongLogIsRead() {
    let noise = String(repeating: "2025-02-11 06:01:59 kernel: nothing of interest\n", count: 6_000)
    let result = reproduce(noise + Self.log)
    #expect(result.verdict == .reproduced && result.cause == "sessions-revoked")
  }

  /// The prefix of the system's log is not the SDK's.
  @Test func theSDKAndTheSystemOfALineAreRead() {
    let line = "2025-02-11 06:02:01.1 Orders[4711:771] TID=771 MSAL 1.6.3 Mac 14.5 [2025-02-11 06:02:01] "
    let result = reproduce(line + "AADSTS50076: you must use multi-factor authentication")
    #expect(result.facts.first { $0.name == .sdk }?.value == "MSAL 1.6.3")
    #expect(result.facts.first { $0.name == .system }?.value == "macOS 14.5")
  }

  /// Entra's sentences name the client in different words.
  @Test(arguments: [
    "AADSTS700016: Application with identifier '3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11' was not found in the directory",
    "AADSTS65001: The user or administrator has not consented to use the application with ID '3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11' named 'Trips'.",
    "AADSTS50194: Application '3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11'(Trips) is not configured as a multi-tenant application.",
    "AADSTS7000222: The provided client secret keys for app '3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11' are expired.",
    "AADSTS650057: Invalid resource. Client app ID: 3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11(Trips).",
    "AADSTS50105: Your administrator has configured the application Trips ('3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11') to block users",
    "AADSTS50020: User account 'a@b.example' from identity provider 'live.com' does not exist in tenant 'Contoso' and cannot access the application '3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11'(Trips) in that tenant.",
    "{'error_description': \"AADSTS50020: cannot access the application \\'3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11\\'\"}",
    "Client Id - 3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11 AADSTS50105",
  ])
  func theClientOfAnErrorIsRead(_ text: String) {
    let result = reproduce(text)
    let client = result.facts.first { $0.name == .clientID }
    #expect(client?.value == "3f0c6c1e-5d1e-4b7a-9a53-0f5d5b1f2a11")
    #expect(!result.assumptions.contains { $0.name == .clientID })
  }

  /// An ID that another party or the trace has is not the client's.
  @Test(arguments: [
    "http://localhost:3000/login#error=interaction_required&error_description=AADSTS50105%3a+The+signed+in+user+is+not+assigned+to+a+role+for+the+application+%27client_id%27(Dev).%0d%0aTrace+ID%3a+907851ba-1776-4656-84a5-d1a0ded73200",
    "AADSTS50105: the application is not in tenant 907851ba-1776-4656-84a5-d1a0ded73200",
  ])
  func anotherIDIsNotTheClients(_ text: String) {
    let result = reproduce(text)
    #expect(result.failure?.aadsts == 50105)
    #expect(!result.facts.contains { $0.name == .clientID })
  }

  /// A page reads an answer in a fragment at its redirect URI.
  @Test func theRedirectURIOfAnAnswerIsRead() {
    let result = reproduce(
      "Location: http://localhost:3000/login#error=interaction_required&error_description=AADSTS50105%3a+x")
    #expect(result.facts.first { $0.name == .redirectURI }?.value == "http://localhost:3000/login")
    #expect(result.scenario?.contains("kind: page") == true)
  }

  // MARK: The call

  private static func line(_ text: String) -> String {
    "TID=771 MSAL 2.1.0 iOS 18.0 [2025-02-11 06:02:01 - 3E4B5C6D-0011-4A22-8B33-9C44AD55BE66] \(text)\n"
  }

  /// A call of the other kind is only near, although its number is the same.
  @Test func aCallOfTheOtherKindIsOnlyNear() {
    let result = reproduce(
      Self.line("Beginning interactive flow.")
        + Self.line("acquireToken returning with error: (MSALErrorDomain, -50002) AADSTS50173: revoked"))
    #expect(result.verdict == .nearest && result.failure?.aadsts == 50173)
    #expect(result.difference == "the source's call is interactive, and the lab's is silent")
  }

  /// A cause is tried in the form of the source's call.
  @Test(arguments: [
    ("Beginning silent flow.", "acquireTokenSilent", "AADSTS50105: x", "silent"),
    ("Beginning interactive flow.", "acquireToken", "AADSTS50105: x", "interactive"),
    ("Beginning interactive flow.", "acquireToken", "AADSTS50057: x", "interactive"),
    ("Beginning silent flow.", "acquireTokenSilent", "AADSTS50057: x", "silent"),
  ])
  func aCauseIsTriedAsTheSourcesCall(_ begins: String, _ call: String, _ error: String, _ kind: String) {
    let result = reproduce(Self.line(begins) + Self.line("\(call) returning with error: \(error)"))
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(result.call?.hasPrefix("\(kind) call") == true && !result.changes.isEmpty)
  }

  /// A recorded request shows its grant.
  @Test func aCallWithAnotherGrantIsOnlyNear() {
    let result = reproduce(
      Self.recording("grant_type=password&username=a&password=b&scope=User.Read", refusal: "AADSTS50173: x"))
    #expect(result.verdict == .nearest && result.failure?.aadsts == 50173)
    #expect(result.difference?.hasPrefix("the source's call uses password") == true)
  }

  /// A page and a web server are different callers.
  @Test func aCallOfAnotherKindOfProgramIsOnlyNear() {
    let result = reproduce("Microsoft.AspNetCore.Authentication AADSTS700084: x")
    #expect(result.verdict == .nearest && result.failure?.aadsts == 700_084)
    #expect(result.difference?.contains("web server") == true)
  }

  /// MSAL for Android begins calls of both kinds with the same line.
  @Test func aLineOfBothKindsOfCallsShowsNone() {
    let line =
      "[2024-03-01 10:00:00 - thread_id: 12, correlation_id: 3e4b5c6d-0011-4a22-8b33-9c44ad55be66 - Android 34] "
    let result = reproduce(
      "\(line)Starting request with request context: {}\n\(line)MsalUiRequiredException: AADSTS700082: x")
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(!result.facts.contains { $0.name == .call })
  }

  /// A masked log shows the provider's error without its number, which has more causes than one.
  @Test func anErrorBehindAMaskIsOnlyNear() {
    let result = reproduce(
      Self.line("Processing an AAD error with error code -51412, error invalid_grant, suberror (null)")
        + Self.line("acquireTokenSilent returning with error: (MSALErrorDomain, -50002) Masked(not-null)"))
    #expect(result.verdict == .nearest && result.difference?.contains("invalid_grant") == true)
    #expect(result.facts.first { $0.name == .call }?.value.hasPrefix("silent") == true)
  }

  // MARK: The web

  /// The origin of a page is in its error, and in its recorded requests.
  @Test func theOriginOfAPageIsRead() {
    let text = "AADSTS9002326: Cross-origin token redemption. Request origin: 'https://app.contoso.io'."
    let recording = Self.recording(
      "grant_type=authorization_code&code=c", refusal: "AADSTS9002326: x",
      headers: [("Origin", "https://app.contoso.io"), ("X-Client-Sku", "msal.js.browser")])
    for result in [reproduce(text), reproduce(recording)] {
      #expect(result.verdict == .reproduced)
      #expect(result.facts.first { $0.name == .origin }?.value == "https://app.contoso.io")
      #expect(result.changes.first?.text.contains("https://app.contoso.io/ to Single-page") == true)
      #expect(!result.assumptions.contains { $0.name == .caller })
    }
  }

  /// The SDKs for phones name themselves in headers.
  @Test func theSDKInHeadersIsRead() {
    let result = reproduce(
      Self.recording(
        "grant_type=refresh_token&refresh_token=r", refusal: "AADSTS50173: x",
        headers: [("x-client-SKU", "MSAL.iOS"), ("x-client-Ver", "1.4.0")]))
    #expect(result.facts.first { $0.name == .sdk }?.value == "MSAL.iOS 1.4.0")
    #expect(result.verdict == .reproduced && result.scenario?.contains("apps:") == true)
  }

  /// A web server's redirect URI is registered under Web, whether a name or only the address shows it.
  @Test(arguments: [
    "x-client-SKU=ID_NET8_0&x-client-ver=7.1 ", "x-client-SKU=msal.js.node ", "passport-azure-ad ", "",
  ])
  func aWebServerIsRegisteredUnderWeb(_ sign: String) {
    let result = reproduce(
      sign + "AADSTS50011: The redirect URI 'https://app.contoso.io/signin-oidc' specified does not match")
    #expect(result.verdict == .reproduced)
    let text = result.changes.first?.text ?? ""
    #expect(text.contains("Authentication › Web") && text.contains("https://app.contoso.io/signin-oidc"))
    #expect(text.contains("Single-page application") == sign.isEmpty)
  }

  // MARK: Policies

  /// If the user can satisfy the policy at a sign-in, the first change is the call.
  @Test(arguments: [
    ("AADSTS50076", "second factor"), ("AADSTS50072", "second factor"), ("AADSTS53000", "through the broker"),
    ("AADSTS50129", "through the broker"), ("AADSTS53002", "excludes"), ("AADSTS70043", "interactively"),
    ("AADSTS53003", "excludes"),
  ])
  func theCallIsTheFirstChangeOfAPolicy(_ number: String, _ words: String) throws {
    let result = reproduce(
      Self.line("Beginning silent flow.")
        + Self.line("acquireTokenSilent returning with error: (MSALErrorDomain, -50002) \(number): x"))
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    #expect(result.changes.first?.text.contains(words) == true, "\(result.changes.map(\.text))")
    let file = try ScenarioFile(ScenarioSource(path: "repro.yaml", text: #require(result.scenario)))
    #expect(try Lab.run(file.fixed()).passed)
  }

  /// A source of a code for which no row and no world is known is never called reproduced.
  @Test(arguments: [
    "AADSTS135010: new", "AADSTS90027: We are unable to issue tokens", "AADB2C90047: x, AADSTS700082",
  ])
  func anUnknownNumberIsNotReproduced(_ text: String) {
    #expect([.notReproduced, .nothingRead, .nearest].contains(reproduce(text).verdict))
  }

  /// A code of Windows is read, and the verdict says that the lab does not simulate it.
  @Test func aCodeOfWindowsIsNotSimulated() {
    let result = reproduce("WAM Error  Error Code: 0x80070520")
    #expect(result.verdict == .notReproduced)
    #expect(result.difference?.contains("0x80070520") == true)
  }

  /// A result of Windows that stands for an OAuth error has as many causes as the error.
  @Test func aResultOfWindowsForAnOAuthErrorIsOnlyNear() {
    let result = reproduce("MSAL.CoreCLR api_error_code, Value: 0xCAA20003")
    #expect(result.verdict == .nearest && result.failure?.symbol == "0xCAA20003")
    #expect(result.failure?.oauthError == "invalid_grant" && !result.changes.isEmpty)
  }

  /// An OAuth error without a number, and Android's code for any other exception, have more causes than the
  /// lab tries.
  @Test(arguments: ["MSAL Python: error: invalid_grant", "MsalClientException { errorCode: unknown_error }"])
  func aVagueCodeIsOnlyNear(_ text: String) {
    let result = reproduce(text)
    #expect(result.verdict == .nearest && result.difference?.contains("more causes") == true)
    #expect(!result.changes.isEmpty)
  }

  /// One table has them: each OAuth error has one result, and each result one error.
  @Test func theResultsOfWindowsAreThoseOfTheTable() {
    #expect(WindowsResult.all.count == 12)
    #expect(Set(WindowsResult.all.map(\.oauthError)).count == 12)
    #expect(WindowsResult(code: "0xCAA20008")?.oauthError == "server_error")
    #expect(WindowsResult(code: "0xCAA2000A")?.oauthError == "unsupported_grant_type")
    #expect(WindowsResult(oauthError: "interaction_required")?.code == "0xCAA2000C")
    #expect(WindowsResult(code: "0xCAA20064") == nil)
  }

  /// The tables' text for a number that no world has is shown, and marked as not tried.
  @Test func aNumberWithoutAWorldIsExplained() {
    let result = reproduce("AADSTS90033: A transient error has occurred. Please try again.")
    #expect(result.verdict == .notReproduced && result.changes.isEmpty)
    #expect(
      result.difference?.contains("AADSTS90033, which means: The directory service is not available") == true)
    #expect(result.difference?.contains("Not tried: Try again") == true)
    #expect(reproduce("AADSTS99999999: x").difference?.hasSuffix("fails with AADSTS99999999") == true)
  }

  /// An unchanged Android project: without a mistake, every call gets a token, and a mistake is also the lab's failure.
  @Test(arguments: [
    ("", "", "", ""),
    (AndroidFixture.manifest, "BrowserTabActivity", "OtherActivity", "multiple_apps_listening_url_scheme"),
    (
      AndroidFixture.manifest, "<action android:name=\"android.intent.action.VIEW\" />", "",
      "app_manifest_validation_error"
    ),
    (AndroidFixture.manifest, "\"msauth\"", "\"https\"", "app_manifest_validation_error"),
    (
      AndroidFixture.configuration, "msauth://com.contoso.notes/\(AndroidFixture.encodedHash)", "",
      "IllegalArgumentException"
    ),
    (
      "app/src/main/java/Account.kt", "import com.microsoft.identity.client.IAccount",
      "import com.microsoft.identity.client.IAccount\nval app = PublicClientApplication"
        + ".createSingleAccountPublicClientApplication(this, R.raw.auth_config, listener)",
      "single_account_pca_init_fail_account_mode"
    ),
  ])
  func anAndroidProjectFailsWithItsMistake(
    _ file: String, _ old: String, _ new: String, _ code: String
  ) throws {
    var fixture = AndroidFixture()
    if !file.isEmpty { fixture.replace(old, with: new, in: file) }
    var reader = EvidenceReader()
    reader.take(try fixture.diagnosis())
    let result = Reproducer(reader.finish()).reproduce()
    #expect(result.failure?.symbol ?? result.failure?.domain ?? "" == code)
    #expect(result.verdict == (code.isEmpty ? .notReproduced : .reproduced))
    #expect(result.facts.contains { $0.name == .bundleID && $0.value == "com.contoso.notes" })
    #expect(result.changes.isEmpty == code.isEmpty, "no proved change")
    #expect(!result.changes.contains { $0.text.contains("handleMSALResponse") })
  }

  /// The SDK's own web view needs no activity, and of several files, the user flow's comes last.
  @Test func anAndroidProjectWithAWebViewOrAUserFlowsFileWorks() throws {
    var fixture = AndroidFixture()
    fixture.replace("BrowserTabActivity", with: "OtherActivity", in: AndroidFixture.manifest)
    fixture.replace(
      "\"broker_redirect_uri_registered\": true", with: "\"authorization_user_agent\": \"WEBVIEW\"",
      in: AndroidFixture.configuration)
    fixture.files["app/src/main/res/raw/a_user_flow.json"] = """
      {"client_id": "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9", "redirect_uri": "msauth://com.contoso.notes/x",
       "account_mode": "SINGLE",
       "authorities": [{"type": "B2C", "authority_url": "https://login.example.com/tfp/example.com/B2C_1_a"}]}
      """
    var reader = EvidenceReader()
    reader.take(try fixture.diagnosis())
    let result = Reproducer(reader.finish()).reproduce()
    #expect(result.failure == nil, "\(result.failure?.displayText ?? "")")
    #expect(result.facts.contains { $0.name == .clientID && $0.value == AndroidFixture.clientID })
  }

  @Test func anotherSDKsCodeIsOnlyNear() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50000 MSALInternalErrorCodeKey=-42104 AADSTS50011: x")
    #expect(result.verdict == .nearest)
    #expect(result.failure?.aadsts == 50011)
    #expect(result.difference?.contains("-42104") == true)
  }

  /// A recording shows client, scopes, and the number at its endpoint, but no code of the SDK.
  @Test func aRecordingOfARefreshIsReproduced() throws {
    let result = reproduce(
      Self.recording(
        "grant_type=refresh_token&refresh_token=secretsecret&scope=Mail.Read&x-client-SKU=MSAL.iOS",
        refusal: "AADSTS65001: The user has not consented. Trace ID: 7e0c"))
    #expect(result.verdict == .reproduced)
    #expect(result.failure?.displayText == "AADSTS65001 at the token endpoint, MSALErrorDomain -50002")
    let text = String(describing: result.facts) + (result.scenario ?? "")
    #expect(text.contains(Self.client) && text.contains("Mail.Read") && text.contains("app.log: entry 1"))
    for secret in ["secretsecret", "c0ffee00", "7e0c"] { #expect(!text.contains(secret), "\(secret)") }
  }

  /// A page makes the call, and the number of the provider counts although the verifier is wrong too.
  @Test func aRecordingOfAPageIsReproducedByAPage() throws {
    let result = reproduce(
      Self.recording(
        "grant_type=authorization_code&code=c&redirect_uri=http%3A%2F%2Flocalhost&x-client-SKU=msal.js.browser",
        refusal: "AADSTS7000218: The request body must contain client_assertion or client_secret."))
    #expect(result.shown.aadsts == 7_000_218 && result.failure?.aadsts == 7_000_218)
    #expect(result.verdict == .reproduced)
    #expect(result.scenario?.contains("kind: page") == true)
    #expect(!result.facts.contains { $0.name == .bundleID }, "the host of a web address is not an app")
  }

  private static let client = "11111111-2222-4333-8444-555555555555"

  private static func recording(
    _ form: String, refusal: String, headers: [(name: String, value: String)] = []
  ) -> String {
    let list = headers.map { "{\"name\": \"\($0.name)\", \"value\": \"\($0.value)\"}" }.joined(separator: ",")
    return """
      {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "pages": [], "entries": [{
        "startedDateTime": "2026-03-02T09:00:00.000Z", "time": 1, "cache": {}, "timings": {},
        "request": {"method": "POST", "headers": [\(list)], "queryString": [], "cookies": [],
          "url": "https://login.microsoftonline.com/c0ffee00-1234-4abc-8def-001122334455/oauth2/v2.0/token",
          "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "client_id=\(client)&\(form)"}},
        "response": {"status": 400, "statusText": "", "headers": [], "cookies": [], "redirectURL": "",
          "content": {"size": 1, "mimeType": "application/json",
            "text": "{\\"error\\": \\"invalid_grant\\", \\"error_description\\": \\"\(refusal)\\"}"}}}]}}
      """
  }

  /// A cache brings the client ID and the scopes, but none of its names and tokens.
  @Test func aCacheBringsTheClientAndNoNames() throws {
    var reader = EvidenceReader()
    try reader.read(EvidenceFile(name: "error.txt", data: Data("az login AADSTS50173: revoked".utf8)))
    let cache = try cacheSample("msal_python_cache.json")
    try reader.read(EvidenceFile(name: "cache.json", data: cache))
    let result = Reproducer(reader.finish()).reproduce()
    #expect(result.verdict == .reproduced)
    let text = String(describing: result.facts) + (result.scenario ?? "")
    #expect(text.contains("44444444-dddd-4ddd-8ddd-444444444444") && text.contains("3 refresh tokens"))
    let secrets = String(decoding: cache, as: UTF8.self).split(separator: "\"").filter { $0.hasPrefix("eyJ") }
    #expect(!secrets.isEmpty && !secrets.contains(where: text.contains))
  }

  /// The tenant of a cache's tokens stands for the authority, unless a log has one.
  @Test func theTenantOfACacheIsRead() throws {
    let cache = """
      {"AccessToken": {"k": {"credential_type": "AccessToken", "client_id": "11111111-2222-4333-8444-555555555555",
        "home_account_id": "a.b", "environment": "login.windows.net", "realm": "c0ffee00-1234-4abc-8def-001122334455",
        "target": "User.Read", "secret": "s", "cached_at": "1700000000", "expires_on": "1700003600"}}}
      """
    for (log, place) in [
      ("", "cache.json"), (" https://login.microsoftonline.com/organizations/oauth2/v2.0/token", "app.log:1"),
    ] {
      var reader = EvidenceReader()
      try reader.read(EvidenceFile(name: "cache.json", data: Data(cache.utf8)))
      try reader.read(EvidenceFile(name: "app.log", data: Data("az login AADSTS50173: x\(log)".utf8)))
      let result = Reproducer(reader.finish()).reproduce()
      #expect(result.verdict == .reproduced)
      #expect(result.facts.first { $0.name == .authority }?.place == place)
      #expect(!result.assumptions.contains { $0.name == .authority })
      let text = String(describing: result.facts) + (result.scenario ?? "")
      #expect(!text.contains("c0ffee00"))
    }
  }

  /// The mistakes of doctor that fail, each as the lab runs the project.
  @Test(arguments: XcodeMistake.all.filter { $0.severity == .fails && $0.code != nil && !isBeyond($0) })
  func aProjectFailsWithTheCodeThatDoctorNames(_ mistake: XcodeMistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    try fixture.inFolder { folder in
      var reader = EvidenceReader()
      reader.take(try Doctor.examine([folder, folder + "/registration.json"]))
      let result = Reproducer(reader.finish()).reproduce()
      let code = mistake.code ?? ""
      #expect(result.failure?.codes.contains(code) == true, "\(result.failure?.displayText ?? "no failure")")
      // The authority of B2C that is not declared has no value that the lab could propose.
      #expect(!result.changes.isEmpty || mistake.what.contains("B2C"))
      #expect(result.changes.allSatisfy { $0.place?.contains(folder) == true }, "a change without its place")
    }
  }

  /// The mistakes that need something that the lab does not have: another device's broker, Intune's SDK, an unsigned
  /// app for macOS.
  private static func isBeyond(_ mistake: XcodeMistake) -> Bool {
    ["only with a source application", "Intune has another", "for macOS without a team"].contains {
      mistake.what.contains($0)
    }
  }
}
