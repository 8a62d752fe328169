import Crypto
import Essentials

/// Returns the SHA-256 hash (32 bytes), the only hash that occurs on the wire.
package func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  [UInt8](SHA256.hash(data: Data(bytes)))
}

/// Returns the SHA-256 hash of the UTF-8 bytes as 64 lowercase hexadecimal digits, the document key of a secret.
package func sha256Hex(_ text: String) -> String {
  sha256(text.utf8).map(hexadecimal).joined()
}

/// Returns whether two secrets are equal, in a time that does not depend on where they differ.
package func isSameSecret(_ a: String, _ b: String) -> Bool {
  let (left, right) = (Array(a.utf8), Array(b.utf8))
  guard left.count == right.count else { return false }
  return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
