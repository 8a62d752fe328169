import SSOCore
import SSOReading
import Testing

/// Threads of a tracker of issues, as people save them: heads of posts, a title, and what was pasted.
@Suite struct ThreadTests {
  @Test(arguments: [
    // Only the title names the failure.
    (
      "lamp/lamps · issue #7 · closed · Go\nlabels: bug\n# Error lighting the sign-in lamp: exit status 1\n\nada · description · 2026-01-02\n### Note\n\n* Please vote on this issue\n\n### Version\n\nLamp v0.12\n\nYour lamp is up to date.\n\n### Affected lamps\n\n* `oauth_lamp`",
      "Error lighting the sign-in lamp: exit status 1"
    ),
    (
      "# [Support]: Login failed: Unable to find a valid lamp of the hall.\n\nada commented on Jan 2, 2026\n\nThe oauth lamp and its log:\n```\nlamp - - [2026/02/21 02:31:30] hall GET - \"/lamp/callback?state=7\" HTTP/1.1\n```",
      "Unable to find a valid lamp of the hall"
    ),
    (
      "lamp/lamps · issue #8 · open · Dart\n# light() throws LampUserCancelledException [Hall]\n\nada · description · 2026-01-02\nI can sign in at home with the code below.\n\n```dart\nFuture<void> light() async {\n  emit(LampState());\n}\n```",
      "LampUserCancelledException"
    ),
    (
      "lamp/lamps · issue #9 · open\n# lamp_token not present in LampSet\n\nada · description · 2026-01-02\n### Lamp\n\nThe oauth hall\n\n### Describe the issue\n\nClicking the button does not sign me in, instead it says this:\n\n![image](https://lamp.example/dark.png)",
      "lamp_token not present in LampSet"
    ),
    // The heads of posts show that what is below them happened, whatever tables follow.
    (
      "lamp/lamps · issue #1 · closed · Go\n# claim \"lamp\" is invalid\n\nada · description · 2026-01-02\nI followed the next steps and I got the next error:\n\nhttps://lamp.example/agent\n\n```\nError writing data to auth/lamp/login: Error making API request.\n\nURL: PUT https://lamp.example/v1/auth/lamp/login\nCode: 500. Errors:\n\n* claim \"lamp\" is invalid\n```\n\nLamp settings:\n```\nKey      Value\n---      -----\nwick     true\noil      false\nhall     api\n```",
      "Errors: claim \"lamp\" is invalid"
    ),
    // A class in the table of short names says less than the sentence of the server's log.
    (
      "### Steps\n\n1. Cause any failure (e.g. the `OAuthCallback` error)\n2. Land on `/api/auth/signin`\n\n### Actual behaviour\n\nI had only a server log:\n\n```\n[next-auth][error][OAUTH_CALLBACK_ERROR] lamp must be configured on the issuer\n```",
      "must be configured on the issuer"
    ),
    // An object in one line, whose message fits any failure.
    (
      "This is the error of the sign-in:\n```\nSending lamp error: {\"save\":false,\"pluginId\":\"GoogleAuth\",\"success\":false,\"error\":{\"message\":\"Something went wrong\",\"code\":\"10\"}}\n```\nAny ideas?",
      "Something went wrong\",\"code\":\"10"
    ),
    // What a title quotes, and a status that a sentence quotes.
    (
      "# OIDC \"invalid lamp claims\" on v3\n\nada commented on Jan 2, 2026\n```\ntime=\"2026-05-14T16:18:37Z\" level=info msg=\"finished call\" grpc.code=OK\n```",
      "invalid lamp claims"
    ),
    (
      "ada opened this issue 3 days ago\n\nWhen the lamp is new, the `lamp` app's \"Light\" (OAuth) flow for that hall fails at the registration step\nwith `HTTP 401 Unauthorized`, before the user ever sees a consent screen.",
      "HTTP 401 Unauthorized"
    ),
    // A title that says only which status a sign-in gets.
    (
      "# Lamp sign-in widget returning 401 for all logins\n\nada commented on Jan 2, 2026\n### What is expected\n\nFor the lamp to be lit.",
      "HTTP 401"
    ),
    // A title that was cut, above somebody's post.
    (
      "# PlatformException(authorize_and_exchange_code_failed, Failed to authorize: The certificate of this lamp\nada · comment · 2026-01-02\nHi @bob may it help people with this issue of sign-in.",
      "The certificate of this lamp"
    ),
    // The end of a quotation, and a value that a program forgot to fill in.
    (
      "**Actual behavior:**\nThe OpenID lamp is throwing `LAMP_ERROR: the token of the lamp was not found` error. However, it is lit.",
      "the token of the lamp was not found"
    ),
    (
      "Our app crashed with a token.\n```\nError: a lamp with kid %s cannot be found\n    at Lamp.light (<path>\\node_modules\\passport-azure-ad\\lib\\lamp.js:146:11)\n    at Lamp.check [as lampCheck] (<path>\\node_modules\\passport-azure-ad\\lib\\lamp.js:291:23)\n```",
      "a lamp with kid %s cannot be found"
    ),
    // Crashlytics names the queue.
    (
      "I had this crash of the sign-in:\n\n```\nCrashed: com.apple.main-thread\n0  Lamp                         0x1408540 -[OIDLamp light:] + 476 (OIDLamp.m:476)\n1  AuthenticationServices         0x27aa8 -[ASLamp _fail:] + 348\n```",
      "A crash, in -[OIDLamp light:] (OIDLamp.m:476)"
    ),
    // az prints what to do below the error.
    (
      "Error: failed to get token: expected an empty error but received: AzureCLICredential: WARNING: A lamp.\nERROR: Audience lamp/.default is not a supported audience.\nInteractive authentication is needed. Please run:\naz login --scope lamp/.default",
      "Audience lamp/.default is not a supported audience"
    ),
    // Git Credential Manager prints the inner error below a pointer to it.
    (
      "The sign-in shows:\n```text\nfatal: Could not get the account provider - lamp picker. See inner exception for details\nfatal: Method not found: 'Void Windows.Lamps.Lamp.put_Wick(System.String)'.\n```",
      "Method not found: 'Void Windows.Lamps.Lamp.put_Wick(System.String)'"
    ),
  ])
  func thePrintedFailureIsNamed(text: String, cause: String) {
    #expect(readLog(text).verdict?.cause == cause)
  }

  @Test(arguments: [
    // A guess of a helper, a wish, a possibility, and a sentence of the person's own.
    "lamp/lamps · issue #2 · open\n# The lamp is dark after signing in\n\nada · comment · 2026-01-02\nDo you perhaps see crypto/rsa: verification error?",
    "lamp/lamps · issue #3 · open\nlabels: enhancement\n# Handle a lamp without a token\n\nada · description · 2026-01-02\nLamp should throw CredentialUnavailableError so that the chain can catch it.",
    "lamp/lamps · issue #4 · open\n# Servers of lamps\n\nada · comment · 2026-01-02\nServers can signal to a lamp that its client was deleted by returning an error of invalid_client from the token endpoint.",
    "lamp/lamps · issue #5 · open\n# Delegation of a token\n\nada · comment · 2026-01-02\nYes, the token was rejected as an invalid token appears in the hall.",
    "lamp/lamps · issue #6 · open\n# The subject of the lamp\n\nada · description · 2026-01-02\nAn unexpected subject in the token is used:\n```\nFederated token details:\n issuer - https://token.lamp.example/\n subject claim - lamp:hall\n```",
    // The labels of a thread, and the end of a sentence.
    "lamp/lamps · issue #8 · open\nlabels: info-needed, triage-needed\n# The oauth lamp\n\nada · description · 2026-01-02\n...in the `authorizedLamps` parameter, causes this 1000 error.",
    // A wish in a title, a step of a program, and steps of a user.
    "lamp/lamps · issue #10 · open\n# [Feature Request] Raise an oauth error instead of the base error `ValueError`\n\nada · comment · 2026-01-02\nThis should be a bug.",
    "lamp/lamps · issue #11 · open\n# Login of the lamp\n\nada · comment · 2026-01-02\n```\nLog in to the lamp and retrieve an access token\nCheck if stored token is not expired\n```",
    "lamp/lamps · issue #12 · open\n# No login with the lamp\n\nada · description · 2026-01-02\nThen the lamp's page with Approval Required (picture)",
    // Somebody answers somebody, and a class that was not thrown.
    "lamp/lamps · issue #7 · open\n# The sign-in of the lamp\n\nada · comment · 2026-01-02\n@bob that means your setup of the oauth lamp is incorrect",
    // A change of a program.
    "lamp/lamps · pull request #6 · merged\n# Failed to light the lamp of a sign-in\n\nada · description · 2026-01-02\nThe lamp is lit again.",
  ])
  func aThreadWithoutAnErrorHasNoCause(text: String) {
    #expect(readLog(text).verdict?.cause == nil)
  }
}
