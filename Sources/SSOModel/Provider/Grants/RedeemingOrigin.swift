/// The sender of a redemption: a page in a browser, or another program.
///
/// A browser sends the page's origin in `Origin`; other programs do not send this header. Entra lets only
/// pages redeem the codes of SPA redirect URIs, and only programs redeem all others (Entra: OAuth 2.0
/// authorization code flow, "Redirect URIs for single-page apps").
struct RedeemingOrigin {
  /// The origin of the page, or `nil` if it is the provider's own.
  var origin: String?
  var client: ClientRegistration
  /// The redirect URI that received the code, or `nil` if the request does not redeem a code.
  var redirectURI: String?
  /// Whether the redeemed code or token was issued to an SPA redirect URI.
  var isSinglePage = false
  /// Whether the code was requested with PKCE.
  var hasChallenge = true

  init(_ request: TokenRequest) {
    origin = request.http.foreignOrigin
    client = request.client
  }

  static var rules: [(RedeemingOrigin) -> RuleResult] {
    [checkPageMayRedeem, checkPageRedeems, checkPageSentChallenge]
  }

  /// Whether the page's origin is registered.
  ///
  /// A loopback address may have any port (RFC 8252 §7.3).
  fileprivate var isRegisteredOrigin: Bool {
    guard let origin else { return false }
    let registered = (client.spaRedirectURIs ?? []) + (redirectURI.map { [$0] } ?? [])
    return registered.contains { uri in
      guard let page = URLParts(origin), let known = URLParts(uri) else { return false }
      if page.origin.lowercased() == known.origin.lowercased() { return true }
      return page.scheme == "http" && known.scheme == "http" && isLoopback(page.host)
        && page.host == known.host
    }
  }
}

extension HTTPRequest {
  /// The `Origin` of a page from another origin (Fetch §3.2), or `nil` for the provider's own pages and other
  /// programs.
  var foreignOrigin: String? {
    header("Origin").flatMap { $0.lowercased() == origin.lowercased() ? nil : $0 }
  }
}

private func checkPageMayRedeem(_ redemption: RedeemingOrigin) -> RuleResult {
  let isAllowed =
    redemption.origin == nil || redemption.isSinglePage && redemption.isRegisteredOrigin
  return RuleResult(
    "redeeming origin is allowed",
    expected: redemption.isSinglePage
      ? "the origin of a redirect URI of type SPA, or no page" : "no page of another origin",
    found: redemption.origin ?? "no page", isAllowed, source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request "
        + "origin: '\(shortened(redemption.origin ?? ""))'.", aadsts: .crossOriginRefused))
}

private func checkPageRedeems(_ redemption: RedeemingOrigin) -> RuleResult {
  RuleResult(
    "redemption by a page",
    expected: redemption.isSinglePage ? "a page, with the header Origin" : "any",
    found: redemption.origin ?? "no page", !redemption.isSinglePage || redemption.origin != nil,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
      aadsts: .crossOriginRequired))
}

private func checkPageSentChallenge(_ redemption: RedeemingOrigin) -> RuleResult {
  RuleResult(
    "PKCE of a page", expected: redemption.isSinglePage ? "code_challenge" : "any",
    found: redemption.hasChallenge ? "sent" : "none", !redemption.isSinglePage || redemption.hasChallenge,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Proof Key for Code Exchange is required for cross-origin authorization code redemption.",
      aadsts: .pkceRequired))
}
