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

extension Instant {
  /// The time as Entra writes it: `2026-11-21 09:41:07Z`.
  package var displayText: String { text(between: " ") }

  /// The time in ISO 8601 format: `2026-11-21T09:41:07Z`.
  package var iso8601: String { text(between: "T") }

  /// The time with seven digits of the second, as in Entra's sentences: `2026-11-21T09:41:07.2500000Z`.
  package var ticks: String {
    let fraction = Int(milliseconds - milliseconds.floorDividing(by: 1000) * 1000)
    return iso8601.dropLast() + "." + fraction.padded(3) + "0000Z"
  }

  /// The time as Entra's sentences about keys have it: `11/21/2026 09:41:07`.
  package var americanText: String {
    let (year, month, day) = Self.civil(daysSince1970: daysAndSecond.days)
    return twoDigits(month, day, joinedBy: "/") + "/" + year.padded(4) + " " + timeOfDay
  }

  /// Creates an instant from ISO 8601, or returns `nil` for any other text: `2024-05-06T07:08:09Z`, with a fraction of a
  /// second and an offset (`.123+02:00`) or neither.
  package init?(iso8601 text: some StringProtocol) {
    var rest = text[...]
    /// Consumes digits and the text that must follow them.
    func number(_ digits: Int, _ end: String = "") -> Int? {
      let found = rest.prefix(digits)
      guard found.utf8.count == digits, found.allSatisfy({ $0.isASCII && $0.isNumber }),
        rest.dropFirst(digits).hasPrefix(end)
      else { return nil }
      rest = rest.dropFirst(digits + end.count)
      return Int(found)
    }
    guard let year = number(4, "-"), let month = number(2, "-"), let day = number(2, "T"),
      let hour = number(2, ":"), let minute = number(2, ":"), let second = number(2),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var milliseconds = 0
    if rest.hasPrefix(".") {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      guard let fraction = Int((digits + "00").prefix(3)), !digits.isEmpty else { return nil }
      (milliseconds, rest) = (fraction, rest.dropFirst(1 + digits.count))
    }
    var offset = 0
    if let sign = rest.first, sign == "+" || sign == "-" {
      rest = rest.dropFirst()
      guard let hours = number(2, ":"), let minutes = number(2) else { return nil }
      offset = (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
    } else if rest == "Z" {
      rest = rest.dropFirst()
    }
    guard rest.isEmpty else { return nil }
    let start = Instant(year: year, month: month, day: day, second: hour * 3600 + minute * 60 + second)
    self = start.adding(seconds: -offset).adding(milliseconds: Int64(milliseconds))
  }

  /// Creates an instant from a date of the Gregorian calendar and a second of that day, in UTC.
  ///
  /// Days are counted in eras of 400 years that begin on 1 March.
  package init(year: Int, month: Int, day: Int, second: Int) {
    let year = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = year.quotientFloored(by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init((era * 146_097 + dayOfEra - 719_468) * 86_400 + second)
  }

  /// `Sat, 21 Nov 2026 09:41:07 GMT` (RFC 9110 §5.6.7).
  package var httpDate: String {
    let days = daysAndSecond.days
    let (year, month, date) = Self.civil(daysSince1970: days)
    let day = Self.days[days.quotientFloored(by: 7).1]
    return "\(day), \(date.padded(2)) \(Self.months[month - 1]) \(year.padded(4)) \(timeOfDay) GMT"
  }

  /// The names of the weekdays, starting with that of 1 January 1970.
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func text(between separator: String) -> String {
    let (year, month, day) = Self.civil(daysSince1970: daysAndSecond.days)
    return year.padded(4) + "-" + twoDigits(month, day, joinedBy: "-") + separator + timeOfDay + "Z"
  }

  /// The time of day: `09:41:07`.
  package var timeOfDay: String {
    let second = daysAndSecond.second
    return twoDigits(second / 3600, second / 60 % 60, second % 60, joinedBy: ":")
  }

  /// The days since 1970 and the second of the day.
  private var daysAndSecond: (days: Int, second: Int) { seconds.quotientFloored(by: 86400) }

  /// Converts days to a date of the Gregorian calendar, in eras of 400 years that begin on 1 March.
  private static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).quotientFloored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}

/// Writes numbers below 100 with two digits each.
///
/// It is written by hand because a date formatter costs more than an entire silent call, and each frame has times.
private func twoDigits(_ numbers: Int..., joinedBy separator: Unicode.Scalar) -> String {
  String(unsafeUninitializedCapacity: 3 * numbers.count) { bytes in
    var count = 0
    for number in numbers {
      if count > 0 {
        bytes[count] = UInt8(separator.value)
        count += 1
      }
      bytes[count] = UInt8(ascii: "0") + UInt8(number / 10)
      bytes[count + 1] = UInt8(ascii: "0") + UInt8(number % 10)
      count += 2
    }
    return count
  }
}

extension Int {
  fileprivate func quotientFloored(by divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  fileprivate func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}

/// The precision of a formatted duration.
package enum DurationDetail: Sendable {
  /// `45s`, `59m`, `5h12m`, `13d4h`: the two largest units, with seconds only for less than a minute.
  case twoUnits
  /// `<1m`, `59m`, `75m`, `5h`, `13d`: one unit without seconds, for screens, which do not update every second.
  case oneUnit
}

/// Returns a formatted duration without its sign, in the syntax of ``parseDuration(_:)`` (except for `<1m`).
///
/// Values are rounded to the nearest multiple of the smallest unit shown, so that a token issued for an hour still
/// shows an hour, and not 59 minutes, a second later. Half a unit is rounded up, but less than a minute is never
/// rounded up to a minute. Hours are used from 60 minutes, and days from 48 hours. With one unit, minutes go up to 99,
/// because an access token is valid for 60 to 90 minutes and "2h" would promise too much; only 60 minutes become `1h`.
package func durationText(_ seconds: Int, _ detail: DurationDetail = .twoUnits) -> String {
  let size = seconds.magnitude
  guard size >= 60 else { return detail == .oneUnit ? "<1m" : "\(size)s" }
  let (minutes, hours, days) = (size.nearest(60), size.nearest(3600), size.nearest(86_400))
  switch detail {
  case .oneUnit:
    if minutes < 100 { return minutes == 60 ? "1h" : "\(minutes)m" }
    return hours < 48 ? "\(hours)h" : "\(days)d"
  case .twoUnits:
    if minutes < 60 { return "\(minutes)m" }
    let (count, rest) = (hours < 48 ? minutes : hours).quotientAndRemainder(dividingBy: hours < 48 ? 60 : 24)
    let (unit, restUnit) = hours < 48 ? ("h", "m") : ("d", "h")
    return "\(count)\(unit)" + (rest == 0 ? "" : "\(rest)\(restUnit)")
  }
}

extension UInt {
  /// Returns the number of units, rounded to the nearest integer.
  fileprivate func nearest(_ unit: UInt) -> UInt { self / unit + (self % unit >= (unit + 1) / 2 ? 1 : 0) }
}

/// Returns the time until an expiry, such as `59 s left`, or the time since it, such as `expired 24h ago`.
package func timeLeftText(_ seconds: Int) -> String {
  seconds > 0 ? "\(seconds) s left" : "expired \(durationText(seconds)) ago"
}

/// Returns the signed difference between the lab's clock and real time, such as `+1h`, `-30m`, or `+2h5m`.
package func offsetText(_ seconds: Int) -> String { (seconds < 0 ? "-" : "+") + durationText(seconds) }

/// Returns a duration in seconds, or `nil` if the text is not a duration.
///
/// Accepts `90s`, `10m`, `+1h`, `-30m`, `2d`, and combinations such as `1h30m`.
package func parseDuration(_ text: String) -> Int? {
  var rest = text[...]
  let negative = rest.hasPrefix("-")
  if negative || rest.hasPrefix("+") { rest.removeFirst() }
  var total = 0
  guard !rest.isEmpty else { return nil }
  while !rest.isEmpty {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    let unit = rest.dropFirst(digits.count).first
    guard let number = Int(digits), let unit, let size = unitSeconds[unit] else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: size)
    let (sum, overflowAgain) = total.addingReportingOverflow(product)
    guard !overflow, !overflowAgain else { return nil }
    total = sum
    rest = rest.dropFirst(digits.count + 1)
  }
  return negative ? -total : total
}

private let unitSeconds: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
