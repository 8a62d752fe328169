/// The kinds of log lines that are recognised (docs/behaviour/real-logs.md §1).
package enum LogKind: String, CaseIterable, Codable, Sendable {
  case apple, android, dotnet, javaScript, runtime, python, entra, printed

  /// Who writes such lines.
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

  /// Whether such a line is an error's text alone, which may be more of the line before it, and says nothing of the lines around it.
  var isErrorText: Bool { self == .entra || self == .printed }
}

/// How much a line matters, as its writer says.
package enum LogLevel: String, Codable, Sendable {
  case error, warning, info, verbose

  /// Reads the words and letters of all kinds.
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

/// One recognised line: where in its bytes each part is.
///
/// Nothing is copied; the bytes are those of the ``LineBytes`` that it was read from.
struct LogLine {
  var kind: LogKind
  var at: Instant?
  var level: LogLevel?
  /// The ID that all lines of one call share; nil if there is none, or it is `UNSET`.
  var correlation: Range<Int>?
  var thread: Range<Int>?
  var message: Range<Int>

  init(_ kind: LogKind, at: Instant? = nil, message: Range<Int>) {
    self.kind = kind
    self.at = at
    self.message = message
  }
}
