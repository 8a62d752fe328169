import ArgumentParser
import SSOCore
import SSOLab
import SSOStore
import SSOTermApp

/// `ssoterm journal`.
struct JournalCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "journal", "List the changes of the lab, the newest first: who did what, and what was undone.",
    examples: ["ssoterm journal", "ssoterm journal --limit 5 --json"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "List at most this many.")
  var limit = 50

  func perform(on console: Console) throws -> ExitStatus {
    guard limit > 0 else {
      throw CommandFailure(
        usage: "--limit is \(limit).", why: "it must be at least 1", next: "ssoterm journal --limit 5")
    }
    let lab = try console.openLabToRead(options)
    let entries = try lab.store.journal(limit: limit)
    return try console.show(["entries": .array(entries.map(\.json))]) {
      guard !entries.isEmpty else { return "No changes yet. Try: " + lab.signInCommand }
      return TextTable(["ID", "AT", "BY", "WHAT", "ROWS"], dispensable: ["ROWS", "AT"], of: entries) {
        entry in
        [
          InkedText(String(entry.id), .strong), InkedText(entry.at.iso8601),
          InkedText(entry.author?.displayText ?? ""),
          InkedText(entry.displayText, entry.isUndone ? .faint : .plain), InkedText(String(entry.changes)),
        ]
      }.text(console.ink)
    }
  }
}

extension JournalEntry {
  /// The entry as text, such as `undo: clock +1h` or `clock +1h (undone)`.
  fileprivate var displayText: String {
    switch kind {
    case .intent: intent + (isUndone ? " (undone)" : "")
    case .undo, .redo: "\(kind.rawValue): \(intent)"
    }
  }
}
