/// The cache lookups of a silent call.
///
/// It looks for the access token (docs/behaviour/silent-call.md §1(2)), and then for the refresh tokens (silent-call.md
/// §1(4)).
extension SilentFlow {
  mutating func mayUseCache(_ request: SilentRequest) -> Bool {
    let neither = "no forceRefresh, no claims"
    let found = request.forceRefresh ? "forceRefresh" : request.hasClaims ? "claims" : neither
    return check(
      "cache may be used", expected: neither, found: found, found == neither, step: "silent-call.md §1(2)")
  }

  /// Returns the cached access token that the call can use, or `nil` if there is none.
  ///
  /// A token that may serve as a fallback later, or that is to be deleted, is recorded in the redemption.
  mutating func accessToken(
    _ request: SilentRequest, _ redemption: inout Redemption
  ) throws -> CredentialItem? {
    // If several tokens match, use the first in keychain order, as the SDK does (msal-cache.md §6).
    let found = try cache.accessTokens(
      homeAccountID: redemption.account.identifier, environments: redemption.environments,
      realm: redemption.authority.realm, clientID: app.clientID, scopes: request.scopes
    ).first
    guard let token = found else {
      _ = check(
        "access token for these scopes", expected: request.scopes.joined(separator: " "), found: "none",
        false,
        step: "silent-call.md §1(2)")
      return nil
    }
    guard try servesEnrollment(token, redemption.account) else {
      redemption.useless = token
      return nil
    }
    guard isFresh(token) else {
      if let end = token.extendedExpiresOn, end > now {
        redemption.extended = token
      } else {
        redemption.useless = token
      }
      return nil
    }
    guard needsNoRefresh(token) else {
      redemption.proactive = token
      return nil
    }
    return try hasIdentity(redemption) ? token : nil
  }

  /// Returns whether the token remains valid for at least the buffer, and was not cached in the future.
  ///
  /// A time in the future means that the clock was set back.
  private mutating func isFresh(_ token: CredentialItem) -> Bool {
    let buffer = app.tokenExpirationBuffer ?? Self.expirationBuffer
    let left = token.expiresOn.map { now.seconds(until: $0) } ?? 0
    let lasts = token.expiresOn.map { $0 >= now.adding(seconds: buffer) } ?? false
    guard
      check(
        "access token is not expired", expected: "at least \(buffer) s left", found: "\(left) s left", lasts,
        step: "silent-call.md §1(2)")
    else { return false }
    guard let cachedAt = token.cachedAt, cachedAt > now else { return true }
    return check(
      "cached_at is not in the future", expected: "now or before",
      found: "\(now.seconds(until: cachedAt)) s ahead", false, step: "silent-call.md §1(2)")
  }

  /// Returns whether the token serves the current enrollment; a token that was issued for an enrollment serves only
  /// that one.
  private mutating func servesEnrollment(_ token: CredentialItem, _ account: SDKAccount) throws -> Bool {
    guard let wanted = token[.enrollmentID], !wanted.isEmpty else { return true }
    let current = try enrollmentID(account)
    return check(
      "access token is of the current enrolment", expected: wanted, found: current ?? "not enrolled",
      current == wanted, step: "silent-call.md §1(2)")
  }

  private mutating func needsNoRefresh(_ token: CredentialItem) -> Bool {
    guard let refreshOn = token.refreshOn else { return true }
    let left = now.seconds(until: refreshOn)
    return check(
      "refresh_on has not passed", expected: "refresh_on in the future", found: "\(left) s until refresh_on",
      refreshOn > now, step: "silent-call.md §1(2)")
  }

  /// Returns whether the cache has an ID token and an account of the realm; without them, a valid token counts as a
  /// miss.
  mutating func hasIdentity(_ redemption: Redemption) throws -> Bool {
    let (id, realm) = (redemption.account.identifier, redemption.authority.realm)
    let identity = try cache.idToken(
      homeAccountID: id, environments: redemption.environments, realm: realm, clientID: app.clientID)
    let profile = try cache.account(
      homeAccountID: id, environments: redemption.environments, realm: realm)
    return check(
      "ID token and account of the same realm", expected: "both",
      found: "\(identity == nil ? "no ID token" : "ID token"), \(profile == nil ? "no account" : "account")",
      identity != nil && profile != nil, step: "silent-call.md §1(2)")
  }

  /// Finds the app's own refresh token, and then the family's, each in ADAL's format if there is none in MSAL's.
  mutating func findRefreshTokens(_ redemption: inout Redemption) throws {
    let environments = redemption.environments
    let account = redemption.account
    let id = try account.homeAccountID(in: cache, environments)
    let own = try cache.refreshToken(
      homeAccountID: id, environments: environments, clientID: app.clientID)
    _ = check(
      "refresh token of this client", expected: "refreshtoken-\(app.clientID)--",
      found: own == nil ? "none" : "found", own != nil, step: "silent-call.md §1(4)")
    if own == nil { checks[checks.count - 1].failure = "no refresh token of this client is in the cache" }
    redemption.candidates = own.map { [.init(token: $0, source: .appRefreshToken)] } ?? []
    if own == nil { try addLegacy(to: &redemption, familyID: nil) }
    let family = try cache.familyID(clientID: app.clientID, environments: environments)
    let shared = try family.flatMap {
      try cache.familyRefreshToken(homeAccountID: id, environments: environments, familyID: $0)
    }
    checks.append(
      Check(
        "refresh token of the family",
        expected: family.map { "refreshtoken-\($0)--" } ?? "not a family member",
        found: shared == nil ? "none" : "found",
        verdict: shared != nil ? .passed : (own != nil || family == nil ? .skipped : .failed),
        source: "silent-call.md §1(4)"))
    if shared == nil, let family { try addLegacy(to: &redemption, familyID: family) }
    if let shared, shared.secret != own?.secret {
      redemption.candidates.append(.init(token: shared, source: .familyRefreshToken))
    }
    guard redemption.candidates.isEmpty else { return }
    if let wipe = try cache.keychain.lastWipe(in: cache.accessGroup) {
      checks.append(
        Check(
          "app that last deleted refresh tokens of the group", expected: "no app",
          found: "\(wipe.bundleID), \(now.seconds(until: wipe.wipedAt).magnitude) s ago", verdict: .skipped,
          source: "keychain.md §6(1)"))
    }
    throw MSALError.cacheMiss(
      "No token matching arguments found in the cache, user interaction is required")
  }
}
