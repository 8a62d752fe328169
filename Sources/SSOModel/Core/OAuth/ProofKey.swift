/// Proof Key for Code Exchange (RFC 7636): the app keeps the verifier and sends its hash first.
package struct ProofKey: Hashable, Sendable {
  /// The code verifier: 43 to 128 characters of `A-Za-z0-9-._~`.
  package var verifier: String

  package init(verifier: String) { self.verifier = verifier }

  /// Creates a verifier from 32 random bytes.
  package init(random: [UInt8]) { verifier = Base64URL.encode(random) }

  /// The `code_challenge` of method `S256`: base64url(SHA-256(verifier)), 43 characters.
  package var challenge: String { Base64URL.encode(sha256(verifier.utf8)) }

  /// Returns whether the text has the form of a verifier (RFC 7636 §4.1).
  package static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._~".unicodeScalars.contains($0))
      }
  }
}
