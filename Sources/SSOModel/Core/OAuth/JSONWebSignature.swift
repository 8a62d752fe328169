/// Signed bytes in compact form: `header.payload.signature`, each base64url (RFC 7515 §7.1).
package struct JSONWebSignature: Sendable {
  package typealias Refusal = JSONWebToken.Refusal

  package let header: [String: JSONValue]
  /// Not to be read before `verify`.
  let payload: [UInt8]
  /// What is signed: header and payload as they were sent.
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

  /// The payload, once one of the keys fits.
  ///
  /// Keys come from the caller: `jwk`, `jku` and `x5u` of the header are not read (RFC 8725 §3.10).
  ///
  /// With `anyKeyID` the header's `kid` is ignored; otherwise it names the key, and a token without `kid` may fit any key.
  /// - Throws: `Refusal`: the algorithm is not allowed, or no key fits.
  @discardableResult
  package func verify(
    keys: [TokenVerificationKey], allowing algorithms: Set<TokenAlgorithm>, anyKeyID: Bool = false
  ) throws(Refusal) -> [UInt8] {
    let name = header["alg"]?.string ?? ""
    guard let algorithm = TokenAlgorithm(rawValue: name), algorithms.contains(algorithm) else {
      throw .algorithm(name)
    }
    // RFC 7515 §4.1.11: who does not know an extension that is critical refuses; none is known here.
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
