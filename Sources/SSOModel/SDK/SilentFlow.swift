/// The decision of a silent call, before anything is sent (fact sheet §4.1): it only reads the keychain, so the same code
/// decides the call and predicts it.
struct SilentFlow {
  /// `MSALGlobalConfig`'s default token expiration buffer, in seconds.
  static let expirationBuffer = 300
  static let reservedScopes: Set<String> = ["openid", "profile", "offline_access"]

  var app: InstalledApp
  var cache: TokenCache
  var now: Instant

  /// A refresh token to redeem, with the kind of result it gives.
  struct Candidate: Hashable {
    var token: CredentialItem
    var source: MSALResult.Source
  }

  enum Decision {
    case cached(CredentialItem)
    /// In order; `expired` access tokens are to be deleted first.
    case redeem([Candidate], authority: String, expired: [CredentialItem])
    case failed(MSALError)
  }

  /// Reads what is needed and decides.
  /// - Returns: the decision with every check that led to it, the first failed one included.
  func decide(account: MSALAccount?, scopes: [String], forceRefresh: Bool) throws -> (Decision, [Check]) {
    var checks: [Check] = []
    func check(_ name: String, _ expected: String, _ found: String, _ holds: Bool, _ source: String) -> Bool {
      checks.append(Check(name, expected: expected, found: found, holds, source: source))
      return holds
    }
    guard
      check(
        "an account is given", "an account of the app", account?.username ?? "none", account != nil,
        "fact sheet 4.1(0)"),
      let account
    else {
      let text = """
        No account provided for the silent request. Please call interactive acquireToken request to get an \
        account identifier before calling acquireTokenSilent.
        """
      return (.failed(MSALError(code: -50002, text)), checks)
    }
    let metadata = try cache.accountMetadata(clientID: app.clientID)
    let state = metadata?.entries[account.identifier]?.signInState ?? .unknown
    guard
      check(
        "account is not signed out of this client", "signed in", state.rawValue, state != .signedOut,
        "fact sheet 3.6")
    else {
      return (
        .failed(MSALError(code: -50002, "Account is signed out, user interaction is required.")), checks
      )
    }
    let reserved = scopes.filter { Self.reservedScopes.contains($0.lowercased()) }
    guard
      check(
        "no reserved scopes", "scopes of a resource", scopes.joined(separator: " "), reserved.isEmpty,
        "fact sheet 4.1(0)")
    else {
      let text =
        "\(reserved.joined(separator: ", ")) are reserved scopes and may not be specified in the acquire token call."
      return (.failed(MSALError(code: -42000, text)), checks)
    }
    let authority = resolve(app.authority, account: account, metadata: metadata)
    let (host, realm) = (Self.host(of: authority), Self.tenant(of: authority))
    let environments = EnvironmentAliases.publicCloud.candidates(for: host)
    var expired: [CredentialItem] = []
    if check(
      "cache may be used", "no forceRefresh", forceRefresh ? "forceRefresh" : "no forceRefresh",
      !forceRefresh, "fact sheet 4.1(2)")
    {
      let tokens = try cache.accessTokens(
        homeAccountID: account.identifier, environments: environments, realm: realm, clientID: app.clientID,
        scopes: scopes)
      if let token = tokens.first, try usable(token, account, environments, realm, &checks) {
        return (.cached(token), checks)
      }
      if tokens.isEmpty {
        _ = check(
          "access token for these scopes", scopes.joined(separator: " "), "none", false, "fact sheet 4.1(2)")
      }
      expired = tokens.filter { isExpired($0) }
    }
    let candidates = try candidates(account, environments, &checks)
    guard !candidates.isEmpty else {
      let text = "No token matching arguments found in the cache, user interaction is required"
      return (.failed(MSALError(code: -50002, text)), checks)
    }
    return (.redeem(candidates, authority: authority, expired: expired), checks)
  }

  /// Valid until the buffer, not from the future, and with ID token and account of the same realm (§4.1(2)).
  private func usable(
    _ token: CredentialItem, _ account: MSALAccount, _ environments: [String], _ realm: String,
    _ checks: inout [Check]
  ) throws -> Bool {
    let left = token.expiresOn.map { now.seconds(until: $0) } ?? 0
    checks.append(
      Check(
        "access token is not expired", expected: "at least \(Self.expirationBuffer) s left",
        found: "\(left) s left",
        !isExpired(token), source: "fact sheet 4.1(2)"))
    guard !isExpired(token) else { return false }
    if let refreshOn = token.refreshOn, refreshOn <= now { return false }
    let identity = try cache.idToken(
      homeAccountID: account.identifier, environments: environments, realm: realm, clientID: app.clientID)
    let profile = try cache.account(
      homeAccountID: account.identifier, environments: environments, realm: realm)
    checks.append(
      Check(
        "ID token and account of the same realm", expected: "both",
        found:
          "\(identity == nil ? "no ID token" : "ID token"), \(profile == nil ? "no account" : "account")",
        identity != nil && profile != nil, source: "fact sheet 4.1(2)"))
    return identity != nil && profile != nil
  }

  func isExpired(_ token: CredentialItem) -> Bool {
    guard let expiresOn = token.expiresOn else { return true }
    if let cachedAt = token.cachedAt, cachedAt > now { return true }
    return expiresOn < now.adding(seconds: Self.expirationBuffer)
  }

  /// The app's own refresh token, then the family's (§4.1(4)).
  private func candidates(
    _ account: MSALAccount, _ environments: [String], _ checks: inout [Check]
  ) throws -> [Candidate] {
    var found: [Candidate] = []
    let own = try cache.refreshToken(
      homeAccountID: account.identifier, environments: environments, clientID: app.clientID)
    checks.append(
      Check(
        "refresh token of this client", expected: "refreshtoken-\(app.clientID)--",
        found: own == nil ? "none" : "found", own != nil, source: "fact sheet 4.1(4)"))
    if let own { found.append(Candidate(token: own, source: .appRefreshToken)) }
    let family = try cache.familyID(clientID: app.clientID, environments: environments)
    let shared = try family.flatMap {
      try cache.familyRefreshToken(
        homeAccountID: account.identifier, environments: environments, familyID: $0)
    }
    checks.append(
      Check(
        "refresh token of the family",
        expected: family.map { "refreshtoken-\($0)--" } ?? "not a family member",
        found: shared == nil ? "none" : "found",
        verdict: shared != nil ? .passed : (own != nil || family == nil ? .skipped : .failed),
        source: "fact sheet 4.1(4)"))
    if let shared, shared.secret != own?.secret {
      found.append(Candidate(token: shared, source: .familyRefreshToken))
    }
    return found
  }

  /// The URL map's entry, else the account's home tenant for `common` and the like (§4.1(1)).
  func resolve(_ authority: String, account: MSALAccount, metadata: AccountMetadata?) -> String {
    if let mapped = metadata?.resolvedURL(for: authority, homeAccountID: account.identifier) { return mapped }
    guard ["common", "organizations", "consumers"].contains(Self.tenant(of: authority)),
      let home = account.identifier.split(separator: ".").last
    else { return authority }
    return "https://\(Self.host(of: authority))/\(home)"
  }

  static func host(of authority: String) -> String {
    authority.split(separator: "/").dropFirst().first.map(String.init) ?? ""
  }

  static func tenant(of authority: String) -> String {
    authority.split(separator: "/").dropFirst(2).first.map(String.init) ?? "common"
  }
}
