/// The decision of a silent call before a refresh token is sent, with the SDK's steps in the SDK's order.
///
/// See docs/behaviour/silent-call.md §1. It reads the keychain and requests the aliases of the authority's host; it
/// does not write anything.
///
/// Throws `KeychainError`, `StoreError`, and the errors of ``SystemServices`` from the request for the aliases; a
/// rejection is a ``Decision``.
package struct SilentFlow {
  /// `MSALGlobalConfig`'s default token expiration buffer, in seconds.
  static let expirationBuffer = 300
  static let reservedScopes = ["openid", "profile", "offline_access"]

  /// The outcome of a silent call: return a token, redeem a token, or fail.
  package enum Decision {
    case cached(CredentialItem)
    case redeem(Redemption)
    case failed(SDKError)
  }

  var app: InstalledApp
  package var cache: TokenCache
  var now: Instant
  /// A closure that performs instance discovery or returns the metadata that the process has cached.
  var discover: (Authority) throws -> EnvironmentAliases
  /// A closure that returns Intune's current ID of the app's enrollment for the account (broker.md §11), or `nil`.
  var enrollmentID: (SDKAccount) throws -> String? = { _ in nil }
  /// The checks that were made, in order.
  var checks: [Check] = []

  package init(
    app: InstalledApp, cache: TokenCache, now: Instant,
    discover: @escaping (Authority) throws -> EnvironmentAliases
  ) {
    self.app = app
    self.cache = cache
    self.now = now
    self.discover = discover
  }

  /// Runs the steps in order, up to the step that decides.
  package mutating func decide(_ request: SilentRequest) throws -> Decision {
    do {
      let account = try requireAccount(request)
      let typed = try Authority(request.authority ?? app.authority)
      try requireKind(of: typed)
      try requireScopes(request, typed)
      let metadata = try cache.accountMetadata(clientID: app.clientID)
      try requireSignedIn(account, metadata)
      let authority = Self.resolve(typed, account: account, metadata: metadata)
      var redemption = Redemption(
        account: account, requestedAuthority: typed, authority: authority, aliases: try discover(authority))
      if mayUseCache(request), let token = try accessToken(request, &redemption) { return .cached(token) }
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
}

// MARK: - Pre-checks (silent-call.md §1(0)) and authority (silent-call.md §1(1))

extension SilentFlow {
  private mutating func requireAccount(_ request: SilentRequest) throws -> SDKAccount {
    let found = request.account?.username ?? "none"
    guard
      check(
        "an account is given", expected: "an account of the app", found: found, request.account != nil,
        step: "silent-call.md §1(0)", failure: "the call names no account"),
      let account = request.account
    else {
      throw MSALError.cacheMiss(
        """
        No account provided for the silent request. Please call interactive acquireToken request to get an \
        account identifier before calling acquireTokenSilent.
        """)
    }
    return account
  }

  private mutating func requireKind(of authority: Authority) throws {
    guard let own = try? Authority(app.authority) else { return }
    guard
      check(
        "authority is of the kind the app was set up with", expected: own.kind.rawValue,
        found: authority.kind.rawValue, own.kind == authority.kind, step: "interactive-call.md §4")
    else { throw Self.unsupportedKind(authority, own: own) }
  }

  static func unsupportedKind(_ authority: Authority, own: Authority) -> SDKError {
    var error = MSALError.make(
      code: IdentityCoreCode.invalidDeveloperParameter.msal,
      "Unsupported authority type. Please configure MSALPublicClientApplication with the same authority type")
    error.failedCheck = Check(
      "authority is of the kind the app was set up with", expected: own.kind.rawValue,
      found: authority.kind.rawValue, false, source: "interactive-call.md §4")
    return error
  }

  private mutating func requireScopes(_ request: SilentRequest, _ authority: Authority) throws {
    let failure = Self.scopeError(request.scopes, app.clientID, authority)
    guard
      check(
        "no reserved scopes", expected: "scopes of a resource", found: request.scopes.joined(separator: " "),
        failure == nil, step: "silent-call.md §1(0)")
    else { throw failure ?? MSALError.make(code: .invalidParameter, "") }
  }

  private mutating func requireSignedIn(_ account: SDKAccount, _ metadata: AccountMetadata?) throws {
    let state = metadata?.entries[account.identifier]?.signInState ?? .unknown
    guard
      check(
        "account is not signed out of this client", expected: "signed in", found: state.rawValue,
        state != .signedOut, step: "msal-cache.md §11")
    else {
      throw MSALError.make(code: .interactionRequired, "Account is signed out, user interaction is required.")
    }
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
}

extension SilentFlow {
  /// Returns the error for scopes that must not be requested, or `nil` if there are none (silent-call.md §1(0)).
  ///
  /// These are the scopes that the SDK adds automatically and, except for B2C, the client ID.
  static func scopeError(_ scopes: [String], _ clientID: String, _ authority: Authority) -> SDKError? {
    if scopes.contains(where: { reservedScopes.contains($0.lowercased()) }) {
      return MSALError.make(
        code: .invalidParameter,
        "{\(MSALError.list(reservedScopes))} are reserved scopes and may not be specified in the acquire token call."
      )
    }
    guard !authority.takesClientIDAsScope, scopes.contains(clientID) else { return nil }
    return MSALError.make(
      code: .invalidParameter,
      """
      Passing clientId \(clientID) as scope is not supported by \(authority.url). Please remove \(clientID) from \
      your scopes list
      """)
  }
}
