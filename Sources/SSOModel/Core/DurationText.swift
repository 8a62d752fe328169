/// How exactly a length of time is said.
package enum DurationDetail: Sendable {
  /// `45s`, `59m`, `5h12m`, `13d4h`: the largest unit and the next; seconds below a minute only.
  case twoUnits
  /// `<1m`, `59m`, `75m`, `5h`, `13d`: one unit and no seconds: for screens, which do not tick.
  case oneUnit
}

/// A length of time as it can be typed again (``parseDuration(_:)``), its sign left off.
///
/// Every figure is rounded to the nearest of the smallest unit that is shown, so that what was given for an hour is an
/// hour, and not 59 minutes, a second later; half a unit is rounded up, and less than a minute is never called one.
/// Hours are counted from 60 minutes, days from 48 hours. In one unit minutes go on to 99, because an access token is valid for
/// 60 to 90 of them and "2h" would promise too much; only 60 of them are `1h`.
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
  /// How many units it is, to the nearest.
  fileprivate func nearest(_ unit: UInt) -> UInt { self / unit + (self % unit >= (unit + 1) / 2 ? 1 : 0) }
}

/// `+1h`, `-30m`, `+2h5m`: how far the lab's clock is from real time.
package func offsetText(_ seconds: Int) -> String { (seconds < 0 ? "-" : "+") + durationText(seconds) }

/// `90s`, `10m`, `+1h`, `-30m`, `2d`, also together as `1h30m`, in seconds.
///
/// Nil for any other text.
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
