import Essentials

/// A sign-in at the provider with the broker's own client (claim E2).
///
/// The response contains a primary refresh token, and the device is registered in the directory.
struct BrokerOwnSignIn {
  let context: BrokerContext
  /// The authority of the request that led to the sign-in.
  var authority: String
  var correlationID: String

  enum Result {
    case account(BrokerAccount)
    /// The page has to continue in the system browser.
    case externalBrowser(URLParts)
    case cancelled
    case refused
  }

  func run(hint: String?) throws -> Result {
    let proof = ProofKey(random: context.random.bytes(32))
    let (origin, tenant) = splitAuthority(authority)
    let page = HTTPRequest(
      "GET", origin: origin, path: "/\(tenant)/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", Broker.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", Broker.redirectURI), NameValue("scope", "openid profile offline_access"),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()), NameValue("prompt", "login"),
        NameValue("login_hint", hint ?? ""), NameValue("haschrome", "1"),
        NameValue("client-request-id", correlationID),
      ].filter { !$0.value.isEmpty })
    guard case .redirected(let url) = try context.system.browse(page, in: .ofBroker(primaryRefreshToken: nil))
    else { return .cancelled }
    if case .externalBrowser(let challenge)? = WebChallenge(url, redirectURI: Broker.redirectURI) {
      return .externalBrowser(challenge)
    }
    guard let code = URLParts(url)?.fields?["code"] else { return .cancelled }
    let response = try context.system.send(
      HTTPRequest(
        "POST", origin: origin, path: "/\(tenant)/oauth2/v2.0/token",
        headers: [NameValue("client-request-id", correlationID)],
        form: [
          NameValue("grant_type", "authorization_code"), NameValue("client_id", Broker.clientID),
          NameValue("code", code), NameValue("redirect_uri", Broker.redirectURI),
          NameValue("code_verifier", proof.verifier), NameValue("client_info", "1"),
        ]))
    guard let account = try keepAccount(of: response) else { return .refused }
    try registerDevice(account)
    return .account(account)
  }

  /// Saves and returns the account of a sign-in response, or returns `nil` if the response does not contain one.
  private func keepAccount(of response: HTTPResponse) throws -> BrokerAccount? {
    guard let token = try? TokenResponse(reading: response), let primary = token.primaryRefreshToken,
      let home = token.clientInfo.flatMap({ ClientInfo($0) })?.homeAccountID
    else { return nil }
    let claims = token.idToken.flatMap { try? JSONWebToken(unverified: $0).claims } ?? [:]
    var account = BrokerAccount(
      homeAccountID: home, username: claims["preferred_username"]?.string ?? home,
      displayName: claims["name"]?.string ?? "", tenantName: claims["tid"]?.string ?? "",
      primaryRefreshToken: primary,
      expiresOn: context.now.adding(seconds: token.primaryRefreshTokenExpiresIn ?? 14 * 86_400),
      lastUsed: context.now)
    account.sessionKey = token.sessionKey
    try context.save(account)
    context.trace.add(
      .broker, .broker, "keep account \(account.username)", result: "primary refresh token, 14 days")
    return account
  }

  /// Registers the device in the user's directory; only the first account of each tenant creates a registration.
  private func registerDevice(_ account: BrokerAccount) throws {
    let tenantID = account.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    let answer = try context.system.send(
      HTTPRequest(
        "POST", origin: splitAuthority(authority).origin, path: "/\(tenantID)/EnrollmentServer/device",
        headers: [NameValue("client-request-id", correlationID)],
        form: [
          NameValue("prt", account.primaryRefreshToken), NameValue("serial", context.device.id),
          NameValue("display_name", context.device.name),
          NameValue("platform", context.device.platform.rawValue),
        ]))
    let json = JSONValue(bounded: answer.body)
    guard answer.status == 200, let thumbprint = json?["Certificate"]?["Thumbprint"]?.string,
      let subject = json?["Certificate"]?["Subject"]?.string
    else { return }
    try context.deviceKeychain.keep(
      tenantID: tenantID, username: account.username, deviceID: String(subject.dropFirst("CN=".count)),
      thumbprint: thumbprint, privateKey: context.random.bytes(32))
  }
}
