/// Microsoft's broker on Linux, to the extent that its interface shows it (docs/behaviour/linux-broker.md).
///
/// It has the accounts of the device's broker app, so a user who is signed in there is signed in here.
package struct LinuxBroker {
  /// The version that ``LinuxBrokerMethod/getLinuxBrokerVersion`` returns.
  package static let version = "2.5.0"
  /// The name that it owns on the bus.
  package static let busName = "com.microsoft.identity.broker1"
  /// The minimum remaining lifetime, in seconds, for the broker to return a cached access token.
  ///
  /// MSAL uses the same margin for its own cache.
  private static let tokenReserve = 300

  let context: BrokerContext
  let request: LinuxBrokerRequest
  let caller: LinuxCaller
  /// The calling program, which the trace and the picker name.
  let client: InstalledApp
  /// The tokens that this client has already received, or `nil` for a client that is not registered.
  let cache: TokenCache?
  /// The users that the picker offers in addition to the broker's accounts.
  let people: [PickerCandidate]
  /// The port on which this lab's provider listens, because MSALRuntime omits the port of an authority.
  let localPort: Int?

  package init(
    context: BrokerContext, request: LinuxBrokerRequest, caller: LinuxCaller, client: InstalledApp,
    cache: TokenCache?, people: [PickerCandidate], localPort: Int?
  ) {
    self.context = context
    self.request = request
    self.caller = caller
    self.client = client
    self.cache = cache
    self.people = people
    self.localPort = localPort
  }

  /// - Throws: `LinuxBrokerError`, and the errors of the user's prompts and of the store.
  package func answer() throws -> LinuxBrokerAnswer {
    switch request.method {
    case .acquireTokenInteractively: try acquireInteractively()
    case .acquireTokenSilently: try acquireSilently()
    case .getAccounts:
      LinuxBrokerAnswer(["accounts": .array(try context.accounts().map(\.linuxJSON))])
    case .removeAccount: try removeAccount()
    case .acquirePrtSsoCookie: try cookie()
    case .generateSignedHttpRequest: try signedRequest()
    // The lab itself ends a waiting call.
    case .cancelInteractiveFlow: LinuxBrokerAnswer([:])
    case .getLinuxBrokerVersion: LinuxBrokerAnswer(["linuxBrokerVersion": .string(Self.version)])
    }
  }

  // MARK: Accounts

  /// - Throws: ``LinuxBrokerStatus/accountNotFound``.
  func namedAccount() throws -> BrokerAccount {
    guard let account = try context.accounts().first(where: { $0.isNamed(by: request.account) }) else {
      throw LinuxBrokerError(
        .accountNotFound, "The broker does not hold the account \(request.account.last ?? "").")
    }
    return account
  }

  private func removeAccount() throws -> LinuxBrokerAnswer {
    let account = try namedAccount()
    try context.remove(account)
    return LinuxBrokerAnswer([:], username: account.username)
  }

  // MARK: Tokens

  private func acquireSilently() throws -> LinuxBrokerAnswer {
    let account = try namedAccount()
    _ = try authority()
    if let cached = try cachedToken(of: account) { return cached }
    return try redeem(account)
  }

  /// Returns the access token that the program received before, if it is still valid for these scopes.
  private func cachedToken(of account: BrokerAccount) throws -> LinuxBrokerAnswer? {
    let tenant = try authority().tenant.lowercased()
    let realm = Authority.tenantless.contains(tenant) ? account.tenantID : tenant
    guard let cache, !request.wantsNewToken, account.blockedBecause == nil else { return nil }
    let found = try cache.accessTokens(
      homeAccountID: account.homeAccountID, environments: [], realm: realm, clientID: client.clientID,
      scopes: request.scopes
    ).first { ($0.expiresOn ?? context.now) > context.now.adding(seconds: Self.tokenReserve) }
    let idToken = try cache.idToken(
      homeAccountID: account.homeAccountID, environments: [], realm: realm, clientID: client.clientID)
    guard let found, let expiry = found.expiresOn, let idToken else { return nil }
    var answer = LinuxBrokerAnswer(
      tokenJSON(
        account, accessToken: found.secret, idToken: idToken.secret, scopes: found.target ?? "",
        expiresOn: expiry, extendedExpiresOn: found.extendedExpiresOn ?? expiry),
      username: account.username)
    answer.source = "cache"
    return answer
  }

  /// Redeems the account's primary refresh token for the program's token.
  func redeem(_ account: BrokerAccount) throws -> LinuxBrokerAnswer {
    if let reason = account.blockedBecause { throw LinuxBrokerError(.accountUnusable, reason) }
    guard account.expiresOn > context.now else {
      throw LinuxBrokerError.needsPerson("The primary refresh token of \(account.username) has expired.")
    }
    let authority = try authority()
    let sent = HTTPRequest(
      "POST", origin: authority.origin, path: "/\(authority.tenant)/oauth2/v2.0/token",
      headers: [NameValue("client-request-id", request.correlationID)],
      form: [
        NameValue("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
        NameValue("prt", account.primaryRefreshToken), NameValue("client_id", request.clientID),
        NameValue("redirect_uri", request.redirectURI), NameValue("broker_bundle_id", Self.busName),
        NameValue("caller_executable", caller.executable), NameValue("client_info", "1"),
        NameValue("scope", wantedScopes), NameValue("claims", request.claims ?? ""),
      ].filter { !$0.value.isEmpty })
    let response = try context.system.send(sent)
    guard let token = try? TokenResponse(reading: response) else { throw LinuxBrokerError(response) }
    try context.noteUse(of: account, by: client.displayName)
    let expiry = context.now.adding(seconds: token.expiresIn)
    var answer = LinuxBrokerAnswer(
      tokenJSON(
        account, accessToken: token.accessToken, idToken: token.idToken ?? "", scopes: token.scope,
        expiresOn: expiry,
        extendedExpiresOn: token.extExpiresIn.map { context.now.adding(seconds: $0) } ?? expiry),
      username: account.username)
    answer.source = "broker"
    answer.issued = (sent, response)
    return answer
  }

  /// The scopes to request, which do not include a refresh token, because the broker keeps its own.
  var wantedScopes: String { (request.scopes + ["openid", "profile"]).joined(separator: " ") }

  private func tokenJSON(
    _ account: BrokerAccount, accessToken: String, idToken: String, scopes: String, expiresOn: Instant,
    extendedExpiresOn: Instant
  ) -> JSONValue {
    [
      "brokerTokenResponse": [
        "accessToken": .string(accessToken), "accessTokenType": .integer(0), "account": account.linuxJSON,
        "clientInfo": .string(ClientInfo(uid: account.objectID, utid: account.tenantID).encoded),
        "expiresOn": .integer(expiresOn.milliseconds),
        "extendedExpiresOn": .integer(extendedExpiresOn.milliseconds), "grantedScopes": .string(scopes),
        "idToken": .string(idToken),
      ]
    ]
  }

  // MARK: The authority

  /// Returns the origin and tenant of the request's authority.
  /// - Throws: ``LinuxBrokerStatus/authorityUntrusted`` for a host that belongs neither to the public cloud nor to this
  ///   machine.
  package func authority() throws(LinuxBrokerError) -> (origin: String, tenant: String) {
    let origin = try trustedOrigin(of: request.authority)
    let path = URLParts(request.authority)?.path.split(separator: "/").first.map(String.init)
    return (origin, path ?? "common")
  }

  func trustedOrigin(of url: String) throws(LinuxBrokerError) -> String {
    guard let parts = URLParts(url), parts.scheme.lowercased() == "https", !parts.authority.isEmpty else {
      throw LinuxBrokerError(.apiContractViolation, "\(url.prefix(100)) is not an https URL.")
    }
    let host = parts.host.lowercased()
    if EnvironmentAliases.publicCloud.cloud(of: host) != nil, parts.authority.lowercased() == host {
      return "https://" + host
    }
    guard isLoopback(host) else {
      throw LinuxBrokerError(.authorityUntrusted, "The broker does not know the authority \(parts.host).")
    }
    guard parts.authority == parts.host, let localPort, localPort != 443 else {
      return "https://" + parts.authority.lowercased()
    }
    return "https://\(host):\(localPort)"
  }
}
