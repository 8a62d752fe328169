import Essentials

/// A signed token in its compact form: `header.claims.signature`, each base64url (RFC 7515 §7.1, RFC 7519).
package struct JSONWebToken: Hashable, Sendable {
  /// Why a text is not a token that may be trusted.
  package enum Refusal: Error, Hashable, Sendable {
    case tooLong, notThreeParts, notBase64URL, notJSON
    /// Any `alg` but those allowed, `none` included.
    case algorithm(String)
    case unknownKey(String)
    case criticalExtension
    case signature
  }

  /// Longest text that is looked at, in UTF-8 bytes.
  package static let maximumLength = 32_768

  package var header: [String: JSONValue]
  package var claims: [String: JSONValue]

  package init(header: [String: JSONValue] = [:], claims: [String: JSONValue]) {
    self.header = header
    self.claims = claims
  }

  /// Reads without asking who signed, as MSAL reads its ID tokens.
  package init(unverified compact: String) throws(Refusal) {
    let signed = try JSONWebSignature(compact)
    try self.init(header: signed.header, payload: signed.payload)
  }

  /// Reads what was signed RS256 by one of the keys; the header's `kid` says which (none: any).
  package init(verifying compact: String, keys: [TokenVerificationKey]) throws(Refusal) {
    try self.init(verifying: compact, keys: keys, allowing: [.rs256])
  }

  package init(
    verifying compact: String, keys: [TokenVerificationKey], allowing algorithms: Set<TokenAlgorithm>,
    anyKeyID: Bool = false
  ) throws(Refusal) {
    let signed = try JSONWebSignature(compact)
    let payload = try signed.verify(keys: keys, allowing: algorithms, anyKeyID: anyKeyID)
    try self.init(header: signed.header, payload: payload)
  }

  private init(header: [String: JSONValue], payload: [UInt8]) throws(Refusal) {
    guard let claims = JSONValue(bounded: payload)?.object else { throw .notJSON }
    self.init(header: header, claims: claims)
  }

  /// Signs with `alg`, `kid` and `typ` set: sorted keys, integers, slashes as they are.
  /// - Throws: what swift-crypto throws; a key that was made here always signs.
  package func signed(by key: TokenSigningKey) throws -> String {
    try signed(keyID: key.id) { try key.signature(for: $0) }
  }

  /// The same with a signature from elsewhere.
  package func signed(keyID: String, signature: (String) throws -> [UInt8]) rethrows -> String {
    let stamps: [String: JSONValue] = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
    let header = JSONValue.object(header.merging(stamps) { $1 })
    let input = [header, .object(claims)].map { Base64URL.encode($0.bytes(.wire)) }
      .joined(separator: ".")
    return input + "." + Base64URL.encode(try signature(input))
  }
}

extension JSONValue {
  /// A moment as tokens have it (RFC 7519 §2): seconds, which may have a fraction.
  ///
  /// MSAL Python's have one.
  package var numericDate: Instant? {
    switch self {
    case .integer(let seconds): Instant(Int(seconds))
    case .number(let seconds) where abs(seconds) < 1e12: Instant(Int(seconds.rounded(.down)))
    default: nil
    }
  }
}
