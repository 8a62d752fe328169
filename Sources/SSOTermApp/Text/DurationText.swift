import Essentials

/// A duration in one unit: `59m`, `<1m`, `-12m`, `13d`.
///
/// No seconds: the screens do not tick. What has been over for less than a minute has been for one: `-<1m` says nothing.
func shortDuration(_ seconds: Int) -> String {
  seconds < 0 ? "-" + durationText(min(seconds, -60), .oneUnit) : durationText(seconds, .oneUnit)
}

/// How moments are shown: the time left, or the clock here or in Greenwich.
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

/// `09:41:07`, in the zone that is so many seconds east.
func clockText(_ moment: Instant, east: Int = 0) -> String {
  String(moment.adding(seconds: east).iso8601.suffix(9).dropLast())
}

/// How this terminal shows moments.
struct TimeDisplay: Equatable, Sendable {
  var style = TimeStyle.left
  /// Seconds that the local time zone is east.
  var utcOffset = 0

  private var east: Int { style == .utc ? 0 : utcOffset }

  /// A moment by the clock that the person has chosen with `u`: the one here, or Greenwich's.
  func clock(_ moment: Instant) -> String { clockText(moment, east: east) }

  /// The lab's time at which what is shown was read; every "59m" on the screen is from then.
  func labTime(_ now: Instant) -> String {
    "lab time " + String(clock(now).prefix(5)) + (style == .utc ? " UTC" : "")
  }

  /// A token's state with the time left, or the moment it ends.
  func text(of token: TokenRow) -> String {
    guard style != .left, let end = token.expiresOn else { return token.standing.text }
    return String(token.standing.text.prefix(2)) + clock(end)
  }
}

extension SharedState {
  /// `10:00:04, in 59m`; with the date if it is not the day of the header's clock.
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
