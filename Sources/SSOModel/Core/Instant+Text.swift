extension Instant {
  /// The time as Entra writes it: `2026-11-21 09:41:07Z`.
  package var words: String { text(between: " ") }

  /// The time in ISO 8601 format: `2026-11-21T09:41:07Z`.
  package var iso8601: String { text(between: "T") }

  /// The time as an HTTP date: `Sat, 21 Nov 2026 09:41:07 GMT` (RFC 9110 §5.6.7).
  package var httpDate: String {
    let (days, clock) = daysAndClock
    let (year, month, date) = Self.civil(daysSince1970: days)
    let day = Self.days[days.quotientFloored(by: 7).1]
    return "\(day), \(date.padded(2)) \(Self.months[month - 1]) \(year.padded(4)) \(clock) GMT"
  }

  /// The names of the weekdays, starting with that of 1 January 1970.
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func text(between separator: String) -> String {
    let (days, clock) = daysAndClock
    let (year, month, date) = Self.civil(daysSince1970: days)
    return "\(year.padded(4))-\(month.padded(2))-\(date.padded(2))\(separator)\(clock)Z"
  }

  /// The days since 1970 and the time of day, computed by hand because a date formatter costs more than an entire
  /// silent call.
  private var daysAndClock: (days: Int, clock: String) {
    let (days, second) = seconds.quotientFloored(by: 86400)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(2) }.joined(separator: ":")
    return (days, clock)
  }

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
