import SSOLab
import SSOReference

/// The causes at a user flow of Azure AD B2C, which has its own numbers for the mistakes that Entra refuses too.
extension Cause {
  /// Returns the causes that a user flow of Azure AD B2C answers with its own numbers.
  static func ofUserFlows(_ causes: [Cause]) -> [Cause] {
    let numbers: [(name: String, code: B2CCode)] = [
      ("redirect-uri-not-registered", .redirectURINotRegistered), ("client-not-registered", .clientNotFound),
      ("secret-missing", .clientProofMissing), ("refresh-token-unused", .grantExpired),
      ("refresh-token-of-a-page-expired", .grantExpired), ("secret-wrong", .clientSecretWrong),
      ("sessions-revoked", .grantRevoked), ("client-disabled", .clientDisabled),
      ("response-type-unknown", .responseTypeUnsupported),
      ("response-mode-unknown", .responseModeUnsupported),
      ("prompt-unknown", .promptInvalid), ("implicit-token-not-enabled", .implicitNotAllowed),
      ("id-token-not-enabled", .implicitNotAllowed), ("parameter-missing-at-code", .parameterMissing),
      ("parameter-missing-at-refresh", .parameterMissing), ("public-client-with-secret", .clientIsPublic),
      ("grant-type-unsupported", .grantTypeUnsupported), ("code-malformed", .grantMalformed),
      ("refresh-token-malformed", .grantMalformed), ("code-verifier-differs", .codeVerifierMismatch),
      ("code-challenge-method-unknown", .codeChallengeMethod), ("scopes-of-several-apis", .severalResources),
      ("password-wrong", .wrongPassword), ("no-redirect-uri-registered", .noRedirectURIRegistered),
      ("code-of-another-client", .grantOfAnotherClient),
      ("refresh-token-of-another-client", .grantOfAnotherClient),
      ("code-verifier-missing", .codeVerifierInvalid),
    ]
    let served: Set<CallProgram.Grant> = [.authorizationCode, .refreshToken, .password]
    let mapped = numbers.compactMap { name, code -> Cause? in
      guard var cause = causes.first(where: { $0.name == name }) else { return nil }
      cause.codes = [code.text]
      // A page's refresh token expires before its inactivity matters.
      if cause.call.isSilent, cause.callers.isEmpty {
        cause.callers = refresh.filter { $0 != .program(.page, .refreshToken) } + [.app, .androidApp]
      }
      cause.callers.removeAll { caller in
        if case .program(let kind, let grant) = caller {
          kind == .daemon || !served.contains(grant)
        } else {
          false
        }
      }
      return cause
    }
    return (mapped + ofUserFlowsAlone).map { cause in
      var cause = cause
      cause.name += "-at-user-flow"
      cause.changes.append(.app("authority=$userFlow"))
      cause.call.isOfUserFlow = cause.call.isSilent
      return cause
    }
  }

  /// The mistakes for which Entra has one number and user flows have several.
  private static let ofUserFlowsAlone: [Cause] = [
    Cause(
      name: "public-client-not-allowed", codes: [B2CCode.publicClientNotAllowed.text],
      text:
        "The registration does not allow public client flows, which a user flow requires of a page or an app.",
      question:
        "Was “Allow public client flows” ever switched to Yes and back, so that the manifest has false?",
      callers: page + [.program(.publicProgram, .authorizationCode), .app, .androidApp],
      changes: [.registration("allowsPublicClient=no")], call: .interactive,
      mends: [
        .registration(
          "allowsPublicClient=yes",
          "App registrations › Authentication: set “Allow public client flows” to Yes.")
      ]),
    ofUserFlow(
      "client-id-missing", .clientIDMissing, [("client_id", nil)],
      "The request to the authorization endpoint has no client ID.", "Send client_id."),
    ofUserFlow(
      "scope-missing", .scopeMissing, [("scope", nil)],
      "The request to the authorization endpoint has no scope.",
      "Send scope: openid, and the scopes of an API."),
    ofUserFlow(
      "openid-missing", .openIDMissing,
      [
        ("response_type", "id_token"), ("response_mode", "form_post"), ("nonce", "n"),
        ("scope", "offline_access"),
      ],
      "The program asks for an ID token without the scope openid.", "Send openid among the scopes."),
    ofUserFlow(
      "scope-with-comma", .scopeIllegal, [("scope", "openid,offline_access")],
      "The scopes are separated by commas, or the parameter scope is sent twice.",
      "Separate scopes with spaces, and send scope once."),
    ofUserFlow(
      "parameter-with-markup", .inputUnsafe, [("login_hint", "<ada>")],
      "A parameter of the request to the authorization endpoint looks like markup.",
      "Leave < and &# out of the parameters; encode a state that needs them as base64url."),
    ofUserFlow(
      "max-age-invalid", .maxAgeInvalid, [("max_age", "soon")],
      "The value of max_age is not a number of seconds.",
      "Send max_age as a number of seconds, or leave it out."),
    ofUserFlow(
      "token-scope-missing", .tokenScopeMissing,
      [("response_type", "token"), ("response_mode", "fragment"), ("scope", "openid profile")],
      "The page asks for an access token with OpenID Connect's scopes alone.",
      "Send a scope of an API, or the client ID for the app's own API.",
      changes: [.registration("enableAccessTokenIssuance=yes")]),
    ofScopes(
      "graph-scope", .scopeUnsupported, "User.Read", "The call asks a user flow for a permission of Graph.",
      "Does a library add User.Read, or does the code still have the scopes of Entra?",
      .call(.interactive(scopes: [.text(scope)]), "Ask for a scope of an API of the B2C tenant: \(scope).")),
    ofScopes(
      "api-not-granted", .resourceNotGranted, scope, "The registration has no permission of the API.",
      "Does API permissions list the API, and has an administrator granted consent?",
      .registration(
        "requiredAPIs+=\(api)",
        "App registrations › API permissions: add the scope of the API, and grant admin consent."),
      listed: "https://contoso.onmicrosoft.com/other"),
  ]

  private static let api = "https://contoso.onmicrosoft.com/api"
  private static let scope = api + "/read"

  private static func ofUserFlow(
    _ name: String, _ code: B2CCode, _ fields: [(name: String, value: String?)], _ text: String,
    _ mend: String, changes: [Change] = []
  ) -> Cause {
    Cause(
      name: name, codes: [code.text], text: text,
      question: "What does the address of the sign-in page have in its query?", callers: Self.code,
      changes: changes, call: .sending(.authorize, fields), mends: [.call(.interactive, mend)])
  }

  /// A cause in the scopes, of a registration that lists the permissions of one API.
  private static func ofScopes(
    _ name: String, _ code: B2CCode, _ scope: String, _ text: String, _ question: String, _ mend: Mend,
    listed: String = api
  ) -> Cause {
    Cause(
      name: name, codes: [code.text], text: text, question: question,
      changes: [.registration("requiredAPIs=\(listed)")], call: .interactive(scopes: [.text(scope)]),
      mends: [mend])
  }
}
