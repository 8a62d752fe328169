import Essentials
import SSOCore

/// The only place in the model that gets the time, a seed, and a key from the system.
package enum SystemClock {
  package static func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  static func seed() -> UInt64 { UInt64.random(in: .min ... .max) }
  /// Returns 256 random bits, for values that an external client receives.
  static func randomness() -> Randomness {
    Randomness(key: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
  }
}
