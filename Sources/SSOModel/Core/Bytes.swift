import Crypto
import Essentials

/// Base64 with `-` and `_` and without padding (RFC 4648 §5, RFC 7515 §2).
///
/// A hand-written implementation on the bytes in memory, because searching each token for `+`, `/`, and `=` took a twentieth
/// of the time of a refresh, and asking a generic sequence for each byte a thirtieth.
package enum Base64URL {
  private static let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  /// Returns the base64url encoding of the bytes, without padding (RFC 4648 §5, RFC 7515 §2).
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable(text) ?? Array(bytes).withUnsafeBufferPointer(text)
  }

  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    let digits = digits.utf8Start
    return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
      var length = 0
      var bits: UInt32 = 0
      var count: UInt32 = 0
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
          count -= 6
          text[length] = digits[Int(bits >> count & 63)]
          length += 1
        }
      }
      if count > 0 {
        text[length] = digits[Int(bits << (6 - count) & 63)]
        length += 1
      }
      return length
    }
  }

  /// Returns the decoded bytes, or `nil` if the text contains any other character (including padding) or has an
  /// impossible length.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    text.utf8.withContiguousStorageIfAvailable(bytes) ?? Array(text.utf8).withUnsafeBufferPointer(bytes)
  }

  private static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    // A single digit left over from the groups of four does not encode a byte.
    guard text.count % 4 != 1 else { return nil }
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, length in
      var bits: UInt32 = 0
      var count: UInt32 = 0
      for digit in text {
        guard let value = value(of: digit) else {
          isValid = false
          return
        }
        bits = bits << 6 | value
        count += 6
        if count >= 8 {
          count -= 8
          bytes[length] = UInt8(truncatingIfNeeded: bits >> count)
          length += 1
        }
      }
    }
    return isValid ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case 0x41...0x5A: UInt32(digit) - 0x41
    case 0x61...0x7A: UInt32(digit) - 0x61 + 26
    case 0x30...0x39: UInt32(digit) - 0x30 + 52
    case 0x2D: 62
    case 0x5F: 63
    default: nil
    }
  }
}

/// Returns the SHA-256 hash (32 bytes), the only hash that occurs on the wire.
package func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  [UInt8](SHA256.hash(data: Data(bytes)))
}

/// Returns the SHA-256 hash of the UTF-8 bytes as 64 lowercase hexadecimal digits, the document key of a secret.
package func sha256Hex(_ text: String) -> String {
  hexadecimal(bytes: sha256(text.utf8))
}

/// Returns whether two secrets are equal, in a time that does not depend on where they differ.
package func isSameSecret(_ a: String, _ b: String) -> Bool {
  let (left, right) = (Array(a.utf8), Array(b.utf8))
  guard left.count == right.count else { return false }
  return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
