import SSOCore
import SSOReading
import Testing

/// Failures that are in no table, in short texts about a sign-in: the line whose form says that something failed is
/// quoted.
@Suite struct FailureLineTests {
  @Test(arguments: [
    PrintedSample(
      "the reason below", "the certificate of the lamp has expired",
      """
      Login failed.
      Error: Unable to verify SAML lamp
      Reason: the certificate of the lamp has expired
      """),
    PrintedSample(
      "the sentence with a subject below", "nonce does not match the lamp's",
      """
      oidc: Error: the lamp could not be lit
      nonce does not match the lamp's
      """),
    PrintedSample(
      "logfmt", "lamp has no valid role",
      """
      level=error msg="azuread login" error="lamp has no valid role"
      """),
    PrintedSample(
      "logfmt, the first of several", "NOT NULL constraint failed: lamps.id",
      """
      logger=user level=error msg="Failed to update user" error="NOT NULL constraint failed: lamps.id"
      logger=authn level=warn msg="Failed to run hook" client=azuread error="unable to update lamp"
      """),
    PrintedSample(
      "a printed dictionary", "Lamp contains invalid claims",
      """
      <Response [401 Unauthorized]>
      {'detail': 'Lamp contains invalid claims'}
      """),
    PrintedSample(
      "a message in a message", "The lamp is valid, but no data was found",
      """
      {
        "message": "\\"The lamp is valid, but no data was found. (management.azure.com)\\""
      }
      """),
    PrintedSample(
      "a code in JSON", "lamp_token_invalid",
      """
      access token
      { "error": { "code": "lamp_token_invalid", "message": "x" } }
      """),
    PrintedSample(
      "the last part of a chain", "cannot configure default lamps",
      """
      Error: cannot create job: default auth: cannot configure default lamps, please check \
      https://a.azure.com
      """),
    PrintedSample(
      "a line that introduces the next one", "lamp misbehaving",
      """
      ERROR: logging in to azure: server response error:
       Get "https://x": lamp misbehaving
      """),
    PrintedSample(
      "a heading", "The lamp failed to authenticate",
      """
      [Content]
      Microsoft Azure Lamp Explorer
      Details:
      The lamp failed to authenticate.
      """),
    PrintedSample(
      "a tool's error", "No lamps were found on this computer",
      """
      microsoft lamps
           | Error: No lamps were found on this computer. Please buy one.
      """),
    PrintedSample(
      "a level and a logger", "In order to obtain AAD lamps, run azure cli",
      "ERROR [d.labs.lamp] In order to obtain AAD lamps, run azure cli"),
    PrintedSample(
      "PowerShell", "Authentication needed, call Connect-Lamp",
      """
      C:\\> Connect-MgGraph
      Get-MgLamp_List1: Authentication needed, call Connect-Lamp.
      """),
    PrintedSample(
      "a code alone", "ERR_LAMP_IS_OUT",
      "Unable to sign-in: ERR_LAMP_IS_OUT"),
    PrintedSample(
      "an exception's message", "Failed to light the lamp",
      """
      10:15:07,894 ERROR [main] com.microsoft.lamp.Pool - failed
      com.microsoft.lamp.LampException: Failed to light the lamp.
      \tat com.microsoft.lamp.Lamp.on(Lamp.java:5318)
      """),
    PrintedSample(
      "a traceback's last exception", "Not enough segments",
      """
      [backend] WARNING fastapi_azure_auth Lamp received. Error: Error decoding lamp.
      [backend] Traceback (most recent call last):
      [backend] ValueError: not enough lamps to unpack
      [backend]
      [backend] Traceback (most recent call last):
      [backend] jose.exceptions.LampError: Not enough segments
      """),
    PrintedSample(
      "a type alone", "LampLoadException",
      """
      pac auth
      The lamp's details were captured. Id: 1, Exception Type: System.LampLoadException.
      """),
    PrintedSample(
      "a description below", "No lamp returned by remote server",
      """
      Redirect URL
      Error: lamp failed: Error: Lamp Error
      Description: No lamp returned by remote server
      """),
    PrintedSample(
      "an exception inside", "On Lamp.Android, you have to specify the bulb",
      """
      {Microsoft.Lamp.LampConnectionException: Failed to connect to the lamp
       ---> System.InvalidOperationException: On Lamp.Android, you have to specify the bulb
         at Microsoft.Identity.Client.Lamp.On()
      """),
    PrintedSample(
      "a sentence above an exception's name", "The lamp does not match",
      """
      Connect-PnPOnline : The lamp does not match.
          + CategoryInfo : NotSpecified: (:) [Connect-PnPOnline], LampException
      """),
    PrintedSample(
      "a quotation", "Driver [lamp] not supported",
      """
      When I sign in to azure, an error appears "Driver [lamp] not supported."
      """),
    PrintedSample(
      "PHP", "The lamp is out",
      """
      oauth2: Uncaught exception 'Lamp\\LampException' with message 'The lamp is out' in /lamp.php:57 \
      Stack trace:
      """),
    PrintedSample(
      "columns", "Unable to log in to the lamp",
      """
      Microsoft.Xrm.Lamp\tError\t2\t20-11-2026 09:41:07  Unable to log in to the lamp
      """),
    PrintedSample(
      "a number after a colon", "the lamp failed with status code: 401",
      "oauth refresh: the lamp failed with status code: 401."),
    PrintedSample(
      "an error of Apple's systems", "Unable to light the lamp",
      """
      oauth: Error Domain=LampErrorDomain Code=5 "Unable to light the lamp." \
      UserInfo={NSLocalizedDescription=No.}
      """),
    PrintedSample(
      "an object over several lines", "Must be lit to use '/lamp' syntax",
      """
      `{ # unauthenticated
          "error": {
              "code": "unlit",
              "message": "Must be lit to use '/lamp' syntax",
      """),
    PrintedSample(
      "Ruby", "Lamp::LampMissing ('bulb' required.)",
      """
      Started GET "/users/auth/openid-connect"
      Lamp::LampMissing ('bulb' required.):
        vendor/gems/lamp-1.0.0/lib/lamp.rb:59:in `attr_missing!'
      """),
    PrintedSample(
      "Go", "invalid memory address or nil lamp",
      "azidentity\npanic: runtime error: invalid memory address or nil lamp\ngoroutine 1 [running]:"),
    PrintedSample(
      "a key that is missing", "'lamp_endpoint'",
      """
      az login
      The command failed with an unexpected error. Here is the traceback:
      'lamp_endpoint'
      Traceback (most recent call last):
      """),
    PrintedSample(
      "an exception with a number alone", "LampException: 10",
      """
      sign_in
      PlatformException(lamp_failed, com.example.LampException: 10: , null, null)
      """),
    PrintedSample(
      "an exception of Flutter", "The lamp is out",
      "appauth: PlatformException(lamp_failed, The lamp is out, null, null)"),
    PrintedSample(
      "an exception of Flutter without a message", "lamp_failed",
      "appauth: PlatformException(lamp_failed, null, null, null)"),
    PrintedSample(
      "an exception of Python without its usual ending", "Lamp 'reading_lamp' not found",
      """
      oauth
      lamps.urls.exceptions.NoLamp: Lamp 'reading_lamp' not found. 'reading_lamp' is not a valid lamp.
      """),
    PrintedSample(
      "an exception behind a dash", "lampCode not available for the lamp",
      "openid\njava.lang.LampException - lampCode not available for the lamp"),
    PrintedSample(
      "PHP's place and stack", "No lamp",
      "openid: Fatal error: Uncaught Lamp\\LampException: No lamp in /srv/lamp.php:24 Stack trace: #0 /srv/a.php(3): on()"
    ),
    PrintedSample(
      "PHP's arguments, below a sentence for any failure",
      "Argument #1 ($lamp) must be of type array, null given",
      """
      The server was unable to complete your request.
      [index] Fehler: OCA\\OIDC\\LampEvent::on(): Argument #1 ($lamp) must be of type array, null given, \
      called in /srv/lamp.php on line 4 in file '/srv/event.php' line 22
      """),
    PrintedSample(
      "a sentence for any failure alone", "an internal server error has occurred",
      "azure: an internal server error has occurred."),
    PrintedSample(
      "a quotation that is called an error", "Lighting this lamp requires a bulb to be provided",
      "In Azure you'll get an error that says, \"Lighting this lamp requires a bulb to be provided\"."),
    PrintedSample(
      "the mark of a file and its line", "lampshake failed; returned -1",
      "oauth: [ERROR:lamp_socket.cc(992)] lampshake failed; returned -1"),
    PrintedSample(
      "Rails", "no lamp in this house",
      """
      This oauth lamp does not have a bulb at all.
      LampError (no lamp in this house):
      lamp.rb:5:in `on'
      """),
    PrintedSample(
      "a block of code below a person's sentence", "The lamp cannot be lit",
      """
      Lamps in azure are not available at night
      ```
      The lamp cannot be lit
      ```
      """),
    PrintedSample(
      ".NET without a message", "LampException",
      "azure\nException of type 'House.LampException' was thrown."),
    PrintedSample(
      "the second sentence", "Not available in the house",
      "The o365 lamp asks for a bulb. Not available in the house."),
    PrintedSample(
      "a title", "Lamp retrieval error, check the o365 log",
      "Lamp retrieval error, check the o365 log"),
    PrintedSample(
      "a person's sentence with a colon", "The oauth lamp failed to light",
      "What I get with my lamp is: The oauth lamp failed to light"),
    PrintedSample(
      "a quoted code", "ERR_LAMP_TIMED_OUT",
      "As soon as my keycloak is off this results in `ERR_LAMP_TIMED_OUT`."),
    PrintedSample(
      "an object of JavaScript", "The lamp is not lit",
      "oidc\n{ [LampError: The lamp is not lit] name: 'LampError', code: 12500 }"),
    PrintedSample(
      "a content below a sentence for any failure", "no lamp found for this request",
      """
      Azure.RequestFailedException: Service request failed.
      Status: 404

      Content:
      no lamp found for this request
      """),
    PrintedSample(
      "the last part of a long chain", "The lamp could not be cast to a bulb",
      "oauth: java.lang.LampException: Unable to instantiate \(String(repeating: "lamp ", count: 40))in house: "
        + "java.lang.CastException: The lamp could not be cast to a bulb"),
    PrintedSample(
      "a sentence for any failure above comments of code", "An error occurred while lighting the lamp",
      """
      oauth: An error occurred while lighting the lamp
      ```
      #'lamp.LightRequired',  # Light required globally
      # the lamp is not set here
      ```
      """),
    PrintedSample(
      "an error above code that is about a sign-in", "Invalid bulb",
      """
      Sorry there was an error: Invalid bulb.
      lamp.AddOpenIdConnect(options =>
      {
      """),
    PrintedSample(
      "an escaped text", "Can't load the lamp",
      "openid: {\"error\":{\"message\":\"Can't load the lamp: \\u0a86 house \\u0aa8\\u0ac0"),
    PrintedSample(
      "a response below a sentence for any failure", "no lamp found for this bulb",
      """
      azure
       ---> Azure.RequestFailedException: Service request failed.
      Status: 404 (Not Found)

      Content:
      no lamp found for this bulb
      Headers:
      X-Lamp-Type-Options: REDACTED
      """),
    PrintedSample(
      "a field that fits any failure beside another", "Failed to light the lamp",
      "oidc: ApiException 500: (\"message\":\"Failed to light the lamp\",\"error\":\"Internal Server Error \"}"
    ),
    PrintedSample(
      "JSON behind an exception's name", "No compatible lamp found",
      "appauth: LampException: {\"type\":7,\"code\":10,\"errorDescription\":\"No compatible lamp found\"}"),
    PrintedSample(
      "a chain that goes on with a small letter", "the bulb does not match any lamp",
      "oidc: Lamp verification failed. error validating bulbs: the bulb does not match any lamp"),
    PrintedSample(
      "a list of errors", "error checking the lamp's bulb",
      """
      oidc
      Error writing data to auth/lamp: Error making API request.
      Code: 400. Errors:

      * error checking the lamp's bulb
      """),
    PrintedSample(
      "an error of Apple's systems inside of another one", "The lamp did not start with a bulb",
      """
      oauth: Error Domain=HouseDomain Code=2 "(null)" UserInfo={NSUnderlyingError=0x1 {Error Domain=LampDomain \
      Code=3840 "The lamp did not start with a bulb" UserInfo={}}}
      """),
    PrintedSample(
      "the second half of an error of Azure", "LampVerificationFailed",
      "azure: Err: Status=403 Code=\"BadLamp\" InnerError={\"code\":\"BadLamp\",\"message\":\"The lamp was not lit. "
        + "Challenge failed: LampVerificationFailed\"}"),
    PrintedSample(
      "a code behind its label", "LampFailed",
      "Azure's response was 403: Forbidden\nERROR CODE: LampFailed"),
    PrintedSample(
      "a code beside a sentence for any failure", "INVALID_LAMP_ID",
      "oauth: LampError, An internal error has occurred. [ INVALID_LAMP_ID ]"),
    PrintedSample(
      "an error of Apache's log", "the lamp of the sign-in is another one",
      "[Mon Nov 23 10:00:00.000001 2026] [auth_lamp:error] [pid 4711:tid 1] [client 192.0.2.1:5000] auth_check: the lamp of the sign-in is another one, referer: https://lamp.example/"
    ),
    PrintedSample(
      "an error of Amazon's services", "NotAuthorizedException: The lamp is not yours",
      #"{"__type":"NotAuthorizedException","message":"The lamp is not yours."}"#),
    PrintedSample(
      "an error of Amazon's services in a console", "NotAuthorizedException: The lamp is not yours",
      #"{__type: NotAuthorizedException, message: "The lamp is not yours."}"#),
    PrintedSample(
      "an exception of Amplify for Android", "LampException: The lamp of the sign-in was put out",
      "LampException{message=The lamp of the sign-in was put out., cause=null, recoverySuggestion=Light it.}"),
    PrintedSample(
      "an exception of Amplify for Flutter", "LampException: The sign-in has no lamp",
      "I/flutter: LampException(message: The sign-in has no lamp., recoverySuggestion: Light one)"),
    PrintedSample(
      "an exception of Amazon's SDK", "The lamp is not valid",
      "cognito: The lamp is not valid. (Service: AmazonLamp; Status Code: 400; Error Code: LampException; Request ID: 1)"
    ),
    PrintedSample(
      "an ID token in a log", "no bulb can be found, it is null",
      "[io.lamp.LampMechanism] (thread-3) ID token failure: no bulb can be found, it is null"),
  ])
  func theLineThatSaysWhatFailedIsQuoted(_ sample: PrintedSample) throws {
    let verdict = try #require(readLog(sample.text + "\n").verdict)
    #expect(verdict.cause == sample.cause && verdict.certainty == .unknown)
  }

  /// Lines that say nothing about a failure, or are not about a sign-in.
  @Test(arguments: [
    "INFO: azure login succeeded", "the microsoft lamp is on\n{\"error\": null, \"message\": \"ok\"}",
    "error: the lamp is broken", "I cannot sign in with azure", "How can the azure login be required?",
    "azure: {\"detail\": \"lamp\", \"errors\": []}",
    "level=info msg=\"azure token saved\" error=\"\"",
    "Note: the azure lamp cannot be used",
    "webauth.lamp does not work on iOS, but works fine on Android",
    "azure: the lamp's message is not clear enough",
    "2026-11-20 DEBUG : onedrive: Token expired but no lamp, doing nothing",
    "I use MSAL.\n**Exception:**\n\n> Configure project :msal\npublishLamp is deprecated",
    "A build with MSAL:\n```\nerror build: Undefined symbol: _MSID_LAMP_BUNDLE_ID\n```",
    "MSAL: the build ends\n* What went wrong:\nCould not determine the dependencies of task ':lamp:compile'.",
    "MSAL:\n> Could not resolve all lamps for configuration ':lamp:compileClasspath'.",
    "The MSAL library shouldn't drop the lamp's token upon `invalid_grant`.",
    "When the lamp is out, MSAL doesn't throw a MsalUiRequiredException.",
    "In our oauth app, once we light the lamp, the screen is white and the app does not proceed",
    "With MSAL:\n1. The lamp (`https://management.azure.com`) doesn't require a bulb\n2. The azure house requires one",
    "With oauth I cannot get a lamp token back from lightAsync()", "`azure.lamp` fails as well",
    "With MSAL:\n```py\n  - A dict containing an \"error\" key, when the lamp token failed.\n```",
    "[Telemetry]: Activity <azure> on Task <1> was not selected for lamps",
    "[12888:1123/101112.345:ERROR:lamp_request.cc(291)] Error message: LAMP_ENDPOINT of the oauth lamp failed",
    "[12888:1123/101113.000:ERROR:ssl_lamp.cc(877)] handshake failed; returned -1, SSL error code 1, lamp -100",
    "[Mon Nov 23 10:00:00 2026] [auth_lamp:info] [pid 4711] the lamp of the sign-in is on",
    "Every time my lamp with the azure login cannot be found",
    "az account show\n{\n  \"isDefault\": true,\n  \"state\": \"Enabled\"\n}",
  ])
  func nothingIsQuotedWithoutAFailureOfASignIn(_ text: String) {
    #expect(readLog(text + "\n").verdict == nil)
  }

  /// A closed window is the failure only if a text has nothing else.
  @Test func aCancelledCallWhoseBeginIsNotThereIsNamed() throws {
    let verdict = try #require(
      readLog("Uncaught (in promise) BrowserAuthError: user_cancelled: User cancelled the flow.\n").verdict)
    #expect(verdict.cause == "user_cancelled")
  }

  /// The mark of a secret, which differs from run to run, does not decide whether a line is an error, or what its code is.
  @Test func theMarkOfASecretDecidesNothing() {
    for number in 0..<500 {
      let reading = readLog("azure: Error: the lamp with client_secret=hunter\(number)hunter failed\n")
      #expect(
        reading.verdict?.cause?.contains("the lamp with client_secret=") == true
          && reading.verdict?.certainty == .unknown)
    }
  }

  /// A secret in a quoted sentence is not printed.
  @Test(arguments: [
    "azure: Error: the lamp with client_secret=hunter2hunter2 failed",
    "msal: LampException: the lamp with client_secret=hunter2hunter2 failed",
    "oauth: unable to get a token with client_secret=hunter2hunter2 today",
    "azure: Error: the lamp failed with client_secret= and code=0.hunter2hunter2hunter2",
  ])
  func aSecretInAQuotedSentenceIsNotShown(_ line: String) {
    let reading = readLog(line + "\n")
    #expect(reading.verdict?.cause?.contains("client_secret=") == true)
    #expect(!String(describing: reading).contains("hunter2"))
  }
}
