/// The decision of a silent ADAL call, before anything is sent (docs/behaviour/adal.md §5, §8).
///
/// It only reads the keychain, so the same code decides the call and predicts it.
package struct ADALSilentFlow {
  /// `expirationBuffer` of `ADAuthenticationSettings`, in seconds.
  static let expirationBuffer = 300
  /// The family that is tried if the item does not specify one.
  static let defaultFamily = "1"

  var app: InstalledApp
  var legacy: LegacyCache
  var unified: TokenCache
  var now: Instant

  /// A refresh token to redeem, and its place in the cache.
  struct Candidate: Hashable {
    enum Place: Hashable {
      case legacy(LegacyItem)
      case unified(CredentialItem)
    }

    var place: Place
    var source: SDKResult.Source

    var secret: String {
      switch place {
      case .legacy(let item): item.refreshToken ?? ""
      case .unified(let item): item.secret
      }
    }

    /// The user that the item specifies, or `nil` for a unified item, which does not contain a username.
    var userID: String? {
      if case .legacy(let item) = place { item.user?.userID } else { nil }
    }
  }

  enum Decision {
    case cached(LegacyItem)
    /// The refresh tokens to redeem, in order; `expired` is deleted first, and `extended` is for an outage.
    case redeem([Candidate], expired: LegacyItem?, extended: LegacyItem?)
    case failed(SDKError)
  }

  private var version: ADALVersion { app.adalVersion }
  private var authority: ADALAuthority { app.adalAuthority }

  /// Reads the cache items that are needed, and decides.
  /// - Returns: The decision with every check that led to it, including the first that failed.
  func decide(_ request: ADALRequest) throws -> (Decision, [Check]) {
    var checks: [Check] = []
    do {
      return (try decide(request, &checks), checks)
    } catch LegacyCacheError.multipleUsers(let users) {
      checks.append(
        Check(
          "one user", expected: "a userId, or one user in the cache", found: users.joined(separator: ", "),
          false, source: "adal.md §5", failure: "several users are in the cache, and none is named"))
      return (.failed(ADALError.multipleUsers(version)), checks)
    }
  }

  private func decide(_ request: ADALRequest, _ checks: inout [Check]) throws -> Decision {
    let item = try accessToken(request, &checks)
    if let item, isUsable(item, request, &checks) { return .cached(item) }
    var expired: LegacyItem?
    var extended: LegacyItem?
    if let item {
      if item.refreshToken != nil {
        // The item is not from Azure AD, so there is no other token (adal.md §8(3)).
        let candidate = Candidate(place: .legacy(item), source: .singleResourceRefreshToken)
        return .redeem([candidate], expired: nil, extended: nil)
      }
      let isExtended = item.extendedExpiresOn.map { $0 > now } ?? false
      if !isExtended { expired = item }
      // Do not fall back to an old token if the call requested a new one (adal.md §8(3)).
      if isExtended, !request.skipsAccessTokens { extended = item }
      guard item.user != nil else { return .failed(ADALError.credentialsNeeded) }
    }
    let candidates = try candidates(request, &checks)
    guard !candidates.isEmpty else { return .failed(ADALError.credentialsNeeded) }
    return .redeem(candidates, expired: expired, extended: extended)
  }

  // MARK: Access token (adal.md §8(1)–(2))

  private func accessToken(_ request: ADALRequest, _ checks: inout [Check]) throws -> LegacyItem? {
    func item(of user: String?) throws -> LegacyItem? {
      try legacy.item(
        userID: user, authorities: authority.candidates, resource: request.resource, clientID: app.clientID)
    }
    let found = try item(of: request.userID) ?? item(of: "")
    checks.append(
      Check(
        "access token for this resource", expected: "\(request.resource), \(request.userID ?? "any user")",
        found: found?.words ?? "none", found != nil, source: "adal.md §8(1)"))
    return found
  }

  private func isUsable(_ item: LegacyItem, _ request: ADALRequest, _ checks: inout [Check]) -> Bool {
    // A token without a date counts as valid (adal.md §2).
    let left = item.expiresOn.map { now.seconds(until: $0) }
    let isOfTheFuture = version.isUnified && item.cachedAt.map { $0 > now } ?? false
    let isFresh =
      !isOfTheFuture && item.expiresOn.map { $0 >= now.adding(seconds: Self.expirationBuffer) } ?? true
    checks.append(
      Check(
        "access token is not expired", expected: "at least \(Self.expirationBuffer) s left",
        found: isOfTheFuture ? "cached_at is in the future" : left.map { "\($0) s left" } ?? "no expiry date",
        isFresh,
        source: "adal.md §8(2)"))
    guard isFresh else { return false }
    let neither = "no forceRefresh, no claims"
    checks.append(
      Check(
        "cache may be used", expected: neither,
        found: request.skipsAccessTokens ? "forceRefresh or claims" : neither, !request.skipsAccessTokens,
        source: "adal.md §8(2)"))
    return !request.skipsAccessTokens
  }

  // MARK: Refresh tokens (adal.md §8(4))

  /// Returns the refresh tokens to redeem, in order.
  ///
  /// The family's token comes first if the app's multi-resource token specifies a family, and last if it does not.
  private func candidates(_ request: ADALRequest, _ checks: inout [Check]) throws -> [Candidate] {
    let own = try refreshToken(request, familyID: nil)
    checks.append(
      Check(
        "multi-resource refresh token", expected: "of client \(app.clientID)", found: words(own), own != nil,
        source: "adal.md §8(4)", failure: "nothing in the cache matches"))
    guard version.knowsFamilies else {
      return own.map { [Candidate(place: $0, source: .appRefreshToken)] } ?? []
    }
    let named = own.flatMap(familyID)
    let family = try refreshToken(request, familyID: named ?? Self.defaultFamily)
    checks.append(
      Check(
        "family refresh token", expected: "of family \(named ?? Self.defaultFamily)", found: words(family),
        verdict: family != nil ? .passed : own != nil ? .skipped : .failed, source: "adal.md §8(4)",
        failure: "nothing in the cache matches"))
    let mine = own.map { Candidate(place: $0, source: .appRefreshToken) }
    let shared = family.map { Candidate(place: $0, source: .familyRefreshToken) }
    return (named == nil ? [mine, shared] : [shared, mine]).compactMap(\.self)
  }

  /// Returns the refresh token from the legacy cache or, in 2.7 and later, else from the unified cache.
  private func refreshToken(_ request: ADALRequest, familyID: String?) throws -> Candidate.Place? {
    let client = familyID.map(LegacyKey.familyClientID) ?? app.clientID
    let item = try legacy.item(
      userID: request.userID, authorities: authority.candidates, resource: nil, clientID: client)
    if let item { return .legacy(item) }
    guard version.isUnified, !authority.isADFS, let id = try homeAccountID(request.userID) else { return nil }
    let credential =
      try familyID.map {
        try unified.familyRefreshToken(homeAccountID: id, environments: authority.environments, familyID: $0)
      }
      ?? unified.refreshToken(
        homeAccountID: id, environments: authority.environments, clientID: app.clientID)
    return credential.map(Candidate.Place.unified)
  }

  /// Returns the home account ID, the key of the unified cache, from the account items (adal.md §4).
  private func homeAccountID(_ userID: String?) throws -> String? {
    guard let userID, !userID.isEmpty else { return nil }
    return try unified.accounts(username: userID, environments: authority.environments).first?.homeAccountID
  }

  private func familyID(_ place: Candidate.Place) -> String? {
    switch place {
    case .legacy(let item): item.familyID
    case .unified(let item): item.familyID
    }
  }

  private func words(_ place: Candidate.Place?) -> String {
    switch place {
    case .legacy(let item): item.words
    case .unified: "unified refresh token"
    case nil: "none"
    }
  }
}
