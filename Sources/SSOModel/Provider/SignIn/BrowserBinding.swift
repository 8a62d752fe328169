/// Which browser a sign-in belongs to: the one that has the cookie that came with the first page.
///
/// Entra: `esctx`, which binds a request to a browser (web browser cookies used in Entra authentication).
///
/// A program on another port of this machine can set cookies for `localhost` too. So who sent a form is checked besides.
package enum BrowserBinding {
  static let cookieName = "__Host-esctx"

  /// SHA-256 of the browser's secret; nil: it has none yet.
  package static func browser(of cookies: [NameValue]) -> String? {
    cookies[cookieName].flatMap { $0.isEmpty ? nil : sha256Hex($0) }
  }

  /// For a browser that has none yet.
  package static func newCookie(_ random: RandomSource) -> NameValue {
    NameValue(cookieName, Base64URL.encode(random.derivedBytes(cookieName)))
  }
}

extension RequestContext {
  /// The browser that sent the request.
  ///
  /// One that is not known yet gets its cookie with the response.
  mutating func boundBrowser(_ random: RandomSource) -> String? {
    if let known = BrowserBinding.browser(of: cookies + setCookies) { return known }
    setCookies.append(BrowserBinding.newCookie(random))
    return BrowserBinding.browser(of: setCookies)
  }
}

/// The rules of a form that a page of the provider sends (RFC 6749 §10.12).

func checkBrowser(_ flow: SignInFlow, _ cookies: [NameValue]) -> RuleResult {
  let browser = BrowserBinding.browser(of: cookies)
  let isSame = browser.map { $0 == flow.browser } ?? false
  return RuleResult(
    "same browser", expected: "the cookie of the browser that began the sign-in",
    found: isSame ? "the same" : browser == nil ? "none" : "another", isSame, source: "RFC 6749 §10.12",
    else: .userContextMismatch)
}

/// Browsers send `Origin` with a form and `Sec-Fetch-Site` with everything; other programs send neither.
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
