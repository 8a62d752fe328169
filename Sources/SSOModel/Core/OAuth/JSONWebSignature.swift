/// Signed bytes in compact form: `header.payload.signature`, each base64url (RFC 7515 §7.1).
package struct JSONWebSignature: Sendable {
  package typealias Refusal = JSONWebToken.Refusal

  package let header: [String: JSONValue]
  /// The signed payload, which must not be read before `verify`.
  let payload: [UInt8]
  /// The signed input: the header and payload as they were sent.
  private let input: Substring.UTF8View
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
    input = compact[..<pieces[1].endIndex].utf8
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
