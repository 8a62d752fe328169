import Crypto
import Essentials

/// The session key that belongs to a primary refresh token: 32 bytes that the broker and the provider know.
///
/// It signs nothing itself. Each signature has a key of its own, derived from it (NIST SP 800-108 §4.1, counter mode with
/// HMAC-SHA256, one block; [MS-OAPXBC]).
package struct SessionKey: Hashable, Sendable {
  /// `kdf_ver`: what the derivation has as context.
  package enum DerivationVersion: Int, CaseIterable, Sendable {
    /// The random bytes `ctx` of the token's header.
    case one = 1
    /// SHA-256 of `ctx` and the payload, so that a derived key signs this payload only.
    case two = 2
  }

  private static let label = "AzureAD-SecureConversation"

  private let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter encoded: base64url, as `TokenResponse.sessionKey` has it; nil unless it is 32 bytes.
  package init?(encoded: String) {
    guard let bytes = Base64URL.decode(encoded), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The key of one signature, 32 bytes.
  ///
  /// `context` is `ctx` of the header and `payload` the JSON of the claims, both decoded.
  package func derivedKey(
    context: [UInt8], payload: [UInt8], _ version: DerivationVersion
  ) -> [UInt8] {
    let context = version == .one ? context : sha256(context + payload)
    // Counter 1 and the length in bits, both as 32 bits with the highest byte first.
    let block = [0, 0, 0, 1] + Array(Self.label.utf8) + [0] + context + [0, 0, 1, 0]
    return Array(HMAC<SHA256>.authenticationCode(for: block, using: SymmetricKey(data: bytes)))
  }
}
