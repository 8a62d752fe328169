import Essentials
import SSOCore
import SSOLab

/// Returns a duration in one unit: `59m`, `<1m`, `-12m`, or `13d`.
///
/// It never contains seconds, because the screens do not tick. A duration of less than a minute in the past counts as a
/// minute, because `-<1m` says nothing.
func shortDuration(_ seconds: Int) -> String {
  seconds < 0 ? "-" + durationText(min(seconds, -60), .oneUnit) : durationText(seconds, .oneUnit)
}

/// The format of times: the time left, the local time, or UTC.
package enum TimeStyle: String, CaseIterable, Sendable {
  case left, local, utc

  var next: TimeStyle {
    switch self {
    case .left: .local
    case .local: .utc
    case .utc: .left
    }
  }
}

/// The format of times on this terminal.
struct TimeDisplay: Equatable, Sendable {
  var style = TimeStyle.left
  /// The offset of the local time zone, in seconds east of UTC.
  var utcOffset = 0

  private var east: Int { style == .utc ? 0 : utcOffset }

  /// Returns a time by the clock that the user has chosen with `u`: local time or UTC.
  func clock(_ moment: Instant) -> String { moment.adding(seconds: east).timeOfDay }

  /// Returns the hour and the minute by this clock: `09:41`.
  func minute(_ moment: Instant) -> String { String(clock(moment).utf8.prefix(5)) ?? "" }

  /// Returns the lab's time at which the displayed data was read, to which each “59m” on the screen is relative.
  func labTime(_ now: Instant) -> String {
    "lab time " + minute(now) + (style == .utc ? " UTC" : "")
  }

  /// Returns a token's state with the time left or the time at which it expires.
  func text(of token: TokenRow) -> String {
    guard style != .left, let end = token.expiresOn else { return token.status.text }
    return String(token.status.text.prefix(2)) + clock(end)
  }
}

extension SharedState {
  /// Returns a time such as `10:00:04, in 59m`, with the date if it is not the day of the header's clock.
  func momentText(_ moment: Instant) -> String {
    guard let now = lab.status?.now else { return moment.iso8601 }
    let east = times.style == .utc ? 0 : times.utcOffset
    let (day, today) = (
      moment.adding(seconds: east).iso8601.prefix(10), now.adding(seconds: east).iso8601.prefix(10)
    )
    return (day == today ? "" : day + " ") + times.clock(moment) + ", " + distance(now.seconds(until: moment))
  }
}

private func distance(_ left: Int) -> String {
  switch left {
  case -59...0: "just now"
  case ..<0: "\(shortDuration(-left)) ago"
  default: "in \(shortDuration(left))"
  }
}
