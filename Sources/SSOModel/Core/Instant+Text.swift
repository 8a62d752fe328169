extension Instant {
  /// The time as Entra writes it: `2026-11-21 09:41:07Z`.
  package var words: String { text(between: " ") }

  /// The time in ISO 8601 format: `2026-11-21T09:41:07Z`.
  package var iso8601: String { text(between: "T") }

  /// Creates an instant from ISO 8601, or returns `nil` for any other text: `2024-05-06T07:08:09Z`, with a fraction of a
  /// second and an offset (`.123+02:00`) or neither.
  package init?(iso8601 text: some StringProtocol) {
    var rest = text[...]
    /// Takes digits and what follows them.
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
