import Crypto
import Essentials
import SSOCore
import SSOKeychain
import SSOReference

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

  // MARK: The account picker and the pages of an interactive call

  /// Acquires a token interactively.
  ///
  /// The account that the program specifies is used without the picker, unless the program requests the picker.
  /// Otherwise, the user chooses an account.
  func acquireInteractively() throws -> LinuxBrokerAnswer {
    _ = try authority()
    let accounts = try context.accounts()
    let named = request.account.isEmpty ? nil : accounts.first { $0.isNamed(by: request.account) }
    if request.prompt == "login" { return try signIn(hint: named?.username ?? request.account.last) }
    if let named, request.prompt != "select_account" { return try use(named) }
    switch try context.system.choose(picker(accounts)) {
    case nil: throw Self.cancelled
    case .another?: return try signIn(hint: nil)
    case .account(let id)?:
      if let account = accounts.first(where: { $0.homeAccountID == id }) { return try use(account) }
      return try signIn(hint: people.first { $0.homeAccountID == id }?.username)
    }
  }

  private static let cancelled = LinuxBrokerError(.userCanceled, "User canceled authentication.")

  /// Returns tokens of an account in the broker, after showing a page of the provider if it requires one.
  private func use(_ account: BrokerAccount) throws -> LinuxBrokerAnswer {
    do {
      return try redeem(account)
    } catch let refusal as LinuxBrokerError where refusal.isForAPerson {
      if refusal.aadsts == AADSTSCode.consentMissing.number { return try consent(account) }
      return try signIn(hint: account.username)
    }
  }

  /// Signs the user in with the broker's own client, and then redeems the new primary refresh token.
  private func signIn(hint: String?) throws -> LinuxBrokerAnswer {
    let authority = try authority()
    let own = BrokerOwnSignIn(
      context: context, authority: authority.origin + "/" + authority.tenant,
      correlationID: request.correlationID)
    switch try own.run(hint: hint) {
    case .account(let account):
      do {
        return try redeem(account)
      } catch let refusal as LinuxBrokerError where refusal.aadsts == AADSTSCode.consentMissing.number {
        return try consent(account)
      }
    case .cancelled: throw Self.cancelled
    case .externalBrowser:
      throw LinuxBrokerError.needsPerson(
        "The account signs in with a certificate, which this broker cannot present.")
    case .refused:
      throw LinuxBrokerError.needsPerson("The provider did not give the broker a primary refresh token.")
    }
  }

  /// Shows the program's own consent page to a user who is already signed in.
  ///
  /// Its code is not redeemed: once the user has consented, the primary refresh token is redeemed instead.
  private func consent(_ account: BrokerAccount) throws -> LinuxBrokerAnswer {
    let proof = ProofKey(random: context.random.bytes(32))
    let authority = try authority()
    let page = HTTPRequest(
      "GET", origin: authority.origin, path: "/\(authority.tenant)/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", request.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", request.redirectURI), NameValue("scope", wantedScopes),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()), NameValue("login_hint", account.username),
        NameValue("client-request-id", request.correlationID),
      ])
    let result = try context.system.browse(
      page, in: .ofBroker(primaryRefreshToken: account.primaryRefreshToken))
    guard case .redirected(let url) = result, URLParts(url)?.fields?["code"] != nil else {
      throw Self.cancelled
    }
    return try redeem(account)
  }

  private func picker(_ accounts: [BrokerAccount]) -> AccountPicker {
    let hint = request.account.last
    let held = accounts.map { $0.candidate(at: context.now, hint: hint) }
    let ids = Set(held.map(\.homeAccountID))
    return AccountPicker(
      appName: client.displayName, bundleID: client.clientID, clientID: client.clientID,
      redirectURI: request.redirectURI,
      sdk: [request.library.name, request.library.version].filter { !$0.isEmpty }.joined(separator: " "),
      scopes: request.scopes, prompt: request.prompt, loginHint: hint, callerCheck: caller.check,
      candidates: held + people.filter { !ids.contains($0.homeAccountID) }, presentation: .overlay,
      reason: "Authority \(request.authority).")
  }

  // MARK: The objects that the broker signs: a browser's credential, and a program's HTTP request

  /// Returns the cookie that signs a browser in, in the formats of newer and older brokers
  /// (docs/behaviour/linux-broker.md §6).
  ///
  /// If the account is not specified, it is for the most recently used one.
  func cookie() throws -> LinuxBrokerAnswer {
    _ = try trustedOrigin(of: request.ssoURL)
    let account = request.account.isEmpty ? try context.accounts().first : try namedAccount()
    guard let account else {
      throw LinuxBrokerError(.accountNotFound, "The broker does not have an account.")
    }
    guard account.expiresOn > context.now else {
      throw LinuxBrokerError.needsPerson("The primary refresh token of \(account.username) has expired.")
    }
    let nonce = URLParts(request.ssoURL)?.query.flatMap { FormEncoding.decode($0) }?["sso_nonce"]
    let content = PrimaryRefreshTokenCookie.signed(
      account.primaryRefreshToken, nonce: nonce, at: context.now, context: context.random.bytes(24),
      by: try sessionKey(of: account))
    let name = JSONValue.string(PrimaryRefreshTokenCookie.name)
    return LinuxBrokerAnswer(
      [
        "account": account.linuxJSON, "cookieName": name, "cookieContent": .string(content),
        "cookieItems": [["cookieName": name, "cookieContent": .string(content)]],
      ], username: account.username)
  }

  private func sessionKey(of account: BrokerAccount) throws -> SessionKey {
    guard let key = account.sessionKey.flatMap(SessionKey.init(encoded:)) else {
      throw LinuxBrokerError(
        .keyNotFound, "The session key of \(account.username) is missing. Sign in again.")
    }
    return key
  }

  // MARK: Signed HTTP requests

  /// Returns a signed HTTP request (draft-ietf-oauth-signed-http-request-03 §3).
  ///
  /// The key belongs to the specified account or, if it is omitted, to the most recently used one. No source
  /// documents the name of the field in the response; this one is taken from the method.
  func signedRequest() throws -> LinuxBrokerAnswer {
    guard let proof = request.proof, !proof.host.isEmpty else {
      throw LinuxBrokerError(.apiContractViolation, "The request has no popParams.uriHost.")
    }
    guard
      let account = try context.accounts().first(where: {
        request.account.isEmpty || $0.isNamed(by: request.account)
      })
    else { throw LinuxBrokerError(.accountNotFound, "The broker does not have an account.") }
    let seed = try sessionKey(of: account).derivedKey(
      context: Array(request.clientID.lowercased().utf8), payload: [], .one)
    let key = try P256.Signing.PrivateKey(rawRepresentation: seed)
    let point = key.publicKey.rawRepresentation
    let publicKey: JSONValue = [
      "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point.prefix(32))),
      "y": .string(Base64URL.encode(point.suffix(32))),
    ]
    // RFC 7638: the hash of the key's members, sorted by name.
    let thumbprint = Base64URL.encode(sha256(publicKey.bytes(.wire)))
    var claims: [String: JSONValue] = [
      "ts": .integer(Int64(context.now.seconds)), "m": .string(proof.method.uppercased()),
      "u": .string(proof.host), "p": .string(proof.path), "cnf": ["jwk": publicKey],
    ]
    claims["nonce"] = proof.nonce.map(JSONValue.string)
    claims["client_claims"] = proof.clientClaims.map(JSONValue.string)
    let header: JSONValue = ["alg": "ES256", "kid": .string(thumbprint), "typ": "pop"]
    let text = [header, .object(claims)].map { Base64URL.encode($0.bytes(.wire)) }.joined(separator: ".")
    let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
    return LinuxBrokerAnswer(
      ["signedHttpRequest": .string(text + "." + Base64URL.encode(signature))], username: account.username)
  }
}
