import SSOCore
import SSOKeychain
import SSOReference

/// The decision of a silent call before a refresh token is sent, with the SDK's steps in the SDK's order.
///
/// See docs/behaviour/silent-call.md §1. It reads the keychain and requests the aliases of the authority's host; it
/// does not write anything.
///
/// Throws `KeychainError`, `StoreError`, and the errors of ``SystemServices`` from the request for the aliases; a
/// rejection is a ``Decision``.
package struct SilentFlow {
  static let reservedScopes = ["openid", "profile", "offline_access"]

  /// The outcome of a silent call: return a token, redeem a token, or fail.
  enum Decision {
    case cached(CredentialItem)
    case redeem(Redemption)
    /// The broker is asked in place of the app's refresh tokens.
    case askBroker(Redemption)
    case failed(SDKError)
  }

  var app: InstalledApp
  var cache: TokenCache
  var now: Instant
  /// A closure that performs instance discovery or returns the metadata that the process has cached.
  var discover: (Authority) throws -> EnvironmentAliases
  /// A closure that returns Intune's current ID of the app's enrollment for the account (broker.md §11), or `nil`.
  var enrollmentID: (SDKAccount) throws -> String? = { _ in nil }
  /// A closure that returns the check that a call without an account can be for only one account.
  var oneAccount: () throws -> Check = { MSALError.oneAccount(of: []) }
  /// A closure that returns whether the call names an account, and the app lists only others.
  var listsOthers: () throws -> Bool = { false }
  /// Whether the broker can be asked silently, so that the app's refresh tokens are not used (broker.md §13).
  var asksBroker = false
  /// The checks that were made, in order.
  var checks: [Check] = []

  /// Runs the steps in order, up to the step that decides.
  mutating func decide(_ request: SDKRequest) throws -> Decision {
    do {
      let account = try requireAccount(request)
      let typed = try app.msal.authority(of: request, by: app)
      try requireKind(of: typed)
      try requireScopes(request, typed)
      let metadata = try cache.accountMetadata(clientID: app.clientID)
      try requireSignedIn(account, metadata)
      try requireCached(account)
      let authority = Self.resolve(typed, account: account, metadata: metadata)
      var redemption = Redemption(
        account: account, requestedAuthority: typed, authority: authority, aliases: try discover(authority))
      if mayUseCache(request), let token = try accessToken(request, &redemption) {
        if app.msal.cacheRules.needRefreshToken { try findRefreshTokens(&redemption) }
        return .cached(token)
      }
      if asksBroker { return .askBroker(redemption) }
      try findRefreshTokens(&redemption)
      return .redeem(redemption)
    } catch let error as SDKError {
      return .failed(error)
    }
  }

  /// Records a check and returns whether it holds.
  mutating func check(
    _ name: String, expected: String, found: String, _ holds: Bool, step: String, failure: String? = nil
  ) -> Bool {
    checks.append(Check(name, expected: expected, found: found, holds, source: step, failure: failure))
    return holds
  }

  // MARK: Pre-checks (silent-call.md §1(0)) and authority (silent-call.md §1(1))

  private mutating func requireAccount(_ request: SDKRequest) throws -> SDKAccount {
    let name = "an account is given"
    let step = "silent-call.md §1(0)"
    let expected = "an account of the app"
    guard let account = request.account else {
      let one = try oneAccount()
      let isAmbiguous = one.verdict == .failed
      let missing =
        try listsOthers() ? "the app does not list an account with that name" : "no account is signed in"
      _ = check(
        name, expected: expected, found: "none", false, step: step,
        failure: isAmbiguous ? "the call does not specify an account" : missing)
      var error = app.msal.missingAccount(of: app)
      if isAmbiguous { error.failedCheck = one }
      throw error
    }
    _ = check(name, expected: expected, found: account.username, true, step: step)
    return account
  }

  private mutating func requireKind(of authority: Authority) throws {
    guard app.msal.checksArguments, let own = app.msalAuthority else { return }
    guard
      check(
        "authority is of the kind the app was set up with", expected: own.kind.rawValue,
        found: authority.kind.rawValue, own.kind == authority.kind, step: "interactive-call.md §4",
        failure: Self.otherKind)
    else { throw Self.unsupportedKind(authority, own: own) }
  }

  static func unsupportedKind(_ authority: Authority, own: Authority) -> SDKError {
    var error = MSALError.make(
      code: IdentityCoreCode.invalidDeveloperParameter.msal,
      "Unsupported authority type. Please configure MSALPublicClientApplication with the same authority type")
    error.failedCheck = Check(
      "authority is of the kind the app was set up with", expected: own.kind.rawValue,
      found: authority.kind.rawValue, false, source: "interactive-call.md §4", failure: otherKind)
    return error
  }

  private static let otherKind = "the authority is not of the kind the app was set up with"

  private mutating func requireScopes(_ request: SDKRequest, _ authority: Authority) throws {
    guard app.msal.checksArguments else { return }
    let failure = Self.scopeError(request.scopes, app.clientID, authority)
    guard
      check(
        "no reserved scopes", expected: "scopes of a resource", found: request.scopes.joined(separator: " "),
        failure == nil, step: "silent-call.md §1(0)", failure: "the call names a reserved scope")
    else { throw failure ?? MSALError.make(code: .invalidParameter, "") }
  }

  private mutating func requireSignedIn(_ account: SDKAccount, _ metadata: AccountMetadata?) throws {
    let state = metadata?.entries[account.identifier]?.signInState ?? .unknown
    guard
      check(
        "account is not signed out of this client", expected: "signed in", found: state.rawValue,
        state != .signedOut, step: "msal-cache.md §11", failure: "the account is signed out of this client")
    else {
      throw MSALError.make(code: .interactionRequired, "Account is signed out, user interaction is required.")
    }
  }

  /// Throws if the library looks for the account before it looks for tokens, and the cache does not have it.
  private mutating func requireCached(_ account: SDKAccount) throws {
    guard let refusal = app.msal.unknownAccount else { return }
    let isCached = try !cache.accounts(homeAccountID: account.identifier).isEmpty
    guard
      check(
        "account is in the app's cache", expected: account.username, found: isCached ? "found" : "none",
        isCached,
        step: "android.md §4", failure: "the app's own cache does not have the account")
    else { throw refusal }
  }

  /// Returns the URL map's entry or, for `common` and the like, the authority with the account's home tenant.
  ///
  /// `organizations` is left unchanged for a personal account.
  package static func resolve(_ authority: Authority, account: SDKAccount, metadata: AccountMetadata?)
    -> Authority
  {
    if let mapped = metadata?.resolvedURL(for: authority.url, homeAccountID: account.identifier),
      let known = try? Authority(mapped)
    {
      return known
    }
    guard authority.isTenantless, let home = account.homeTenantID,
      authority.realm != "organizations" || home != PublicCloud.personalTenantID
    else { return authority }
    return authority.with(tenant: home)
  }

  /// Returns the error for scopes that the SDK adds itself, or `nil` if the call does not request them.
  package static func reservedScopeError(_ scopes: [String]) -> SDKError? {
    guard scopes.contains(where: isReserved) else { return nil }
    return MSALError.make(
      code: .invalidParameter,
      "{\(MSALError.list(reservedScopes))} are reserved scopes and may not be specified in the acquire token call."
    )
  }

  package static func isReserved(_ scope: String) -> Bool { reservedScopes.contains(scope.lowercased()) }

  /// Returns the error for scopes that must not be requested, or `nil` if the call does not request them
  /// (silent-call.md §1(0)).
  ///
  /// These are the scopes that the SDK adds automatically and, except for B2C, the client ID.
  static func scopeError(_ scopes: [String], _ clientID: String, _ authority: Authority) -> SDKError? {
    if let error = reservedScopeError(scopes) { return error }
    guard !authority.takesClientIDAsScope, scopes.contains(clientID) else { return nil }
    return MSALError.make(
      code: .invalidParameter,
      """
      Passing clientId \(clientID) as scope is not supported by \(authority.url). Please remove \(clientID) from \
      your scopes list
      """)
  }

  // MARK: The cache lookups of a silent call

  // It looks for the access token (docs/behaviour/silent-call.md §1(2)), and then for the refresh tokens (silent-call.md
  // §1(4)).

  mutating func mayUseCache(_ request: SDKRequest) -> Bool {
    let neither = "no forceRefresh, no claims"
    let found = request.forceRefresh ? "forceRefresh" : request.hasClaims ? "claims" : neither
    return check(
      "cache may be used", expected: neither, found: found, found == neither, step: "silent-call.md §1(2)",
      failure: "the call skips cached access tokens")
  }

  /// Returns the cached access token that the call can use, or `nil` if it is not cached.
  ///
  /// A token that may serve as a fallback later, or that is to be deleted, is recorded in the redemption.
  mutating func accessToken(
    _ request: SDKRequest, _ redemption: inout Redemption
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
    guard !app.msal.cacheRules.heedRefreshOn || needsNoRefresh(token) else {
      redemption.proactive = token
      return nil
    }
    return try hasIdentity(redemption) ? token : nil
  }

  /// Returns whether the token remains valid for at least the buffer, and was not cached in the future.
  ///
  /// A time in the future means that the clock was set back.
  private mutating func isFresh(_ token: CredentialItem) -> Bool {
    let buffer = app.tokenExpirationBuffer ?? app.msal.cacheRules.buffer
    let left = token.expiresOn.map { now.seconds(until: $0) } ?? 0
    let lasts = token.expiresOn.map { $0 >= now.adding(seconds: buffer) } ?? false
    guard
      check(
        "access token is not expired", expected: "at least \(buffer) s left", found: timeLeftText(left),
        lasts,
        step: "silent-call.md §1(2)", failure: "the access token has expired, or is about to")
    else { return false }
    guard let cachedAt = token.cachedAt, cachedAt > now else { return true }
    return check(
      "cached_at is not in the future", expected: "now or before",
      found: "\(now.seconds(until: cachedAt)) s ahead", false, step: "silent-call.md §1(2)",
      failure: "cached_at is in the future")
  }

  /// Returns whether the token serves the current enrollment; a token that was issued for an enrollment serves only
  /// that one.
  private mutating func servesEnrollment(_ token: CredentialItem, _ account: SDKAccount) throws -> Bool {
    guard let wanted = token[.enrollmentID], !wanted.isEmpty else { return true }
    let current = try enrollmentID(account)
    return check(
      "access token is of the current enrolment", expected: wanted, found: current ?? "not enrolled",
      current == wanted, step: "silent-call.md §1(2)", failure: "the access token is of another enrolment")
  }

  private mutating func needsNoRefresh(_ token: CredentialItem) -> Bool {
    guard let refreshOn = token.refreshOn else { return true }
    let left = now.seconds(until: refreshOn)
    return check(
      "refresh_on has not passed", expected: "refresh_on in the future", found: "\(left) s until refresh_on",
      refreshOn > now, step: "silent-call.md §1(2)", failure: "refresh_on has passed")
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

  /// Finds the app's own refresh token, and then the family's, each in ADAL's format if it is missing in MSAL's.
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
    if own == nil, cache.keepsMetadata { try addLegacy(to: &redemption, familyID: nil) }
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
        source: "silent-call.md §1(4)", failure: "no refresh token of the family is in the cache"))
    if shared == nil, let family, cache.keepsMetadata { try addLegacy(to: &redemption, familyID: family) }
    if let shared, shared.secret != own?.secret {
      redemption.candidates.append(.init(token: shared, source: .familyRefreshToken))
    }
    guard redemption.candidates.isEmpty else { return }
    if cache.keepsMetadata, let wipe = try cache.keychain.lastWipe(in: cache.accessGroup) {
      checks.append(
        Check(
          "app that last deleted refresh tokens of the group", expected: "no app",
          found: "\(wipe.bundleID), \(now.seconds(until: wipe.wipedAt).magnitude) s ago", verdict: .skipped,
          source: "keychain.md §6(1)"))
    }
    throw MSALError.cacheMiss(
      "No token matching arguments found in the cache, user interaction is required")
  }

  // MARK: The lookups that MSAL performs after those in its own format

  // MSAL searches the unified cache by username, and then ADAL's cache (docs/behaviour/adal.md §6,
  // docs/behaviour/silent-call.md §1(4)).

  /// Adds the legacy refresh token of this client or of a family, if there is one and it is not a candidate yet.
  mutating func addLegacy(to redemption: inout Redemption, familyID: String?) throws {
    let account = redemption.account
    let lookup = LegacyLookup(
      cache: LegacyCache(keychain: cache.keychain, accessGroup: app.legacyAccessGroup),
      clientID: app.clientID)
    let authorities = LegacyLookup.authorities(
      hosts: redemption.environments, tenant: redemption.authority.tenant)
    let item = try lookup.refreshToken(of: account, authorities: authorities, familyID: familyID)
    checks.append(
      Check(
        familyID == nil ? "legacy refresh token of this client" : "legacy refresh token of the family",
        expected:
          "\(account.username), \(familyID.map(LegacyKey.familyClientID) ?? app.clientID), \(authorities.first ?? "none")",
        found: item?.authority ?? "none", verdict: item == nil ? .skipped : .passed, source: "adal.md §6")
    )
    guard let item, let secret = item.refreshToken,
      !redemption.candidates.contains(where: { $0.token.secret == secret })
    else { return }
    let token = CredentialItem(
      type: .refreshToken,
      [
        .clientID: app.clientID, .secret: secret, .environment: item.environment,
        .homeAccountID: item.homeAccountID ?? account.identifier,
      ])
    redemption.candidates.append(
      .init(
        token: token, source: familyID == nil ? .legacyRefreshToken : .legacyFamilyRefreshToken, legacy: item)
    )
  }
}

extension SDKRequest {
  /// Whether claims are requested, with which cached access tokens are not used.
  var hasClaims: Bool { options.claims.map { !normalized($0).isEmpty } ?? false }
}

/// A refresh that was decided on: the tokens to redeem, and the tokens to fall back on.
struct Redemption: Hashable {
  /// A refresh token, with the source of the result that it produces.
  struct Candidate: Hashable {
    var token: CredentialItem
    var source: SDKResult.Source
    /// The token in ADAL's format, if it is stored there.
    var legacy: LegacyItem? = nil
  }

  var account: SDKAccount
  /// The authority as the app requested it; ``authority`` is the one resolved to a tenant.
  var requestedAuthority: Authority
  var authority: Authority
  var aliases: EnvironmentAliases
  /// The refresh tokens in the order in which they are tried.
  var candidates: [Candidate] = []
  /// An access token that has expired or belongs to another enrollment, and is deleted before anything is sent.
  var useless: CredentialItem?
  /// A valid access token past its `refresh_on`, which is returned after a 5xx response.
  var proactive: CredentialItem?
  /// An expired access token with `extended_expires_on` in the future, returned after a 5xx response if the app allows
  /// it.
  var extended: CredentialItem?

  var environments: [String] { aliases.candidates(for: authority.host) }
}

extension TokenCache {
  /// Returns whether a silent call gets a token from this cache, if the process knows the public cloud's hosts.
  package func hasToken(
    for account: SDKAccount?, scopes: [String], of app: InstalledApp, at now: Instant
  ) throws -> Bool {
    var flow = SilentFlow(app: app, cache: self, now: now) { _ in .publicCloud }
    let request = SDKRequest(account: account, scopes: scopes, correlationID: "")
    if case .cached = try flow.decide(request) { return true } else { return false }
  }
}
