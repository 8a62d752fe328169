/// A request from an app to the broker (docs/behaviour/broker.md §2–§4).
///
/// MSAL sends `msauthv2://broker?<form-encoded>`, and ADAL sends `msauth://broker?…`.
struct BrokerRequest: Hashable {
  var dialect: BrokerDialect
  var values: [BrokerParameter: String]
  /// The parameters that the SDK's version does not know yet, which are omitted even where others are sent empty.
  var omitted: Set<BrokerParameter> = []

  /// Creates a request from its parameters.
  ///
  /// If `isByURL` is true, the response is sent in a URL, and a key is mandatory.
  /// - Throws: The developer error of broker.md §3 if a mandatory parameter is missing.
  init(
    _ dialect: BrokerDialect, _ values: [BrokerParameter: String], isByURL: Bool = true
  ) throws(BrokerError) {
    self.dialect = dialect
    self.values = values
    for parameter in dialect.mandatory
    where (isByURL || parameter != .brokerKey) && values[parameter]?.isEmpty ?? true {
      throw BrokerError(reason: "\(parameter.developerName) is nil, but is a required parameter")
    }
    guard !isByURL || brokerKey.count == 32 else {
      throw BrokerError(reason: "broker_key is not 32 bytes in base64url")
    }
  }

  /// Creates a request from its URL, in either dialect.
  init(url: String, isByURL: Bool = true) throws(BrokerError) {
    guard let dialect = BrokerDialect(url: url), let question = url.firstIndex(of: "?"),
      url[..<question].lowercased() == dialect.scheme + "://broker"
    else {
      throw BrokerError(
        reason: "Not a broker request: expected msauthv2://broker? or msauth://broker?, found "
          + url.prefix(40) + ".")
    }
    guard let fields = FormEncoding.decode(String(url[url.index(after: question)...])) else {
      throw BrokerError(reason: "Not a broker request: its parameters are not form-encoded.")
    }
    var values: [BrokerParameter: String] = [:]
    for parameter in dialect.parameters {
      guard let value = fields[parameter.rawValue], !value.isEmpty else { continue }
      // `claims` is encoded separately first, and then again as a value.
      values[parameter] = parameter == .claims ? FormEncoding.decodeText(value) ?? value : value
    }
    try self.init(dialect, values, isByURL: isByURL)
    let (parameter, version): (BrokerParameter, String) =
      dialect == .msal ? (.messageProtocolVersion, "3") : (.maximumProtocolVersion, "2")
    guard values[parameter] == version else {
      throw BrokerError(
        reason: "\(parameter.rawValue) is \(values[parameter] ?? "missing"), expected \(version)")
    }
  }

  /// The parameters as they are sent, in the order of docs/behaviour/broker.md §3.
  var parameters: [NameValue] {
    dialect.parameters.filter { !omitted.contains($0) }.compactMap { parameter in
      let value = values[parameter] ?? ""
      guard !value.isEmpty || dialect.keepsEmptyValues else { return nil }
      return NameValue(parameter.rawValue, parameter == .claims ? FormEncoding.encode(value) : value)
    }
  }

  var url: String { "\(dialect.scheme)://broker?" + FormEncoding.encode(parameters) }

  /// The parameters with secrets masked, for a trace.
  var shown: [NameValue] {
    parameters.map { field in
      let isSecret = BrokerParameter(rawValue: field.name)?.isSecret ?? false
      return isSecret && !field.value.isEmpty ? NameValue(field.name, masked(field.value)) : field
    }
  }
}

/// The values that the broker needs, in either dialect.
extension BrokerRequest {
  private func text(_ parameter: BrokerParameter) -> String { values[parameter] ?? "" }

  var authority: String { text(.authority) }
  var clientID: String { text(.clientID) }
  var redirectURI: String { text(.redirectURI) }
  var correlationID: String { text(.correlationID) }
  var nonce: String { text(.brokerNonce) }
  /// The key of 32 bytes, which is sent unencrypted, as in the real product.
  var brokerKey: [UInt8] { Base64URL.decode(text(.brokerKey)) ?? [] }
  var homeAccountID: String? { values[.homeAccountID] }
  var username: String? { values[.username] }
  var loginHint: String? { values[.loginHint] }

  /// The prompt; ADAL's `force` corresponds to MSAL's `prompt=login`.
  var prompt: String? {
    get { dialect == .msal ? values[.prompt] : text(.force) == "YES" ? "login" : nil }
    set {
      if dialect == .msal {
        values[.prompt] = newValue
      } else {
        values[.force] = newValue == nil ? "NO" : "YES"
      }
    }
  }

  /// The requested scopes, without the OpenID scopes.
  ///
  /// ADAL requests a resource, which the endpoint version of MSAL calls `resource/.default`.
  var scopes: [String] {
    if dialect == .msal { return text(.scope).split(separator: " ").map(String.init) }
    let resource = text(.resource)
    return [(resource.hasSuffix("/") ? String(resource.dropLast()) : resource) + "/.default"]
  }
}

/// The reason that the broker did not accept a request.
struct BrokerError: Error, Hashable {
  var reason: String
}
