import SSOCore
import SSOReading
import Testing

/// Texts of the forms in which people paste errors, and in which texts mention them.
@Suite struct UnseenTextTests {
  @Test(arguments: [
    // What a program answers is announced by the last sentence of a line.
    (
      "It works in the yard, but fails when the lamp is new. The hall displays:\n\nAADSTS90023: The lamp is out.\n\n```dart\nfinal lamp = 1;\n```",
      "AADSTS90023"
    ),
    (
      "Users are having failures when they light the lamp. Microsoft Entra ID returns:\n\nAADSTS90013: Invalid input received from the user.\n\nThe same account may succeed when it tries again. This occurs in each hall.\n\nQuestion: Has anyone else seen it? Any known causes or workarounds?",
      "AADSTS90013"
    ),
    // A success of another part does not end a failure of which someone complains.
    (
      "SSO of the lamp is not working. In the browser:\n\nFailed to query provider \"https://lamp.example/dex\": 502 Bad Gateway\n\nBut the log of the shop says:\n\n`{\"level\":\"info\",\"msg\":\"login successful: connector \\\"lamp\\\"\"}`",
      "Failed to query provider"
    ),
    // One backquote begins a block.
    (
      "Why is there an error in the console when the password is wrong?\n\n`lamp.js:16 Uncaught (in promise) Error: Incorrect username or password.\n    at Lamp.light (lamp.js:16)\n    at Lamp.callListeners (lamp.js:19)`",
      "Incorrect username or password"
    ),
    // A status of HTTP says that who asks is not known.
    (
      "When I start the shop I get errors for my lamps:\n✖ LAMP ERROR (Hall): Error: lamp error: Non-200 status code (401)",
      "Non-200 status code (401)"
    ),
    // The exception behind a wrapper.
    (
      "ERROR [org.keycloak.broker.oidc.Lamp] (executor-thread-40) Failed to make identity provider oauth callback: org.keycloak.broker.provider.IdentityBrokerException: lamp signature validation failed",
      "lamp signature validation failed"
    ),
    (
      "GitLab with a lamp: Could not authenticate you from OpenIDConnect because \"Unauthorized\".",
      "Could not authenticate you from OpenIDConnect because \"Unauthorized"
    ),
    // Google's class may have any name in a released app.
    ("PlatformException(sign_in_failed, q7.b: 10: , null, null)", "sign_in_failed, q7.b: 10"),
    // The number of any exception of .NET says less than the sentence beside it.
    (
      "Error accessing the lamp\nType: Lamp.Types.LampAuthenticationException\nErrorLevel: Error\nMessage: You cannot sign in due to a broken lamp. Ask the shop.\nHResult: -2146233088",
      "You cannot sign in due to a broken lamp"
    ),
    // A printed dictionary, a message to a user, a status with its address, and a frame of a stack.
    (
      "{\n    lampError = \"AuthError: Session expired could not fetch cognito tokens\\nRecovery suggestion: light it\";\n}",
      "Session expired could not fetch cognito tokens"
    ),
    (
      "[LAMP] Your sign in token has expired. Please sign out and in again to refresh it. If the issue persists, please log a bug.\n\nIt happens each time.",
      "Your sign in token has expired"
    ),
    (
      "Client error: `POST https://lamp.example/oauth/v2/token` resulted in a `400 Bad Request` response: Bad Request",
      "HTTP 400 from https://lamp.example/oauth/v2/token"
    ),
    (
      "The oauth lamp is behind a wall.\n```\nError: login failed: unauthorized\n```",
      "login failed: unauthorized"
    ),
    // A level in brackets begins a message of any length.
    (
      "f15d0cc0 ERROR │ ┝━ [error]: The enrollment of the oauth lamp failed. | e: LampFailure(\"{\\\"type\\\":\\\"https://lamp.example/a/very/long/address/that/says/nothing/of/the/cause\\\",\\\"title\\\":\\\"One or more checks of the lamp did not pass.\\\",\\\"status\\\":400,\\\"lamps\\\":[\\\"hall\\\",\\\"yard\\\",\\\"kitchen\\\",\\\"cellar\\\",\\\"attic\\\"]}\")",
      "The enrollment of the oauth lamp failed"
    ),
    // kubectl's error points to the error of the program that it called, which may be above or below it.
    (
      "$ kubectl get nodes\nError: unknown flag: --lamp\nUnable to connect to the server: getting credentials: exec: executable kubelogin failed with exit code 1",
      "unknown flag: --lamp"
    ),
    (
      "Unable to connect to the server: getting credentials: exec: executable kubelogin failed with exit code 1\nError: unknown flag: --lamp\nUsage:\n  kubelogin get-token [flags]",
      "unknown flag: --lamp"
    ),
    // While the user has not answered, the polls of the device flow are refused; what comes after them is the failure.
    (
      "{\"error\":\"authorization_pending\",\"error_description\":\"AADSTS70016: Wait for the lamp.\"}\n{\"error\":\"access_denied\",\"error_description\":\"AADSTS50105: The lamp is not assigned.\"}",
      "AADSTS50105"
    ),
    (
      "DEBUG:msal.lamp: {\"error\": \"authorization_pending\", \"error_description\": \"AADSTS70016: pending\"}\nERROR: Failed to open the lamp: permission denied while writing the token cache",
      "permission denied while writing the token cache"
    ),
    (
      "POST https://lamp.example/oauth/token\n{\"error\":\"authorization_pending\"}\n{\"error\":\"slow_down\"}\n{\"error\":\"expired_token\",\"error_description\":\"The code of the lamp is over\"}",
      "expired_token: The code of the lamp is over"
    ),
    ("{\"error\":\"authorization_pending\",\"error_description\":\"AADSTS70016: Wait.\"}", "AADSTS70016"),
    // A code that stands for any failure, with the text's own sentence.
    (
      "[next-auth][error][OAUTH_CALLBACK_ERROR] request to the lamp timed out after 3 s",
      "request to the lamp timed out"
    ),
    (
      "Error Domain=com.google.GIDSignIn Code=-1 \"The lamp could not be lit.\" UserInfo={NSLocalizedDescription=x}",
      "The lamp could not be lit"
    ),
    (
      "<samlp:Status><samlp:StatusCode Value=\"urn:oasis:names:tc:SAML:2.0:status:Responder\"/><samlp:StatusMessage>The lamp lacks its key</samlp:StatusMessage></samlp:Status>",
      "The lamp lacks its key"
    ),
    // Kubernetes' objects for a failure.
    (
      "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n  \"status\": \"Failure\",\n  \"message\": \"lamps is forbidden: User \\\"lee\\\" cannot list resource \\\"lamps\\\"\",\n  \"reason\": \"Forbidden\",\n  \"details\": {},\n  \"code\": 403\n}",
      "lamps is forbidden: User \"lee\" cannot list resource \"lamps\""
    ),
    (
      "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n  \"status\": \"Failure\",\n  \"message\": \"Unauthorized\",\n  \"reason\": \"Unauthorized\",\n  \"code\": 401\n}",
      "Unauthorized"
    ),
    // The class of a result is about a sign-in.
    (
      "IAuthenticationResult lamp = null\njava.lang.IllegalStateException: the callback was registered twice\n\tat com.lamp.Main.light(Main.java:12)",
      "the callback was registered twice"
    ),
    // A status with its phrase, in an item of a list, and what a page shows, in a step.
    (
      "**Describe the bug**\nThe sign-in stops.\n\n- the page of the lamp is loaded\n- `400 Bad Request` is returned for `/oauth2/v2.0/token`",
      "HTTP 400 from /oauth2/v2.0/token"
    ),
    (
      "Steps:\n1. Open the lamp and sign in\n2. When the user picks the account the page shows \"We couldn't reach the lamp\"",
      "We couldn't reach the lamp"
    ),
    // Only the title of a report names the failure.
    (
      "# Failed to light the lamp, as there is an active lamp at the moment\n\n### Checklist\n\n- [X] I have searched the issues of the oauth lamp.\n\n### Description\n\nIt happens when the lamp goes into the background and our user has not signed in.\nThen it must be killed.",
      "Failed to light the lamp, as there is an active lamp at the moment"
    ),
    // What curl says of its certificates, and React Native of an exception in a module.
    (
      "[2026-09-30T13:35:42 T: 7f] WARN  : HTTP error: Fail to get a connection for: https://login.microsoftonline.com. Problem with the SSL CA cert (path? access rights?)",
      "Problem with the SSL CA cert"
    ),
    (
      "The oauth lamp crashes:\n\n```\nException '-[AppDelegate setLamp:]: unrecognized selector sent to instance 0x6' was thrown while invoking light on target Lamp with params (\n    1\n)\n```",
      "-[AppDelegate setLamp:]: unrecognized selector sent to instance 0x6"
    ),
    // A failure quoted in a step, which goes on.
    (
      "I have two issues with the sign-in\n1. The lamp is slow.\n2. If at the door the page is opened again and we log in, then the error `Error occurred lighting the lamp` appears",
      "Error occurred lighting the lamp"
    ),
  ])
  func theCauseIsNamed(_ text: String, _ cause: String) {
    let found = readLog(text + "\n").verdict?.cause ?? ""
    #expect(found.hasPrefix(cause), "\(found)")
  }

  @Test(arguments: [
    // A setting, an item of a list, and a constant.
    "2026-11-30 06:00:00,001 INFO  main lamp.Config - error page for AADSTS50011 = /help/lamp",
    "{\n  \"retry\": { \"most\": 3, \"on\": [\"temporarily_unavailable\", \"AADSTS90033\"] }\n}",
    "enum LampError: Int {\n    case userCancelled = -50005\n    case missingEntitlement = -34018\n}",
    // Lists of commits, of things to do, of terms, and of questions; and a page of the manual.
    "a41bc90 Do not log invalid_grant twice\nbe77120 Unauthorized users get a friendly lamp\n0f9ab11 CI: retry on network failure",
    "Release of the lamp\n\n[x] redirect URIs are registered\n[x] a user who declines (AADSTS65004) sees our lamp, no crash",
    "What should the lamp say?\n( ) \"Your session has expired\"\n( ) \"Please sign in again\"",
    "Refresh token: a credential for new access tokens. If it is revoked, the provider answers invalid_grant.\nAccess token: what an app sends to an API.",
    "Q: What does \"consent_required\" mean?\nA: Nobody has agreed yet that the lamp may use the API.",
    "NAME\n    Connect-Lamp\nSYNOPSIS\n    Signs in to the lamp.\nPARAMETERS\n    -Retry <Int32>\n        How often a temporarily_unavailable answer is tried again.",
    "lamp (2.4.1-1) unstable; urgency=medium\n\n  * New release.\n    - Report AADSTS700082 as \"session expired\".",
    "{\"cells\":[{\"cell_type\":\"markdown\",\"metadata\":{},\"source\":[\"`AADSTS50053` means that the lamp is locked.\"]}]}",
    "<div ng-if=\"lamp.error\">\n  <h4>{{ 'SIGN_IN_FAILED' | translate }}</h4>\n</div>",
    "oauth: Crashed: com.apple.main-thread\n0  Lamp                   0x1408540 -[Lamp didFailWithError:] + 476\n1  LampServices           0x27aa8 __44-[Lamp _failWithError:]_block_invoke_2 + 348",
    // What did not happen, or is as it should be.
    "Dear all, the move of the lamp is done. For the record, this message did not occur: \"AADSTS700016: Application was not found in the directory\".\nRegards, Ines",
    "oauth: No changes. Your lamps match the configuration, so no changes are needed.",
    "{\"spans\":[{\"name\":\"AcquireTokenSilent\",\"status\":{\"code\":\"STATUS_CODE_OK\"}}]}",
    "2026-11-24 09:00:01 [MSAL] No access token found in cache\n2026-11-24 09:00:02 [MSAL] Silent flow finished: success",
    "The news:\nUsers began reporting failures, with these codes:\n  • CAA2000B: Often coupled with the message “AADSTS500014: The lamp is disabled.”\n  • 4usqa: General error.",
    // Steps of a guide, and objects of Kubernetes that report no failure.
    "# Sign in to the lamp\n\n1. Open the page of the lamp.\n2. If it shows \"The lamp cannot be found\"\n3. Otherwise, choose your account and confirm it.",
    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\",\"details\":{\"name\":\"oauth-lamp\"}}",
    // A debugger at a breakpoint.
    "(lldb) bt\n* thread #1, queue = 'lamp', stop reason = breakpoint 1.1\n  * frame #0: 0x0000000102030405 Lamp`MSALLamp.light() at Lamp.swift:3\n    frame #1: 0x0000000102030500 Lamp`main",
    // Labels in bold, with what they stand for.
    "The errors that the oauth lamp throws have several causes. Here is a list:\n\n**Error: Dark:** This indicates an unexpected error of the lamp. You can check the oil.\n\n**Error: Cold:** This error occurs when the sign-in is not lit. Ensure that your lamp is.",
    "# Fix the oauth lamp that failed to start\n\nWe now wait for the oil before we light it.",
  ])
  func nothingIsAsserted(_ text: String) {
    let found = readLog(text + "\n").verdict?.cause
    #expect(found == nil, "\(found ?? "")")
  }
}
