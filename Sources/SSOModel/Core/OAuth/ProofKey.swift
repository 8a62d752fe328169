/// Proof Key for Code Exchange (RFC 7636): the app keeps the verifier and sends its hash first.
package struct ProofKey: Hashable, Sendable {
  /// 43 to 128 characters of `A-Za-z0-9-._~`.
  package var verifier: String

  package init(verifier: String) { self.verifier = verifier }

  /// A new one from 32 random bytes.
  package init(random: [UInt8]) { verifier = Base64URL.encode(random) }

  /// `code_challenge` of method `S256`: base64url(SHA-256(verifier)), 43 characters.
  package var challenge: String { Base64URL.encode(sha256(verifier.utf8)) }

  /// Whether the text has the shape of a verifier (RFC 7636 §4.1).
  package static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._~".unicodeScalars.contains($0))
      }
  }
}
