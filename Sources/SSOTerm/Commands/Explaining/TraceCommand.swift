import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm trace list|show|export|note`.
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trace", "Show, export, and annotate the traces of calls.",
    examples: ["ssoterm trace show", "ssoterm trace export 12 --as mermaid"],
    subcommands: [TraceList.self, TraceShow.self, TraceExport.self, TraceNote.self],
    defaultSubcommand: TraceList.self)
}

struct TraceList: LabCommand {
  static let configuration = CommandConfiguration(
    "list", "List the newest traces.",
    examples: ["ssoterm trace list --limit 5"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "List at most this many.")
  var limit = 50

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let traces = try lab.read { try $0.traces.rows(limit: max(0, limit)) }
    return try console.show(["traces": .array(traces.map(\.json))]) {
      guard !traces.isEmpty else { return "No traces yet. Try: " + lab.signInCommand }
      let hasOthers = traces.contains(where: \.isOfOthers)
      return TextTable(
        ["ID", "AT"] + (hasOthers ? ["BY"] : []) + ["WHAT", "VERDICT", "STEPS", "OUTCOME"],
        dispensable: ["STEPS", "AT"], of: traces
      ) { trace in
        let by = hasOthers ? [InkedText(trace.author?.displayText ?? "")] : []
        return
          [InkedText(String(trace.id), .strong), InkedText(trace.at.iso8601)] + by + [
            InkedText(trace.title),
            trace.isUndone
              ? InkedText("undone", .faint)
              : InkedText(trace.verdict, trace.verdict == "succeeded" ? .good : .warning),
            InkedText(String(trace.hopCount)), InkedText(trace.outcomeText),
          ]
      }.text(console.ink)
    }
  }
}

struct TraceShow: LabCommand {
  static let configuration = CommandConfiguration(
    "show", "Show a trace: every step, what was sent, and which checks ran.",
    examples: ["ssoterm trace show", "ssoterm trace show 12"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The number from `ssoterm trace list` (default: the newest).")
  var id: Int64?

  func perform(on console: Console) throws -> ExitStatus {
    let trace = try console.openLabToRead(options).read { try $0.traces.trace(orNewest: id) }
    return try console.show(trace.json) { traceText(trace, console.ink) }
  }
}

struct TraceExport: LabCommand {
  static let configuration = CommandConfiguration(
    "export", "Print a trace as a document. Secrets stay masked.",
    examples: ["ssoterm trace export 12 --as mermaid > trace.mmd"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The number from `ssoterm trace list` (default: the newest).")
  var id: Int64?

  @Option(
    name: .customLong("as"), help: "\(ExportForm.displayText).",
    completion: .list(ExportForm.allCases.map(\.word)), transform: Self.form)
  var form: ExportForm = .text

  static func form(_ word: String) throws -> ExportForm {
    guard let form = ExportForm.allCases.first(where: { $0.word == word }) else {
      throw ValidationError("--as must be \(ExportForm.displayText), not “\(word)”")
    }
    return form
  }

  func perform(on console: Console) throws -> ExitStatus {
    let trace = try console.openLabToRead(options).read { try $0.traces.trace(orNewest: id) }
    let form = console.json ? .json : form
    console.print(exportText(trace, as: form))
    exportRemark(trace, as: form).map(console.note)
    return .done
  }
}

struct TraceNote: LabCommand {
  static let configuration = CommandConfiguration(
    "note", "Attach a note to a step of a trace. Without a text, remove it.",
    examples: ["ssoterm trace note 12 7 \"No password here.\""])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The number from `ssoterm trace list`.")
  var id: Int64

  @Argument(help: "The step, counted from 1.")
  var step: Int

  @Argument(help: "The note.")
  var text = ""

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    try lab.annotate(trace: id, step: max(0, step) - 1, text: text)
    return try console.show(lab.read { try $0.traces.trace(orNewest: id) }.json) {
      text.isEmpty ? "The note was removed." : "The note on step \(step) was saved."
    }
  }
}

extension TraceNote {
  /// Returns a line that notes something on a trace that exists, for a line in which an argument is missing, or the command
  /// that lists the traces if there is none.
  ///
  /// - Returns: `nil` if the line is for another command.
  static func line(for words: [String]) -> String? {
    guard words.starts(with: ["trace", "note"]) else { return nil }
    let ids = readLab(words) { try $0.traces.rows(limit: 1000).map { String($0.id) } }
    let arguments = words.dropFirst(2).prefix { !$0.hasPrefix("-") }
    guard let id = ids.first(where: { $0 == arguments.first }) ?? ids.first else {
      return "ssoterm trace list"
    }
    return "ssoterm trace note \(id) 1 \"No password here.\""
  }
}

extension TraceQueries {
  fileprivate func trace(orNewest id: Int64?) throws -> Trace {
    let wanted = try id ?? rows(limit: 1).first?.id
    guard let wanted, let trace = try trace(wanted) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "unknownTrace",
        what: wanted.map { "There is no trace \($0)." } ?? "There is no trace.",
        why: "", next: "ssoterm trace list")
    }
    return trace
  }
}
