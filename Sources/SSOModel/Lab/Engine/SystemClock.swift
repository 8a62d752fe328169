import Essentials
import SSOCore

/// The only place in the model that gets the time, a seed, and a key from the system.
package enum SystemClock {
  package static func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  static func seed() -> UInt64 { UInt64.random(in: .min ... .max) }
  /// Returns 256 random bits, for values that an external client receives.
  static func randomness() -> Randomness {
    // Each random number is a system call, whatever its size.
    Randomness(
      key: (0..<4).flatMap { _ in withUnsafeBytes(of: UInt64.random(in: .min ... .max), Array.init) })
  }
}
