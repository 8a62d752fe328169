/// The binding of a sign-in to the browser whose cookie was set with the first page.
///
/// At Entra, the cookie `esctx` binds a request to a browser (web browser cookies used in Entra
/// authentication). A program on another port of this machine can also set cookies for `localhost`, so the
/// sender of a form is checked too.
package enum BrowserBinding {
  static let cookieName = "__Host-esctx"

  /// Returns the SHA-256 of the browser's secret, or `nil` if it has none yet.
  package static func browser(of cookies: [NameValue]) -> String? {
    cookies[cookieName].flatMap { $0.isEmpty ? nil : sha256Hex($0) }
  }

  /// Returns a new cookie, for a browser that has none.
  package static func newCookie(_ random: RandomSource) -> NameValue {
    NameValue(cookieName, Base64URL.encode(random.derivedBytes(cookieName)))
  }
}

extension RequestContext {
  /// Returns the browser that sent the request.
  ///
  /// An unknown browser gets its cookie with the response.
  mutating func boundBrowser(_ random: RandomSource) -> String? {
    if let known = BrowserBinding.browser(of: cookies + setCookies) { return known }
    setCookies.append(BrowserBinding.newCookie(random))
    return BrowserBinding.browser(of: setCookies)
  }
}

/// Checks that a form comes from the browser that started the sign-in (RFC 6749 §10.12).

func checkBrowser(_ flow: SignInFlow, _ cookies: [NameValue]) -> RuleResult {
  let browser = BrowserBinding.browser(of: cookies)
  let isSame = browser.map { $0 == flow.browser } ?? false
  return RuleResult(
    "same browser", expected: "the cookie of the browser that began the sign-in",
    found: isSame ? "the same" : browser == nil ? "none" : "another", isSame, source: "RFC 6749 §10.12",
    else: .userContextMismatch)
}

/// Checks that a form comes from a page of the provider.
///
/// Browsers send `Origin` with forms and `Sec-Fetch-Site` with every request. Other programs send neither.
func checkSentByOwnPage(_ request: HTTPRequest) -> RuleResult {
  let (origin, site) = (request.header("Origin"), request.header("Sec-Fetch-Site"))
  let isOwn =
    origin.map { $0.lowercased() == request.origin } ?? true
    && site.map { ["same-origin", "none"].contains($0.lowercased()) } ?? true
  return RuleResult(
    "sent by a page of this origin", expected: request.origin, found: origin ?? site ?? "no browser", isOwn,
    source: "Fetch §3.1, Fetch Metadata §2.4", else: .userContextMismatch)
}

extension OAuthError {
  fileprivate static let userContextMismatch = OAuthError(
    .invalidRequest,
    "Invalid Request: The request tokens do not match the user context. Start again from the app, in one browser.",
    aadsts: .userContextMismatch)
}
