/// The kinds of log lines that are recognised (docs/behaviour/real-logs.md §1).
package enum LogKind: String, CaseIterable, Codable, Sendable {
  case apple, android, dotnet, javaScript, runtime, python, entra, printed

  /// A description of the software that writes such lines.
  package var words: String {
    switch self {
    case .apple: "MSAL or ADAL on iOS and macOS"
    case .android: "MSAL or the broker on Android and Linux"
    case .dotnet: "MSAL.NET"
    case .javaScript: "MSAL.js"
    case .runtime: "MSALRuntime"
    case .python: "MSAL Python"
    case .entra: "an error of Entra ID"
    case .printed: "an error that an app printed"
    }
  }

  /// Whether such a line is only an error's text.
  ///
  /// It may continue the line before it, and it says nothing about the lines around it.
  var isErrorText: Bool { self == .entra || self == .printed }
}

/// The severity of a line, as its writer specifies it.
package enum LogLevel: String, Codable, Sendable {
  case error, warning, info, verbose

  /// Creates a level from the words and letters of all kinds, or returns `nil` for any other word.
  init?(_ word: some StringProtocol) {
    switch word.lowercased() {
    case "error", "e", "fatal", "critical": self = .error
    case "warning", "warn", "w": self = .warning
    case "info", "i", "always": self = .info
    case "verbose", "v", "d", "debug", "trace": self = .verbose
    default: return nil
    }
  }
}

/// One recognised line, with the ranges of its parts.
///
/// Nothing is copied: the bytes are in the ``LineBytes`` from which the line was read.
struct LogLine {
  var kind: LogKind
  var at: Instant?
  var level: LogLevel?
  /// The ID that all lines of one call share, or `nil` if there is none or it is `UNSET`.
  var correlation: Range<Int>?
  var thread: Range<Int>?
  var message: Range<Int>

  init(_ kind: LogKind, at: Instant? = nil, message: Range<Int>) {
    self.kind = kind
    self.at = at
    self.message = message
  }
}
