/// The interface through which an app calls MSAL.
extension MSALClient: IdentitySDK {
  private func applicationChecks() -> (checks: [Check], error: SDKError?) {
    MSALApplication(app: app, platform: context.device.platform).checks()
  }

  /// Performs the checks of broker.md §12, with which every call begins, because the app must first create the object.
  ///
  /// - Throws: The `SDKError` of the first check that failed.
  package func checkApplication() throws {
    let (checks, error) = applicationChecks()
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "MSALPublicClientApplication init",
      result: error == nil ? "ready" : "error \(error?.internalCode ?? 0)", checks: checks)
    if let error { throw error }
  }

  package var setUp: (title: String, checks: [Check]) {
    ("The application object", applicationChecks().checks)
  }

  package func accounts(limit: Int) throws -> [SDKAccount] { try listing.first(limit) }
  package func listedAccount(_ name: String) throws -> SDKAccount? { try listing.account(name) }
  package func knownAccount(_ name: String) throws -> SDKAccount? { try listing.knownAccount(name) }
  /// - Throws: `MSALError.ambiguousAccount`, because several accounts must be distinguished by name.
  package func onlyAccount() throws -> SDKAccount? {
    let accounts = try listing.first(2)
    let check = MSALError.oneAccount(of: accounts)
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "the only account", result: check.found, checks: [check])
    guard accounts.count < 2 else { throw MSALError.ambiguousAccount(accounts) }
    return accounts.first
  }
  package func legacyUsers() throws -> [SDKAccount] {
    try wordingKeychainErrors { try listing.legacyAccounts(besides: []) }
  }
  package func callName(of account: SDKAccount) -> String { account.id }
  package func currentAccount() throws -> CurrentAccount { try listing.current() }

  package var countedCredential: String? { CacheKey.credentialID(.refreshToken, clientID: app.clientID) }

  package func tokens(of account: SDKAccount) throws -> HeldTokens {
    guard let typed = try? Authority(app.authority) else { return HeldTokens() }
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

  package func acquireInteractively(_ request: SDKRequest) throws -> SDKResult {
    let signedOut = try request.account.map {
      try cache.isSignedOut(homeAccountID: $0.identifier, clientID: app.clientID)
    }
    // A signed-out account requires its password, unless the app requests consent (msal-cache.md §11).
    let login = signedOut == true && request.prompt != .consent
    let prompt = login ? "login" : request.prompt == .whenRequired ? nil : request.prompt.rawValue
    return try interaction.acquireToken(
      InteractiveRequest(
        account: request.account, loginHint: request.loginHint, scopes: scopes(of: request), prompt: prompt,
        claims: request.options.claims, authority: request.options.authority,
        correlationID: request.correlationID))
  }

  package func acquireSilently(_ request: SDKRequest) throws -> SDKResult {
    try acquireSilently(
      SilentRequest(
        account: request.account, scopes: scopes(of: request), forceRefresh: request.forceRefresh,
        claims: request.options.claims, authority: request.options.authority,
        correlationID: request.correlationID))
  }

  private func scopes(of request: SDKRequest) -> [String] {
    request.scopes.isEmpty ? app.scopes : request.scopes
  }

  /// - Throws: MSAL's `SDKError`, or `SDKCallError` if the name matches no account or several accounts are possible.
  package func signOut(
    _ name: String?, _ options: SignOutOptions, correlationID: String
  ) throws -> SignOutResult {
    try checkApplication()
    let accounts = try name.map { try listing.account($0).map { [$0] } ?? [] } ?? listing.first(2)
    // `removeAccount:` without an account does nothing, so the lab asks for a name; `signoutWithAccount:` fails by
    // itself.
    if name == nil, accounts.isEmpty, !options.words.isEmpty {
      throw MSALError.make(
        code: .invalidParameter, "Account is required", correlationID: correlationID)
    }
    guard let account = accounts.first else {
      throw SDKCallError.unknownAccount(why: "allAccounts of this app is empty or has no such account.")
    }
    guard accounts.count == 1 else { throw SDKCallError.severalAccounts(accounts.map(\.username)) }
    let count = try signOut(account, options, correlationID: correlationID)
    return SignOutResult(
      names: account.username, account: account, details: options.words, removed: "\(count) credentials")
  }

  package func handleResponse(_ delivery: URLDelivery) throws -> SDKResult? {
    try brokerCall.handle(delivery)
  }

  /// Calls `accountForIdentifier` and, if it finds nothing, `accountForUsername` (claim F5).
  ///
  /// If nothing was transferred, calls `allAccounts`.
  package func find(_ handed: [SDKAccount], isTold: Bool) throws -> [SDKAccount] {
    var found: [SDKAccount] = []
    func note(_ call: String, _ argument: String?, _ accounts: [SDKAccount]) {
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
            verdict: accounts.isEmpty ? .failed : .passed, source: "claim F5")
        ])
    }
    for account in handed {
      if !account.identifier.isEmpty {
        let found = try listing.account(identifier: account.identifier)
        note("accountForIdentifier", account.identifier, found.map { [$0] } ?? [])
        if found != nil { continue }
      }
      let found = try listing.account(username: account.username)
      note("accountForUsername", account.username, found.map { [$0] } ?? [])
    }
    if !isTold { note("allAccounts", nil, try listing.first(50)) }
    for account in found { try show(account) }
    return found
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
}
