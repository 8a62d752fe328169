/// A request of MSAL to the broker, protocol 3 (fact sheet §5.2, §5.3): `msauthv2://broker?<form-encoded>`.
struct BrokerRequest: Hashable {
  static let scheme = "msauthv2"

  var authority: String
  var clientID: String
  var redirectURI: String
  var correlationID: String
  /// 32 bytes; travels in clear, as in the product.
  var brokerKey: [UInt8]
  var nonce: String
  var sdkVersion: String
  var appName: String
  var appVersion: String
  var scopes: [String]
  var homeAccountID: String?
  var username: String?
  var loginHint: String?
  var prompt: String?

  /// The parameters in the order of the fact sheet's table; the protocol itself has no order. Empty ones are left out.
  var parameters: [SentField] {
    let all: [(String, String?)] = [
      ("authority", authority), ("client_id", clientID), ("redirect_uri", redirectURI),
      ("correlation_id", correlationID), ("broker_key", Base64URL.encode(brokerKey)),
      ("broker_nonce", nonce), ("client_version", sdkVersion), ("client_app_name", appName),
      ("client_app_version", appVersion), ("client_sku", "MSAL.iOS"), ("msg_protocol_ver", "3"),
      ("scope", scopes.joined(separator: " ")), ("extra_oidc_scopes", "openid profile offline_access"),
      ("home_account_id", homeAccountID?.lowercased()), ("username", username), ("login_hint", loginHint),
      ("prompt", prompt), ("skip_validate_result_account", "NO"),
      ("sdk_broker_capabilities", "sso_extension"),
    ]
    return all.compactMap { name, value in
      guard let value, !value.isEmpty else { return nil }
      return SentField(name, value)
    }
  }

  var url: String { "\(Self.scheme)://broker?" + FormEncoding.encode(parameters) }

  /// The same, fit for a trace.
  var shown: [SentField] {
    parameters.map { $0.name == "broker_key" ? SentField($0.name, masked($0.value)) : $0 }
  }

  /// Reads a request URL; names the first mandatory parameter that is missing.
  init(url: String) throws(BrokerError) {
    guard let question = url.firstIndex(of: "?"), url.lowercased().hasPrefix("msauthv2://broker") else {
      throw BrokerError(.notARequest, "Not a broker request: it does not begin with msauthv2://broker?.")
    }
    guard let fields = FormEncoding.decode(String(url[url.index(after: question)...])) else {
      throw BrokerError(.notARequest, "Not a broker request: its parameters are not form-encoded.")
    }
    func required(_ name: String) throws(BrokerError) -> String {
      guard let value = fields[name], !value.isEmpty else {
        throw BrokerError(.missingParameter, "\(name) is nil, but is a required parameter")
      }
      return value
    }
    authority = try required("authority")
    clientID = try required("client_id")
    redirectURI = try required("redirect_uri")
    correlationID = try required("correlation_id")
    scopes = try required("scope").split(separator: " ").map(String.init)
    guard let key = Base64URL.decode(try required("broker_key")), key.count == 32 else {
      throw BrokerError(.missingParameter, "broker_key is not 32 bytes in base64url")
    }
    brokerKey = key
    guard try required("msg_protocol_ver") == "3" else {
      throw BrokerError(.notARequest, "msg_protocol_ver is not 3")
    }
    nonce = try required("broker_nonce")
    sdkVersion = fields["client_version"] ?? ""
    appName = fields["client_app_name"] ?? ""
    appVersion = fields["client_app_version"] ?? ""
    homeAccountID = fields["home_account_id"]
    username = fields["username"]
    loginHint = fields["login_hint"]
    prompt = fields["prompt"]
  }

  init(
    app: InstalledApp, scopes: [String], correlationID: String, key: [UInt8], nonce: String,
    homeAccountID: String?, username: String?, loginHint: String?, prompt: String?
  ) {
    authority = app.authority
    clientID = app.clientID
    redirectURI = app.redirectURI
    self.correlationID = correlationID
    brokerKey = key
    self.nonce = nonce
    sdkVersion = app.sdkVersion
    appName = app.displayName
    appVersion = app.version
    self.scopes = scopes
    self.homeAccountID = homeAccountID
    self.username = username
    self.loginHint = loginHint
    self.prompt = prompt
  }
}

/// Why the broker did not take a request, or an app did not take an answer.
struct BrokerError: Error, Hashable {
  enum Code: String { case notARequest, missingParameter, callerMismatch }
  var code: Code
  var reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
