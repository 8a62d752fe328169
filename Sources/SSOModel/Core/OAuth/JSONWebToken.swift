import Essentials

/// A signed token in its compact form: `header.claims.signature`, each base64url (RFC 7515 §7.1, RFC 7519).
package struct JSONWebToken: Hashable, Sendable {
  /// The reason that a string is not a trusted token.
  package enum Refusal: Error, Hashable, Sendable {
    case tooLong, notThreeParts, notBase64URL, notJSON
    /// The `alg` is not one of the allowed algorithms; `none` never is.
    case algorithm(String)
    case unknownKey(String)
    case criticalExtension
    case signature
  }

  /// The maximum length of a token that is parsed, in UTF-8 bytes.
  package static let maximumLength = 32_768

  package var header: [String: JSONValue]
  package var claims: [String: JSONValue]

  package init(header: [String: JSONValue] = [:], claims: [String: JSONValue]) {
    self.header = header
    self.claims = claims
  }

  /// Creates a token without verifying its signature, as MSAL reads its ID tokens.
  package init(unverified compact: String) throws(Refusal) {
    let signed = try JSONWebSignature(compact)
    try self.init(header: signed.header, payload: signed.payload)
  }

  /// Creates a token after verifying its RS256 signature with one of the keys.
  ///
  /// The header's `kid` selects the key; without `kid`, any key may match.
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

  /// Returns the signed token, with `alg`, `kid`, and `typ` set; its JSON has sorted keys, integers, and unescaped
  /// slashes.
  /// - Throws: The errors of swift-crypto; a key that was generated here always signs.
  package func signed(by key: TokenSigningKey) throws -> String {
    try signed(keyID: key.id) { try key.signature(for: $0) }
  }

  /// Returns the token signed by `signature` instead of a key.
  package func signed(keyID: String, signature: (String) throws -> [UInt8]) rethrows -> String {
    let stamps: [String: JSONValue] = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
    let header = JSONValue.object(header.merging(stamps) { $1 })
    let input = [header, .object(claims)].map { Base64URL.encode($0.bytes(.wire)) }
      .joined(separator: ".")
    return input + "." + Base64URL.encode(try signature(input))
  }
}

extension JSONValue {
  /// The time in a token's format (RFC 7519 §2), in seconds with an optional fraction, or `nil` if it is not such a
  /// number.
  ///
  /// The times of MSAL Python have a fraction.
  package var numericDate: Instant? {
    switch self {
    case .integer(let seconds): Instant(Int(seconds))
    case .number(let seconds) where abs(seconds) < 1e12: Instant(Int(seconds.rounded(.down)))
    default: nil
    }
  }
}
