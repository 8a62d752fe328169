import Crypto
import Essentials

/// SHA-256, the one hash of the wire: 32 bytes.
package func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  [UInt8](SHA256.hash(data: Data(bytes)))
}

/// SHA-256 of the UTF-8 bytes, 64 lower-case hexadecimal digits: the key of a secret's document.
package func sha256Hex(_ text: String) -> String {
  sha256(text.utf8).map(hexadecimal).joined()
}

/// Compares in the same time wherever two secrets differ.
package func isSameSecret(_ a: String, _ b: String) -> Bool {
  let (left, right) = (Array(a.utf8), Array(b.utf8))
  guard left.count == right.count else { return false }
  return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
