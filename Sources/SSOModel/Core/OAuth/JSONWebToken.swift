import Foundation

/// A signed token in its compact form: `header.claims.signature`, each base64url (RFC 7515 §7.1, RFC 7519).
package struct JSONWebToken: Hashable, Sendable {
  /// Why a text is not a token that may be trusted.
  package enum Refusal: Error, Hashable, Sendable {
    case tooLong, notThreeParts, notBase64URL, notJSON
    /// Any `alg` but those allowed, `none` included.
    case algorithm(String)
    case unknownKey(String)
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
    self = try Parts(compact).token
  }

  /// Reads what was signed RS256 by one of the keys; the header's `kid` says which (none: any).
  package init(verifying compact: String, keys: [TokenVerificationKey]) throws(Refusal) {
    try self.init(verifying: compact, keys: keys, allowing: [.rs256])
  }

  package init(
    verifying compact: String, keys: [TokenVerificationKey], allowing algorithms: Set<TokenAlgorithm>,
    anyKeyID: Bool = false
  ) throws(Refusal) {
    let parts = try Parts(compact)
    let name = parts.token.header["alg"]?.string ?? ""
    guard let algorithm = TokenAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
      throw .algorithm(name)
    }
    let id = anyKeyID ? nil : parts.token.header["kid"]?.string
    let candidates = keys.filter { id == nil || $0.id == id }
    guard !candidates.isEmpty else { throw .unknownKey(id ?? "") }
    guard candidates.contains(where: { $0.isValid(parts.signature, for: parts.input, algorithm) }) else {
      throw .signature
    }
    self = parts.token
  }

  /// Signs with `alg`, `kid` and `typ` set: sorted keys, integers, slashes as they are.
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

  private struct Parts {
    var token: JSONWebToken
    var input: Substring.UTF8View
    var signature: [UInt8]

    init(_ compact: String) throws(Refusal) {
      guard compact.utf8.count <= JSONWebToken.maximumLength else { throw .tooLong }
      let pieces = compact.utf8.split(
        separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false
      ).map(Substring.init)
      guard pieces.count == 3 else { throw .notThreeParts }
      guard let header = Base64URL.decode(pieces[0]), let claims = Base64URL.decode(pieces[1]),
        let signature = Base64URL.decode(pieces[2])
      else { throw .notBase64URL }
      guard let headerObject = JSONValue(bounded: header)?.object,
        let claimsObject = JSONValue(bounded: claims)?.object
      else { throw .notJSON }
      token = JSONWebToken(header: headerObject, claims: claimsObject)
      input = compact[..<pieces[1].endIndex].utf8
      self.signature = signature
    }
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
