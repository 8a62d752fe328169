import Crypto
import CryptoExtras
import Essentials
import SSOCore
import SSOReference

/// A request from an app to the broker (docs/behaviour/broker.md §2–§4).
///
/// MSAL sends `msauthv2://broker?<form-encoded>`, and ADAL sends `msauth://broker?…`.
struct BrokerRequest: Equatable {
  var dialect: any BrokerDialect
  var values: [BrokerParameter: String]
  /// The parameters that the SDK's version does not know yet, which are omitted even where others are sent empty.
  var omitted: Set<BrokerParameter> = []

  /// Creates a request from its parameters.
  ///
  /// If `isByURL` is true, the response is sent in a URL, and a key is mandatory.
  /// - Throws: The developer error of broker.md §3 if a mandatory parameter is missing.
  init(
    _ dialect: any BrokerDialect, _ values: [BrokerParameter: String], isByURL: Bool = true
  ) throws(BrokerError) {
    self.dialect = dialect
    self.values = values
    for parameter in [
      .authority, dialect.target, .clientID, .redirectURI, .correlationID, BrokerParameter.brokerKey,
    ] where (isByURL || parameter != .brokerKey) && values[parameter]?.isEmpty ?? true {
      throw BrokerError(reason: "\(parameter.developerName) is nil, but is a required parameter")
    }
    guard !isByURL || brokerKey.count == 32 else {
      throw BrokerError(reason: "broker_key is not 32 bytes in base64url")
    }
  }

  /// Creates a request from its URL, in either dialect.
  init(url: String, isByURL: Bool = true) throws(BrokerError) {
    guard let dialect = brokerDialect(ofURL: url), let question = url.firstIndex(of: "?"),
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
    let parameter = dialect.versionParameter
    guard values[parameter] == dialect.version else {
      throw BrokerError(
        reason: "\(parameter.rawValue) is \(values[parameter] ?? "missing"), expected \(dialect.version)")
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    (a.dialect.scheme, a.values, a.omitted) == (b.dialect.scheme, b.values, b.omitted)
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

  // MARK: The values that the broker needs, in either dialect

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

  /// The prompt, in MSAL's words.
  var prompt: String? {
    get { dialect.prompt(in: values) }
    set { dialect.setPrompt(newValue, in: &values) }
  }
  var scopes: [String] { dialect.scopes(of: self) }
}

/// The reason that the broker did not accept a request.
struct BrokerError: Error, Hashable {
  var reason: String
}

/// The broker's response to one request, in the dialect of the request (docs/behaviour/broker.md §7, §8).
struct BrokerResponse {
  var request: BrokerRequest
  /// The version of the broker app.
  var version: String
  /// A token that the app stores and sends with its next request.
  var applicationToken: String?
  /// Whether the device is in shared mode.
  var isShared = false

  /// Returns `<redirect URI>?response=<base64url(AES)>&hash=<hex>&msg_protocol_ver=…`; ADAL's failures are plain text.
  func url(_ fields: [NameValue]) throws -> String {
    let version = NameValue("msg_protocol_ver", request.dialect.version)
    if request.dialect.sendsPlainFailures, fields["error_code"] != nil {
      return request.redirectURI + "?" + FormEncoding.encode(fields + [version])
    }
    let plaintext = Data(FormEncoding.encode(fields).utf8)
    let ciphertext = try BrokerCrypto.encrypt(plaintext, key: request.brokerKey)
    let query = [
      NameValue("response", Base64URL.encode([UInt8](ciphertext))),
      NameValue("hash", BrokerCrypto.hash(plaintext)), version,
    ]
    return request.redirectURI + "?" + FormEncoding.encode(query)
  }

  /// Returns the fields of a success, without empty fields.
  ///
  /// `token` is the JSON from the token endpoint.
  func success(_ token: [String: JSONValue], at now: Instant) -> [NameValue] {
    func text(_ name: String) -> String {
      switch token[name] {
      case .string(let value): value
      case .integer(let value): String(value)
      default: ""
      }
    }
    let lifetime = Int(text("expires_in")) ?? 3600
    let extended = Int(text("ext_expires_in")) ?? lifetime
    let common = [
      NameValue("authority", request.authority),
      NameValue("client_id", request.clientID), NameValue("id_token", text("id_token")),
      NameValue("access_token", text("access_token")), NameValue("refresh_token", text("refresh_token")),
      NameValue("expires_on", String(now.seconds + lifetime)),
      NameValue("ext_expires_on", String(now.seconds + extended)), NameValue("foci", text("foci")),
      NameValue("correlation_id", request.correlationID), NameValue("x-broker-app-ver", version),
      NameValue("vt", "YES"), NameValue("broker_nonce", request.nonce),
      NameValue("application_token", applicationToken ?? ""),
    ]
    return (common + request.dialect.success(self, text)).filter { !$0.value.isEmpty }
  }

  /// Returns the fields of a failure.
  ///
  /// `code` is MSAL's; ADAL receives its own code for the same failure.
  func failure(_ code: MSALCode, _ description: String, oauth: OAuthError? = nil, username: String? = nil)
    -> [NameValue]
  {
    request.dialect.failure(self, code, description, oauth: oauth, username: username)
      .filter { !$0.value.isEmpty }
  }
}

/// The cipher between broker and app: AES-256-CBC, PKCS#7, an IV of zeros, no MAC (docs/behaviour/broker.md §7(10)).
///
/// It is as weak as the real broker's: the checks rely on the nonce and the hash in the response.
enum BrokerCrypto {
  enum Failure: Error { case badKey, cannotDecrypt }

  static func encrypt(_ plaintext: Data, key: [UInt8]) throws -> Data {
    try AES._CBC.encrypt(plaintext, using: symmetric(key), iv: zeroIV())
  }

  static func decrypt(_ ciphertext: Data, key: [UInt8]) throws -> Data {
    guard !ciphertext.isEmpty, ciphertext.count % 16 == 0 else { throw Failure.cannotDecrypt }
    return try AES._CBC.decrypt(ciphertext, using: symmetric(key), iv: zeroIV())
  }

  /// Returns the SHA-256 hash of the plaintext in uppercase hexadecimal digits.
  static func hash(_ plaintext: Data) -> String {
    hexadecimal(bytes: sha256(plaintext)).uppercased()
  }

  private static func symmetric(_ key: [UInt8]) throws -> SymmetricKey {
    guard key.count == 32 else { throw Failure.badKey }
    return SymmetricKey(data: key)
  }

  private static func zeroIV() throws -> AES._CBC.IV {
    try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
  }
}
