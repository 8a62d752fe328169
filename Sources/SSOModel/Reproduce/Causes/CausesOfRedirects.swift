import SSOLab
import SSOReference

/// The causes in the redirect URI and the scopes of a code that only programs have.
extension Cause {
  private static let webServer: [Caller] = [.program(.webServer, .authorizationCode)]
  private static let registeredAsPage: [Change] = [
    .registration("webRedirectURIs="), .registration("spaRedirectURIs=$redirect"),
  ]

  static let ofRedirects: [Cause] = [
    Cause(
      name: "server-registered-as-page", codes: [AADSTSCode.crossOriginRequired.text],
      text: "A web server redeems its code, and its redirect URI is registered as single-page application.",
      question: "Under which platform is $redirect registered?", callers: webServer,
      changes: registeredAsPage,
      call: .interactive, mends: [.redirectURIMoved(from: "Single-page application", "spaRedirectURIs")]),
    Cause(
      name: "server-sends-no-challenge", codes: [AADSTSCode.pkceRequired.text],
      text:
        "A program redeems its code without PKCE, and its redirect URI is registered as single-page application.",
      question: "Under which platform is $redirect registered?",
      callers: webServer + [.program(.publicProgram, .authorizationCode)],
      changes: [.registration("$redirects="), .registration("spaRedirectURIs=$redirect")],
      call: withoutChallenge, mends: [.redirectURIMoved(from: "Single-page application", "spaRedirectURIs")]),
    sending(
      "server-sends-origin", .crossOriginRefused, webServer,
      "A program with a secret sends the header Origin, as if it were a page.",
      "Does Postman, a proxy, or the browser's script send the request in place of the server?", .token,
      [("Origin", "https://app.example")],
      "Leave the header Origin out: a secret belongs on a server, never in a page."),
    sending(
      "redirect-uri-relative", .redirectURINotAbsolute, code,
      "The redirect URI that the program sends has no scheme.",
      "Is the setting with the program's own address empty, or without http:// or https://?", .authorize,
      [("redirect_uri", "localhost/callback")], "Send the redirect URI with its scheme, as it is registered."),
    Cause(
      name: "redirect-uri-not-secure", codes: [AADSTSCode.redirectURINotSecure.text],
      text:
        "The redirect URI is registered, and begins with http for another machine than the program's own.",
      question: "Does the redirect URI begin with http, and is its host not localhost?", callers: code,
      changes: [.registration("redirectURIs+=http://app.example/callback")],
      call: .sending(.authorize, [("redirect_uri", "http://app.example/callback")]),
      mends: [
        .call(
          .interactive,
          "Use https: in the program, where a proxy in front may hide it (X-Forwarded-Proto), and in the registration."
        )
      ]),
    sending(
      "redirect-uri-relative-at-token-endpoint", .redirectURIMalformed, code,
      "The redirect URI of the redemption has no scheme.",
      "Is the address for the redemption made from a path alone?", .token,
      [("redirect_uri", "/callback")],
      "Send the same redirect_uri to the token endpoint as to the authorization endpoint."),
    sending(
      "redirect-uri-missing-at-token-endpoint", .redirectURIOfCodeMissing,
      [.program(.publicProgram, .authorizationCode), .program(.page, .authorizationCode)],
      "The request that redeems the code has no redirect URI.",
      "Does it have redirect_uri, and not redirect_url?", .token, [("redirect_uri", nil)],
      "Send the redirect_uri of the authorization request with the code, too."),
    Cause(
      name: "code-of-several-apis-without-scope", codes: [AADSTSCode.codeScopeMissing.text],
      text: "The code is for several APIs, and the redemption names none of them.",
      question:
        "Does the sign-in ask for scopes of several APIs, and does the request for tokens not send a scope?",
      callers: code,
      call: .sending(.token, [("scope", nil)]).with(
        "scopes",
        ["https://graph.microsoft.com/User.Read", "https://management.azure.com/user_impersonation"]),
      mends: [
        .call(
          .program(scopes: ["https://graph.microsoft.com/User.Read"]),
          "Send scope with the code: the scopes of one API. Ask for each other API with the refresh token.")
      ]),
    sending(
      "code-challenge-method-unknown", .codeChallengeMethod, code,
      "The code challenge method is neither S256 nor plain.",
      "Is code_challenge_method spelt S256?", .authorize, [("code_challenge_method", "S512")],
      "Send code_challenge_method=S256."),
  ]
}
