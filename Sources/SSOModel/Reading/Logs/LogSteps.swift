import Essentials
import SSOCore
import SSOReference

/// A step of a call that a log sentence of an SDK reports, with the wording of the lab's own traces.
///
/// The sentences are rows of `assets/reference/log-sentences.tsv`, each exactly as its SDK writes it. All lines with a
/// sentence share its step, so a step is an object.
final class LogStep: Sendable {
  /// The meaning of the step for its call.
  enum Meaning: Sendable {
    case begins
    case happens
    /// A check that passed.
    case holds
    /// A check that failed. The call may continue in another way.
    case fails(expected: String)
    case succeeds
    /// The call ends. The rest of the line says whether it ends with an error.
    case ends
    case cancels
    /// The call ends without achieving its purpose, whatever the earlier lines said.
    case lacks(expected: String)

    fileprivate init?(_ word: String, expected: String) {
      switch word {
      case "begins": self = .begins
      case "happens": self = .happens
      case "holds": self = .holds
      case "fails": self = .fails(expected: expected)
      case "succeeds": self = .succeeds
      case "ends": self = .ends
      case "cancels": self = .cancels
      case "lacks": self = .lacks(expected: expected)
      default: return nil
      }
    }
  }

  /// The beginning of the sentence, exactly as the SDK writes it.
  let sentence: [UInt8]
  /// Whether the sentence follows text that differs from call to call; its row has an ellipsis there.
  let isInside: Bool
  let from: Party
  let to: Party
  let action: String
  let result: String
  let meaning: Meaning

  /// Creates a step from the fields of its row after the kind of log, or returns `nil` if they are not a step.
  init?(_ fields: some RandomAccessCollection<String>) {
    let fields = Array(fields)
    guard fields.count == 7, let from = Party(rawValue: fields[1]), let to = Party(rawValue: fields[2]),
      let meaning = Meaning(fields[5], expected: fields[6])
    else { return nil }
    isInside = fields[0].hasPrefix("…")
    sentence = Array(fields[0].utf8.dropFirst(isInside ? "…".utf8.count : 0))
    (self.from, self.to, self.meaning, action, result) = (from, to, meaning, fields[3], fields[4])
  }

  /// Whether an error may be printed behind the sentence.
  var tellsErrors: Bool {
    switch meaning {
    case .fails, .ends: true
    case .begins, .happens, .holds, .succeeds, .cancels, .lacks: false
    }
  }

  /// Whether the sentence is the class of an error: `…AuthError: `.
  var isError: Bool { sentence.suffix(7).elementsEqual("Error: ".utf8) }

  /// Whether this is `-[Class method:(`, which is followed by one line for each argument, up to `)]`.
  var hasArguments: Bool { sentence.starts(with: "-[".utf8) && sentence.last == UInt8(ascii: "(") }
}

/// Finds the step that a message describes: by its first eight bytes, then byte by byte.
struct LogSteps: Sendable {
  private let byHead: [UInt64: [LogStep]]
  /// Sentences that begin with text that differs from call to call.
  private let inner: [LogStep]

  /// Reads the rows of one kind of log.
  private init(_ kind: LogKind) {
    let rows = ReferenceTable("log-sentences.tsv").records
    self.init(rows.filter { $0.first == kind.rawValue }.compactMap { LogStep($0.dropFirst()) })
  }

  init(_ steps: [LogStep]) {
    inner = steps.filter(\.isInside)
    // Of two sentences that begin alike, use the longer one if it matches.
    byHead = Dictionary(grouping: steps.filter { !$0.isInside }) { step in
      step.sentence.withUnsafeBufferPointer { Self.head(LineBytes($0)) ?? 0 }
    }
    .mapValues { $0.sorted { $0.sentence.count > $1.sentence.count } }
  }

  func step(of message: LineBytes) -> LogStep? {
    if let head = Self.head(message), let candidates = byHead[head],
      let found = candidates.first(where: { message.hasText($0.sentence, at: 0) })
    {
      return found
    }
    return inner.first { message.index(of: $0.sentence) != nil }
  }

  private static func head(_ line: LineBytes) -> UInt64? {
    guard line.count >= 8, let base = line.bytes.baseAddress else { return nil }
    return UnsafeRawPointer(base).loadUnaligned(as: UInt64.self)
  }

  private static let apple = LogSteps(.apple)
  private static let android = LogSteps(.android)
  private static let dotnet = LogSteps(.dotnet)
  private static let javaScript = LogSteps(.javaScript)
  private static let runtime = LogSteps(.runtime)
  private static let python = LogSteps(.python)
  private static let none = LogSteps([])

  static func of(_ kind: LogKind) -> LogSteps {
    switch kind {
    case .apple: apple
    case .android: android
    case .dotnet: dotnet
    case .javaScript: javaScript
    case .runtime: runtime
    case .python: python
    case .entra, .printed: none
    }
  }
}

/// The kinds of log lines that are recognised (docs/behaviour/real-logs.md §1).
package enum LogKind: String, CaseIterable, Codable, Sendable {
  case apple, android, dotnet, javaScript, runtime, python, entra, printed

  /// The position in `allCases`, by which tables find the kind of each line without hashing its name.
  var position: Int {
    switch self {
    case .apple: 0
    case .android: 1
    case .dotnet: 2
    case .javaScript: 3
    case .runtime: 4
    case .python: 5
    case .entra: 6
    case .printed: 7
    }
  }

  /// A description of the software that writes such lines.
  package var displayText: String {
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
  package var isErrorText: Bool { self == .entra || self == .printed }
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
