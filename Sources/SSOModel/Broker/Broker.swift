import Foundation

/// The broker app (Microsoft Authenticator), as far as its protocol shows it (fact sheet §5; claims A3, B1, D7).
struct Broker {
  /// The broker's own client ID at the provider.
  static let clientID = "29d9ed98-a469-4536-ade2-f981bc1d605e"
  static let redirectURI = "urn:ietf:wg:oauth:2.0:oob"

  var around: BrokerSurroundings
  var version: String

  /// Answers a request URL.
  /// - Parameter caller: bundle ID and name, as the system reports them.
  /// - Returns: the URL to open; nil if nobody may be answered, because the caller is not who it says.
  func answer(_ url: String, from caller: InstalledApp) throws -> String? {
    let request: BrokerRequest
    do throws(BrokerError) {
      request = try BrokerRequest(url: url)
    } catch {
      around.trace.add(.broker, .system, actor: caller.bundleID, "refuse", result: error.reason)
      return nil
    }
    let caller = Caller(
      app: caller,
      check: CallerCheck(reportedBundleID: caller.bundleID, redirectURI: request.redirectURI).check)
    around.trace.add(
      .system, .broker, actor: caller.app.bundleID, "who is calling", result: caller.app.bundleID,
      sent: [SentField("source application", caller.app.bundleID)], checks: [caller.check])
    guard caller.check.verdict == .passed else {
      around.trace.add(
        .broker, .system, actor: caller.app.bundleID, "refuse",
        result: "source application bundle identifier should be same as the redirect URI domain")
      return nil
    }
    let fields = try decide(request, caller)
    around.trace.add(
      .broker, .system, actor: caller.app.bundleID, "openURL \(request.redirectURI)",
      result: fields["success"] == "1" ? "encrypted answer" : "encrypted failure",
      sent: [
        SentField("response", "AES-256-CBC, PKCS#7, zero IV"), SentField("hash", "SHA-256 of the plaintext"),
      ])
    return try BrokerResponse.url(
      redirectURI: request.redirectURI, fields: fields, key: request.brokerKey)
  }

  struct Caller {
    var app: InstalledApp
    var check: Check
  }

  /// The account to use, then its tokens.
  private func decide(_ request: BrokerRequest, _ caller: Caller) throws -> [SentField] {
    let accounts = try around.accounts()
    let choice = try selectAccount(request, caller, accounts)
    switch choice {
    case .cancelled:
      return failure(-50005, "User cancelled", request)
    case .account(let account):
      guard account.blockedBecause == nil else {
        return failure(-50002, account.blockedBecause ?? "", request)
      }
      return try redeem(account, request, caller, mayAsk: true)
    case .signIn(let hint):
      return try signIn(hint: hint, request, caller)
    }
  }

  /// Redeems the account's primary refresh token for the app's tokens; a token that is expired or refused asks for the password.
  func redeem(_ account: BrokerAccount, _ request: BrokerRequest, _ caller: Caller, mayAsk: Bool) throws
    -> [SentField]
  {
    guard account.expiresOn > around.now, request.prompt != "login" else {
      around.trace.add(
        .broker, .broker, actor: caller.app.bundleID, "primary refresh token of \(account.username)",
        result: request.prompt == "login" ? "not used: prompt=login" : "expired")
      return mayAsk
        ? try signIn(hint: account.username, request, caller) : failure(-50002, "expired", request)
    }
    let response = try around.send(
      tokenRequest(
        request,
        [
          SentField("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
          SentField("prt", account.primaryRefreshToken), SentField("client_id", request.clientID),
          SentField("redirect_uri", request.redirectURI), SentField("caller_bundle_id", caller.app.bundleID),
          SentField("broker_bundle_id", brokerBundleID),
          SentField("scope", scope(request)), SentField("client_info", "1"),
        ]))
    if response.status == 200 {
      var used = account
      used.lastUsed = around.now
      try around.save(used)
      return try success(response.body, request)
    }
    let refusal = try? JSONDecoder().decode([String: JSONValue].self, from: response.body)
    let error = refusal?["error"]?.string ?? "server_error"
    let suberror = refusal?["suberror"]?.string ?? ""
    if error == "consent_required" || suberror == "consent_required" {
      return try consent(account, request, caller)
    }
    if mayAsk, ["interaction_required", "invalid_grant", "login_required"].contains(error) {
      return try signIn(hint: account.username, request, caller)
    }
    let code = error == "invalid_client" ? -42003 : -42004
    var fields = failure(code, refusal?["error_description"]?.string ?? error, request)
    fields.append(SentField("error", error))
    if !suberror.isEmpty { fields.append(SentField("suberror", suberror)) }
    return fields
  }

  func tokenRequest(_ request: BrokerRequest, _ form: [SentField]) -> HTTPRequest {
    let (origin, tenant) = splitAuthority(request.authority)
    return HTTPRequest(
      "POST", origin: origin, path: "/\(tenant)/oauth2/v2.0/token",
      headers: [SentField("client-request-id", request.correlationID)], form: form)
  }

  func scope(_ request: BrokerRequest) -> String {
    (request.scopes + ["openid", "profile", "offline_access"]).joined(separator: " ")
  }

  func failure(_ code: Int, _ description: String, _ request: BrokerRequest) -> [SentField] {
    BrokerResponse.failure(code: code, description, request: request, brokerVersion: version)
  }

  /// The fields of §5.8 from a token response.
  func success(_ body: Data, _ request: BrokerRequest) throws -> [SentField] {
    let json = try JSONDecoder().decode([String: JSONValue].self, from: body)
    func text(_ name: String) -> String {
      switch json[name] {
      case .string(let value): value
      case .integer(let value): String(value)
      default: ""
      }
    }
    let lifetime = Int(text("expires_in")) ?? 3600
    let extended = Int(text("ext_expires_in")) ?? lifetime
    let fields = [
      SentField("success", "1"), SentField("authority", request.authority),
      SentField("client_id", request.clientID), SentField("scope", text("scope")),
      SentField("id_token", text("id_token")), SentField("client_info", text("client_info")),
      SentField("access_token", text("access_token")), SentField("token_type", text("token_type")),
      SentField("refresh_token", text("refresh_token")),
      SentField("expires_on", String(around.now.seconds + lifetime)),
      SentField("ext_expires_on", String(around.now.seconds + extended)),
      SentField("foci", text("foci")), SentField("correlation_id", request.correlationID),
      SentField("x-broker-app-ver", version), SentField("vt", "YES"),
      SentField("broker_nonce", request.nonce),
    ]
    return fields.filter { !$0.value.isEmpty }
  }
}

/// `https://host/tenant` as origin and tenant; an authority without a path is `common`.
func splitAuthority(_ authority: String) -> (origin: String, tenant: String) {
  let parts = authority.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
  let host = parts.count > 1 ? parts[1] : "login.microsoftonline.com"
  return ("https://" + host, parts.count > 2 ? parts[2] : "common")
}
