import Foundation

/// The only place of the model that asks the system for the time and for a seed.
package enum SystemClock {
  package static func now() -> Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  static func seed() -> UInt64 { UInt64.random(in: .min ... .max) }
}
