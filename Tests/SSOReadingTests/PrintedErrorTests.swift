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
    PrintedSample(
      "msal4j", "Token not found in the cache",
      """
      java.util.concurrent.ExecutionException: com.microsoft.aad.msal4j.MsalClientException: Token not found in the cache
      \tat java.base/java.util.concurrent.CompletableFuture.reportGet(CompletableFuture.java:396)
      """),
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
    #expect(reading.traces.contains { $0.outcome?.verdict == .failed })
    #expect(verdict.remedy?.isEmpty == false)
  }

  @Test(arguments: PrintedSample.all)
  func theSizeOfThePiecesChangesNothing(_ sample: PrintedSample) {
    let whole = readLog(sample.text)
    for size in [1, 7, 64] { #expect(readLog(sample.text, pieces: size).traces == whole.traces) }
  }

  /// Lines of other programs, and notes of the SDKs that are not failures.
  @Test(arguments: [
    "GET /items 404 error: not_found", "npm ERR! code ETARGET", "error: the broker is offline",
    "took 53000 ms",
    "Error Domain=NSCocoaErrorDomain Code=4 \"The file doesn’t exist.\"", "login failed for user admin",
    "0x4AA90010 the request is sent", "FATAL: password authentication failed for user \"app\"", "Status: 200",
    "EnvironmentCredential is the first of the chain", "I/Auth: a token was found in the cache",
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
