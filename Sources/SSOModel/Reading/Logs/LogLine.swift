import SSOCore

/// One recognised line, with the ranges of its parts.
///
/// Nothing is copied: the bytes are in the ``LineBytes`` from which the line was read.
struct LogLine {
  var kind: LogKind
  var at: Instant?
  var level: LogLevel?
  /// The ID that all lines of one call share, or `nil` if it is missing or `UNSET`.
  var correlation: Range<Int>?
  var thread: Range<Int>?
  var message: Range<Int>
  /// Whether ADAL wrote it, whose lines have the form of MSAL's.
  var isOfADAL = false

  init(_ kind: LogKind, at: Instant? = nil, message: Range<Int>) {
    self.kind = kind
    self.at = at
    self.message = message
  }
}
