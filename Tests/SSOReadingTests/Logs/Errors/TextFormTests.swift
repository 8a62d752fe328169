import SSOCore
import SSOReading
import Testing

/// Texts that only speak of errors, and texts of similar forms that report one.
@Suite struct TextFormTests {
  @Test(arguments: [
    "/lamp/Auth.swift:42:17: error: cannot find 'MSALLamp' in scope",
    "src/auth.ts:14:10 - error TS2305: Module '\"@azure/msal-browser\"' has no exported member 'Lamp'.",
    "Auth.cs(12,17): error CS0246: The type 'MsalUiRequiredException' could not be found",
    "[ERROR] /src/Auth.java:[12,33] cannot find symbol\n[ERROR]   symbol:   class MsalClientException",
    "./auth.go:12:2: undefined: azidentity.NewLamp",
    "npm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! Found: @azure/msal-browser@3.0.0",
    "Warning  Unhealthy  kubelet  Readiness probe failed: dial tcp 10.0.0.4:4180: connection refused\nStarted container oauth2-proxy",
    "# Changelog\n## 2.14.0\n- Sign-in fails no more if the broker returned `invalid_grant`\n- AADSTS50011 has the redirect URI",
    "As a user who was signed out, I want to see that my session has expired, so that I can sign in.",
    "Feature: Login\n  Scenario: A wrong password\n    When I enter it\n    Then I see the error \"AADSTS50126\"",
    "=== RUN   TestExpired\nlevel=error msg=\"oauth: token expired\"\n--- PASS: TestExpired (0.00s)\nok  \tlamp/auth\t0.012s",
    "test_auth.py::test_expired\nERROR    auth:auth.py:12 AADSTS7000215: Invalid client secret\n==== 5 passed in 0.12s ====",
    "console.error\n  BrowserAuthError: interaction_in_progress: Interaction is in progress.\nTests:       4 passed, 4 total",
    "| Error | Description |\n|---|---|\n| AADSTS50011 | The redirect URI does not match |\n| AADSTS65001 | No consent |",
    "Q: Why do I get invalid_client?\nA: The client secret has expired.",
    "export const lamps = {\n  AADSTS50011: 'The redirect URI does not match',\n  invalid_grant: 'The grant has expired',\n};",
    "msgid \"Invalid client secret\"\nmsgstr \"Lampe\"\nmsgid \"Sign-in failed\"\nmsgstr \"Lampe\"",
    "# Lamp\n## On\n1\n2\n3\n4\n5\n6\n7\n8\n```\n{\"error\":\"lamp\",\"error_description\":\"AADSTS50011: Lamp\"}\n```\n9",
    "SigninLogs | where ResultType == 50126 | summarize count()",
    "oauth_requests_total{error=\"invalid_grant\"} 0\noauth_requests_total{error=\"access_denied\"} 12",
    "acquireTokenSilent failed: no_tokens_found, falling back to interactive\nInteractive sign-in successful",
    "EnvironmentCredential authentication unavailable. Environment variables are not fully configured.\nDefaultAzureCredential acquired a token from AzureCliCredential",
    "AADSTS50058 happens when the browser blocks the cookies of the lamp.",
    "Document AADSTS65002 in the guide of the lamp\nCloses #12",
    "What is the difference between AADSTS50076 and AADSTS50079?\nBoth are about the lamp.",
    "The lamp has its own text for AADSTS50105 errors.\nPlease look at it.",
    "If a script has a password, it will get AADSTS50076 from Monday.\nPlease take a certificate.",
    "Any lamp works.\n- `AADSTS90033` → wait\n- `AADSTS7000222` → a new secret",
    "match: lamp\n# AADSTS7000222 is what Entra says of an old secret\nseverity: high",
    "error CS0246: The type or namespace name 'MsalUiRequiredException' could not be found\n    2 Error(s)",
    "error: cannot find symbol\n  symbol:   class MsalServiceException\n  location: package com.microsoft.identity.client",
    "```diff\n-  catch (MsalUiRequiredException e)\n+  catch (MsalException e)\n```\nThe lamp is simpler so.",
    "A sample error response:\n```\n{\n\"error\": \"lamp\",\n\"error_description\": \"AADSTS70011: A lamp.\"\n}\n```",
    "# Lamp\n## Configuration\n1\n2\n3\n4\n## Use\n5\n6\n7\n8\n## AADSTS50011: The redirect URI differs\n9",
    "Class Lamp\n```vb\nCatch ex As MsalUiRequiredException When (ex.Message.Contains(\"AADSTS50076\"))\n```",
    "Please rotate the secret of the lamp, otherwise sign-ins fail with AADSTS7000222.",
    "Thanks.\nThe refresh token is revoked but the access token of the lamp stays valid for an hour.",
    "# Lamp FAQ\n**Why does it show AADSTS50011?**\nThe redirect URI was not registered.\n**And invalid_client?**\nThe secret has expired.",
    "Code    Name    Lamp\n50011   Lamp1   No lamp\n65001   Lamp2   Ask for consent\nAADSTS700016   Lamp3   No app\nAADSTS7000215   Lamp4   Invalid client secret",
    "Weekly lamp sync\n\nAttendees: Ada, Lee\nAda: people see AADSTS50105 in the lamp, Lee assigns them.\nNext meeting: Monday",
    "Meeting notes\n- Discussed AADSTS700016 of the lamp, owner: Lee\n- Decision: another secret before AADSTS7000222 comes",
    "lamp/auth.ts line 12\n\nI think `invalid_grant` with AADSTS70008 is the same lamp. Could you add a unit test?",
    "The lamp ends the loop.\nIn it, AADSTS70008 must clear the cache.",
    "AADSTS50011\nAADSTS50020\nAADSTS65001",
    "Lamps that stay on:\n- AADSTS50000\n- AADSTS90006\n- `AADSTS90033`",
    "Lamps\n\nAADSTS50011\nNo lamp is registered.\n\nAADSTS700016\nNo lamp was found.\n\nAADSTS65001\nNo consent.",
    "Exceptions of the lamp\n\nThe exceptions are intended for app developers and not for the user.\n"
      + "The lamp raises MsalClientException for what goes wrong in it.\n\nCommon exceptions\n\nWhen the user closes the "
      + "window, the lamp raises MsalClientException with the error code authentication_canceled.\nOn a phone, it can also "
      + "occur if no browser has tabs.\nDevelopers are expected to light the lamp again by themselves.",
    "## What this changes\n- maps `AADSTS50076` to the lamp\n- `invalid_grant` lights no lamp\n- the lamp stays on if access is denied",
  ])
  func nothingIsAsserted(_ text: String) {
    let verdict = readLog(text + "\n").verdict
    #expect(verdict == nil, "\(verdict?.cause ?? "")")
  }

  @Test(arguments: [
    (
      "# Lamp\nWhen I sign in, I get this:\n\n```\nAADSTS50011: The redirect URI does not match.\n```",
      "AADSTS50011"
    ),
    (
      "let lamp = Lamp();\nlamp.open();\n}\nBrowserAuthError: interaction_in_progress: It is in progress.",
      "interaction_in_progress"
    ),
    ("Hello, when I sign in, I get AADSTS50105 since Monday.\nThanks", "AADSTS50105"),
    ("Sign-in fails with AADSTS50020 in our lamp.\nWhy?", "AADSTS50020"),
    ("The lamp shows error AADSTS90015.\nWe changed nothing.", "AADSTS90015"),
    ("If I choose the second account, AADSTS50020 comes.\nWhy?", "AADSTS50020"),
    ("== 3 passed, 1 failed in 0.5s ==\nE   AADSTS7000215: Invalid client secret", "AADSTS7000215"),
    (
      "DefaultAzureCredential acquired a token from AzureCliCredential\nERROR: AADSTS53003: Access was blocked",
      "AADSTS53003"
    ),
    (
      "could not: Error Domain=MSALErrorDomain Code=-50000 \"(null)\" => {\n    MSALInternalErrorCodeKey = \"-42104\";\n}",
      "-42104"
    ),
    (
      "lamp \\\n  --data 'lamp=1' \\\n  --data 'lamp=2' \\\n  --data 'lamp=3' \\\n  --data 'lamp=4'\n"
        + "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: Invalid lamp.\"}",
      "AADSTS7000215"
    ),
    (
      "lamp \\\n  --data 'lamp=1' \\\n  --data 'lamp=2' \\\n  --data 'lamp=3' \\\n  --data 'lamp=4'\n"
        + "AADSTS7000215: Invalid client secret",
      "AADSTS7000215"
    ),
    (
      "usage: lamp\n--on  light it\n--off  end it\n--dim  less light\n--more  more light\n{\n"
        + "  \"error\": \"invalid_client\",\n  \"error_description\": \"AADSTS7000215: Invalid lamp.\"\n}",
      "AADSTS7000215"
    ),
    (
      "const lamp = {\n  lamp: lamp.on(),\n};\nlamp.open();\nlamp.close();\n"
        + "\"error_description\": \"AADSTS7000215: Invalid lamp.\"",
      "AADSTS7000215"
    ),
    ("| Error code | 50105 |\n| App | Lamp |", "AADSTS50105"),
    (
      "let lamp = MSALLamp()\nlamp.open { lamp in\n  print(lamp)\n}\n\nOn the phone the keychain answers -34018.",
      "-34018"
    ),
    (
      "let lamp = MSALLamp()\nlamp.open { lamp in\n  print(lamp)\n}\n\nIt fails with internal code -42008 on the phone.",
      "-42008"
    ),
    ("let lamp = MSALLamp()\nlamp.open()\nlamp.close()\n\nI get -42104 here.", "-42104"),
    (
      "Lamp failed => MsalClientException { errorCode: unknown_error, message:  }\n\nFuture<Lamp> light() async {\n"
        + "  final lamp = Lamp();\n  return lamp.light();\n}",
      "MsalClientException"
    ),
    (
      "AADSTS70002: Lamp. AADSTS50011: The reply address 'a' does not match the reply address 'b' provided when requesting "
        + "Authorization code.", "AADSTS500112"
    ),
    ("Our unit test of the lamp fails with AADSTS7000215.\nWhy?", "AADSTS7000215"),
    ("**Why?**\nThe lamp is out\nAADSTS50011: The redirect URI does not match", "AADSTS50011"),
    (
      "[MSAL 1.2.7 Mac 14.1 [2025-03-04 10:11:12] The lamp is on\nError Domain=MSALErrorDomain Code=-42000 \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=The lamp is a required parameter}",
      "-42000"
    ),
    ("lamp.web ERROR Claims verification failed for lee", "Claims verification failed"),
    // The code of the writer takes nothing from the answer beside it.
    (
      "The lamp fails:\n$body = @{\n  \"grant_type\" = \"password\";\n  \"username\" = \"lee\";\n  \"scope\" = \"lamp\"\n}\n"
        + "$lamp = Invoke-Lamp -Body $body\n\nInvoke-Lamp : {\"error\":\"invalid_grant\",\"error_description\":\"AADSTS50126: Lamp\"}",
      "AADSTS50126"
    ),
    (
      "{\n  \"error_description\" = \"AADSTS7000215: Invalid client secret provided.\";\n  error = \"invalid_client\";\n}",
      "AADSTS7000215"
    ),
    // A text that announces what happened.
    (
      "Users meet failures of the lamp now and then. The endpoint returns:\n\nAADSTS90013: Invalid input.\n\n"
        + "It may succeed when the lamp is lit again.",
      "AADSTS90013"
    ),
    (
      "- <Event xmlns=\"http://lamp.example\">\n- <System>\n  <EventID>76</EventID>\n  <Level>2</Level>\n</System>\n"
        + "Lamp: Failed (Unknown Win32 Error code: 0x8018002b)",
      "0x8018002B"
    ),
  ])
  func anErrorIsAsserted(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }

  /// A client, a proxy, or a server logs the refusal of an endpoint in its own form.
  @Test(arguments: [
    "DEBUG: https://login.microsoftonline.com:443 \"POST /common/oauth2/token HTTP/1.1\" 400 605",
    "Http request status: 400. Method: POST Endpoint Uri: https://login.microsoftonline.com/common/oauth2/token",
    "  21.048 C | [lamp]: HTTP Status 400 ;error \"Error transferring https://login.microsoftonline.com/common/oauth2/token",
  ])
  func aRefusedRequestIsAFailure(_ line: String) {
    let verdict = readLog(line + "\n").verdict
    #expect(verdict?.meaning.contains("HTTP 400 from ") == true, "\(String(describing: verdict))")
    let answered = readLog(line.replacing("400", with: "200") + "\n").verdict
    #expect(answered?.cause == nil && answered?.meaning.contains("HTTP") != true)
  }
}
