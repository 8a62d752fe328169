/// The interface through which an app calls ADAL.
extension ADALClient: IdentitySDK {
  /// Does nothing, because ADAL checks an app's setup only in interactive calls.
  package func checkApplication() {}

  package var setUp: (title: String, checks: [Check]) {
    ("The set-up for the broker", ADALApplication(app: app).checks().checks)
  }

  package func brokerDecision() -> [Check] {
    ADALApplication(app: app).brokerDecision(on: context.device, installed: context.installed)
  }

  package func accounts(limit: Int) throws -> [SDKAccount] { try users() }

  package func listedAccount(_ name: String) throws -> SDKAccount? {
    try users().first { $0.username == normalized(name) || $0.identifier == name }
  }

  /// Returns an account with this name as its `userId`, the displayable ID; ADAL looks up nothing before a call (claim
  /// F4).
  package func knownAccount(_ name: String) -> SDKAccount? { SDKAccount(identifier: "", username: name) }
  /// Returns `nil`, because the cache decides if there is no `userId` (claim F4).
  package func onlyAccount() -> SDKAccount? { nil }
  package func legacyUsers() throws -> [SDKAccount] { try users() }
  package func callName(of account: SDKAccount) -> String { account.username }
  package var countedCredential: String? { nil }

  package func tokens(of account: SDKAccount) throws -> HeldTokens {
    let items = try legacy.items(userID: account.username)
    let access = items.filter { $0.accessToken != nil && normalized($0.clientID) == normalized(app.clientID) }
      .max { ($0.expiresOn?.milliseconds ?? 0) < ($1.expiresOn?.milliseconds ?? 0) }
    let refresh = items.filter { $0.refreshToken != nil }
    let ordered = refresh.filter { !$0.isFamilyCopy } + refresh.filter(\.isFamilyCopy)
    return HeldTokens(
      accessToken: access.map { TokenDates(expiresOn: $0.expiresOn) }, target: access?.resource,
      refreshTokens: ordered.map(HeldRefreshToken.legacy))
  }

  package func acquireInteractively(_ request: SDKRequest) throws -> SDKResult {
    try ADALInteraction(client: under(request.options.authority)).acquireToken(adalRequest(request))
  }

  package func acquireSilently(_ request: SDKRequest) throws -> SDKResult {
    try under(request.options.authority).silentCall.acquireToken(adalRequest(request))
  }

  /// Returns a client for the authority of a call, which in ADAL belongs to an `ADAuthenticationContext` created for
  /// it.
  func under(_ authority: String?, clientID: String? = nil) -> ADALClient {
    var client = self
    client.context.app.authority = authority ?? app.authority
    client.context.app.clientID = clientID ?? app.clientID
    return client
  }

  private func adalRequest(_ request: SDKRequest) -> ADALRequest {
    ADALRequest(
      resource: request.scopes.first ?? app.resource, userID: request.loginHint ?? request.account?.username,
      userIDType: app.userIDType ?? .requiredDisplayableID, prompt: ADALPrompt(request.prompt),
      claims: request.options.claims, forceRefresh: request.forceRefresh, correlationID: request.correlationID
    )
  }

  package func signOut(
    _ user: String?, _ options: SignOutOptions, correlationID: String
  ) throws -> SignOutResult {
    try removal.signOut(user, options)
  }

  /// - Throws: Always `SDKCallError.unsupported`.
  package func currentAccount() throws -> CurrentAccount {
    throw SDKCallError.unsupported(
      why: "getCurrentAccount is MSAL's; the app was built with ADAL \(app.sdkVersion).")
  }

  package func handleResponse(_ delivery: URLDelivery) throws -> SDKResult? {
    try brokerCall.handle(delivery)
  }

  /// Returns the transferred accounts.
  ///
  /// ADAL has nothing to look up if no account was transferred.
  package func find(_ handed: [SDKAccount], isTold: Bool) -> [SDKAccount] {
    context.trace.add(
      .app, .app, actor: app.bundleID, "userId", result: handed.isEmpty ? "none" : "taken from the other app",
      checks: [
        Check(
          "an account is found", expected: "a userId",
          found: handed.isEmpty ? "none" : handed.map(\.username).joined(separator: ", "), !handed.isEmpty,
          source: "claim F4")
      ])
    return handed
  }

  package var accountFields: (displayable: String, unique: String) { ("userId", "homeAccountId") }
  package var webPageName: String { "web view" }

  package func shown(_ result: SDKResult) -> [NameValue] {
    [
      NameValue("userId", result.username), NameValue("homeAccountId", result.homeAccountID ?? "nil"),
      NameValue("accessToken", masked(result.accessToken)),
    ]
  }
}
