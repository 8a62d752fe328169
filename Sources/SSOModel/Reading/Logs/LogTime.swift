/// The three formats of a time in the SDKs' log lines (docs/behaviour/real-logs.md §1), all in UTC.
extension LineBytes {
  /// Returns the time in `2024-05-06 07:08:09`, also with a `T` in between, or `05/06/2024 07:08:09`, and the index of
  /// its end.
  func moment(at start: Int) -> (Instant, end: Int)? {
    if let year = number(at: start, digits: 4), self[start + 4] == UInt8(ascii: "-") {
      return moment(year: year, month: start + 5, day: start + 8, time: start + 11)
    }
    guard self[start + 2] == UInt8(ascii: "/"), let year = number(at: start + 6, digits: 4) else {
      return nil
    }
    return moment(year: year, month: start, day: start + 3, time: start + 11)
  }

  private func moment(year: Int, month: Int, day: Int, time: Int) -> (Instant, end: Int)? {
    guard let month = number(at: month, digits: 2), let day = number(at: day, digits: 2),
      let second = secondOfDay(at: time), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return (Instant(year: year, month: month, day: day, second: second), time + 8)
  }

  /// Returns the time in `Fri, 12 Jun 2026 17:56:16 GMT` (RFC 9110 §5.6.7).
  func httpDate(at start: Int) -> Instant? {
    // A day of one digit has a leading zero, but not in every library.
    let digits = self[start + 6].isDigit ? 2 : 1
    guard let day = number(at: start + 5, digits: digits),
      let year = number(at: start + 10 + digits, digits: 4),
      let second = secondOfDay(at: start + 15 + digits)
    else { return nil }
    let months: [StaticString] = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard let month = months.firstIndex(where: { hasText($0, at: start + 6 + digits) }) else { return nil }
    return Instant(year: year, month: month + 1, day: day, second: second)
  }

  private func secondOfDay(at start: Int) -> Int? {
    guard let hour = number(at: start, digits: 2), let minute = number(at: start + 3, digits: 2),
      let second = number(at: start + 6, digits: 2), self[start + 2] == UInt8(ascii: ":"),
      self[start + 5] == UInt8(ascii: ":")
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}
