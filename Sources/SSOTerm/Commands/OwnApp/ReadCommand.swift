import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOReading
import SSOScenarios
import SSOTermApp
import SafeText

/// `ssoterm read FILE|-`: explains real logs and recordings.
struct ReadCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", _superCommandName: "ssoterm",
    abstract: "Read the log of a real app, or a browser's recording, and show it step by step.",
    discussion: """
      It knows the lines of MSAL and ADAL for iOS and macOS, MSAL for Android, Authenticator, Company Portal, the \
      Linux broker, MSAL.NET, MSAL.js, MSALRuntime, and MSAL Python, and the errors that explain knows, wherever an app, a \
      tool, or a page prints them; they may be mixed, wrapped, quoted with >, or coloured. Lines are grouped into calls by correlation ID. Secrets are never printed. Names that the SDKs masked \
      are shown if the store has these users.

      A recording (HAR 1.2, as browsers save it) is shown request by request, with the checks of the protocol: code \
      verifier, state, nonce, redirect URI, loops, clocks, cookies, tokens, Conditional Access.

      With --follow, each call is printed on one line as soon as it ends, as a document with --json. A file is followed \
      through rotation and truncation until you press q or ^C; a pipe until its end. Otherwise, calls are shown at the \
      end of the input, because a later line may belong to an earlier call.

      Two files, a good one and a bad one, are compared: the call that failed in the second with the same call in the \
      first, step by step.

      Exit code 1: a call or a check failed, or two calls differ. 3: the input contains nothing from an identity SDK.

      Examples:
        ssoterm read app.log
        ssoterm read good.log bad.log
        ssoterm read --how android
        adb logcat -v threadtime | ssoterm read - --follow
        ssoterm read sign-in.har --redact clean.har
        ssoterm read app.log --only 5fd2c1b4 --as mermaid
      """, version: programVersion)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Argument(
    help: ArgumentHelp(
      "A log or a recording (.har), or two to compare; - reads stdin.", valueName: "file"),
    completion: .file())
  var inputs: [String] = []

  /// The name of the input.
  var file: String { inputs.first ?? "-" }

  @Flag(name: .shortAndLong, help: "Print each call as it ends, while the log is being written.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "Print the command that reads the log of a platform, and how to turn the log on.",
      valueName: "platform"))
  var how: LogSource?

  @Option(
    name: .customLong("as"), help: "\(ExportForm.displayText).",
    completion: .list(ExportForm.allCases.map(\.word)), transform: TraceExport.form)
  var form: ExportForm = .text

  @Option(help: "Only calls whose correlation ID begins with this text.")
  var only: String?

  @Option(
    help: "log-strings-mapping.json of MSAL.js's npm package: the sentences for its hashes.",
    completion: .file())
  var strings: String?

  @Flag(help: "Open the calls on the Trace screen, in a temporary store.")
  var open = false

  @Flag(help: "Also print the lines that were not recognised.")
  var lines = false

  @Option(
    help: "Write a recording without its secrets to this file, and say what was removed.",
    completion: .file())
  var redact: String?

  func validate() throws {
    guard !inputs.isEmpty || how != nil else { throw ValidationError("Missing expected argument '<file>'") }
    guard inputs.count <= 2 else { throw ValidationError("Expected one file, or two to compare") }
    let isOfOneFile = open || follow || only != nil || redact != nil || form != .text
    guard inputs.count < 2 || !isOfOneFile else {
      throw ValidationError("--open, --follow, --only, --redact and --as read one file")
    }
  }

  func perform(on console: Console) throws -> ExitStatus {
    if let how { return try console.show(how.json) { how.text(console.ink) } }
    if inputs.count == 2 {
      return try ReadComparison(command: self, files: (inputs[0], inputs[1])).perform(on: console)
    }
    if open, !console.canShowScreens { throw CommandFailure.noTerminal }
    let reader = LogReader(people: try console.knownPeople(options), strings: try logStrings())
    if follow {
      guard var follower = LogFollower(file, reader, console) else {
        throw CommandFailure(reading: file, SystemError(code: errno))
      }
      return try showEnd(try follower.run(), on: console)
    }
    switch try InputPieces(file, console).read(reader) {
    case .log(let reading):
      guard redact == nil else {
        throw CommandFailure(
          usage: "\(file) is not a recording.", why: "--redact writes a recording (HAR) without its secrets",
          next: "ssoterm read \(shellWord(file))")
      }
      return try show(reading, on: console)
    case .recording(let data): return try RecordingCommand(self, data).perform(on: console)
    }
  }

  private func show(_ log: LogReading, on console: Console) throws -> ExitStatus {
    var reading = log
    if let only {
      reading.traces = reading.traces.filter {
        $0.summary.correlationID.lowercased().hasPrefix(only.lowercased())
      }
    }
    guard !reading.assertsNothing else { throw nothingFound(reading) }
    if log.isNewestFirst {
      console.note(
        "the newest line is first, so the calls are read from their end; reverse the log: tac FILE | ssoterm read -"
      )
    }
    if open { return try show(reading.traces, of: counted(reading.lineCount, "line"), on: console) }
    let isJSON = console.json || form == .json
    if !isJSON, !form.isText || form == .mermaid, reading.traces.count > 1 {
      throw CommandFailure(
        usage: "\(file) has \(reading.traces.count) calls; \(form.word) shows only one.",
        why: "each call is a separate document",
        next:
          "ssoterm read \(shellWord(file)) --as \(form.word) --only \(reading.traces[0].summary.correlationID)"
      )
    }
    switch form {
    case .mermaid where !isJSON, .svg where !isJSON, .har where !isJSON, .cast where !isJSON,
      .html where !isJSON:
      console.print(reading.traces.map { exportText($0, as: form) }.joined(separator: "\n\n"))
      for trace in reading.traces { exportRemark(trace, as: form).map(console.note) }
    case _ where isJSON: console.print(document: reading.json(file, withLines: lines))
    default: console.print(reading.text(withLines: lines, console.ink))
    }
    return reading.traces.contains { $0.outcome?.verdict == .failed } ? .finding : .done
  }

  /// Shows the counts and the verdict of a log that was followed, whose calls are already printed.
  private func showEnd(_ reading: LogReading, on console: Console) throws -> ExitStatus {
    guard !reading.assertsNothing else { throw nothingFound(reading) }
    if console.json {
      console.print(document: reading.counts(file), onOneLine: true)
    } else {
      console.print(reading.end(console.ink))
    }
    return reading.verdict == nil ? .done : .finding
  }

  func logStrings() throws -> LogStrings {
    guard let strings else { return LogStrings() }
    let (name, data) = try readFile(strings)
    do {
      return try LogStrings(data)
    } catch {
      let why = (error as? LogStringsError)?.description ?? "it is not JSON"
      throw CommandFailure(
        status: .usage, kind: "badInput", what: "\(name) has no sentences of MSAL.js.", why: why,
        next:
          "ssoterm read \(shellWord(file)) --strings node_modules/@azure/msal-browser/dist/log-strings-mapping.json"
      )
    }
  }

  /// Opens the first call that failed, or the last call if no call failed.
  ///
  /// `size` is the length of the log, such as `6 lines`.
  func show(_ traces: [Trace], of size: String, on console: Console) throws -> ExitStatus {
    let lab = try temporaryLab(try ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual), options)
    let ids = try lab.keep(traces)
    let failed = traces.firstIndex { $0.outcome?.verdict == .failed } ?? traces.count - 1
    let step = traces[failed].failedStep.map { "✗ step \($0 + 1)" }
    let day = traces[failed].summary.at.iso8601.prefix(10)
    let facts = [size, counted(traces.count, "call"), step, day < "1971" ? nil : String(day)]
    return try console.startTerminal(
      lab: lab,
      title: "read " + (file == "-" ? "stdin" : file.split(separator: "/").last.map(String.init) ?? file),
      start: .path("trace/\(ids[failed])"), screen: screen,
      logFacts: facts.compactMap(\.self).joined(separator: " · "))
  }

  private func nothingFound(_ reading: LogReading) -> CommandFailure {
    if let only {
      return CommandFailure(
        status: .nothingMatched, kind: "nothingRecognised",
        what: "No call's correlation ID begins with \(only).",
        why: "the calls of the log have other IDs or no IDs", next: "ssoterm read \(shellWord(file))")
    }
    let recognised = reading.counts.values.reduce(0, +)
    let source = LogSource.guess(reading.unknown)
    if reading.counts[.javaScript] != nil, strings == nil {
      return CommandFailure(
        status: .nothingMatched, kind: "nothingRecognised",
        what: "No call of an identity SDK was found in \(counted(reading.lineCount, "line")).",
        why: "\(counted(recognised, "line")) have the form of an SDK's log, but none describes a step",
        next: "the same command with --strings node_modules/@azure/msal-browser/dist/log-strings-mapping.json"
      )
    }
    return CommandFailure(
      status: .nothingMatched, kind: "nothingRecognised",
      what: "No call and no error of an identity SDK was found in \(counted(reading.lineCount, "line")).",
      why: recognised == 0
        ? "no line has the form of an SDK's log or a code that is known here; SDKs log little or nothing until their log is switched on, as --how PLATFORM describes"
        : "\(counted(recognised, "line")) have the form of an SDK's log, but none describes a step or an error",
      next: "ssoterm read \(source.map { "--how \($0.rawValue)" } ?? "--help")")
  }
}

extension LogSource {
  fileprivate var json: JSONValue {
    ["platform": .string(rawValue), "command": .string(command), "switchOn": .string(switchOn)]
  }

  fileprivate func text(_ ink: TextInk) -> String {
    ink.draw(command, .strong) + "\n"
      + ink.paragraph(InkedText("Switch on  ", .faint), [InkedText(switchOn)])
  }
}

extension Console {
  /// Returns the users of the store, or none if there is no store.
  ///
  /// It does not create one.
  func knownPeople(_ options: GlobalOptions) throws -> KnownPeople {
    try openLabIfPresent(options)?.read { try KnownPeople(of: $0) } ?? KnownPeople()
  }
}

extension LogReading {
  /// The maximum number of calls to show in full.
  ///
  /// If there are more, they are listed, and only the first failed call is shown.
  private static let mostInFull = 5

  /// Returns the calls, the meanings of their codes, and the unrecognised lines.
  func text(withLines: Bool, _ ink: TextInk) -> String {
    var parts = [ink.sentence(heading, .faint)]
    if traces.count > Self.mostInFull {
      parts.append(table(ink))
      if let failed = traces.first(where: { $0.outcome?.verdict == .failed }) {
        parts += [ink.draw("The first that failed:", .faint), failed.detail(ink)]
      }
      parts.append(ink.draw("--only ID shows one call; --as json all of them.", .faint))
    } else {
      parts += traces.map { $0.detail(ink) }
    }
    if withLines, !unknown.isEmpty {
      let rows = unknown.map { ink.draw("\($0.number)  ", .faint) + ink.draw($0.text) }
      parts.append(([ink.draw("Not recognised:", .strong)] + rows).joined(separator: "\n"))
    }
    parts.append(verdictLine(ink))
    return parts.joined(separator: "\n\n")
  }

  /// Returns the counts and the verdict of a log whose calls are already printed.
  fileprivate func end(_ ink: TextInk) -> String {
    ink.sentence(heading, .faint) + "\n" + verdictLine(ink)
  }

  private func verdictLine(_ ink: TextInk) -> String {
    (verdict ?? traces.success).line(ink, of: traces.count)
  }

  private var heading: String {
    let kinds = LogKind.allCases.compactMap { kind in counts[kind].map { "\($0) of \(kind.displayText)" } }
    var words = "\(counted(lineCount, "line")): \(kinds.joined(separator: ", "))"
    words += unknownCount == 0 ? "" : "; \(unknownCount) not recognised (--lines shows the first)"
    words += ". \(counted(traces.count, "call"))"
    words += callsLeftOut == 0 ? "." : ", and \(callsLeftOut) older ones without a failure."
    return words
  }

  private func table(_ ink: TextInk) -> String {
    return TextTable(["#", "AT", "WHAT", "CORRELATION ID", "STEPS", "OUTCOME"], of: traces) { trace in
      let summary = trace.summary
      return [
        InkedText(String(summary.id), .strong), InkedText(summary.at.seconds == 0 ? "-" : summary.at.iso8601),
        InkedText(summary.title), InkedText(dashed(summary.correlationID)),
        InkedText(String(summary.hopCount)),
        InkedText(summary.summary, trace.tone),
      ]
    }.text(ink)
  }

  func json(_ file: String, withLines: Bool) -> JSONValue {
    let first = unknown.map { JSONValue.object(["line": .count($0.number), "text": .string($0.text)]) }
    return counts(file).adding([
      "notRecognised": ["count": .count(unknownCount), "first": .array(withLines ? first : [])],
      "traces": .array(traces.map { $0.json.adding(["explanations": .array($0.explanations.map(\.json))]) }),
    ])
  }

  fileprivate func counts(_ file: String) -> JSONValue {
    let kinds = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, JSONValue.count($0.value)) })
    return [
      "file": .string(file), "lines": .count(lineCount), "kinds": .object(kinds),
      "notRecognised": ["count": .count(unknownCount), "first": []],
      "callsLeftOut": .count(callsLeftOut), "newestFirst": .bool(isNewestFirst),
      "verdict": verdict?.json ?? .null,
    ]
  }
}

extension [Trace] {
  /// The verdict on calls without a failure.
  fileprivate var success: Verdict {
    let open = filter { $0.outcome == nil }.count
    let end = open == 0 ? "." : "; \(counted(open, "call")) did not end in this text."
    return Verdict(.nothingFound, meaning: "No call failed" + end)
  }
}

extension Trace {
  /// Returns the trace as `trace show` prints it, and the meanings of the codes of its failure.
  func detail(_ ink: TextInk) -> String {
    ([traceText(self, ink)] + explanations.flatMap { $0.lines(ink) }).joined(separator: "\n")
  }
}
