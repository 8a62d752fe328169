import Essentials
import SSOCore
import SSOReference

/// The choice of an account, and the broker's sign-in of a user.
extension Broker {
  enum Choice {
    case account(BrokerAccount)
    case signIn(hint: String?)
    case cancelled
  }

  private func hint(_ request: BrokerRequest) -> String? {
    request.homeAccountID ?? request.username ?? request.loginHint
  }

  /// Returns the account that the app specifies, or `nil` if the broker does not have it or the app does not specify
  /// one.
  func namedAccount(_ request: BrokerRequest, _ accounts: [BrokerAccount]) -> BrokerAccount? {
    guard let hint = hint(request)?.lowercased() else { return nil }
    return accounts.first { hint == $0.homeAccountID || hint == $0.username.lowercased() }
  }

  /// Selects an account by the picker's rule (docs/behaviour/broker.md §14).
  ///
  /// The account that the app specifies, or a single account that is not blocked, is used without the picker, unless
  /// the app requests `select_account`. If the broker does not have the specified account, or any account, it goes
  /// directly to sign-in. The trace records which.
  func selectAccount(_ request: BrokerRequest, _ caller: Caller, _ accounts: [BrokerAccount]) throws -> Choice
  {
    let hint = hint(request)
    let named = namedAccount(request, accounts)
    let selects = request.prompt == "select_account"
    let reason: String
    if accounts.isEmpty {
      traceChoice("picker not shown: the broker does not have an account", caller)
      return .signIn(hint: hint)
    } else if selects {
      reason = "The app asked for it (prompt=select_account)."
    } else if let named {
      traceChoice("picker not shown: the app named \(named.username)", caller)
      return .account(named)
    } else if hint != nil {
      traceChoice("picker not shown: the app named an account that the broker does not hold", caller)
      return .signIn(hint: hint)
    } else if accounts.count == 1, let only = accounts.first, only.blockedBecause == nil {
      traceChoice("picker not shown: \(only.username) is the only account", caller)
      return .account(only)
    } else {
      reason = "The broker holds \(accounts.count) accounts and the app named none."
    }
    let candidates = accounts.map { $0.candidate(at: context.now, hint: hint) }
    let picker = AccountPicker(
      appName: caller.app.displayName, bundleID: caller.app.bundleID, clientID: request.clientID,
      redirectURI: request.redirectURI,
      sdk: "\(caller.app.builtDefaults.libraryName) \(caller.app.sdkVersion)",
      scopes: request.scopes, prompt: request.prompt, loginHint: request.loginHint ?? request.username,
      callerCheck: caller.check,
      candidates: request.prompt == "login" ? candidates.map { $0.signingInAgain() } : candidates,
      presentation: call.presentation, reason: reason)
    let picked = try context.system.choose(picker)
    context.trace.add(
      .person, .broker, actor: caller.app.bundleID, "choose an account",
      result: picked.map { describe($0, accounts) } ?? "cancelled",
      sent: [NameValue("candidates", String(accounts.count)), NameValue("why shown", reason)])
    switch picked {
    case nil: return .cancelled
    case .another: return .signIn(hint: nil)
    case .account(let id):
      guard let account = accounts.first(where: { $0.homeAccountID == id }) else { return .cancelled }
      return .account(account)
    }
  }

  private func describe(_ picked: PickedAccount, _ accounts: [BrokerAccount]) -> String {
    switch picked {
    case .another: "use another account"
    case .account(let id): accounts.first { $0.homeAccountID == id }?.username ?? id
    }
  }

  private func traceChoice(_ text: String, _ caller: Caller) {
    context.trace.add(.broker, .broker, actor: caller.app.bundleID, "choose an account", result: text)
  }

  /// Signs the user in with the broker's own client, and then redeems the new primary refresh token.
  func signIn(hint: String?, _ request: BrokerRequest, _ caller: Caller) throws -> [NameValue] {
    let own = BrokerOwnSignIn(
      context: context, authority: request.authority, correlationID: request.correlationID)
    switch try own.run(hint: hint) {
    case .externalBrowser(let challenge): return try signInByCertificate(challenge, request, caller)
    case .cancelled: return failure(.userCanceled, "User cancelled", request)
    case .refused:
      return failure(.invalidGrant, "The provider did not give the broker a primary refresh token.", request)
    case .account(let account):
      var signedIn = request
      signedIn.prompt = nil
      return try redeem(account, signedIn, caller, mayAsk: false)
    }
  }

  /// Shows the app's own consent page to a user who is already signed in.
  func consent(_ account: BrokerAccount, _ request: BrokerRequest, _ caller: Caller) throws -> [NameValue] {
    let proof = ProofKey(random: context.random.bytes(32))
    let (origin, tenant) = splitAuthority(request.authority)
    let page = HTTPRequest(
      "GET", origin: origin, path: path(tenant, "authorize", request),
      query: [
        NameValue("client_id", request.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", request.redirectURI),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()), NameValue("login_hint", account.username),
        NameValue("haschrome", "1"), NameValue("client-request-id", request.correlationID),
      ] + [request.dialect.wanted(request)] + appFields(request, account))
    let result = try context.system.browse(
      page, in: .ofBroker(primaryRefreshToken: account.primaryRefreshToken))
    guard case .redirected(let url) = result, let code = URLParts(url)?.fields?["code"] else {
      return failure(.userCanceled, "User cancelled", request)
    }
    let response = try context.system.send(
      tokenRequest(
        request,
        [
          NameValue("grant_type", "authorization_code"), NameValue("client_id", request.clientID),
          NameValue("code", code), NameValue("redirect_uri", request.redirectURI),
          NameValue("code_verifier", proof.verifier), NameValue("client_info", "1"),
        ]))
    guard response.status == 200 else {
      return failure(.invalidGrant, "The provider refused the code of the consent page.", request)
    }
    try context.noteUse(of: account, by: caller.app.displayName, caller.app.bundleID)
    return try success(response, request, caller)
  }
}

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
      expiresOn: context.now.adding(seconds: token.primaryRefreshTokenExpiresIn ?? 90 * 86_400),
      lastUsed: context.now)
    account.sessionKey = token.sessionKey
    try context.save(account)
    context.trace.add(
      .broker, .broker, "keep account \(account.username)", result: "primary refresh token, 90 days")
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

/// Sign-in with a certificate in the system browser (claim D4).
///
/// The broker's web view cannot present a certificate, but the system browser can. The sign-in ends at the app's second
/// redirect URI, whose scheme is the broker's.
extension Broker {
  /// Returns `msauth://code/<redirect URI, URL-encoded>`.
  static func certificateRedirectURI(for redirectURI: String) -> String {
    RedirectOwner.certificatePrefix + FormEncoding.percentEncode(redirectURI)
  }

  /// Responds to the page's certificate challenge with the device's certificate.
  ///
  /// `challenge` is the URL at which the page continues.
  func signInByCertificate(_ challenge: URLParts, _ request: BrokerRequest, _ caller: Caller) throws
    -> [NameValue]
  {
    let proof = ProofKey(random: context.random.bytes(32))
    let (origin, tenant) = splitAuthority(request.authority)
    let redirectURI = Self.certificateRedirectURI(for: request.redirectURI)
    let page = HTTPRequest(
      "GET", origin: origin, path: path(tenant, "authorize", request),
      query: [
        NameValue("client_id", request.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", redirectURI),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("state", context.random.upperUUID()),
        NameValue("login_hint", challenge.fields?["login_hint"] ?? ""),
        NameValue("client-request-id", request.correlationID),
      ].filter { !$0.value.isEmpty } + [request.dialect.wanted(request)])
    context.trace.add(
      .broker, .system, actor: caller.app.bundleID, "open the browser",
      result: "it can present a certificate",
      sent: [NameValue("redirect_uri", redirectURI)])
    switch try context.system.browse(page, in: .ofSystem) {
    case .cancelled(let page):
      return failure(.userCanceled, page ?? "User cancelled", request)
    case .redirected(let url):
      guard let code = URLParts(url)?.fields?["code"] else {
        return failure(
          .invalidGrant,
          URLParts(url)?.fields?["error_description"] ?? "The redirect has no authorization code.", request)
      }
      let answer = try context.system.send(
        tokenRequest(
          request,
          [
            NameValue("grant_type", "authorization_code"), NameValue("client_id", request.clientID),
            NameValue("code", code), NameValue("redirect_uri", redirectURI),
            NameValue("code_verifier", proof.verifier), NameValue("client_info", "1"),
          ]))
      guard answer.status == 200 else {
        let refusal = OAuthError(reading: answer)
        return response(request).failure(.invalidGrant, refusal.message, oauth: refusal)
      }
      return try success(answer, request, caller)
    }
  }
}
