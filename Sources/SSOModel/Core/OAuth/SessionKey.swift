import Crypto
import Essentials

/// The session key of a primary refresh token: 32 bytes that the broker and the provider know.
///
/// It does not sign anything itself. Each signature uses its own key, derived from the session key (NIST SP 800-108
/// §4.1, counter mode with HMAC-SHA256, one block; [MS-OAPXBC]).
package struct SessionKey: Hashable, Sendable {
  /// The `kdf_ver` value, which determines the context of the derivation.
  package enum DerivationVersion: Int, CaseIterable, Sendable {
    /// The context is the random bytes `ctx` of the token's header.
    case one = 1
    /// The context is SHA-256 of `ctx` and the payload, so that a derived key signs only this payload.
    case two = 2
  }

  private static let label = "AzureAD-SecureConversation"

  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a key from base64url (`TokenResponse.sessionKey`), or returns `nil` if it is not 32 bytes long.
  package init?(encoded: String) {
    guard let bytes = Base64URL.decode(encoded), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Returns the key for one signature, which is 32 bytes long.
  ///
  /// `context` is the header's `ctx`, and `payload` is the JSON of the claims, both decoded.
  package func derivedKey(
    context: [UInt8], payload: [UInt8], _ version: DerivationVersion
  ) -> [UInt8] {
    let context = version == .one ? context : sha256(context + payload)
    // Counter 1 and the length in bits, both as 32-bit big-endian integers.
    let block = [0, 0, 0, 1] + Array(Self.label.utf8) + [0] + context + [0, 0, 1, 0]
    return Array(HMAC<SHA256>.authenticationCode(for: block, using: SymmetricKey(data: bytes)))
  }
}
