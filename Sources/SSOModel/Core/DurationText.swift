/// How exactly a length of time is said.
package enum DurationDetail: Sendable {
  /// `45s`, `59m`, `5h12m`, `13d4h`: the largest unit and the next; seconds below a minute only.
  case twoUnits
  /// `<1m`, `59m`, `5h`, `13d`: the largest unit, rounded down, and no seconds: for screens, which do not tick.
  case oneUnit
}

/// A length of time as it can be typed again (``parseDuration(_:)``), its sign left off.
///
/// Days are counted from 48 hours.
package func durationText(_ seconds: Int, _ detail: DurationDetail = .twoUnits) -> String {
  let size = seconds.magnitude
  let isShort = detail == .oneUnit
  switch size {
  case ..<60: return isShort ? "<1m" : "\(size)s"
  case ..<3600: return "\(size / 60)m"
  case ..<172_800:
    let minutes = size / 60 % 60
    return "\(size / 3600)h" + (isShort || minutes == 0 ? "" : "\(minutes)m")
  default:
    let hours = size / 3600 % 24
    return "\(size / 86_400)d" + (isShort || hours == 0 ? "" : "\(hours)h")
  }
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
