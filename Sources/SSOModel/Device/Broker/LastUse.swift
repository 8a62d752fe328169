import SSOCore

/// When the broker last got tokens with an account, and for which app.
package struct LastUse: Hashable, Sendable {
  package var at: Instant
  /// The name of the app; nil in an account that an older version stored.
  package var app: String?
  /// Seconds from then to the moment at which the picker was made.
  package var secondsAgo: Int

  /// `last used just now by My Test App 1`, `last used 2h ago by …`.
  package var words: String {
    let when = secondsAgo < 60 ? "just now" : durationText(secondsAgo, .oneUnit) + " ago"
    return "last used \(when)" + (app.map { " by \($0)" } ?? "")
  }
}
