import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// An `MSALPublicClientApplication`.
///
/// See docs/behaviour/msal-cache.md §10, §11, docs/behaviour/silent-call.md §1, docs/behaviour/interactive-call.md §1.
///
/// It throws its own errors as `SDKError`, including keychain codes; any other error comes from the lab (store,
/// prompt).
package struct MSALClient {
  package var context: AppContext
  package var cache: TokenCache

  package init(_ context: AppContext) {
    self.context = context
    cache = context.tokenCache
  }

  /// ADAL's cache in the same access group, or its archive on macOS.
  package var legacyCache: LegacyCache {
    LegacyCache(keychain: cache.keychain, accessGroup: app.legacyAccessGroup)
  }

  package var listing: MSALAccounts { MSALAccounts(client: self) }
  var authorities: MSALAuthorities { MSALAuthorities(client: self) }
  var saving: MSALTokenSaving { MSALTokenSaving(client: self) }
  var interaction: MSALInteraction { MSALInteraction(client: self) }
  package var brokerCall: MSALBrokerCall { MSALBrokerCall(client: self) }

  /// Runs `body`, whose keychain errors become `Failed to get items from keychain.` (keychain.md §4).
  func wordingKeychainErrors<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let status as KeychainError {
      throw MSALError.make(keychain: status, "Failed to get items from keychain.")
    }
  }
}

/// A part of MSAL's client, which has access to the entire client.
protocol MSALPart {
  var client: MSALClient { get }
}

extension MSALPart {
  var context: AppContext { client.context }
  var app: InstalledApp { client.app }
  var cache: TokenCache { client.cache }
}

/// The interface through which an app calls MSAL.
extension MSALClient: IdentitySDK {
  private func applicationChecks() -> (checks: [Check], error: SDKError?) {
    app.msal.applicationChecks(of: app, on: context.device.platform)
  }

  /// Runs a call, whose errors are reported as the platform's library reports them.
  private func reporting<T>(_ call: () throws -> T) throws -> T {
    do { return try call() } catch let error as SDKError { throw app.msal.reported(error) }
  }

  /// Performs the checks of broker.md §12, with which every call begins, because the app must first create the object.
  ///
  /// - Throws: The `SDKError` of the first check that failed.
  package func checkApplication() throws {
    let (checks, error) = applicationChecks()
    context.trace.add(
      .app, .sdk, actor: app.bundleID, app.msal.creation,
      result: error.map { "error \($0.codeText)" } ?? "ready", checks: checks)
    if let error { throw app.msal.reported(error) }
  }

  package var setUp: (title: String, checks: [Check]) {
    ("The application object", applicationChecks().checks)
  }

  package func accounts(limit: Int) throws -> [SDKAccount] {
    let own = try listing.first(limit)
    guard own.count < limit, app.msal.silentBroker == .beforeCache else { return own }
    let others = try brokerAccounts(knownTo: app.bundleID).filter { account in
      !own.contains { $0.isSame(as: account) }
    }
    return own + others.prefix(limit - own.count)
  }
  package func listedAccount(_ name: String) throws -> SDKAccount? {
    if let own = try listing.account(name) { return own }
    guard app.msal.silentBroker == .beforeCache else { return nil }
    return try brokerAccounts(knownTo: app.bundleID).first { $0.isCalled(name) }
  }
  package func knownAccount(_ name: String) throws -> SDKAccount? {
    try listing.knownAccount(name) ?? brokerAccounts(knownTo: nil).first { $0.isCalled(name) }
  }

  /// Returns the accounts of the broker if a silent call can ask it: all, or only the accounts whose tokens it gave to
  /// an app.
  private func brokerAccounts(knownTo bundleID: String?) throws -> [SDKAccount] {
    guard canAskBrokerSilently(app.msalAuthority) else { return [] }
    return try context.system.deviceAccounts(knownTo: bundleID)
  }
  /// Returns the first of `allAccounts` if it is the only one.
  ///
  /// With several, the app does not know which account to pass, and the SDK rejects the call (``acquireSilently(_:)``).
  package func onlyAccount() throws -> SDKAccount? {
    let accounts = try accounts(limit: 2)
    let check = MSALError.oneAccount(of: accounts)
    context.trace.add(.app, .sdk, actor: app.bundleID, "allAccounts", result: check.found, checks: [check])
    return accounts.count == 1 ? accounts.first : nil
  }
  package func legacyUsers() throws -> [SDKAccount] {
    try wordingKeychainErrors { try listing.legacyAccounts(besides: []) }
  }
  package func callName(of account: SDKAccount) -> String { account.id }
  package func currentAccount() throws -> CurrentAccount { try reporting { try listing.current() } }

  package var countedCredential: String? { CacheKey.credentialID(.refreshToken, clientID: app.clientID) }

  package func tokens(of account: SDKAccount) throws -> HeldTokens {
    guard let typed = app.msalAuthority else { return HeldTokens() }
    let metadata = try cache.accountMetadata(clientID: app.clientID)
    let authority = SilentFlow.resolve(typed, account: account, metadata: metadata)
    let environments = EnvironmentAliases.publicCloud.candidates(for: authority.host)
    let tokens = try cache.accessTokens(
      homeAccountID: account.identifier, environments: environments, realm: authority.realm,
      clientID: app.clientID)
    let best = tokens.max { ($0.expiresOn?.milliseconds ?? 0) < ($1.expiresOn?.milliseconds ?? 0) }
    let own = try cache.refreshToken(
      homeAccountID: account.identifier, environments: environments, clientID: app.clientID)
    let shared = try cache.familyID(clientID: app.clientID, environments: environments).flatMap {
      try cache.familyRefreshToken(
        homeAccountID: account.identifier, environments: environments, familyID: $0)
    }
    return HeldTokens(
      accessToken: best.map { TokenDates(expiresOn: $0.expiry, refreshOn: $0.refreshOn) },
      target: best?.target, refreshTokens: (own ?? shared).map { [.unified($0)] } ?? [])
  }

  /// Returns the family in the cached app metadata (docs/behaviour/msal-cache.md §4).
  package func triedFamilyID() throws -> String? {
    do {
      return try cache.familyID(clientID: app.clientID, environments: app.adalAuthority.environments)
    } catch is KeychainError {
      return ADALSilentFlow.defaultFamily
    }
  }

  package func signInStates(of account: String?) throws -> [AccountMetadata.SignInState] {
    let ids = try account.map { name in
      name.contains("@") ? try cache.accounts(username: name).map(\.homeAccountID) : [name]
    }?.map { normalized($0) }
    return (try cache.accountMetadata(clientID: app.clientID)?.entries.values.map { $0 } ?? []).filter {
      ids?.contains(normalized($0.homeAccountID)) ?? true
    }.map(\.signInState)
  }

  package func acquireInteractively(_ request: SDKRequest) throws -> SDKResult {
    let signedOut =
      try cache.keepsMetadata
      ? request.account.map { try cache.isSignedOut(homeAccountID: $0.identifier, clientID: app.clientID) }
      : nil
    var request = withDefaultScopes(request)
    // A signed-out account requires its password, unless the app requests consent (msal-cache.md §11).
    if signedOut == true, request.prompt != .consent { request.prompt = .login }
    request.prompt = app.msal.prompt(of: request)
    return try reporting { try interaction.acquireToken(request) }
  }

  private func withDefaultScopes(_ request: SDKRequest) -> SDKRequest {
    var request = request
    if request.scopes.isEmpty { request.scopes = app.scopes }
    return request
  }

  /// - Throws: MSAL's `SDKError`, or `SDKCallError` if the name does not match an account, or several accounts are
  ///   possible.
  package func signOut(
    _ name: String?, _ options: SignOutOptions, correlationID: String
  ) throws -> SignOutResult {
    try checkApplication()
    let accounts = try name.map { try listedAccount($0).map { [$0] } ?? [] } ?? accounts(limit: 2)
    // `removeAccount:` without an account does nothing, so the lab asks for a name; `signoutWithAccount:` fails on its
    // own.
    if name == nil, accounts.isEmpty, !options.words.isEmpty {
      throw MSALError.make(
        code: .invalidParameter, "Account is required", correlationID: correlationID)
    }
    guard let account = accounts.first else {
      throw SDKCallError.unknownAccount(
        why: "allAccounts of this app is empty or does not contain this account.")
    }
    guard accounts.count == 1 else { throw SDKCallError.severalAccounts(accounts.map(\.username)) }
    let count = try reporting { try signOut(account, options, correlationID: correlationID) }
    return SignOutResult(
      names: account.username, account: account, details: options.words, removed: counted(count, "credential")
    )
  }

  package func handleResponse(_ delivery: URLDelivery) throws -> SDKResult? {
    try reporting { try brokerCall.handle(delivery) }
  }

  /// Calls `accountForIdentifier` and, if it finds nothing, `accountForUsername` (claim F5).
  ///
  /// If nothing was transferred, calls `allAccounts`.
  package func find(_ transferred: [SDKAccount], isTransfer: Bool) throws -> [SDKAccount] {
    var found: [SDKAccount] = []
    func trace(_ call: String, _ argument: String?, _ accounts: [SDKAccount]) {
      for account in accounts where !found.contains(where: { $0.id == account.id }) { found.append(account) }
      context.trace.add(
        .app, .sdk, actor: app.bundleID, call,
        result: accounts.isEmpty ? "nil" : found.map(\.username).joined(separator: ", "),
        sent: argument.map { [NameValue(call == "accountForIdentifier" ? "identifier" : "username", $0)] }
          ?? [],
        checks: [
          Check(
            "\(call) finds an account", expected: argument ?? "any account",
            found: accounts.isEmpty ? "none" : accounts.map(\.username).joined(separator: ", "),
            verdict: accounts.isEmpty ? .failed : .passed, source: "claim F5",
            failure: "\(call) does not find the account")
        ])
    }
    for account in transferred {
      if !account.identifier.isEmpty {
        let found = try listing.account(identifier: account.identifier)
        trace("accountForIdentifier", account.identifier, found.map { [$0] } ?? [])
        if found != nil { continue }
      }
      let found = try listing.account(username: account.username)
      trace("accountForUsername", account.username, found.map { [$0] } ?? [])
    }
    if !isTransfer { trace("allAccounts", nil, try listing.first(50)) }
    for account in found { try show(account) }
    return found
  }

  package var looksUpUsernames: Bool { app.msal.keepsMetadata }

  package func account(username: String) throws -> SDKAccount? {
    let isBlank = username.allSatisfy(\.isWhitespace)
    let name = "accountForUsername finds an account"
    func check(_ found: SDKAccount?) -> Check {
      Check(
        name, expected: isBlank ? "a username" : username,
        found: isBlank ? "a blank name" : found?.username ?? "none",
        found != nil, source: "msal-cache.md §10(9)",
        failure: isBlank
          ? "the username that the app looks up is blank"
          : "no account in the app's cache has the username \(username)")
    }
    func trace(_ result: String, _ check: Check) {
      context.trace.add(
        .app, .sdk, actor: app.bundleID, "accountForUsername", result: result,
        sent: [NameValue("username", username)], checks: [check])
    }
    do {
      let found = try listing.account(username: username)
      trace(found?.username ?? "nil", check(found))
      return found
    } catch var error as SDKError where isBlank {
      error.failedCheck = check(nil)
      trace("error \(error.publicCodeText)", check(nil))
      throw error
    }
  }

  /// Records what the app can read from the account (claim F3).
  private func show(_ account: SDKAccount) throws {
    let claims = try listing.claimNames(of: account)
    context.trace.add(
      .sdk, .app, actor: app.bundleID, "MSALAccount", result: account.username,
      sent: [
        NameValue("username", account.username),
        NameValue("identifier", account.identifier.isEmpty ? "none" : account.identifier),
        NameValue("accountClaims", claims.isEmpty ? "none" : claims.joined(separator: " ")),
      ])
  }

  package var accountFields: (displayable: String, unique: String) { ("username", "identifier") }
  package var webPageName: String { "web session" }

  package func shown(_ result: SDKResult) -> [NameValue] {
    [NameValue("account", result.username), NameValue("access_token", masked(result.accessToken))]
  }

  /// Returns the conditions for using the broker with the app's own authority.
  package func brokerDecision() -> [Check] { brokerDecision(app.msalAuthority) }

  /// Returns all conditions for using the broker, in order, whether or not they hold (interactive-call.md §1, broker.md
  /// §1).
  package func brokerDecision(_ authority: Authority?, isSilent: Bool = false) -> [Check] {
    app.msal.brokerConditions(of: app, authority)
      + context.device.brokerReach(
        PlatformDefaults(of: app, on: context.device.platform).brokerSchemes, of: app,
        installed: context.installed, isSilent: isSilent)
  }

  /// Returns whether the broker can be asked for a token of the authority without user interaction.
  private func canAskBrokerSilently(_ authority: Authority?) -> Bool {
    context.device.brokerCall(for: app, isSilent: true)?.canBeSilent == true
      && brokerDecision(authority, isSilent: true).isMet
  }

  /// Performs `acquireTokenSilentWithParameters:` (docs/behaviour/silent-call.md §1).
  ///
  /// Where the library asks the broker first, the app's cache is read only if the broker could not help, and the
  /// broker's error is reported if the cache cannot help either (android.md §4). Elsewhere the broker takes the place
  /// of the app's refresh tokens (broker.md §13).
  package func acquireSilently(_ request: SDKRequest) throws -> SDKResult {
    let request = withDefaultScopes(request)
    return try reporting {
      switch try askBroker(request) {
      case nil: return try acquireFromCache(request)
      case .success(let result): return result
      case .failure(let error):
        do { return try acquireFromCache(request) } catch is SDKError { throw error }
      }
    }
  }

  /// Asks the broker for a token without user interaction.
  ///
  /// - Returns: The result, or an error after which the cache is tried, or `nil` if the broker is not asked.
  /// - Throws: An error that ends the call.
  private func askBroker(_ request: SDKRequest) throws -> Result<SDKResult, SDKError>? {
    let authority = try? app.msal.authority(of: request, by: app)
    let checks = brokerDecision(authority, isSilent: true)
    guard app.msal.silentBroker == .beforeCache, request.account != nil, let authority, checks.isMet else {
      return nil
    }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenSilent", result: "asks the broker", sent: request.shown,
      checks: checks)
    let sent = context.trace.hops.count
    do {
      return .success(try brokerCall.askSilently(request, authority))
    } catch var error as SDKError where error.code == MSALCode.interactionRequired.number {
      if error.oauthError == nil { error = .noAccountFound }
      guard [nil, OAuthErrorCode.invalidGrant.text].contains(error.oauthError) else { throw error }
      // A value that the cache lacks afterwards is not the reason.
      error.failedCheck =
        error.failedCheck ?? context.trace.hops[sent...].flatMap(\.checks).last { $0.verdict == .failed }
      return .failure(error)
    }
  }

  private func acquireFromCache(_ request: SDKRequest) throws -> SDKResult {
    let typed = try? app.msal.authority(of: request, by: app)
    let isKnown = typed.map { $0.isKnown(to: app) } ?? false
    var flow = SilentFlow(app: app, cache: cache, now: context.now) { [self] authority in
      try authorities.discover(authority, isKnown: isKnown, request.correlationID)
    }
    flow.enrollmentID = { [self] in try context.defaults.enrollmentID(homeAccountID: $0.identifier) }
    flow.asksBroker = app.msal.silentBroker == .afterAccessToken && canAskBrokerSilently(typed)
    // The SDK reads nothing to reject the call; the lab counts the accounts to say why.
    flow.oneAccount = { [self] in
      MSALError.oneAccount(
        of: request.isAccountNamed ? [] : try MSALClient(context.untraced).listing.first(2))
    }
    flow.listsOthers = { [self] in
      try request.isAccountNamed && !MSALClient(context.untraced).listing.first(1).isEmpty
    }
    let decision = try wordingKeychainErrors { try flow.decide(request) }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenSilent", result: decision.shown(by: app.msal),
      sent: request.shown, checks: flow.checks)
    switch decision {
    case .failed(var error):
      error.correlationID = request.correlationID
      throw error
    case .cached(let token):
      return result(of: token, request)
    case .askBroker(let redemption):
      if let useless = redemption.useless {
        try wordingKeychainErrors { try cache.remove(useless) }
      }
      return try askInsteadOfTokens(request, redemption)
    case .redeem(let redemption):
      return try wordingKeychainErrors {
        if let useless = redemption.useless { try cache.remove(useless) }
        return try MSALRedemption(client: self).redeem(redemption, request)
      }
    }
  }

  /// Asks the broker in place of the app's refresh tokens, and names the reason of a broker without a token.
  private func askInsteadOfTokens(_ request: SDKRequest, _ redemption: Redemption) throws -> SDKResult {
    let sent = context.trace.hops.count
    do {
      return try brokerCall.askSilently(request, redemption.requestedAuthority)
    } catch var error as SDKError where error.failedCheck == nil {
      error.failedCheck =
        context.trace.hops[sent...].flatMap(\.checks).last { $0.verdict == .failed }
        ?? (error.oauthError == nil && error.code == MSALCode.interactionRequired.number
          ? Self.brokerWithoutAccount(redemption.account) : nil)
      throw error
    }
  }

  private static func brokerWithoutAccount(_ account: SDKAccount) -> Check {
    Check(
      "the broker has the account", expected: account.username, found: "not one of the broker's", false,
      source: "broker.md §13",
      failure: "the broker, which is asked in place of the app's refresh tokens, does not have the account")
  }

  func result(of token: CredentialItem, _ request: SDKRequest) -> SDKResult {
    SDKResult(
      homeAccountID: token.homeAccountID, username: request.account?.username ?? "",
      accessToken: token.secret, scopes: (token.target ?? "").split(separator: " ").map(String.init),
      expiresOn: token.expiresOn ?? context.now, source: .cache)
  }

  /// Performs `removeAccount:` or `signoutWithAccount:` in the SDK's order.
  ///
  /// The account is removed first, then the cache of all accounts, and then the session in the browser. Completed steps
  /// are not undone if a later step fails.
  /// - Returns: The number of deleted keychain items.
  func signOut(_ account: SDKAccount, _ options: SignOutOptions, correlationID: String) throws -> Int {
    context.trace.add(
      .app, .sdk, actor: app.bundleID, options.words.isEmpty ? "removeAccount" : "signoutWithAccount",
      sent: [NameValue("account", account.username)] + options.words.map { NameValue($0, "YES") })
    var count = try remove(account, forAllClients: options.wipeAccount)
    if options.wipeCache { count += try wordingKeychainErrors { try cache.clear() } }
    let operations = MSALExtensionOperations(client: self)
    // `removeAccount:` is the call without options.
    if !options.words.isEmpty, operations.isAsked {
      try operations.signOut(account, options, correlationID: correlationID)
    }
    if options.fromBrowser { try signOutOfBrowser(correlationID) }
    return count
  }

  /// Removes this client's credentials and legacy items for the account, and marks the account as signed out.
  ///
  /// The credentials are removed in every environment, and the legacy items by username. Account items remain unless
  /// the account is removed for all clients, which removes family tokens too.
  private func remove(_ account: SDKAccount, forAllClients: Bool) throws -> Int {
    try wordingKeychainErrors {
      let id = try account.homeAccountID(in: cache)
      var count =
        try id.isEmpty
        ? 0
        : forAllClients
          ? cache.wipe(homeAccountID: id) : cache.remove(homeAccountID: id, clientID: app.clientID)
      count +=
        try forAllClients
        ? legacyCache.wipe(userID: account.username, byAccountAlone: false)
        : legacyCache.removeAll(userID: account.username, clientID: app.clientID)
      if !cache.keepsMetadata {
        count += try cache.removeAccounts(homeAccountID: id)
        if brokerDecision().isMet {
          try context.system.signOutOfBroker(homeAccountID: id, action: "removeAccount", sent: [])
        }
      }
      guard !account.identifier.isEmpty else {
        throw MSALError.make(code: .internalError, "HomeAccountId is needed to mark signed out state!")
      }
      try cache.markSignedOut(homeAccountID: account.identifier, clientID: app.clientID)
      return count
    }
  }

  /// Opens the end-session endpoint in a web session, which returns to the redirect URI with the state.
  private func signOutOfBrowser(_ correlationID: String) throws {
    let authority = try app.msal.authority(of: app)
    let aliases = try authorities.discover(authority, isKnown: authority.isKnown(to: app), correlationID)
    let configuration = try authorities.configuration(of: authority, aliases, correlationID)
    let state = context.random.upperUUID()
    guard let parts = configuration.endSessionEndpoint.flatMap({ URLParts($0) }) else {
      throw MSALError.make(
        code: .internalError, "Authority doesn't support end_session_endpoint", correlationID: correlationID)
    }
    let page = HTTPRequest(
      "GET", origin: parts.origin, path: parts.path,
      query: [NameValue("post_logout_redirect_uri", app.redirectURI), NameValue("state", state)],
      headers: [NameValue("client-request-id", correlationID)])
    guard case .redirected(let url) = try context.system.browse(page, in: .ofApp) else {
      throw MSALError.make(
        code: .userCanceled, "User cancelled the authorization session.", correlationID: correlationID)
    }
    let answer = URLParts(url)?.fields ?? []
    let check = context.checkState(state, in: answer)
    context.trace.add(
      .system, .sdk, actor: app.bundleID, "web session ends", result: "signed out of the browser",
      checks: [check])
    guard check.verdict == .passed else {
      throw MSALError.make(
        code: .invalidState, "Missing or invalid state returned state: \(answer["state"] ?? "(null)")",
        correlationID: correlationID)
    }
  }
}

extension SilentFlow.Decision {
  fileprivate func shown(by library: any MSALLibrary) -> String {
    switch self {
    case .cached: "cache hit"
    case .askBroker: "ask the broker"
    case .redeem(let redemption):
      "redeem the \(redemption.candidates.first?.source.rawValue ?? "refresh token")"
    case .failed(let error): "error \(library.reported(error).publicCodeText)"
    }
  }
}

extension SDKRequest {
  fileprivate var shown: [NameValue] {
    var fields = [
      NameValue("account", account?.username ?? "none"), NameValue("scopes", scopes.joined(separator: " ")),
      NameValue("forceRefresh", forceRefresh ? "YES" : "NO"),
    ]
    if let authority = options.authority { fields.append(NameValue("authority", authority)) }
    if let claims = options.claims { fields.append(NameValue("claims", claims)) }
    return fields + [NameValue("correlation_id", correlationID)]
  }
}

/// `MSALSignoutParameters` (docs/behaviour/msal-cache.md §11).
///
/// The call is `removeAccount:` if none of them is set.
package struct SignOutOptions: Codable, Hashable, Sendable {
  /// `signoutFromBrowser`: whether the provider's session ends too, in a web view.
  package var fromBrowser: Bool
  /// `wipeAccount`: whether the account is removed for every client of the group, together with its account items.
  package var wipeAccount: Bool
  /// `wipeCacheForAllAccounts`: whether every generic password of the group is deleted, including other apps' items.
  package var wipeCache: Bool

  package init(fromBrowser: Bool = false, wipeAccount: Bool = false, wipeCache: Bool = false) {
    self.fromBrowser = fromBrowser
    self.wipeAccount = wipeAccount
    self.wipeCache = wipeCache
  }

  /// The names of the options that are set, as in the SDK.
  package var words: [String] {
    [
      fromBrowser ? "signoutFromBrowser" : nil, wipeAccount ? "wipeAccount" : nil,
      wipeCache ? "wipeCacheForAllAccounts" : nil,
    ].compactMap(\.self)
  }
}

extension SDKAccount {
  /// Returns whether a username or home account ID is the account's.
  fileprivate func isCalled(_ name: String) -> Bool {
    [username, identifier].contains { normalized($0) == normalized(name) }
  }
}

extension [Check] {
  /// Whether all checks passed.
  var isMet: Bool { !contains { $0.verdict == .failed } }
}
