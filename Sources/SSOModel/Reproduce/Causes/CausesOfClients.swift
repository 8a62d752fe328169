import SSOLab
import SSOReference

/// The causes in the purpose of a registration: its accounts, its redirect URIs, and whether it is enabled at all.
extension Cause {
  static let consumers = "https://login.microsoftonline.com/consumers"
  private static let zeros = "00000000-0000-0000-0000-000000000000"

  // MARK: Accounts and authorities

  private static let anyAccounts = Mend.registration(
    "accounts=",
    "App registrations › Authentication › Supported account types: choose the types that the authority is for."
  )

  private static let asPersonalAccount: YAMLValue = [
    "choose": "$personal", "username": "$personal", "password": "$password", "consent": "accept",
  ]

  private static let signInOfPersonalAccount: YAMLValue = [
    "call": [
      "program": "program", "grant": "authorizationCode",
      "scopes": ["User.Read", "openid", "offline_access"],
    ]
  ]

  static let ofAudiences: [Cause] = [
    Cause(
      name: "not-converged", codes: [AADSTSCode.notConverged.text],
      text:
        "The registration is not for work and personal accounts together, as /common and /consumers need.",
      question: "Was the app registered in the Azure portal before it offered personal accounts?",
      changes: [.registration("isConverged=no"), .app("authority=$common")], call: .interactive,
      mends: [
        .nameTenant,
        .registration(
          "isConverged=yes",
          "Register the app anew, with accounts in any organisation and personal Microsoft accounts."),
      ]),
    Cause(
      name: "personal-accounts-only", codes: [AADSTSCode.personalAccountsOnly.text],
      text: "The registration is for personal accounts, and the authority is not /consumers.",
      question:
        "Which account types does the registration support, and which authority does the program use?",
      changes: [.registration("accounts=personal")], call: .interactive, mends: [anyAccounts]),
    Cause(
      name: "organizations-only", codes: [AADSTSCode.organizationsOnly.text],
      text: "The registration is for accounts of organisations, and the authority is /consumers.",
      question:
        "Which account types does the registration support, and which authority does the program use?",
      changes: [.registration("accounts=organizations"), .app("authority=\(consumers)")],
      call: .interactive, mends: [.correctTenant, anyAccounts]),
    Cause(
      name: "grant-at-consumers", codes: [AADSTSCode.grantOfAnotherTenant.text],
      text: "The refresh token is of a work or school account, and goes to /consumers.",
      question: "Is the token refreshed at another authority than that of the sign-in?", callers: refresh,
      before: [.signIn], call: .refresh.with("authority", .text(consumers)),
      mends: [.call(.refresh, "Send the refresh token to the authority of the sign-in.")]),
    Cause(
      name: "guest-lacks-second-factor", codes: [AADSTSCode.accountNotInTenantForMFA.text],
      text:
        "The authority names an organisation that requires a second factor, and in which the user has no account.",
      question: "Does the user belong to another organisation than the one in the authority?",
      changes: [.otherTenant, .app("authority=$otherAuthority")],
      before: [
        .action(
          "The organisation requires a second factor",
          ["policy": ["name": "Policy", "requires": "mfa", "tenant": "$otherTenant"]])
      ],
      call: .interactive.answeringUntilRefused,
      mends: [
        .useCommonAuthority,
        Mend(
          kind: .account, text: Mend.inviteGuest.text, steps: Mend.inviteGuest.steps,
          call: .interactive.answering([
            "username": "$user", "password": "$password", "verification": "shown", "consent": "accept",
          ])),
      ]),
    Cause(
      name: "scopes-not-granted-by-personal-account", codes: [AADSTSCode.grantInvalid.text],
      text: "The program refreshes a personal account's token for scopes that the user has not granted.",
      question: "Are the scopes of the refresh among those of the sign-in?", callers: refresh,
      changes: [.personalAccount, .app("authority=$common")],
      before: [
        .answered("A user with a personal account signs in", signInOfPersonalAccount, asPersonalAccount)
      ],
      call: .silent(scopes: ["Mail.Read"]),
      mends: [
        .call(
          .silent(scopes: ["User.Read"]),
          "Ask only for the scopes of the sign-in when the token is refreshed."),
        .call(
          Call.interactive(scopes: ["Mail.Read"]).with("grant", "authorizationCode").answering(
            asPersonalAccount),
          "Ask the user to sign in with the same scopes first."),
      ]),
    Cause(
      name: "personal-accounts-without-public-flows", codes: [AADSTSCode.clientInvalid.text],
      text: "The program asks the personal accounts for a device code, and may not use public client flows.",
      question: "Is “Allow public client flows” set to Yes under Authentication?", callers: device,
      changes: [
        .personalAccount, .registration("allowsPublicClient=no"), .app("authority=\(consumers)"),
      ], call: .interactive.answering(asPersonalAccount),
      mends: [
        .registration(
          "allowsPublicClient=yes",
          "App registrations › Authentication: set “Allow public client flows” to Yes.")
      ]),
    Cause(
      name: "device-code-not-of-consumers", codes: [AADSTSCode.grantInvalid.text],
      text: "The service of the personal accounts did not issue the device code that the program sends.",
      question: "Does the program send device_code, and not the user code?", callers: device,
      changes: [.personalAccount, .app("authority=\(consumers)")],
      call: Call.sending(.token, [("device_code", "BCDF-GHJK")]).answering(asPersonalAccount),
      mends: [
        .call(
          Call.interactive.answering(asPersonalAccount),
          "Send the device_code of the answer; the user code is what the user enters.")
      ]),
    Cause(
      name: "client-not-of-user-flows", codes: [B2CCode.clientNotOfB2C.text],
      text: "The registration is not for user flows: it is of another tenant, or for accounts of one tenant.",
      question: "Which supported account types does the registration in the B2C tenant have?",
      changes: [.registration("isMultiTenant=no"), .app("authority=$userFlow")], call: .interactive,
      mends: [
        .registration(
          "isMultiTenant=yes",
          "Register the app in the B2C tenant, for accounts in any identity provider or organizational directory (for "
            + "authenticating users with user flows).")
      ]),
    Cause(
      name: "several-sessions", codes: [AADSTSCode.severalSessions.text],
      text: "The page asks with prompt=none, and more than one user is signed in to the browser.",
      question: "Is more than one account signed in, and does the call name none?", callers: page,
      changes: [.otherPerson],
      before: [
        .signIn,
        .answered(
          "A colleague signs in to the same browser",
          [
            "call": [
              "program": "program", "grant": "authorizationCode", "prompt": "login",
              "scopes": ["User.Read", "openid", "profile"],
            ]
          ], ["username": "$colleague", "password": "$password", "consent": "accept"]),
      ], call: .interactive.with("prompt", "none"),
      mends: [
        .call(
          .interactive.with("prompt", "none").with("account", "$user"),
          "Name the account: pass loginHint, sid or account to ssoSilent and acquireTokenSilent."),
        .call(.interactive, "When the call fails so, ask the user: $interactively."),
      ]),
  ]

  // MARK: One client

  static let ofOneClient: [Cause] = [
    Cause(
      name: "client-disabled", codes: [AADSTSCode.clientDisabled.text],
      text: "The app is disabled in the tenant.",
      question: "Is “Enabled for users to sign-in?” on in the properties of the enterprise application?",
      changes: [.registration("isDisabled=yes")], call: .interactive,
      mends: [
        .registration(
          "isDisabled=no",
          "Enterprise applications › the app › Properties: switch “Enabled for users to sign-in?” on; if Microsoft "
            + "disabled the app, register another one.")
      ]),
    Cause(
      name: "client-loop", codes: [AADSTSCode.clientLoop.text],
      text: "The program asks the token endpoint for the same token again and again.",
      question: "Does the program keep its token cache, and does a failed call lead to the same call?",
      changes: [.registration("requestLimit=3")], before: [.signIn, .signIn, .signIn], call: .refresh,
      mends: [
        .call(
          .silent, "Take the access token from the cache as long as it is valid: do not force a refresh."),
        Mend(
          kind: .clock,
          text:
            "Keep the tokens in a cache in place of asking for each use, and wait some minutes before the next request.",
          steps: [["clock": "+6m"]], moment: .beforeCall),
      ]),
    Cause(
      name: "resource-disabled", codes: [AADSTSCode.resourceDisabled.text],
      text: "The API whose scope the call asks for is disabled in the tenant.",
      question: "Is the API's enterprise application enabled, and is its subscription still running?",
      before: [
        .action(
          "The API is registered, and switched off",
          ["add": ["registration": "$resourceID", "fields": ["identifierURIs=$resource", "isDisabled=yes"]]])
      ], call: .interactive(scopes: ["$unknownScope"]),
      mends: [
        Mend(
          kind: .registration,
          text:
            "Enterprise applications › the API › Properties: switch “Enabled for users to sign-in?” on, or renew the "
            + "subscription.",
          steps: [["set": ["registration": "$resourceID", "fields": ["isDisabled=no"]]]], moment: .beforeCall)
      ]),
    Cause(
      name: "client-id-of-zeros", codes: [AADSTSCode.clientIDEmpty.text],
      text: "The client ID is a GUID of zeros: nothing has been filled in.",
      question: "Is the setting with the client ID a placeholder where the app runs?",
      callers: [.app, .androidApp], changes: [.app("clientID=\(zeros)")], call: .interactive,
      mends: [.app(.code, "clientID=$client", "Pass the client ID of the registration.")]),
    sending(
      "client-id-of-zeros-of-program", .clientIDEmpty, code,
      "The client ID is a GUID of zeros: nothing has been filled in.",
      "Is the setting with the client ID a placeholder where the program runs?", .authorize,
      [("client_id", zeros)], "Set the client ID of the registration."),
    sending(
      "client-id-of-zeros-at-token-endpoint", .clientIDEmpty, daemon + password,
      "The client ID is a GUID of zeros: nothing has been filled in.",
      "Is the setting with the client ID a placeholder where the program runs?", .token,
      [("client_id", zeros)], "Set the client ID of the registration."),
    Cause(
      name: "client-id-with-markup", codes: [AADSTSCode.inputInvalid.text],
      text: "The client ID is a placeholder in angle brackets: nothing has been filled in.",
      question: "Does the address of the sign-in page have < in its client_id?",
      callers: [.app, .androidApp], changes: [.app("clientID=<client-id>")], call: .interactive,
      mends: [.app(.code, "clientID=$client", "Pass the client ID of the registration.")]),
    sending(
      "client-id-with-markup-of-program", .inputInvalid, code,
      "The client ID is a placeholder in angle brackets: nothing has been filled in.",
      "Does the address of the sign-in page have < in its client_id?", .authorize,
      [("client_id", "<client-id>")], "Set the client ID of the registration."),
    sending(
      "parameter-with-markup", .inputInvalid, code,
      "A parameter of the request to the authorization endpoint looks like markup, such as a state with < before a letter.",
      "Does the address of the sign-in page have < in its state?", .authorize,
      [("state", "K<HkMtmZwRLY")],
      "Send a state of letters and digits, such as random bytes as base64url: neither < nor &#."),
    Cause(
      name: "no-redirect-uri-registered", codes: [AADSTSCode.noRedirectURIRegistered.text],
      text: "The registration has no redirect URI at all.",
      question: "Does Authentication list a platform with a redirect URI?",
      changes: [.registration("$redirects=")], call: .interactive, mends: [.registerRedirectURI]),
    Cause(
      name: "redirect-uri-not-sent", codes: [AADSTSCode.redirectURINotSent.text],
      text: "The program does not send a redirect URI, and the registration does not have one either.",
      question: "Is the setting with the redirect URI empty, and does Authentication list one?",
      callers: code,
      changes: [.registration("$redirects=")], call: .sending(.authorize, [("redirect_uri", nil)]),
      mends: [
        Mend(
          kind: .registration,
          text:
            "App registrations › Authentication › $portalPlatform: add the redirect URI $redirect, and send it.",
          steps: Mend.registerRedirectURI.steps, call: .interactive)
      ]),
    Cause(
      name: "sign-in-took-too-long", codes: [AADSTSCode.signInTookTooLong.text],
      text: "More than an hour passed between the sign-in page and the user's answer.",
      question: "Was the page left open, or restored from a bookmark or an earlier session?",
      before: [
        .action(
          "The page stays open for more than an hour",
          ["fault": ["endpoint": "authorize", "kind": "clock:-4000", "times": .plain("1")]])
      ],
      call: .interactive.answering([
        "username": "$user", "password": "$password", "consent": "accept", "cancel": true,
      ]),
      mends: [
        Mend(
          kind: .clock, text: "Start again from the app, and not from the page: nothing of the app is wrong.",
          steps: [["fault": "clear"]], moment: .beforeCall, call: .interactive)
      ]),
  ]
}
