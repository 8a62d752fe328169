import Crypto
import Essentials

/// A random number generator whose sequence its initial state determines.
///
/// Given a seed, it is SplitMix64: the same seed and the same intents give the same lab and the same trace
/// (ARCHITECTURE.md), so its output can be computed from the scenario. Given a key of 256 bits, it is HMAC-SHA256 of a
/// counter: codes and tokens for external clients come from such a generator, with a new key for each request.
package struct Randomness: RandomNumberGenerator, Codable, Hashable, Sendable {
  /// The state of SplitMix64, or the number of blocks that the key has produced.
  package private(set) var state: UInt64
  /// The 32-byte key, or `nil` for SplitMix64.
  private var key: [UInt8]?

  package init(seed: UInt64) { state = seed }

  /// Creates a generator from a key of 32 secret bytes.
  package init(key: [UInt8]) { (state, self.key) = (0, key) }

  package mutating func next() -> UInt64 {
    if let key { return block(key).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns the next `count` bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    guard let key else { return (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) } }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += block(key) }
    return Array(bytes.prefix(count))
  }

  /// Returns the next block of 32 bytes.
  private mutating func block(_ key: [UInt8]) -> [UInt8] {
    state &+= 1
    let counter = withUnsafeBytes(of: state.bigEndian) { Array($0) }
    return Array(HMAC<SHA256>.authenticationCode(for: counter, using: SymmetricKey(data: key)))
  }

  /// Returns 32 bytes that depend on the state and the key, without changing the numbers that follow.
  ///
  /// A lab that requests them still follows from its seed in the same way.
  package func derivedBytes(_ purpose: String) -> [UInt8] {
    let start = withUnsafeBytes(of: state.bigEndian) { Array($0) }
    return Array(
      HMAC<SHA256>.authenticationCode(for: Array(purpose.utf8) + start, using: SymmetricKey(data: key ?? [])))
  }

  /// Returns a version 4 UUID in lowercase, as Entra writes object and tenant IDs.
  package mutating func uuid() -> String {
    var raw = bytes(16)
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    return uuidText(raw)
  }

  /// Returns a version 4 UUID in uppercase, as NSUUID writes correlation IDs and nonces.
  package mutating func upperUUID() -> String { uuid().uppercased() }
}

/// Returns two lowercase hexadecimal digits.
package func hexadecimal(_ byte: UInt8) -> String { hexadecimal(bytes: [byte]) }

/// Returns two lowercase hexadecimal digits for each byte.
package func hexadecimal(bytes: [UInt8]) -> String { hexadecimal(bytes, dashesBefore: []) }

/// Returns the text of a UUID of 16 bytes in lowercase (RFC 9562 §4).
package func uuidText(_ bytes: [UInt8]) -> String { hexadecimal(bytes, dashesBefore: [4, 6, 8, 10]) }

private func hexadecimal(_ bytes: [UInt8], dashesBefore places: [Int]) -> String {
  String(unsafeUninitializedCapacity: 2 * bytes.count + places.count) { text in
    var end = 0
    func append(_ digit: UInt8) {
      text[end] = digit
      end += 1
    }
    for (place, byte) in bytes.enumerated() {
      if places.contains(place) { append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 15] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
    return end
  }
}

/// The generator that everything inside one intent shares, so that numbers are drawn in a single order.
package final class RandomSource {
  package var source: Randomness
  package init(_ source: Randomness) { self.source = source }

  /// Returns a version 4 UUID in lowercase.
  package func uuid() -> String { source.uuid() }
  /// Returns a version 4 UUID in uppercase, as iOS writes it.
  package func upperUUID() -> String { source.upperUUID() }
  package func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
  /// Returns 32 bytes for one purpose, without advancing the source.
  package func derivedBytes(_ purpose: String) -> [UInt8] { source.derivedBytes(purpose) }
}
