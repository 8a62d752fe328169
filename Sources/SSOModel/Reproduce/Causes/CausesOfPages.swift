import SSOLab
import SSOReference

/// The causes of calls with pages in a browser, and of the service itself.
extension Cause {
  // MARK: Pages

  private static let silently = Call.interactive.with("prompt", "none")
  private static let askThePerson = Mend.call(
    .interactive, "When ssoSilent or acquireTokenSilent fails so, ask the user: $interactively.")

  static let ofPages: [Cause] = [
    Cause(
      name: "redirect-uri-not-of-a-page", codes: [AADSTSCode.crossOriginRefused.text],
      text: "A page redeems its code, and its redirect URI is not registered as single-page application.",
      question: "Under which platform is $redirect registered?", callers: page,
      changes: [.registration("spaRedirectURIs="), .registration("redirectURIs=$redirect")],
      call: .interactive,
      mends: [
        Mend(
          kind: .registration,
          text: "App registrations › Authentication: move $redirect to Single-page application.",
          steps: [
            ["set": ["registration": "$client", "fields": ["redirectURIs=", "spaRedirectURIs+=$redirect"]]]
          ])
      ]),
    Cause(
      name: "origin-missing", codes: [AADSTSCode.crossOriginRequired.text],
      text: "The request that redeems the page's code has no Origin: something other than the page sends it.",
      question: "Does a server, a proxy, a service worker, or a native shell redeem the code of the page?",
      callers: page, call: .sending(.token, [("Origin", nil)]),
      mends: [
        .call(
          .interactive,
          "Let the page itself redeem the code, so that the browser sends Origin; for a server, register the redirect URI "
            + "under Web, and send its secret.")
      ]),
    Cause(
      name: "nobody-signed-in", codes: [AADSTSCode.noSession.text, OAuthErrorCode.loginRequired.text],
      text: "The page asks with prompt=none, and the browser has no session, or does not send its cookies.",
      question: "Does the browser block third-party cookies, or had the user not signed in?",
      callers: page + [.program(.webServer, .authorizationCode)], call: silently,
      mends: [askThePerson]),
    Cause(
      name: "token-endpoint-opened", codes: [AADSTSCode.methodNotAllowed.text],
      text: "The browser opens the address of the token endpoint, which answers only to POST.",
      question: "Does the setting with the address of the sign-in end with /token in place of /authorize?",
      callers: code, call: .interactive.with("opensTokenEndpoint", true),
      mends: [
        .call(
          .interactive,
          "Open …/oauth2/v2.0/authorize for the sign-in, and send a POST to …/oauth2/v2.0/token for the tokens."
        )
      ]),
    Cause(
      name: "session-of-sid-ended", codes: [AADSTSCode.sessionNotFound.text],
      text: "The page asks with prompt=none and the sid of a session that has ended.",
      question: "Did the user sign out elsewhere, or were the cookies deleted?",
      callers: page + [.program(.webServer, .authorizationCode)],
      call: .sending(.authorize, [("sid", "00000000-0000-4000-8000-000000000000")]).with("prompt", "none"),
      mends: [askThePerson]),
    Cause(
      name: "consent-missing-without-page", codes: [AADSTSCode.consentMissing.text],
      text: "The page asks with prompt=none for scopes that have no consent.",
      question: "Do the scopes of acquireTokenSilent differ from the scopes of the sign-in?",
      callers: page + [.program(.webServer, .authorizationCode)],
      before: [.signIn],
      call: .interactive(scopes: ["$newScope"]).with("prompt", "none"),
      mends: [
        .call(
          .interactive(scopes: ["$newScope"]),
          "When acquireTokenSilent fails so, ask the user with the same scopes: $interactively."),
        .consentByAdministrator,
      ]),
    Cause(
      name: "session-too-old-for-policy", codes: [AADSTSCode.sessionTooOld.text],
      text: "The page asks with prompt=none, and a policy limits the age of a sign-in.",
      question: "Does a policy of the organisation set a sign-in frequency?", callers: page,
      before: [
        .signIn,
        .action(
          "A policy limits the age of a sign-in",
          ["policy": ["name": "Policy", "requires": "signInFrequency", "hours": .plain("1")]]),
        .action("Two hours pass", ["clock": "+2h"]),
      ], call: silently,
      mends: [askThePerson]),
    Cause(
      name: "nobody-signed-in-to-user-flow", codes: [B2CCode.noSession.text],
      text: "The page asks a user flow with prompt=none, and the browser has no session there.",
      question: "Was the last sign-in with another user flow, or are third-party cookies blocked?",
      callers: page,
      changes: [.app("authority=$userFlow")], call: silently,
      mends: [askThePerson]),
    Cause(
      name: "refresh-token-of-a-page-expired", codes: [AADSTSCode.singlePageTokenExpired.text],
      text: "The page's refresh token is older than 24 hours.",
      question: "Was the page last signed in to more than a day ago?",
      callers: [.program(.page, .refreshToken)],
      before: [.signIn, .action("More than a day passes", ["clock": "+25h"])], call: .silent,
      mends: [.signInAgain]),
    sending(
      "implicit-token-not-enabled", .responseTypeNotEnabled, page,
      "The page asks for an access token without a code, which the registration does not allow.",
      "Does the page use MSAL.js 1, ADAL.js, or another library with the implicit flow?", .authorize,
      [("response_type", "token"), ("response_mode", "fragment")],
      "Use the authorization code flow with PKCE (MSAL.js 2 or later)."),
    sending(
      "several-apis-in-implicit-flow", .severalResourcesOfToken, page,
      "The page asks for an access token without a code, with scopes of more than one API.",
      "Does the page use MSAL.js 1, and do the scopes begin with different URIs?", .authorize,
      [
        ("response_type", "id_token token"), ("response_mode", "fragment"), ("nonce", "n"),
        (
          "scope",
          "openid https://graph.microsoft.com/User.Read https://management.azure.com/user_impersonation"
        ),
      ], "Ask for the scopes of one API, and use the authorization code flow with PKCE (MSAL.js 2 or later).",
      changes: [.registration("enableAccessTokenIssuance=yes"), .registration("enableIDTokenIssuance=yes")]),
    sending(
      "id-token-not-enabled", .idTokenNotEnabled, code,
      "The program asks for an ID token without a code, which the registration does not allow.",
      "Is “ID tokens” switched on under Authentication › Implicit grant and hybrid flows?", .authorize,
      [("response_type", "id_token"), ("response_mode", "form_post"), ("nonce", "n")],
      "Use the authorization code flow, or switch “ID tokens” on under Authentication."),
    sending(
      "response-type-unknown", .responseTypeUnsupported, code, "The response type is not one of Entra's.",
      "Is response_type spelt as the protocol spells it?", .authorize, [("response_type", "codes")],
      "Correct response_type: code."),
    sending(
      "response-mode-unknown", .responseModeUnsupported, code, "The response mode is not one of Entra's.",
      "Is response_mode query, fragment, or form_post?", .authorize, [("response_mode", "body")],
      "Correct response_mode."),
    sending(
      "nonce-missing", .fieldMissing, code, "The program asks for an ID token without a nonce.",
      "Does the program send a nonce?", .authorize,
      [("response_type", "id_token"), ("response_mode", "fragment")],
      "Send a nonce, or use the authorization code flow.",
      changes: [.registration("enableIDTokenIssuance=yes")]),
    sending(
      "prompt-unknown", .parameterInvalid, code, "The value of prompt is not one of Entra's.",
      "Is prompt none, login, select_account, consent, or create?", .authorize, [("prompt", "force")],
      "Correct prompt."),
    sending(
      "code-challenge-malformed", .codeChallengeSize, code,
      "The code challenge does not have the size of one.",
      "Is code_challenge the base64url of a SHA-256 hash?", .authorize, [("code_challenge", "short")],
      "Make the code challenge with S256 from a verifier of 43 to 128 characters."),
    sending(
      "code-challenge-missing", .codeChallengeMissing, code,
      "The program sends code_challenge_method without code_challenge.",
      "Does the program make a verifier, and send its challenge?", .authorize, [("code_challenge", nil)],
      "Send code_challenge: the base64url of the verifier's SHA-256 hash."),
    sending(
      "sid-with-login-hint", .accountNamedTwice, code, "The program sends both sid and login_hint.",
      "Does the program set a session ID beside the account's name?", .authorize,
      [("sid", "12345678-0000-4000-8000-000000000000"), ("login_hint", "$user")],
      "Send sid or login_hint, not both."),
    sending(
      "id-token-without-openid", .scopeOfIDTokenMissing, code,
      "The program asks for an ID token without the scope openid.",
      "Does the program drop openid from its scopes?", .authorize,
      [
        ("response_type", "id_token"), ("response_mode", "form_post"), ("nonce", "n"),
        ("scope", "https://graph.microsoft.com/User.Read"),
      ], "Add openid to the scopes.", changes: [.registration("enableIDTokenIssuance=yes")]),
  ]

  // MARK: Answers that a page cannot use

  private static func answer(
    _ name: String, _ code: String, _ text: String, _ question: String,
    _ fields: [(name: String, value: String?)],
    _ mend: String
  ) -> Cause {
    Cause(
      name: name, codes: [code], text: text, question: question, callers: page,
      call: .sending(.answer, fields), mends: [.call(.interactive, mend)])
  }

  static let ofAnswers: [Cause] = [
    answer(
      "answer-cleared", "hash_empty_error",
      "The redirect URI is opened without an answer: something has removed it from the address.",
      "Does a router, or a second instance of MSAL.js, change the address before the answer is read?",
      ["code", "state", "session_state", "client_info"].map { ($0, nil) },
      "Use an empty page as redirect URI, or read the answer before the router starts."),
    answer(
      "state-missing", "state_not_found",
      "The state of the sign-in is missing when the page reads the answer.",
      "Does the answer come to an origin or tab that did not ask, or is the session storage cleared?",
      [("state", nil)],
      "Read the answer in the tab and at the origin that asked, with the same cache location."),
    answer(
      "state-of-another-call", "state_mismatch", "The answer has the state of another sign-in.",
      "Do two sign-ins run at the same time?", [("state", "another-state")],
      "Wait for the first sign-in before a second one begins."),
    Cause(
      name: "token-endpoint-not-reached", codes: ["network_error"],
      text: "The browser cannot reach the token endpoint, or something else answers.",
      question: "What does the browser's network tab show for the request to /token?", callers: page,
      before: [
        .action("The connection fails", ["fault": ["endpoint": "token", "kind": "unreachable"]])
      ], call: .interactive,
      mends: [
        Mend(
          kind: .device, text: "Ask again when the browser reaches the token endpoint.",
          steps: [["fault": "clear"]], moment: .beforeCall)
      ]),
  ]

  // MARK: Managed identities

  private static let identityAssigned = Mend(
    kind: .account, text: "Assign the identity to the machine, and give its client ID (AZURE_CLIENT_ID).",
    steps: [["add": ["identity": "machine", "fields": ["isSystemAssigned=yes"]]]])

  static let ofMachines: [Cause] = [
    Cause(
      name: "machine-without-resource", codes: ["Required query variable 'resource' is missing"],
      text: "The request for the machine's identity does not name an API.",
      question: "Is the variable with the resource empty, or named otherwise than resource?",
      callers: [.program(.daemon, .managedIdentity)],
      call: .sending(.token, [("resource", nil)]),
      mends: [
        Mend(
          kind: .call, text: "Send the API's URI as resource, such as https://management.azure.com/.",
          steps: identityAssigned.steps, call: .interactive)
      ]),
    Cause(
      name: "identity-not-assigned",
      codes: ["Identity not found", "Get Token request returned http error"],
      text: "The machine has no managed identity, or not the identity that the program asks for.",
      question: "Which identities does the portal list under Identity of the machine?",
      callers: [.program(.daemon, .managedIdentity)], call: .interactive, mends: [identityAssigned]),
    Cause(
      name: "identity-not-assigned-to-app", codes: ["ManagedIdentityCredential authentication failed"],
      text:
        "The app of App Service or Functions has no managed identity, or not the identity that it asks for.",
      question: "Which identities does the portal list under Identity of the app?",
      callers: [.program(.daemon, .managedIdentity)], call: .interactive.with("machine", "app-service"),
      mends: [identityAssigned]),
  ]

  // MARK: The service itself

  private static func service(_ kind: String, _ name: String, _ number: AADSTSCode, _ text: String) -> Cause {
    Cause(
      name: name, codes: [number.text], text: text,
      question: "Did the same call succeed a minute later, and does Azure's status page show an incident?",
      callers: code + confidential + device,
      before: [
        .action(text, ["fault": ["endpoint": "token", "kind": .text(kind)]])
      ], call: .interactive,
      mends: [
        Mend(
          kind: .call, text: "Ask again after a moment, as Retry-After says: nothing of the app is wrong.",
          steps: [["fault": "clear"]], moment: .beforeCall)
      ])
  }

  static let ofTheService: [Cause] = [
    service("server_error", "service-failed", .tokenIssuanceFailed, "The sign-in service fails."),
    service(
      "temporarily_unavailable", "service-unavailable", .serviceUnavailable,
      "The sign-in service is unavailable."),
    Cause(
      name: "status-not-handled", codes: [MSALCode.unhandledResponse.text],
      text: "The token endpoint, or a proxy, answers with a status that is not an OAuth response.",
      question: "Which status does MSALHTTPResponseCodeKey have, and does the call succeed a minute later?",
      before: [
        .signIn, .action("The service answers 503", ["fault": ["endpoint": "token", "kind": "503"]]),
      ], call: .refresh,
      mends: [
        Mend(
          kind: .call, text: "Ask again after a moment: nothing of the app is wrong.",
          steps: [["fault": "clear"]], moment: .beforeCall)
      ]),
  ]
}
