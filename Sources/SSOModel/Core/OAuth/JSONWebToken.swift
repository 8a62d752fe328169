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
  package init(
    verifying compact: String, keys: [TokenVerificationKey], resolvesNonce: Bool = false
  ) throws(Refusal) {
    try self.init(verifying: compact, keys: keys, allowing: [.rs256], resolvesNonce: resolvesNonce)
  }

  /// If `resolvesNonce` is true, a `nonce` in the header is hashed first, as Microsoft Graph does with its own tokens.
  package init(
    verifying compact: String, keys: [TokenVerificationKey], allowing algorithms: Set<TokenAlgorithm>,
    anyKeyID: Bool = false, resolvesNonce: Bool = false
  ) throws(Refusal) {
    var signed = try JSONWebSignature(compact)
    if resolvesNonce { signed.resolveNonce() }
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
  ///
  /// If the header has a `nonce`, the signature is over its hash, so that only Microsoft Graph, which hashes it first, can
  /// verify the token (justinlettau/azure-ad-verify-token#5).
  package func signed(keyID: String, signature: (String) throws -> [UInt8]) rethrows -> String {
    let stamps: [String: JSONValue] = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
    let header = header.merging(stamps) { $1 }
    let payload = "." + Base64URL.encode(JSONValue.object(claims).bytes(.wire))
    let input = encodedHeader(header) + payload
    let signed = header["nonce"] == nil ? input : encodedHeader(hashingNonce(in: header)) + payload
    return input + "." + Base64URL.encode(try signature(signed))
  }
}

private func encodedHeader(_ header: [String: JSONValue]) -> String {
  Base64URL.encode(JSONValue.object(header).bytes(.wire))
}

private func hashingNonce(in header: [String: JSONValue]) -> [String: JSONValue] {
  var header = header
  header["nonce"] = header["nonce"]?.string.map { .string(Base64URL.encode(sha256($0.utf8))) }
  return header
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

/// Signed bytes in compact form: `header.payload.signature`, each base64url (RFC 7515 §7.1).
struct JSONWebSignature: Sendable {
  package typealias Refusal = JSONWebToken.Refusal

  package let header: [String: JSONValue]
  /// The signed payload, which must not be read before `verify`.
  let payload: [UInt8]
  /// The signed input: the header and payload as they were sent.
  private var input: [UInt8]
  private let signature: [UInt8]

  package init(_ compact: String) throws(Refusal) {
    guard compact.utf8.count <= JSONWebToken.maximumLength else { throw .tooLong }
    let pieces = compact.utf8.split(
      separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false
    ).map(Substring.init)
    guard pieces.count == 3 else { throw .notThreeParts }
    guard let head = Base64URL.decode(pieces[0]), let payload = Base64URL.decode(pieces[1]),
      let signature = Base64URL.decode(pieces[2])
    else { throw .notBase64URL }
    guard let header = JSONValue(bounded: head)?.object else { throw .notJSON }
    self.header = header
    self.payload = payload
    self.signature = signature
    input = Array(compact[..<pieces[1].endIndex].utf8)
  }

  /// Replaces a `nonce` in the signed header with its hash.
  fileprivate mutating func resolveNonce() {
    guard header["nonce"] != nil, let period = input.firstIndex(of: UInt8(ascii: ".")) else { return }
    input = Array(encodedHeader(hashingNonce(in: header)).utf8) + input[period...]
  }

  /// Verifies the signature with the given keys and returns the payload.
  ///
  /// The caller provides the keys: `jwk`, `jku`, and `x5u` in the header are ignored (RFC 8725 §3.10).
  ///
  /// If `anyKeyID` is true, the header's `kid` is ignored. Otherwise, it selects the key, and a token without `kid` may
  /// match any key.
  /// - Throws: `Refusal` if the algorithm is not allowed, an extension is critical, or no key verifies the signature.
  @discardableResult
  package func verify(
    keys: [TokenVerificationKey], allowing algorithms: Set<TokenAlgorithm>, anyKeyID: Bool = false
  ) throws(Refusal) -> [UInt8] {
    let name = header["alg"]?.string ?? ""
    guard let algorithm = TokenAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
      throw .algorithm(name)
    }
    // RFC 7515 §4.1.11: reject unsupported critical extensions. No extension is supported here.
    guard header["crit"] == nil else { throw .criticalExtension }
    let id = anyKeyID ? nil : header["kid"]?.string
    let candidates = keys.filter { (id == nil || $0.id == id) && $0.serves(algorithm) }
    guard !candidates.isEmpty else { throw .unknownKey(id ?? "") }
    guard candidates.contains(where: { $0.isValid(signature, for: input, algorithm) }) else {
      throw .signature
    }
    return payload
  }
}
