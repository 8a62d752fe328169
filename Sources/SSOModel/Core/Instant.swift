/// A point in time on the lab's clock, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The user can move the lab's clock, so model code never reads the system clock (ARCHITECTURE.md); it takes an
/// `Instant` as a parameter. Values more than three million years away are clamped, whatever a cache, a token, or a row
/// of the store contains, so adding a duration to an instant never overflows.
package struct Instant: Hashable, Comparable, Codable, Sendable {
  package let milliseconds: Int64

  private static let limit = 100_000_000_000_000

  package init(milliseconds: Int64) {
    let limit = Int64(Self.limit) * 1000
    self.milliseconds = min(max(milliseconds, -limit), limit)
  }
  package init(_ seconds: Int) { milliseconds = Int64(Self.clamped(seconds)) * 1000 }

  private static func clamped(_ seconds: Int) -> Int { min(max(seconds, -limit), limit) }

  /// The whole seconds since 1970, rounded down, which is the unit of every token's lifetime.
  package var seconds: Int { Int(milliseconds.floorDividing(by: 1000)) }

  package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  package func adding(seconds: Int) -> Instant {
    Instant(milliseconds: milliseconds + Int64(Self.clamped(seconds)) * 1000)
  }
  package func adding(milliseconds count: Int64) -> Instant { Instant(milliseconds: milliseconds + count) }
  /// Returns the whole seconds from this instant to `other`, which are negative if `other` is earlier.
  package func seconds(until other: Instant) -> Int { other.seconds - seconds }

  package init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension Int64 {
  func floorDividing(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
