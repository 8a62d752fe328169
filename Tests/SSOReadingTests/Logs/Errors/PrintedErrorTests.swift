import SSOCore
import SSOReading
import SSOReference
import Testing

/// A text as people paste it, without the lines of an SDK's log, and the cause in it.
struct PrintedSample: CustomTestStringConvertible, Sendable {
  var kind: String
  var text: String
  var cause: String
  var testDescription: String { "\(kind): \(cause)" }

  init(_ kind: String, _ cause: String, _ text: String) {
    (self.kind, self.text, self.cause) = (kind, text, cause)
  }

  static let all = [
    PrintedSample(
      "Keycloak", "error=invalid_redirect_uri",
      """
      2026-11-20 10:34:58,025 WARN  [org.keycloak.events] (lamp-5) type=LOGIN_ERROR, realmId=lamps, clientId=lamp, \
      error=invalid_redirect_uri, redirect_uri=http://192.0.2.1:8600/cb
      """),
    PrintedSample(
      "Google, the origin beside the general word", "The JavaScript origin in the request",
      """
      400. That's an error.

      Error: redirect_uri_mismatch

      The JavaScript origin in the request, http://lamps.example, does not match the ones authorized for the OAuth client.
      """),
    PrintedSample(
      "MCP, behind an answer without a cause", "does not support dynamic client registration",
      """
      [74465] Received error: Error POSTing to endpoint (HTTP 405): {"detail":"Method Not Allowed"}
      [74465] Connection error: Error: Incompatible auth server: does not support dynamic client registration
      """),
    PrintedSample(
      "a number behind a hyphen", "AADSTS501481",
      """
      Sign-in failed
      AADSTS-501481: The Code_Verifier does not match the code_challenge supplied in the authorization request.
      """),
    PrintedSample(
      "Android", "redirect_uri_validation_error",
      """
      E/AndroidRuntime( 4711): FATAL EXCEPTION: main
      E/AndroidRuntime( 4711): Process: com.contoso.notes, PID: 4711
      E/AndroidRuntime( 4711): java.lang.IllegalStateException: The redirect URI in the configuration file doesn't match \
      with the one generated with package name and signature hash.
      E/AndroidRuntime( 4711): \tat com.contoso.notes.SignIn.start(SignIn.kt:12)
      """),
    PrintedSample(
      "Android", "no_tokens_found",
      """
      2026-11-20 09:41:07.123  4711-4733/com.contoso.notes W/System.err: com.microsoft.identity.client.exception.\
      MsalUiRequiredException: No refresh token was found.
      2026-11-20 09:41:07.123  4711-4733/com.contoso.notes W/System.err:     at com.contoso.notes.SignIn.silent(SignIn.kt:31)
      """),
    PrintedSample(
      "Android, the sentence of a lower layer", "device_network_not_available_doze_mode",
      """
      com.microsoft.identity.client.exception.MsalClientException: The call failed
          at com.contoso.notes.SignIn.silent(SignIn.kt:31)
      Caused by: com.microsoft.identity.common.java.exception.ClientException: Connection is not available to refresh \
      token because power optimization is enabled.
      """),
    PrintedSample(
      "Flutter", "user_cancelled",
      "PlatformException(AUTH_ERROR, User pressed device back button to cancel the request, null, null)"),
    PrintedSample(
      ".NET", "AADSTS65001",
      """
      Unhandled exception. MSAL.NetCore.4.61.3.0.MsalUiRequiredException:
      \tErrorCode: invalid_grant
      Microsoft.Identity.Client.MsalUiRequiredException: AADSTS65001: The user or administrator has not consented.
         bei Microsoft.Identity.Client.OAuth2.OAuth2Client.ThrowServerException(HttpResponse response)
      \tStatusCode: 400
      \tResponseBody: {"error":"invalid_grant","error_codes":[65001],"suberror":"consent_required"}
      """),
    PrintedSample(
      "WAM", "0x80070520",
      """
      MSAL.NetCore.4.61.3.0.MsalServiceException:
      \tErrorCode: unknown_broker_error
      Microsoft.Identity.Client.MsalServiceException: Unknown Status: Unexpected
      Error: 0xffffffff80070520
      Context: (pii)
      Tag: 0x21420087 (error code -2147023584) (internal error code 557973639)
      """),
    PrintedSample(
      "WAM", "Status_ApiContractViolation",
      "(pii). Status: Response_Status.Status_ApiContractViolation, Error code: 0, Tag: 557973641"),
    PrintedSample(
      "WAM", "0xCAA20001",
      "WAM Error \n Error Code: WAM_aad_provider_error_3399614465 \n Error Message: \n"),
    PrintedSample(
      "Windows event", "0xCAA82EE7",
      """
      Event ID: 1098
      Error: 0xCAA82EE7 The server name could not be resolved.
      Client ID: 29d9ed98-a469-4536-ade2-f981bc1d605e
      """),
    PrintedSample(
      "dsregcmd", "AADSTS50155",
      """
                 Attempt Status : 0xc000023c
          Server Error Code : invalid_grant
      Server Error Description : AADSTS50155: Device authentication failed for this user.
      """),
    PrintedSample("dsregcmd", "0x801C03F2", "       Client ErrorCode : 0x801c03f2\n         Phase : join\n"),
    PrintedSample("Office", "13007", "getAccessTokenAsync returns error 13007"),
    PrintedSample("Teams", "resourceRequiresConsent", "getAuthToken failed: resourceRequiresConsent"),
    PrintedSample(
      "Azure DevOps", "VS403463", "fatal: VS403463: The conditional access policy of contoso.com has failed."),
    PrintedSample(
      "MSALRuntime", "Status_UserCanceled",
      "msal.broker: [MSAL:0004]\tINFO\tErrorInternalImpl:116\tCreated an error: 4tag, StatusInternal::UserCanceled, "
        + "InternalEvent::None, Context 'closed'"),
    PrintedSample(
      "two versions of MSAL.NET",
      "Method not found: '!0 Microsoft.Identity.Client.AbstractAcquireTokenParameterBuilder`1.WithTenant(System.Uri)'",
      "Connect-Contoso : ClientCertificateCredential authentication failed: Method not found: "
        + "'!0 Microsoft.Identity.Client.AbstractAcquireTokenParameterBuilder`1.WithTenant(System.Uri)'."),
    PrintedSample(
      "MSAL Node, a number without its letters", "AADSTS7000218",
      "ServerError: invalid_client: 7000218 - [2026-11-20 09:41:07Z]: AADS"),
    PrintedSample(
      "an older MSAL.NET with a date of the system's language", "broker_application_required",
      "(False) MSAL 4.24.0.0 MSAL.Xamarin.Android 30 [02/14/2021 22:28:17] The broker failed. Exception type: "
        + "Microsoft.Identity.Client.MsalClientException , ErrorCode: broker_application_required"),
    PrintedSample(
      "VS Code", "Status_UserCanceled",
      "2026-11-20 09:41:07.060 [debug] [Fri, 20 Nov 2026 09:41:07 GMT] : [aebc6443-996d-45c2-90f0-388ff96faa56] "
        + "[https://login.microsoftonline.com/contoso.com] : @azure/msal-node-extensions@1.5.0 : Info - "
        + "[MSAL:0004]\tINFO\tLogTelemetryData:431\tKey: api_error_context, Value: User canceled the flow"),
    PrintedSample(
      "Go", "unsupported protocol scheme",
      "lvl=eror msg=\"login.OAuthLogin\" error=\"Get : unsupported protocol scheme\""),
    PrintedSample("B2C", "AADB2C: An exception has occurred", "AADB2C: An exception has occurred."),
    PrintedSample(
      "workload identity", "requested identity has not been assigned to this resource",
      "ManagedIdentityCredential authentication unavailable. The requested identity has not been assigned to this resource."
    ),
    PrintedSample(
      "msal4j", "Token not found in the cache",
      """
      java.util.concurrent.ExecutionException: com.microsoft.aad.msal4j.MsalClientException: Token not found in the cache
      \tat java.base/java.util.concurrent.CompletableFuture.reportGet(CompletableFuture.java:396)
      """),
    PrintedSample(
      "the older endpoint, whose first number is a wrapper", "AADSTS50126",
      #"{"error":"invalid_grant","error_description":"AADSTS70002: Error validating credentials. AADSTS50126: "#
        + #"Invalid username or password.\r\nTrace ID: 0","error_codes":[70002,50126]}"#),
    PrintedSample(
      "a terminal's line end in a number", "AADSTS50011",
      "ERROR: The login failed: AADSTS50\n011: The redirect URI does not match.\n"),
    PrintedSample(
      "a line end in a number, in a frame", "AADSTS700016",
      "│ Error: AADSTS70\n│ 0016: The application was not found.\n"),
    PrintedSample("a line end before a number", "AADSTS50011", "error AADSTS\n50011: The URI\n"),
    PrintedSample("a blank in a number", "AADSTS50078", "MFA failed (AADSTS 50078)"),
    PrintedSample("a colon in a number", "AADSTS50078", "sign-in: AADSTS: 50078"),
    PrintedSample(
      "MSAL for iOS, a code before its domain", "-51808",
      "TID=7 MSAL 1.4.0 iOS 17.3 [2026-11-20 09:41:07] [MSAL] Lamp flow failed with error code -51808, MSIDErrorDomain"
    ),
    PrintedSample("Intune's status", "207", "IntuneMAM enrollment of the lamp failed, statusCode 207"),
    PrintedSample(
      "an event of Keycloak", "cookie_not_found",
      "type=LOGIN_ERROR, realmId=lamp, clientId=notes, userId=null, ipAddress=10.0.0.1, error=cookie_not_found"
    ),
    PrintedSample(
      "the provider's number in the broker's telemetry", "AADSTS50076",
      #"msal.broker: [MSAL:0002]    INFO    LogTelemetryData:340    Key: wam_telemetry, Value: {"ui_visible":false,"server_error_code":50076}"#
    ),
    PrintedSample(
      "MSAL.NET, another account", "Status_AccountSwitch",
      """
      Error True MSAL 4.46.0.0 MSAL.NetCore .NET 6.0.13 Windows [2026-11-20 09:41:07Z] [WamBroker] Could not login \
      interactively. Status: UserSwitch
      Context: WAM returned AccountSwitch
      """),
    PrintedSample(
      "Apple, a web session alone", "2",
      "'com.apple.AuthenticationServices.WebAuthenticationSession error 2'"),
    PrintedSample(
      "Apple, the error inside of MSAL's", "2",
      """
      Error Domain=com.apple.AuthenticationServices.WebAuthenticationSession Code=2 "No context was given."
      Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALInternalErrorCodeKey=-50000}
      """),
    PrintedSample(
      "MSAL for iOS, a line without a level", "-51100",
      "TID=4711 MSAL 1.4.0 iOS 17.3 [2026-11-20 09:41:07] Cannot use the authority, error Error Domain=MSIDErrorDomain "
        + "Code=-51100 \"(null)\""),
    PrintedSample(
      "Go, the innermost of a chain", "certificate signed by unknown authority",
      "level=warning msg=\"Failed to query provider \\\"https://login.microsoftonline.com/contoso.com/v2.0\\\": x509: "
        + "certificate signed by unknown authority\""),
    PrintedSample(
      "azure-identity, none configured", "failed to retrieve a token from the included credentials",
      """
      azure.core.exceptions.ClientAuthenticationError: DefaultAzureCredential failed to retrieve a token from the \
      included credentials.
      Attempted credentials:
      \tEnvironmentCredential: EnvironmentCredential authentication unavailable. Environment variables are not fully configured.
      \tAzureCliCredential: Please run 'az login' to set up an account
      """),
    PrintedSample(
      "azure-identity, one that was refused", "AADSTS7000222",
      """
      azure.core.exceptions.ClientAuthenticationError: DefaultAzureCredential failed to retrieve a token from the \
      included credentials.
      Attempted credentials:
      \tEnvironmentCredential: Authentication failed: AADSTS7000222: The provided client secret keys are expired.
      \tAzureCliCredential: Azure CLI not found on path
      """),
    PrintedSample(
      "MSAL Python", "Unable to get authority configuration",
      """
      Traceback (most recent call last):
        File "/app/main.py", line 3, in <module>
      ValueError: Unable to get authority configuration for https://login.microsoftonline.com/contoso. Authority would \
      typically be in a format of https://login.microsoftonline.com/your_tenant_name
      """),
    PrintedSample(
      "MSAL Python, a result", "AADSTS7000215",
      "{'error': 'invalid_client', 'error_description': 'AADSTS7000215: Invalid client secret provided.', 'error_codes': [7000215]}"
    ),
    PrintedSample("az", "Can't find token from MSAL cache", "ERROR: Can't find token from MSAL cache.\n"),
    PrintedSample(
      "MSAL.js, JSON", "AADB2C90091",
      #"{"errorCode":"access_denied","errorMessage":"AADB2C90091: The user has cancelled.","subError":"","name":"ServerError"}"#
    ),
    PrintedSample(
      "MSAL.js", "interaction_in_progress",
      "Uncaught (in promise) BrowserAuthError: interaction_in_progress: Interaction is currently in progress."
    ),
    PrintedSample(
      "B2C", "AADB2C90118", "AADB2C90118: The user has forgotten their password.\nCorrelation ID: 1\n"),
    PrintedSample(
      "iOS, short", "-34018", "Optional(\"The operation couldn’t be completed. (OSStatus error -34018.)\")"),
    PrintedSample(
      "iOS, short", "-50002", "error The operation couldn’t be completed. (MSALErrorDomain error -50002.)"),
    PrintedSample(
      "wrapper", "-42011", "MsalInternalException { errorCode: -42011, message: The redirect URI is invalid }"
    ),
    PrintedSample(
      "Linux broker", "Parent folder does not exist",
      "Nov 20 09:41:07 pc microsoft-identity-broker[811]: Caused by: java.io.IOException: Parent folder does not exist: /home/ada/.local/state\n"
    ),
    PrintedSample(
      "Linux broker, a line of the runtime", "Status_KeyNotFound",
      """
      Nov 20 09:41:07 pc microsoft-identity-device-broker[812]: [MSAL:0002]\tERROR\tErrorInternalImpl:134\tCreated an error: \
      4ko04, StatusInternal::KeyNotFound, InternalEvent::None, Error Code 0, Context 'Crypto key not found'
      Nov 20 09:41:07 pc microsoft-identity-device-broker[812]: [MSAL:0002]\tINFO\tLogTelemetryData:464\tKey: api_name, Value: getStkJwk
      """),
    PrintedSample(
      "telemetry of the runtime in a line of MSAL.NET", "0xCAA20003",
      "False MSAL 4.60.3.0 MSAL.CoreCLR .NET 8.0 Microsoft Windows 10.0.22631 [2026-06-07 11:57:38Z] [MSAL:0003] INFO    LogTelemetryData:401 Key: api_error_code, Value: 3399614467\n"
    ),
    PrintedSample(
      "ASP.NET", "IDX10214",
      "Bearer was not authenticated. Failure message: IDX10214: Audience validation failed. Audiences: 'a'.\n"
    ),
    PrintedSample(
      "only a code of any software", "invalid_grant", "refresh failed: {\"error\":\"invalid_grant\"}\n"),
    PrintedSample("a number alone", "AADSTS50011", "50011\n"),
    PrintedSample("a result code alone", "0xCAA20003", "0xCAA20003\n"),
    PrintedSample("a name alone", "-34018", "errSecMissingEntitlement\n"),
    PrintedSample("a request without a token", "WWW-Authenticate: Bearer", "401\nWWW-Authenticate: Bearer\n"),
    PrintedSample(
      "a code of MSAL.js that no table has", "lamp_is_out",
      "ERROR ClientAuthError: lamp_is_out: The lamp is out.\n    at Function.createLampError (http://localhost/v.js:1:2)"
    ),
    PrintedSample(
      "a chain of credentials in .NET", "failed to retrieve a token from the included credentials",
      """
      Azure.Identity.CredentialUnavailableException: DefaultAzureCredential failed to retrieve a token from the included credentials.
      - Visual Studio Token provider can't be accessed at C:\\Users\\ada\\tokenprovider.json
      - Stored credentials not found. Need to authenticate user in VSCode Azure Account.
      """),
    PrintedSample(
      "MSAL for Android without its object",
      "Attempt to invoke virtual method 'void com.microsoft.identity.client.App.go()' on a null object reference",
      "java.lang.NullPointerException: Attempt to invoke virtual method 'void com.microsoft.identity.client.App.go()' on a null object reference"
    ),
    PrintedSample(
      "escapes", "failed to retrieve a token from the included credentials",
      #"stderr='DefaultAzureCredential failed to retrieve a token from the included credentials.\nAttempted credentials:\n\tEnvironmentCredential: unavailable'"#
    ),
  ]
}

@Suite struct PrintedErrorTests {
  @Test(arguments: PrintedSample.all)
  func theCauseIsNamed(_ sample: PrintedSample) throws {
    let reading = readLog(sample.text)
    let verdict = try #require(reading.verdict, "\(reading.unknown)")
    #expect(verdict.cause == sample.cause)
    expectSeen(verdict, in: sample.text)
    #expect(reading.traces.contains { $0.outcome?.verdict == .failed })
    #expect(verdict.remedy?.isEmpty == false)
  }

  @Test(arguments: PrintedSample.all)
  func theSizeOfThePiecesChangesNothing(_ sample: PrintedSample) {
    let whole = readLog(sample.text)
    for size in [1, 7, 64] { #expect(readLog(sample.text, pieces: size).traces == whole.traces) }
  }

  /// A line with nothing but a known sentence is found among the lines of a log.
  @Test func eachKnownSentenceIsFoundInALog() {
    let table = ReferenceTable("sentences.tsv")
    let sentences =
      // A single word is only another name of a code.
      table.rows.map { table.fields($0)[0] }.filter { $0.contains(" ") }
      + Explanation.all(of: .message).map(\.code)
      + Explanation.all(of: .library).map(\.code).filter { $0.first?.isNumber == false && $0.count >= 8 }
    // The code of a family stands for its numbers.
    var rest = sentences.map { $0.hasSuffix("xx") ? $0.replacing("x", with: "1") : $0 }[...]
    while !rest.isEmpty {
      let some = rest.prefix(6)
      rest = rest.dropFirst(some.count)
      // A log with several costs little more than a log with one; one that the others hide is read alone.
      let text = "msal was called\n" + some.map { $0 + "\n" }.joined()
      let seen = Set(readLog(text).traces.flatMap(\.hops).flatMap(\.sent).map(\.value))
      for sentence in some where !seen.contains(sentence) {
        let text = "msal was called\n\(sentence)\n"
        let verdict = readLog(text).verdict
        #expect(verdict != nil, "\(sentence)")
        if let verdict { expectSeen(verdict, in: text) }
      }
    }
  }

  /// Lines of other programs, and notes of the SDKs that are not failures.
  @Test(arguments: [
    "D/Lamp: com.contoso.credentialssignin started", "token service: enrolled, status code 207",
    "GET /items 404 error: not_found", "npm ERR! code ETARGET", "error: the broker is offline",
    "took 53000 ms",
    "Error Domain=NSCocoaErrorDomain Code=4 \"The file doesn’t exist.\"", "login failed for user admin",
    "0x4AA90010 the request is sent", "FATAL: password authentication failed for user \"app\"", "Status: 200",
    "EnvironmentCredential is the first of the chain", "I/Auth: a token was found in the cache",
    "azure-db: SQLException: password authentication failed for user \"app\"", "13006 bytes of Azure's page",
    "error code 13006: the lamp is out", "TypeError: Network request failed", "The file could not be found",
    "has been blocked by CORS policy: no header", "No Activity found to handle Intent { act=VIEW }",
    "connection lost: the key ring is locked", "Refresh token has expired", "the certificate is invalid",
    "Parameter 'name' cannot be null", "AccessDenied: s3 refused", "HTTP 403: no permission for the lamp",
    "50011 rows", "1\n50011\n2", "dial tcp: lookup db.internal: no such host",
    "rpc error: context deadline exceeded", "The response was received at 10:02 from node 4",
    "worker 3: grant request is invalid: table lamps", "audio: audience mismatch in campaign 4",
    "GET /auth/user-not-found HTTP/1.1 404", "csrf_detected counter reset to 0",
  ])
  func whatIsNotAnErrorOfAnIdentitySDKIsNotOne(_ line: String) {
    let reading = readLog(line + "\n")
    #expect(reading.verdict == nil, "\(reading.traces)")
  }

  /// An error that no table knows still fails, and is quoted.
  @Test func anUnknownErrorOfAnSDKFailsWithItsSentence() {
    let runtime = readLog("[MSAL:0003]\tERROR\tSomething:12\tThe lamp of the machine went out\n")
    #expect(
      runtime.traces.first?.outcome?.summary
        == "The call failed: no known code is in the log; it says: The lamp of the machine went out.")
    let page = readLog("ClientAuthError: lamp_is_out: The lamp is out.\n")
    #expect(page.traces.first?.outcome?.summary == "The call failed: lamp_is_out.")
  }

  /// Beside a sign-in library, an exception that no table knows is the cause.
  @Test(arguments: [
    (
      "Exception Type: LampException\n   at Microsoft.Identity.Client.Lamp.Open(String url)\nMSAL 4.79\n",
      "LampException"
    ),
    (
      "System.AggregateException: One or more errors. ---> AdalException: The lamp is out\n   at ADALNativeWrapper.Get()\n",
      "The lamp is out"
    ),
    (
      "Error Domain=MSALErrorDomain Code=-42199 \"(null)\" UserInfo={MSALErrorDescriptionKey=The lamp is out}\n",
      "MSALErrorDomain -42199"
    ),
    (#"answer: {"error": "lamp_state", "error_description": "The lamp is out."}"#, "lamp_state"),
    (
      "Connect-PnPOnline : The lamp is out.\n    + CategoryInfo : NotSpecified: (:) [Connect-PnPOnline], LampException\n",
      "The lamp is out"
    ),
    ("app.acquire_token_for_client failed - LampError: Invalid lamp\n", "Invalid lamp"),
    (
      "ClientAuthError: The lamp cannot be lit in a frame\n(anonymous) @ lamp.js:15\nPromise.catch (async)\n",
      "The lamp cannot be lit in a frame"
    ),
    (
      "ManagedIdentityCredential authentication failed: Service request failed.\nStatus: 403 (Forbidden)\n\nContent:\n"
        + "the lamp is locked\n\nHeaders:\nDate: Fri, 20 Nov 2026 09:41:07 GMT\n",
      "the lamp is locked"
    ),
    (
      "There was an error trying to log you in: 'Cannot read property 'lamp' of undefined'\n",
      "Cannot read property 'lamp' of undefined"
    ),
    ("Object { error_description: \"The lamp is out.\", error: \"bad_lamp\" }\n", "bad_lamp"),
    (
      "Connect-AzAccount : The lamp is out.\n    + CategoryInfo : AuthenticationError: (:) [Connect-AzAccount], LampException\n",
      "The lamp is out"
    ),
    (
      "11-20 09:41:07.123  4711  4733 E Lamp:open: [2026-11-20 09:41:07 - thread_id: 2, correlation_id: "
        + "018e4294-1dd1-7f66-9c96-bb8831ff51d9 - Android 34] The request failed\n    com.contoso.LampException\n"
        + "        at com.contoso.Lamp.open(Lamp.java:73)\n",
      "LampException"
    ),
    (
      "Unhandled exception. System.ObjectDisposedException\n   at Microsoft.Identity.Client.Lamp.Open(String url)\n",
      "ObjectDisposedException"
    ),
    (
      "com.microsoft.identity.client.exception.MsalClientException: The lamp is out\n\tat com.contoso.Lamp.open(Lamp.kt:1)\n",
      "The lamp is out"
    ),
    (
      "System.InvalidOperationException: IDX29999: The lamp is out.\n   at Microsoft.IdentityModel.Lamp.Open()\n",
      "IDX29999"
    ),
    (
      "AggregateAuthenticationError: No credential worked:\n{\n  \"error\": \"lamp_is_out\",\n  \"errorDescription\": \"The lamp is out.\"\n",
      "lamp_is_out"
    ),
  ])
  func anUnknownExceptionOfASignInIsTheCause(_ text: String, _ name: String) throws {
    let verdict = try #require(readLog(text).verdict)
    #expect(verdict.cause == name && verdict.certainty == .unknown)
  }

  /// For a number that is in no table, the provider's own sentence gives the meaning.
  @Test func anUnknownNumberOfTheProviderIsTheCauseWithItsSentence() throws {
    let log =
      #"error: "invalid_grant", error_description: "AADSTS799999: The lamp is out.\r\nTrace ID: 0""# + "\n"
    let verdict = try #require(readLog(log).verdict)
    #expect((verdict.cause, verdict.certainty, verdict.place) == ("AADSTS799999", .seen, "line 1"))
    #expect(verdict.meaning.hasPrefix("AADSTS799999: The lamp is out."))
  }

  /// A silent call asks for an interactive one, whose failure is the cause.
  @Test func theFailureOfAnInteractiveCallSaysMoreThanThatOfTheSilentOneBeforeIt() throws {
    func line(_ id: Int, _ message: String) -> String {
      "[Fri, 20 Nov 2026 09:41:07 GMT] : [018e4294-1dd1-7f66-9c96-bb8831ff51d\(id)] : @azure/msal-browser@4.13.1 : "
        + "Error - \(message)\n"
    }
    let silent = line(
      1, "InteractionRequiredAuthError: login_required: AADSTS50058: A silent sign-in request was sent.")
    let interactive = line(2, "BrowserAuthError: popup_window_error: Error opening popup window.")
    #expect(try #require(readLog(silent + interactive).verdict).cause == "popup_window_error")
    #expect(try #require(readLog(silent).verdict).cause == "AADSTS50058")
  }

  /// A number is a code only in a place for codes.
  @Test(arguments: [
    "msal login: the process exited with error code 1001", "az login took longer, status 50000 ms",
    "The token request failed 1001 times", "msal: token saved; connect ECONNREFUSED 127.0.0.1:5432",
    "[10:12:13 Debug] IDX10242: Security token: 'lamp' is valid.",
  ])
  func aNumberOfSomethingElseIsNotACode(_ line: String) {
    #expect(readLog(line + "\n").verdict?.cause == nil)
  }

  @Test func aVerdictSaysWhereAndHowSure() throws {
    let log = """
      app started
      error AADSTS50011: The redirect URI 'a' does not match. Trace ID: 0

      """
    let seen = try #require(readLog(log).verdict)
    #expect((seen.cause, seen.place, seen.certainty, seen.call) == ("AADSTS50011", "line 2", .seen, 1))
    let inferred = readLog("W/System.err: ClientException: No refresh token was found.\n").verdict
    #expect(inferred?.certainty == .inferred && inferred?.place == "line 1")
    let general = readLog(
      "Acquire token failed => MsalClientException { errorCode: unknown_error, message:  }\n")
    #expect(general.verdict?.certainty == .general)
  }

  /// A token in an exception's text is not printed.
  @Test func aSecretInAPrintedErrorIsNotShown() {
    let reading = readLog(
      "Error: MsalServiceException: AADSTS50011 sent {'client_secret': 'hunter2hunter2', 'code': '0.AXoAsecretcode'}\n"
    )
    let text = String(describing: reading)
    #expect(text.contains("AADSTS50011") && !text.contains("hunter2") && !text.contains("secretcode"))
  }
}
