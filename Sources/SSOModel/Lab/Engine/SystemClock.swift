import Essentials

/// The only place of the model that asks the system for the time, a seed and a key.
package enum SystemClock {
  package static func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  static func seed() -> UInt64 { UInt64.random(in: .min ... .max) }
  /// 256 bits, for what an external client is given.
  static func randomness() -> Randomness {
    Randomness(key: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }
}
