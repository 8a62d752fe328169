import SSOCore
import SSOReading
import SSOReference
import Testing

/// Errors of servers, tools, and pipelines around a sign-in, as people paste them.
@Suite struct PastedErrorTests {
  @Test(arguments: [
    PrintedSample(
      "AD FS, a number in the table", "MSIS9224",
      "error=invalid_request&error_description=MSIS9224: The redirect URI of the lamp is not registered."),
    PrintedSample(
      "AD FS, a number of the family", "MSIS9999",
      "Encountered error during passive request. MSIS9999: The lamp is out."
    ),
    PrintedSample(
      "Key Vault", "AKV10032",
      #"{"error":{"code":"Unauthorized","message":"AKV10032: Invalid issuer of the lamp."}}"#
    ),
    PrintedSample("Key Vault, a number of the family", "AKV10777", "message: AKV10777: The lamp is out."),
    PrintedSample(
      "Microsoft.IdentityModel, a number of the family", "IDX10218",
      "Microsoft.IdentityModel.Tokens.SecurityTokenException: IDX10218: The lamp is out."),
    PrintedSample(
      "Exchange Online", "5.7.3 Authentication unsuccessful",
      "Nov 20 09:41:07 relay postfix/smtp[811]: server smtp.office365.com said: 535 5.7.3 Authentication unsuccessful [LAMP]"
    ),
    PrintedSample(
      "SharePoint", "Unsupported app only token",
      #"{"error_description":"Exception of type 'Microsoft.IdentityModel.Tokens.AudienceUriValidationFailedException'. Unsupported app only token."}"#
    ),
    PrintedSample(
      "Azure SQL", "Login failed for user '<token-identified principal>'",
      "Microsoft.Data.SqlClient.SqlException (0x80131904): Login failed for user '<token-identified principal>'."
    ),
    PrintedSample(
      "kubectl", "executable kubelogin not found",
      "Unable to connect to the server: getting credentials: exec: executable kubelogin not found"),
    PrintedSample(
      "Teams", "App resource defined in manifest and iframe origin do not match",
      "**_getAuthToken failed - App resource defined in manifest and iframe origin do not match_**"),
    PrintedSample(
      "Android's web view", "ERROR_FAILED_SSL_HANDSHAKE",
      """
      com.microsoft.identity.client.exception.MsalServiceException: primary error: 3 certificate: Issued to: CN=lamp;
      Issued by: CN=lamp;
      """),
    PrintedSample(
      "a code of any software beside a class", "network_error",
      """
      {"errorCode":"network_error",
      "errorMessage":"The lamp is out.",
      "name":"ClientAuthError"}
      """),
    PrintedSample(
      "Google Play services", "ApiException: 12500",
      "W/Lamp: sign-in failed\ncom.google.android.gms.common.api.ApiException: 12500: \n"),
    PrintedSample(
      "Google Play services, through Flutter", "ApiException: 10",
      "PlatformException(sign_in_failed, com.google.android.gms.common.api.ApiException: 10: , null, null)"),
    PrintedSample(
      "Google Play services, in a person's sentence", "ApiException** with error code **12501",
      "The lamp's sign-in gives an **ApiException** with error code **12501**"),
    PrintedSample(
      "Google Play services, in the words of Google's sample", "signInResult:failed code=7",
      "W/Lamp: signInResult:failed code=7"),
    PrintedSample(
      "dsregcmd", "AzureAdJoined : NO",
      """
      +----------------------------------------------------------------------+
      | Device State                                                         |
      +----------------------------------------------------------------------+
                   AzureAdJoined : NO
                EnterpriseJoined : NO
      """),
    PrintedSample(
      "dsregcmd, with an error", "0x801C001D",
      "AzureAdJoined : NO\nClient ErrorCode : 0x801c001d\n"),
    PrintedSample(
      "a number beside the name of another one", "-50000",
      "MSAL returns (MSALErrorDomain, -50000) MSALErrorInternal; before, this was MSALErrorInteractionRequired"
    ),
    PrintedSample(
      "a chain without its first line", "Attempted credentials",
      """
      Attempted credentials:
      \tEnvironmentCredential: missing environment variable AZURE_TENANT_ID
      \tManagedIdentityCredential: IMDS token request timed out
      \tAzureCLICredential: Azure CLI not found on path
      """),
    PrintedSample(
      "PowerShell", "The remote server returned an error: (401) Unauthorized",
      """
      Connect-PnPOnline -AccessToken $token -Url https://contoso.sharepoint.com
      Get-PnPLamp : The remote server returned an error: (401) Unauthorized.
          + CategoryInfo          : WriteError: (:) [Get-PnPLamp], WebException
      """),
    PrintedSample(
      "a package in another line", "Unexpected character encountered while parsing value: <",
      "Bug: Unexpected character encountered while parsing value: <. Path '', line 1.\n- package Microsoft.Identity.Client v4\n"
    ),
    PrintedSample(
      "Angular", "InjectionToken MSAL_GUARD_CONFIG",
      "NullInjectorError: R3InjectorError(LampModule)[MsalGuard -> InjectionToken MSAL_GUARD_CONFIG]:"),
    PrintedSample(
      "a web API of Node", "We did not receive a token we know how to validate",
      #"{"name":"AzureAD: Bearer Strategy","msg":"authentication failed due to: In Lamp.jwtVerify: We did not receive a token we know how to validate"}"#
    ),
    PrintedSample(
      "Microsoft Graph, the closer of two", "CompactToken validation failed",
      "{'error': {'code': 'InvalidAuthenticationToken', 'message': 'CompactToken validation failed with reason code: 1.'}}"
    ),
  ])
  func theCauseIsNamed(_ sample: PrintedSample) throws {
    let verdict = try #require(readLog(sample.text).verdict)
    #expect(verdict.cause == sample.cause && verdict.remedy?.isEmpty == false)
    expectSeen(verdict, in: sample.text)
  }

  /// A sentence that is in no table is quoted.
  @Test(arguments: [
    ("msal: Failed to get access token with error: the lamp is out of order", "the lamp is out of order"),
    (
      "lamp.js:602\nTypeError: this.lamp is not a function\n    at Lamp.on (/app/node_modules/passport-azure-ad/lib/lamp.js:1:2)",
      "this.lamp is not a function"
    ),
    ("oauth: unable to retrieve the lamp's tokens today", "unable to retrieve the lamp's tokens today"),
    (
      "msal was called\nSystem.IO.FileNotFoundException: The lamp of the room is missing. Buy one.",
      "The lamp of the room is missing"
    ),
    (
      "CLIInternalError: The command failed with an unexpected error. Here is the traceback:\nthe lamp has no bulb\n"
        + "Traceback (most recent call last):\n  File \"lamp.py\", line 1, in light\n",
      "the lamp has no bulb"
    ),
    (
      "Error: unable to build authorizer for Lamp API: could not configure Authorizer: no lamp could be configured",
      "no lamp could be configured"
    ),
    (
      "E1120 azure.go:163] Failed to acquire a token: failed acquiring new token: autorest/adal/lamp: Error occurred "
        + "while sending it: Post \"https://login.contoso.com/lamp\": dial tcp: read udp 192.0.2.1:1->192.0.2.2:53: i/o timeout",
      "i/o timeout"
    ),
    (
      "Azure.Identity.AuthenticationFailedException: ManagedIdentityCredential authentication failed: Service request "
        + "failed. Status: 429\n   at Azure.Identity.Lamp.MoveNext()",
      "Service request failed. Status: 429"
    ),
    (
      "com.microsoft.identity.client.exception.MsalServiceException: Lamp is null or empty\n"
        + "\t\tcom.microsoft.identity.client.internal.Lamp.msalExceptionFromLamp(Lamp.java:74)\n",
      "Lamp is null or empty"
    ),
    (
      "CLIInternalError: The command failed with an unexpected error. Here is the traceback:\n[WinError 87] : ''\n"
        + "Traceback (most recent call last):\n  File \"lamp.py\", line 1, in light\n",
      "[WinError 87]"
    ),
    (
      "LampHandlerError: The lamp's handler failed. CAUSE: The bulb of the request is missing (see the auth0 log). No.",
      "The bulb of the request is missing (see the auth0 log)"
    ),
    (
      "An error occurred during active directory authentication. Error: authentication_failed. Description: The lamp "
        + "does not support dimming.",
      "The lamp does not support dimming."
    ),
    (
      "An error was encountered while handling the remote login. ---> System.Exception: The lamp is out of order\n",
      "The lamp is out of order"
    ),
    (
      "at Microsoft.Identity.Client.Lamp.On()\nmessage Object reference not set to an instance of an object.\n   at Microsoft.Identity.Client.Lamp.On()\n",
      "Object reference not set to an instance of an object"
    ),
    (
      "az login through msal\nerror: the lamp is locked by another process",
      "the lamp is locked by another process"
    ),
  ])
  func anErrorThatNoTableHasIsQuoted(_ text: String, _ cause: String) throws {
    let verdict = try #require(readLog(text + "\n").verdict)
    #expect(verdict.cause == cause && verdict.certainty == .unknown)
  }

  /// The numbers with which Microsoft.IdentityModel reports its actions.
  @Test(arguments: [
    "IDX10233: The audience is not validated.", "info: Lamp[0]\n      IDX10258: Token type validated.",
    "[10:12:13 Debug] IDX10299: The lamp is on.",
  ])
  func aReportIsNotAnError(_ text: String) { #expect(readLog("msal\n" + text + "\n").verdict == nil) }

  /// A workflow's log has a time before each line, commands, and numbers that its page links.
  @Test func aWorkflowsLogIsReadAsItsProgramsWroteIt() throws {
    let lines = [
      "##[group]Run azure/login@v2", "with:", "##[endgroup]", "Attempting Azure CLI login by using OIDC...",
      "##[error]AADSTS700[21](https://github.com/contoso/lamp/actions/runs/1/job/2#step:3:21)3: No matching federated "
        + "identity record found for presented assertion subject 'repo:contoso/lamp'. Trace ID: 9[15](https://github.com/a)",
      "##[error]Login failed with Error: The process failed. Double check if the 'auth-type' is correct.",
    ]
    let log = lines.enumerated().map { "2026-11-20T09:41:0\($0).1234567Z \($1)\n" }.joined()
    let verdict = try #require(readLog(log).verdict)
    #expect((verdict.cause, verdict.certainty, verdict.place) == ("AADSTS700213", .seen, "line 5"))
    for size in [1, 7, 64] { #expect(readLog(log, pieces: size).verdict?.cause == "AADSTS700213") }
    let stack = readLog(
      "2026-11-20T09:41:07.1234567Z ##[error]System.InvalidOperationException: The lamp of the room is out\n"
        + "2026-11-20T09:41:07.1234567Z    at Microsoft.Identity.Client.Lamp.Open(String url)\n")
    #expect(stack.verdict?.cause == "The lamp of the room is out")
  }

  /// A link to something other than a number, and a bracket without a link, are left unchanged.
  @Test(arguments: ["see [the lamp](https://contoso.com) AADSTS50011", "[12] [13](lamp) AADSTS50011"])
  func otherLinksStay(_ line: String) throws {
    let hop = try #require(readLog(line + "\n").traces.first?.hops.first)
    #expect(hop.result == "AADSTS50011")
  }
}
