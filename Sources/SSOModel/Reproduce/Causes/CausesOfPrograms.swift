import SSOLab
import SSOReference

/// The causes that only programs have: what they send, how they prove themselves, and how they are registered.
///
/// An app on a device cannot have them, because its SDK decides what it sends.
extension Cause {
  static let ofPrograms: [Cause] =
    ofSecrets + ofCodes + ofPages + ofRedirects + ofPermissions + ofRequests + ofAuthorities + ofAssertions
    + ofDeviceCodes
    + ofPeopleWithPasswords + ofAnswers + ofMachines + ofTheService

  static let code: [Caller] = [
    .program(.webServer, .authorizationCode), .program(.publicProgram, .authorizationCode),
    .program(.page, .authorizationCode),
  ]
  static let confidential: [Caller] = daemon + server
  /// A confidential client that acts for a user.
  static let server: [Caller] = [
    .program(.webServer, .authorizationCode), .program(.webServer, .onBehalfOf),
  ]
  static let refresh: [Caller] = [
    .program(.publicProgram, .refreshToken), .program(.webServer, .refreshToken),
    .program(.page, .refreshToken),
  ]
  static let onBehalf: [Caller] = [.program(.webServer, .onBehalfOf)]
  static let device: [Caller] = [.program(.publicProgram, .deviceCode)]
  static let password: [Caller] = [.program(.publicProgram, .password)]
  static let daemon: [Caller] = [.program(.daemon, .clientCredentials)]
  static let page: [Caller] = [.program(.page, .authorizationCode)]

  /// A cause that lies only in the program's requests, and that is fixed by sending something else.
  static func sending(
    _ name: String, _ code: AADSTSCode, _ callers: [Caller], _ text: String, _ question: String,
    _ endpoint: CallProgram.Change.Endpoint, _ fields: [(name: String, value: String?)], _ mend: String,
    silently: Bool = false, changes: [Change] = [], before: [Step] = [], oauth: OAuthErrorCode? = nil
  ) -> Cause {
    Cause(
      name: name, codes: [code.text] + (oauth.map { [$0.text] } ?? []), text: text, question: question,
      callers: callers, changes: changes,
      before: before, call: .sending(endpoint, fields, silently: silently),
      mends: [.call(silently ? .silent : .interactive, mend)])
  }

  // MARK: Secrets and kinds of clients

  private static let ofSecrets: [Cause] = [
    sending(
      "secret-wrong", .clientSecretWrong, confidential,
      "The program sends a secret that the registration does not have, such as the secret's ID.",
      "Is the value that is sent the secret's Value, which the portal shows only once?", .token,
      [("client_secret", "the-ID-of-the-secret")],
      "Certificates & secrets › New client secret: copy its Value, not its Secret ID, into the program.",
      oauth: .invalidClient),
    Cause(
      name: "secret-expired", codes: [AADSTSCode.clientSecretExpired.text],
      text: "The secret of the registration has expired.",
      question: "What does Certificates & secrets show under Expires?", callers: confidential,
      changes: [.registration("secretsExpireAt=2026-03-01T00:00:00Z")], call: .interactive,
      mends: [
        .registration(
          "secretsExpireAt=2028-03-01T00:00:00Z",
          "Certificates & secrets › New client secret: replace the expired one in the program.")
      ]),
    sending(
      "daemon-without-secret", .appProofMissing, daemon,
      "The program asks for an app-only access token, and does not send a secret or an assertion.",
      "Is the setting with the secret empty where the program runs, or was a managed identity meant?", .token,
      [("client_secret", nil)],
      "Send the client's secret or a client assertion with each request to the token endpoint.",
      oauth: .invalidClient),
    Cause(
      name: "service-principal-missing",
      codes: [AADSTSCode.servicePrincipalMissing.text, OAuthErrorCode.invalidClient.text],
      text: "The tenant has a registration of the app, and no enterprise application (service principal).",
      question: "Was the registration made by az ad app create or Terraform, which do not add one?",
      callers: daemon, changes: [.registration("hasNoServicePrincipal=yes")], call: .interactive,
      mends: [
        .registration(
          "hasNoServicePrincipal=no",
          "Create the enterprise application: az ad sp create --id $client, or “Create Service Principal” in the overview of "
            + "the registration; in another tenant, an administrator consents at its address /adminconsent.")
      ]),
    sending(
      "secret-missing", .clientProofMissing, server,
      "The program is a confidential client, and does not send a secret or an assertion.",
      "Is the setting with the secret empty where the program runs?", .token, [("client_secret", nil)],
      "Send the client's secret or a client assertion with each request to the token endpoint.",
      oauth: .invalidClient),
    Cause(
      name: "public-flows-not-allowed",
      codes: [AADSTSCode.clientProofMissing.text, OAuthErrorCode.invalidClient.text],
      text: "The registration does not allow public client flows, which device codes and passwords need.",
      question: "Is “Allow public client flows” set to Yes under Authentication?", callers: device + password,
      changes: [.registration("allowsPublicClient=no")], call: .interactive,
      mends: [
        .registration(
          "allowsPublicClient=yes",
          "App registrations › Authentication: set “Allow public client flows” to Yes.")
      ]),
    sending(
      "secret-and-assertion", .clientProvesTwice, confidential,
      "The program proves itself with a secret and with an assertion.",
      "Are a secret and a certificate configured, or is the secret in the Authorization header, too?", .token,
      [
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
        ("client_assertion", "$assertion"),
      ], "Send one proof: the secret or the assertion."),
    sending(
      "public-client-with-secret", .clientIsPublic,
      [.program(.publicProgram, .authorizationCode)] + device + password,
      "The registration is a public client, and the program sends a secret.",
      "Does the registration have a secret or a certificate?", .token,
      [("client_secret", "the-secret-value")],
      "Leave the secret out, or register the redirect URI under Web and add a secret."),
  ]

  // MARK: Codes and refresh tokens

  private static let ofCodes: [Cause] = [
    sending(
      "code-not-valid", .grantInvalid, code,
      "The provider did not issue the code that the program redeems, or issued it to another program.",
      "Is the code cut off, decoded twice, or from another sign-in?", .token,
      [("code", "0.CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC")],
      "Redeem the code of this sign-in once and unchanged, at the endpoint and version that issued it."),
    sending(
      "refresh-token-not-valid", .grantInvalid, refresh,
      "The provider did not issue the refresh token that the program redeems, or has replaced it.",
      "Does the refresh token belong to another client, or was it replaced since?", .token,
      [("refresh_token", "0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")],
      "Redeem the newest refresh token, with the client ID that it was issued to.", silently: true,
      before: [.signIn]),
    sending(
      "code-malformed", .requestMalformed, code,
      "What the program sends as code does not have the form of a code.",
      "Is the value that is sent as code empty, cut off, or something else?", .token,
      [("code", "not-a-code")],
      "Send the parameter code of the redirect unchanged, decoded once."),
    sending(
      "refresh-token-malformed", .requestMalformed, refresh,
      "What the program sends as refresh token does not have the form of one.",
      "Is the value that is sent as refresh_token empty, cut off, or an access token?", .token,
      [("refresh_token", "not-a-refresh-token")], "Send the refresh token unchanged.", silently: true,
      before: [.signIn]),
    sending(
      "redirect-uri-differs-at-token-endpoint", .redirectURIDiffers, code,
      "The redirect URI of the redemption is not the one of the sign-in.",
      "Are both redirect URIs equal, with scheme, host, port, and the slash at the end?", .token,
      [("redirect_uri", "$redirect/other")],
      "Send the same redirect_uri to the token endpoint as to the authorization endpoint.",
      changes: [.registration("$redirects+=$redirect/other")]),
    sending(
      "code-verifier-missing", .codeVerifierMissing, code,
      "The sign-in had a code challenge, and the redemption has no code_verifier.",
      "Is the verifier kept from the sign-in to the redemption?", .token, [("code_verifier", nil)],
      "Keep the verifier of the sign-in, and send it as code_verifier."),
    sending(
      "code-verifier-differs", .codeVerifierMismatch, code,
      "The code_verifier is not that of the sign-in.",
      "Can a second sign-in overwrite the verifier of the first?", .token,
      [("code_verifier", "another-verifier-another-verifier-another-verifier")],
      "Send the verifier from which the code challenge of the same sign-in was made."),
    Cause(
      name: "challenge-missing", codes: [AADSTSCode.pkceRequired.text],
      text: "A page redeems its code, and its sign-in had no code challenge.",
      question: "Does the page use MSAL.js 2 or later, or another library with PKCE?", callers: page,
      call: withoutChallenge, mends: [.call(.interactive, "Use the authorization code flow with PKCE.")]),
    ofAnotherClient(
      "code-of-another-client", .clientAmbiguous, code, "The code was issued to another client ID.",
      "Redeem the code with the client ID of the sign-in.", before: []),
    ofAnotherClient(
      "refresh-token-of-another-client", .grantOfAnotherClient, refresh,
      "The refresh token was issued to another client ID.",
      "Redeem the refresh token with the client ID that it was issued to.", before: [.signIn]),
    Cause(
      name: "own-api-without-scope", codes: [AADSTSCode.tokenForItself.text],
      text: "The program is its own API, and refreshes the token without naming the scope.",
      question: "Does the request with the refresh token send the scope of the sign-in?",
      callers: refresh.filter { $0 != .program(.page, .refreshToken) },
      changes: [.registration("exposedScopes=access_as_user")],
      before: [
        .answered(
          "The user signs in for the program's own API",
          [
            "call": [
              "program": "program", "grant": "authorizationCode",
              "scopes": ["api://$client/access_as_user", "openid", "offline_access"],
            ]
          ], ["username": "$user", "password": "$password", "consent": "accept"])
      ], call: .sending(.token, [("scope", nil)], silently: true),
      mends: [
        .call(
          .silent(scopes: ["api://$client/access_as_user"]),
          "Send the scope with the refresh token, such as api://$client/access_as_user.")
      ]),
  ]

  /// The call of a program without PKCE.
  static let withoutChallenge = Call(
    verb: "signIn",
    fields: [
      .init(
        "change",
        [
          "authorize": ["code_challenge": .plain("~"), "code_challenge_method": .plain("~")],
          "token": ["code_verifier": .plain("~")],
        ])
    ])

  /// A cause in which one client redeems what was issued to another.
  private static func ofAnotherClient(
    _ name: String, _ code: AADSTSCode, _ callers: [Caller], _ text: String, _ mend: String, before: [Step]
  ) -> Cause {
    sending(
      name, code, callers, text, "Do all requests of the program have the same client ID?", .token,
      [("client_id", "$resourceID")], mend, silently: !before.isEmpty,
      before: before + [
        .action(
          "Another client is registered",
          ["add": ["registration": "$resourceID", "fields": ["$redirects+=$redirect", "$proof"]]])
      ])
  }

  // MARK: Requested scopes and tokens

  private static func parameterMissing(
    _ name: String, _ callers: [Caller], silently: Bool = false, before: [Step] = []
  ) -> Cause {
    sending(
      name, .bodyParameterMissing, callers,
      "The request to the token endpoint lacks the parameter $parameter.",
      "Is the variable for $parameter empty, or the body not form-encoded?", .token, [("$parameter", nil)],
      "Send $parameter in the body, as application/x-www-form-urlencoded.", silently: silently,
      before: before, oauth: .invalidRequest)
  }

  /// A cause in which a request has a parameter twice.
  private static func repeated(
    _ name: String, _ endpoint: CallProgram.Change.Endpoint, _ callers: [Caller]
  ) -> Cause {
    Cause(
      name: name, codes: [AADSTSCode.parameterRepeated.text],
      text: "The request has the parameter $repeatedParameter twice.",
      question: "Do two parts of the program, or the program and its library, add $repeatedParameter?",
      callers: callers,
      call: Call(
        verb: "signIn",
        fields: [
          .init("change", .map([.init(endpoint.rawValue, ["$repeatedParameter": ["openid", "openid"]])]))
        ]), mends: [.call(.interactive, "Send $repeatedParameter once.")])
  }

  private static let ofRequests: [Cause] = [
    parameterMissing("parameter-missing", device),
    parameterMissing("parameter-missing-at-code", code),
    parameterMissing("parameter-missing-at-password", password + daemon + onBehalf),
    parameterMissing("parameter-missing-at-refresh", refresh, silently: true, before: [.signIn]),
    sending(
      "parameter-missing-at-authorize", .bodyParameterMissing, code,
      "The request to the authorization endpoint lacks the parameter $askedParameter.",
      "Is the variable for $askedParameter empty?", .authorize, [("$askedParameter", nil)],
      "Send $askedParameter to the authorization endpoint.", oauth: .invalidRequest),
    sending(
      "parameter-missing-at-device-code", .bodyParameterMissing, device,
      "The request for a device code lacks the parameter $askedParameter.",
      "Is the variable for $askedParameter empty?", .deviceCode, [("$askedParameter", nil)],
      "Send $askedParameter with the request for a device code."),
    sending(
      "app-token-without-scope", .fieldMissing, daemon,
      "The program asks for an app-only access token, and does not send a scope.",
      "Is the setting with the scope empty where the program runs?", .token, [("scope", nil)],
      "Send the API's URI with /.default as scope, such as https://graph.microsoft.com/.default."),
    repeated("parameter-sent-twice", .authorize, code),
    repeated("parameter-sent-twice-at-token-endpoint", .token, code + daemon + device + password),
    sending(
      "grant-type-unsupported", .grantTypeUnsupported, code + daemon, "The grant type is not one of Entra's.",
      "Is grant_type spelt as the protocol spells it?", .token, [("grant_type", "authorization")],
      "Correct grant_type."),
    sending(
      "resource-unlike-scopes", .resourceDoesNotFit, code,
      "The call sends the parameter resource, and scopes of another API.",
      "Does the client send resource (RFC 8707) beside scope?", .authorize,
      [("resource", "https://api.example.com/")],
      "Leave resource out, or ask for scopes of the API that it names."),
    sending(
      "resource-unlike-scopes-at-token-endpoint", .resourceDoesNotFit, code + daemon,
      "The request for tokens has the parameter resource, and scopes of another API.",
      "Does the client send resource (RFC 8707) beside scope?", .token,
      [("resource", "https://api.example.com/")],
      "Leave resource out, or ask for scopes of the API that it names."),
    Cause(
      name: "app-token-without-default", codes: [AADSTSCode.appScopeInvalid.text],
      text:
        "A program that asks for an app-only access token names a permission in place of RESOURCE/.default.",
      question: "Is the scope exactly one RESOURCE/.default?", callers: daemon,
      call: .program(scopes: ["User.Read"]),
      mends: [
        .call(
          .interactive, "Ask for the API's URI with /.default, such as https://graph.microsoft.com/.default.")
      ]),
  ]

  // MARK: Authorities

  private static let unreadableAuthority = [
    "endpoints_resolution_error", "openid_config_error", "Unable to get authority configuration",
  ]
  private static let hostOfCustomers = "contoso.ciamlogin.com"
  private static let atHostOfCustomers: [Change] = [
    .tenant("cloudHost=\(hostOfCustomers)"), .app("authority=https://\(hostOfCustomers)/$tenant"),
  ]
  private static let discovering = page + [.program(.publicProgram, .authorizationCode)]

  /// A cause in the address of the token endpoint, which differs from that of the sign-in.
  private static func redeemingElsewhere(
    _ name: String, _ code: AADSTSCode, _ authority: String, _ text: String, changes: [Change] = []
  ) -> Cause {
    Cause(
      name: name, codes: [code.text], text: text,
      question: "Do the settings for the sign-in and for the token endpoint name the same tenant?",
      callers: Self.code, changes: changes, call: .interactive.with("redeemsAt", .text(authority)),
      mends: [.call(.interactive, "Redeem the code at the tenant of the sign-in: $tenantAuthority.")])
  }

  private static let ofAuthorities: [Cause] = [
    Cause(
      name: "authority-without-configuration", codes: unreadableAuthority + [AADSTSCode.tenantNotFound.text],
      text:
        "The authority names a tenant, or a user flow, that does not exist, so its configuration cannot be read.",
      question: "Does the authority with /v2.0/.well-known/openid-configuration open in a browser?",
      callers: discovering,
      changes: [.app("authority=$missingAuthority")], call: .interactive.with("discovers", true),
      mends: [.correctTenant]),
    Cause(
      name: "authority-not-reached", codes: unreadableAuthority,
      text: "The program cannot reach the authority's configuration.",
      question: "Does a proxy, a content security policy, or a lost connection block the request?",
      callers: discovering,
      before: [
        .action("The connection fails", ["fault": ["endpoint": "configuration", "kind": "unreachable"]])
      ],
      call: .interactive.with("discovers", true),
      mends: [
        Mend(
          kind: .device, text: "Ask again when the program reaches the authority.",
          steps: [["fault": "clear"]],
          moment: .beforeCall)
      ]),
    Cause(
      name: "tenant-name-not-a-domain", codes: [AADSTSCode.tenantNameInvalid.text],
      text: "The tenant in the authority is neither a domain nor an ID.",
      question: "Is the tenant in the authority a verified domain, or the Directory (tenant) ID?",
      callers: code, changes: [.app("authority=https://login.microsoftonline.com/contoso")],
      call: .interactive,
      mends: [.correctTenant]),
    redeemingElsewhere(
      "tenant-unknown-at-token-endpoint", .tenantNotFound, "$missingAuthority",
      "The token endpoint is that of a tenant that does not exist."),
    redeemingElsewhere(
      "tenant-name-not-a-domain-at-token-endpoint", .tenantNameInvalid,
      "https://login.microsoftonline.com/contoso",
      "The tenant in the address of the token endpoint is neither a domain nor an ID."),
    redeemingElsewhere(
      "code-of-another-tenant", .codeOfAnotherTenant, "$otherAuthority",
      "The code was issued at one tenant, and is redeemed at another.", changes: [.otherTenant]),
    Cause(
      name: "tenant-id-empty", codes: [AADSTSCode.tenantIDEmpty.text],
      text: "The tenant in the authority is a GUID of zeros: nothing has been filled in.",
      question: "Is the setting with the tenant ID empty or a placeholder where the app runs?",
      changes: [
        .app("authority=https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000")
      ], call: .interactive, mends: [.correctTenant]),
    Cause(
      name: "app-token-of-no-tenant", codes: [AADSTSCode.tenantNotNamed.text],
      text: "A program that asks for an app-only access token uses an authority for all organisations.",
      question: "Does the authority name a tenant?", callers: daemon,
      changes: [.app("authority=$common")], call: .interactive,
      mends: [.nameTenant]),
    Cause(
      name: "device-code-of-no-tenant", codes: [AADSTSCode.tenantNotNamed.text],
      text: "An app of one organisation asks an authority for all organisations for a device code.",
      question: "Which account types does the registration support, and does the authority name a tenant?",
      callers: device, changes: [.registration("isMultiTenant=no"), .app("authority=$common")],
      call: .interactive,
      mends: [
        .nameTenant,
        .registration(
          "isMultiTenant=yes", "App registrations › Authentication: allow accounts of any organisation."),
      ]),
    Cause(
      name: "consent-missing-at-external-tenant", codes: [AADSTSCode.consentMissing.text],
      text: "The users of an external tenant cannot consent, and no administrator has.",
      question: "Is the tenant an external one, and has an administrator granted consent?", callers: code,
      changes: atHostOfCustomers + [.registration("isPreauthorized=no")],
      call: .interactive.answeringUntilRefused,
      mends: [.consentByAdministrator]),
    Cause(
      name: "external-tenant-at-common-host", codes: [AADSTSCode.loginDomainInvalid.text],
      text: "The account is of an external tenant, and the authority is at the host of the other tenants.",
      question: "Does the program, or its library, send users to login.microsoftonline.com?", callers: code,
      changes: [.tenant("cloudHost=\(hostOfCustomers)"), .registration("isPreauthorized=yes")],
      call: .interactive.answeringUntilRefused,
      mends: [
        .app(
          .code, "authority=https://\(hostOfCustomers)/$tenant",
          "Use the authority https://NAME.ciamlogin.com/TENANT-ID, also in libraries that make the address themselves."
        )
      ]),
    Cause(
      name: "several-tenants-at-external-tenant", codes: [AADSTSCode.accountTypeOfResource.text],
      text:
        "The account is of an external tenant, and the registration accepts accounts of other organisations.",
      question: "Which account types does the registration of the app, and of its API, support?",
      callers: code,
      changes: atHostOfCustomers + [
        .registration("isPreauthorized=yes"), .registration("accounts=organizations"),
      ],
      call: .interactive.answeringUntilRefused,
      mends: [
        .registration(
          "accounts=",
          "App registrations › Authentication: support accounts in this organizational directory only.")
      ]),
    Cause(
      name: "password-at-common", codes: [AADSTSCode.grantNeedsTenant.text],
      text: "A password is sent to an authority for all accounts.",
      question: "Does the authority name a tenant, or organizations?", callers: password,
      changes: [.app("authority=$common")], call: .interactive,
      mends: [.nameTenant]),
  ]

  // MARK: Device codes, and time between two requests

  /// A cause in which the token endpoint receives the request later than the program intends.
  private static func late(
    _ name: String, _ codes: [String], _ callers: [Caller], minutes: Int, _ text: String, _ question: String,
    _ mend: String
  ) -> Cause {
    Cause(
      name: name, codes: codes, text: text, question: question, callers: callers,
      before: [
        .action(
          "\(minutes) minutes pass before the token endpoint is asked",
          ["fault": ["endpoint": "token", "kind": .text("clock:\(minutes * 60)")]])
      ], call: .interactive,
      mends: [Mend(kind: .call, text: mend, steps: [["fault": "clear"]], moment: .beforeCall)])
  }

  private static let ofDeviceCodes: [Cause] = [
    late(
      "code-expired", [AADSTSCode.grantExpired.text], code, minutes: 12,
      "The code was redeemed more than ten minutes after the sign-in.",
      "Does a proxy, a queue, or a reload of the page delay or repeat the redemption?",
      "Redeem the code at once, and once."),
    late(
      "device-code-expired",
      [AADSTSCode.deviceCodeExpired.text, OAuthErrorCode.expiredToken.text, "code_expired"],
      device, minutes: 20, "The user entered the user code after it had expired.",
      "Did more than 15 minutes pass between the code and the sign-in?",
      "The user enters the code within 15 minutes; otherwise the program asks for a new one."),
    Cause(
      name: "device-code-declined", codes: [OAuthErrorCode.authorizationDeclined.text],
      text: "The user declined on the page for the user code.",
      question: "Did the user cancel, or decline the permissions, after entering the user code?",
      callers: device,
      call: .interactive.answering(["username": "$user", "password": "$password", "consent": "decline"]),
      mends: [.call(.interactive, "Nothing is wrong: the user signs in and accepts.")]),
    Cause(
      name: "code-of-another-user-flow", codes: [B2CCode.grantOfAnotherFlow.text],
      text: "The code was issued by one user flow, and is redeemed at another.",
      question: "Does the program have one authority for the sign-in and another for the tokens?",
      callers: code,
      changes: [.app("authority=$userFlow")], call: .interactive.with("redeemsAt", "$otherFlow"),
      mends: [
        .call(
          .interactive, "Redeem the code at the user flow that issued it, and keep an account for each flow.")
      ]),
    Cause(
      name: "code-redeemed-twice", codes: [AADSTSCode.codeAlreadyRedeemed.text],
      text: "The program redeems the same code a second time.",
      question: "Does the page handle the redirect twice, for example in a component that is mounted twice?",
      callers: code, call: .interactive.with("repeats", true),
      mends: [
        .call(
          .interactive, "Redeem the code once: handle the redirect in one place, before anything is drawn.")
      ]),
    Cause(
      name: "device-code-not-entered",
      codes: [AADSTSCode.authorizationPending.text, OAuthErrorCode.authorizationPending.text],
      text: "The user has not entered the code yet.",
      question:
        "Does the program stop at authorization_pending, in place of asking again after the interval?",
      callers: device,
      before: [
        .action(
          "The user cannot open the page for the user code",
          ["fault": ["endpoint": "devicepage", "kind": "unreachable"]])
      ], call: .interactive,
      mends: [
        Mend(
          kind: .call, text: "Ask again after the interval, until the user has signed in.",
          steps: [["fault": "clear"]], moment: .beforeCall)
      ]),
    sending(
      "device-code-unknown", .deviceCodeInvalid, device,
      "The provider did not issue the device code that the program sends.",
      "Does the program send device_code, and not the user code?", .token, [("device_code", "BCDF-GHJK")],
      "Send the device_code of the answer; the user code is what the user enters."),
  ]

  // MARK: Users who sign in without a page

  /// A refused sign-in; the same wrong password again would not count.
  private static func wrongPassword(_ number: Int) -> Step {
    .failing(
      "The program sends a wrong password",
      [
        "call": [
          "program": "program", "grant": "password", "account": "$user", "scopes": ["User.Read"],
          "change": ["token": ["password": .text("not-the-password-\(number)")]],
        ]
      ])
  }

  /// A password alone cannot provide a second factor, so the user signs in on a page.
  static let signInWithPage = Mend.call(
    Call.interactive.with("grant", "authorizationCode").answering([
      "username": "$user", "password": "$password", "verification": "shown", "consent": "accept",
    ]),
    "Sign the user in on a page, with the authorization code or a device code, in place of the password.")

  private static let ofPeopleWithPasswords: [Cause] = [
    Cause(
      name: "account-locked", codes: [AADSTSCode.accountLocked.text],
      text: "The account is locked, because too many wrong passwords were sent.",
      question: "Does a program or a device still send an old password?", callers: password,
      before: (1...10).map(wrongPassword), call: .interactive,
      mends: [
        Mend(
          kind: .clock,
          text: "Wait, and find what sends the wrong password: the sign-in logs show its address.",
          steps: [["clock": "+5m"]], moment: .beforeCall)
      ]),
    Cause(
      name: "second-factor-required", codes: [AADSTSCode.mfaRequired.text],
      text: "The account needs a second factor, which a password alone cannot give.",
      question: "Does the account have multifactor authentication, by a policy or by security defaults?",
      callers: password, changes: [.person("requiresMFA=yes")], call: .interactive,
      mends: [
        signInWithPage,
        Mend(
          kind: .account,
          text:
            "The administrator excludes the account from multifactor authentication; a daemon uses an app-only token.",
          steps: [["set": ["person": "$user", "fields": ["requiresMFA=no"]]]], moment: .beforeCall),
      ]),
    Cause(
      name: "second-factor-not-registered", codes: [AADSTSCode.mfaEnrollment.text],
      text: "The account must register a second factor first.",
      question: "Has the user ever set up multifactor authentication?", callers: password,
      changes: [.person("requiresMFA=yes"), .person("hasNoSecondFactor=yes")], call: .interactive,
      mends: [
        signInWithPage,
        Mend(
          kind: .account,
          text:
            "The user signs in at https://aka.ms/mfasetup once, or the administrator excludes the account.",
          steps: [["set": ["person": "$user", "fields": ["requiresMFA=no"]]]], moment: .beforeCall),
      ]),
    sending(
      "password-wrong", .wrongPassword, password, "The password that the program sends is wrong.",
      "Is the password in the program's settings the account's, and not expired?", .token,
      [("password", "not-the-password")], "Correct the username and password in the program's settings."),
    Cause(
      name: "password-not-in-directory", codes: [AADSTSCode.passwordMissing.text],
      text:
        "The directory has no password of the account: another identity provider checks it, or the user does not "
        + "have one.",
      question: "Does the sign-in page send the user on to another page for the password?",
      callers: password, changes: [.person("hasNoPassword=yes")], call: .interactive,
      mends: [
        Mend(
          kind: .account,
          text:
            "Use an account of the directory itself, synchronise the hashes of the passwords, or sign the user in with "
            + "the browser.",
          steps: [["set": ["person": "$user", "fields": ["hasNoPassword=no"]]]], moment: .beforeCall)
      ]),
    sending(
      "username-unknown", .accountNotFound, password,
      "The directory has no account with the username that the program sends.",
      "Does the username belong to the tenant of the authority?", .token, [("username", "nobody@$domain")],
      "Correct the username in the program's settings."),
  ]
}
