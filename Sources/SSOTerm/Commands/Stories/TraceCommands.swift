internal import ArgumentParser
internal import SSOModel

/// `ssoterm trace list|show`
struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "What happened, hop by hop.",
    subcommands: [TraceList.self, TraceShow.self], defaultSubcommand: TraceList.self)
}

struct TraceList: LabCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the newest traces.")

  @OptionGroup var options: GlobalOptions

  @Option(help: "How many at most.")
  var limit = 50

  func perform(on console: Console) throws -> ExitStatus {
    let traces = try console.openLab(options).traces(limit: max(0, limit))
    try console.show(.array(traces.map(\.json))) {
      guard !traces.isEmpty else { return "No traces yet. Try: ssoterm signin APP" }
      var table = TextTable(["ID", "AT", "WHAT", "VERDICT", "HOPS", "OUTCOME"])
      for trace in traces {
        table.append([
          InkedText(String(trace.id), .strong), InkedText(trace.at.iso8601), InkedText(trace.title),
          InkedText(trace.verdict, trace.verdict == "succeeded" ? .good : .warning),
          InkedText(String(trace.hopCount)), InkedText(trace.summary),
        ])
      }
      return table.text(console.ink)
    }
    return .done
  }
}

struct TraceShow: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a trace: every hop, what was sent, which checks ran.")

  @OptionGroup var options: GlobalOptions

  @Argument(help: "The number of `ssoterm trace list`; the newest if left out.")
  var id: Int64?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let wanted = try id ?? lab.traces(limit: 1).first?.id
    guard let wanted, let trace = try lab.trace(wanted) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "unknownTrace",
        what: wanted.map { "There is no trace \($0)." } ?? "There is no trace.",
        why: "nothing under that number is kept", next: "ssoterm trace list")
    }
    try console.show(trace.json) { traceText(trace, console.ink) }
    return .done
  }
}
