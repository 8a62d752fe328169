/// Who redeems a code or a token: a page in a browser, or any other program.
///
/// A browser names the page's origin in `Origin`, other programs send no such header. Entra gives codes of redirect URIs of
/// type SPA to pages only, and all others to programs only (Entra: OAuth 2.0 authorization code flow, "Redirect URIs for
/// single-page apps").
struct RedeemingOrigin {
  /// Of the page, if it is another origin than the provider's.
  var origin: String?
  var client: ClientRegistration
  /// Where the code was sent; nil: no code is redeemed.
  var redirectURI: String?
  /// What is redeemed was issued to a redirect URI of type SPA.
  var isSinglePage = false
  /// The code was asked for with PKCE.
  var hasChallenge = true

  init(_ request: TokenRequest) {
    origin = request.http.foreignOrigin
    client = request.client
  }

  static var rules: [(RedeemingOrigin) -> RuleResult] {
    [checkPageMayRedeem, checkPageRedeems, checkPageSentChallenge]
  }

  /// Whether the page is of an origin that is registered; a loopback address may have any port (RFC 8252 §7.3).
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
  /// `Origin` of a page of another origin than the one that was asked (Fetch §3.2); nil: no page, or one of the provider's.
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
