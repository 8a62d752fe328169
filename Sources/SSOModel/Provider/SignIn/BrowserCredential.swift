import SSOCore
import SSOReference

/// The header or cookie `x-ms-RefreshTokenCredential`: a browser's single sign-on with the broker's primary
/// refresh token (docs/behaviour/linux-broker.md §6).
///
/// The lab's own broker sends the bare token in its web view. Other senders must sign it.
struct BrowserCredential {
  let provider: ProviderResources

  /// The seconds for which a credential without a nonce is accepted.
  ///
  /// Browser extensions renew it every 30 minutes.
  static let lifetime = 3600
  /// The tolerated difference between the clocks, in seconds.
  private static let clockSkew = 300

  /// Verifies the signed credential of the request, if there is one.
  ///
  /// The browser then counts as signed in.
  ///
  /// - Throws: The `OAuthError` of the first check that fails.
  func verify(_ context: inout RequestContext) throws {
    let name = PrimaryRefreshTokenCookie.name
    let sent = context.request.header(name) ?? context.cookies[name]
    guard let sent, !sent.isEmpty, try provider.documents.refreshToken(secret: sent)?.kind != .primary else {
      return
    }
    let read = PrimaryRefreshTokenCookie(sent)
    let cookie = try context.require(read, checkForm(read))
    try context.require(checkDerivation(cookie))
    let found = try provider.documents.refreshToken(secret: cookie.primaryRefreshToken)
    let record = try context.require(found, checkIsKnown(found))
    try context.require([
      checkSignature(cookie, record), checkNotRevoked(record), checkNotExpired(record),
      try checkFreshness(cookie),
    ])
    context.cookies.removeAll { $0.name == name }
    context.cookies.append(NameValue(name, cookie.primaryRefreshToken))
  }

  private func checkForm(_ cookie: PrimaryRefreshTokenCookie?) -> RuleResult {
    RuleResult(
      "browser's credential: form", expected: "a token signed HS256 with ctx and refresh_token",
      found: cookie == nil ? "another text" : "such a token", cookie != nil, source: Self.source,
      else: Self.malformed("The token format isn't proper."))
  }

  private func checkDerivation(_ cookie: PrimaryRefreshTokenCookie) -> RuleResult {
    let version = cookie.derivationVersion
    return RuleResult(
      "browser's credential: kdf_ver", expected: "1 or 2", found: String(version),
      SessionKey.DerivationVersion(rawValue: version) != nil, source: Self.source,
      else: OAuthError(
        .invalidRequest,
        "Symmetric Key Derivation Function version '\(version)' is invalid. Update the device for the latest "
          + "updates.", aadsts: .derivationVersionInvalid))
  }

  private func checkIsKnown(_ record: RefreshTokenRecord?) -> RuleResult {
    let isKnown = record?.kind == .primary && record?.sessionKey != nil
    return RuleResult(
      "browser's credential: primary refresh token", expected: "one that was issued, with a session key",
      found: isKnown ? "known" : "unknown", isKnown, source: Self.source,
      else: Self.expired)
  }

  private func checkSignature(_ cookie: PrimaryRefreshTokenCookie, _ record: RefreshTokenRecord) -> RuleResult
  {
    let key = record.sessionKey.flatMap(SessionKey.init(encoded:))
    let isValid = key.map(cookie.isSigned(by:)) ?? false
    return RuleResult(
      "browser's credential: signature",
      expected: "by a key derived from the session key, kdf_ver \(cookie.derivationVersion)",
      found: isValid ? "valid" : "another key, ctx or payload", isValid, source: Self.source,
      else: Self.malformed("The token failed signature verification."))
  }

  private func checkNotRevoked(_ record: RefreshTokenRecord) -> RuleResult {
    RuleResult(
      "browser's credential: not revoked", expected: "not revoked",
      found: record.revokedAt == nil ? "not revoked" : "revoked", record.revokedAt == nil,
      source: Self.source,
      failure: "the browser's credential was revoked",
      else: OAuthError(
        .invalidGrant,
        "The session is not valid due to password expiration or recent password change.",
        aadsts: .sessionArtifactRevoked))
  }

  private func checkNotExpired(_ record: RefreshTokenRecord) -> RuleResult {
    RuleResult(
      "browser's credential: not expired", expected: "time left",
      found: timeLeftText(provider.now.seconds(until: record.expiresAt)), provider.now < record.expiresAt,
      source: Self.source, failure: "the browser's credential has expired", else: Self.expired)
  }

  /// Checks that the nonce is valid, consuming it, or that the credential was issued recently.
  private func checkFreshness(_ cookie: PrimaryRefreshTokenCookie) throws -> RuleResult {
    guard let nonce = cookie.nonce else {
      let age = cookie.issuedAt.map { $0.seconds(until: provider.now) }
      return RuleResult(
        "browser's credential: iat", expected: "at most \(Self.lifetime) s ago, or a nonce",
        found: age.map { "\($0) s ago" } ?? "neither",
        age.map { (-Self.clockSkew...Self.lifetime).contains($0) } ?? false, source: Self.source,
        else: Self.malformed("The token is not within its valid time range."))
    }
    let nonces = ChallengeNonces(documents: provider.documents, now: provider.now)
    let age = try nonces.take(nonce).map { $0.seconds(until: provider.now) }
    return RuleResult(
      "browser's credential: nonce",
      expected: "one of srv_challenge, unused, at most \(ChallengeNonces.lifetime) s old",
      found: age.map { "\($0) s old" } ?? "unknown or used before",
      age.map { $0 <= ChallengeNonces.lifetime } ?? false, source: Self.source,
      else: Self.malformed("The token doesn't contain a valid nonce claim."))
  }

  private static let source = "linux-broker.md §6"

  private static func malformed(_ reason: String) -> OAuthError {
    OAuthError(
      .invalidRequest, "The JWT token is invalid or malformed. \(reason)", aadsts: .clientAssertionMalformed)
  }

  private static let expired = OAuthError(
    .invalidGrant, "The session is not valid: its primary refresh token is unknown or has expired.",
    aadsts: .sessionArtifactExpired)
}

/// The binding of a sign-in to the browser whose cookie was set with the first page.
///
/// At Entra, the cookie `esctx` binds a request to a browser (web browser cookies used in Entra
/// authentication). A program on another port of this machine can also set cookies for `localhost`, so the
/// sender of a form is checked too.
package enum BrowserBinding {
  static let cookieName = "__Host-esctx"

  /// Returns the SHA-256 of the browser's secret, or `nil` if it does not have one yet.
  package static func browser(of cookies: [NameValue]) -> String? {
    cookies[cookieName].flatMap { $0.isEmpty ? nil : sha256Hex($0) }
  }

  /// Returns a new cookie, for a browser without one.
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
    failure: "the browser that began the sign-in did not send it", else: .userContextMismatch)
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
