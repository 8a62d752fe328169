import SSOCore

/// The time at which the broker last acquired tokens with an account, and the app that received them.
package struct LastUse: Hashable, Sendable {
  package var at: Instant
  /// The name of the app, or `nil` in an account that an older version stored.
  package var app: String?
  /// The seconds from that time to the creation of the picker.
  package var secondsAgo: Int

  /// A description such as `last used just now by My Test App 1` or `last used 2h ago by …`.
  package var words: String {
    let when = secondsAgo < 60 ? "just now" : durationText(secondsAgo, .oneUnit) + " ago"
    return "last used \(when)" + (app.map { " by \($0)" } ?? "")
  }
}
