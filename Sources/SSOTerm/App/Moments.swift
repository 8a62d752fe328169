import SSOModel

extension AppModel {
  /// A moment by the clock that the person has chosen with `u`: the one here, or Greenwich's.
  func clock(_ moment: Instant) -> String { clockText(moment, east: timeStyle == .utc ? 0 : utcOffset) }

  /// When what is shown was read; every "59m" on the screen is from then.
  var asOf: String? {
    status.map { "as of " + clock($0.now).prefix(5) + (timeStyle == .utc ? " UTC" : "") }
  }
}
