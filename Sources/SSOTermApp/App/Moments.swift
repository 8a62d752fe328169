import Foundation
import SSOCore
import SSOLab

extension AppModel {
  /// A moment by the clock that the person has chosen with `u`: the one here, or Greenwich's.
  func clock(_ moment: Instant) -> String { clockText(moment, east: timeStyle == .utc ? 0 : utcOffset) }

  /// When what is shown was read; every "59m" on the screen is from then.
  var asOf: String? {
    status.map { "as of " + clock($0.now).prefix(5) + (timeStyle == .utc ? " UTC" : "") }
  }

  /// `10:00:04, in 59m`; with the date if it is not the day of the header's clock.
  func momentText(_ moment: Instant) -> String {
    guard let now = status?.now else { return moment.iso8601 }
    let east = timeStyle == .utc ? 0 : utcOffset
    let (day, today) = (
      moment.adding(seconds: east).iso8601.prefix(10), now.adding(seconds: east).iso8601.prefix(10)
    )
    return (day == today ? "" : day + " ") + clock(moment) + ", "
      + Self.distance(now.seconds(until: moment))
  }

  private static func distance(_ left: Int) -> String {
    switch left {
    case -59...0: "just now"
    case ..<0: "\(shortDuration(-left)) ago"
    default: "in \(shortDuration(left))"
    }
  }

  /// A trace's title with names instead of bundle IDs.
  func named(_ title: String) -> String {
    for app in appRows where title.hasSuffix(app.bundleID) || title.contains(app.bundleID + " ") {
      guard let range = title.range(of: app.bundleID) else { continue }
      return title.replacingCharacters(in: range, with: app.displayName)
    }
    return title
  }
}
