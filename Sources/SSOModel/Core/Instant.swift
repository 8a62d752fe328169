/// A moment of the lab's clock, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The lab's clock may be moved by hand, so nothing in the model asks the system for the time
/// (ARCHITECTURE.md); it is handed in. A moment beyond three million years either way is cut to that, whatever a cache,
/// a token or a row of the store says, so no sum of moments and lengths of time overflows.
package struct Instant: Hashable, Comparable, Codable, Sendable {
  package let milliseconds: Int64

  private static let limit = 100_000_000_000_000

  package init(milliseconds: Int64) {
    let limit = Int64(Self.limit) * 1000
    self.milliseconds = min(max(milliseconds, -limit), limit)
  }
  package init(_ seconds: Int) { milliseconds = Int64(Self.clamped(seconds)) * 1000 }

  private static func clamped(_ seconds: Int) -> Int { min(max(seconds, -limit), limit) }

  /// Whole seconds since 1970, rounded down: the unit of every token's lifetime.
  package var seconds: Int { Int(milliseconds.floorDividing(by: 1000)) }

  package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  package func adding(seconds: Int) -> Instant {
    Instant(milliseconds: milliseconds + Int64(Self.clamped(seconds)) * 1000)
  }
  package func adding(milliseconds count: Int64) -> Instant { Instant(milliseconds: milliseconds + count) }
  /// Whole seconds from this one to `other`; negative if `other` is earlier.
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
