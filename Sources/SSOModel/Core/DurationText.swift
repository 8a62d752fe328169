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
