/// The exit status of a command.
///
/// The numbers are a stable interface for scripts.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case finding = 1
  case usage = 2
  case nothingMatched = 3
  case signInNeeded = 4
  case storeUnusable = 5
  case terminalUnusable = 6
  case fault = 7
  case cancelled = 130

  var meaning: String {
    switch self {
    case .done: "Done."
    case .finding: "A check found something, or a token is not valid."
    case .usage: "The command line is wrong, or a file in it cannot be read."
    case .nothingMatched: "Nothing matched: no such app, account, scope, credential or scenario."
    case .signInNeeded: "A person has to sign in or answer a question."
    case .storeUnusable: "The store cannot be used, or a damaged row of it was skipped."
    case .terminalUnusable: "The terminal cannot be used."
    case .fault: "The server, the SDK or the system reported an error."
    case .cancelled: "Cancelled by the person."
    }
  }

  /// The output of `--exit-codes`.
  static var table: String {
    allCases.map { status in
      let number = String(status.rawValue)
      return String(repeating: " ", count: 4 - number.utf8.count) + number + "  " + status.meaning
    }
    .joined(separator: "\n")
  }
}
