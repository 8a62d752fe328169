/// The lab's only source of random numbers: SplitMix64, seeded, so that the same seed and the same intents give
/// the same world and the same trace (ARCHITECTURE.md). Not for real secrets: what it makes protects nothing
/// outside the simulation.
package struct Randomness: RandomNumberGenerator, Codable, Equatable, Sendable {
  package private(set) var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
  }

  /// A version 4 UUID in lower case, as Entra writes object and tenant IDs.
  package mutating func uuid() -> String {
    var raw = bytes(16)
    raw[6] = raw[6] & 0x0F | 0x40
    raw[8] = raw[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in raw.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += hexadecimal(byte)
    }
    return text
  }

  /// A version 4 UUID in upper case, as NSUUID writes correlation IDs and nonces.
  package mutating func upperUUID() -> String { uuid().uppercased() }
}

/// Two lower-case hexadecimal digits.
package func hexadecimal(_ byte: UInt8) -> String {
  let text = String(byte, radix: 16)
  return byte < 16 ? "0" + text : text
}
