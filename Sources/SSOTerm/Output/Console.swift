import ArgumentParser
import Essentials
import SSOCore
import SSOScenarios
import SSOStore
import SSOTermApp
import Synchronization

/// The output of a command: where its results and errors are written, and in which format.
struct Console: Sendable {
  var json = false
  var unmask = false
  var quiet = false
  var plain = false
  var ink = TextInk()
  let troubles = CommandProblems()
  /// Whether `--no-color` or `NO_COLOR` turns colours off.
  private(set) var refusesColour = false
  /// Whether to use ASCII, because the user requested it or the locale says that the terminal does not accept UTF-8.
  ///
  /// If no locale is set, the screens try UTF-8, as terminals do.
  private(set) var wantsASCII = false

  init(json: Bool) { self.json = json }

  init(_ options: GlobalOptions) {
    let tty = StandardStreams.isTerminal(StandardStreams.output)
    let forced = StandardStreams.variable("CLICOLOR_FORCE").map { $0 != "0" } ?? false
    let refused = options.noColor || StandardStreams.variable("NO_COLOR") != nil
    let asked = options.ascii || StandardStreams.variable("SSOTERM_ASCII") != nil
    refusesColour = refused
    wantsASCII = asked || Self.locale != nil && !Self.isUTF8
    json = options.json
    unmask = options.unmask
    quiet = options.quiet
    plain = options.plain || StandardStreams.variable("SSOTERM_PLAIN") != nil
    ink.colour = !refused && (forced || tty && !Self.isDumb)
    ink.ascii = asked || tty && !Self.isUTF8
    ink.layout = tty ? StandardStreams.terminalWidth().map { .fitted($0) } ?? .aligned : .tabs
  }

  private static var isDumb: Bool { (StandardStreams.variable("TERM") ?? "dumb") == "dumb" }

  private static var locale: String? {
    ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(StandardStreams.variable).first
  }

  /// Whether the locale specifies UTF-8.
  ///
  /// An unset locale means C.
  private static var isUTF8: Bool {
    let name = (locale ?? "C").lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }

  /// Whether the screens can be shown, which need a terminal that can move the cursor, and a user in front of it.
  var canShowScreens: Bool {
    !plain && !json && !Self.isDumb && StandardStreams.isTerminal(StandardStreams.output)
      && ControllingTerminal.isThere
  }

  /// Whether there is a user in front of a terminal that cannot move the cursor, so that the session in numbered lines
  /// takes the place of the screens.
  var isOnDumbTerminal: Bool {
    !json && Self.isDumb && StandardStreams.isTerminal(StandardStreams.output) && ControllingTerminal.isThere
  }

  /// Whether the account picker can be shown.
  ///
  /// It draws on `/dev/tty`, so stdout may be a pipe.
  var canPickOnScreen: Bool { !plain && !Self.isDumb && ControllingTerminal.isThere }

  /// Prints a result as a JSON document or as text.
  @discardableResult
  func show(
    _ document: @autoclosure () throws -> JSONValue, text: () throws -> String
  ) throws -> ExitStatus {
    let output = try json ? document().documentText : text()
    if !output.isEmpty { print(output) }
    return .done
  }

  /// Prints text.
  ///
  /// If the system rejects it, nothing more is printed, and the command ends with the system's error.
  func print(_ text: String, terminator: String = "\n") {
    guard troubles.output == nil else { return }
    do throws(SystemError) { try StandardStreams.write(text + terminator, to: StandardStreams.output) } catch
    {
      troubles.add(output: error)
    }
  }

  /// Prints a JSON document.
  func print(document: JSONValue, onOneLine: Bool = false) {
    print(onOneLine ? document.documentLine : document.documentText)
  }

  /// Prints a note that is not part of the result.
  func note(_ text: String) { if !quiet { complain("ssoterm: " + safe(text)) } }

  /// Reports a failure in three lines on stderr, and for scripts as an object on stdout.
  func report(_ failure: CommandFailure) {
    complain(failure)
    if json { print(document: ["error": failure.json]) }
  }

  /// Prints a failure on stderr, on a terminal with lines that break between words.
  func complain(_ failure: CommandFailure) {
    let width = StandardStreams.terminalWidth(of: StandardStreams.error)
    complain(failure.text(TextInk(layout: width.map { .fitted($0) } ?? .aligned)))
  }

  /// Prints a line on stderr.
  ///
  /// The line is dropped if stderr is not available.
  func complain(_ text: String) { try? StandardStreams.write(text + "\n", to: StandardStreams.error) }
}

/// The problems besides the result of a command, which determine its exit status.
final class CommandProblems: Sendable {
  private struct State {
    var output: SystemError?
    var leftOut: [StoreError] = []
  }

  private let state = Mutex(State())

  var output: SystemError? { state.withLock(\.output) }

  func add(output error: SystemError) { state.withLock { $0.output = error } }
  func add(leftOut error: StoreError) { state.withLock { $0.leftOut.append(error) } }

  /// The failures for stderr.
  var failures: [CommandFailure] {
    let (output, leftOut) = state.withLock { ($0.output, $0.leftOut) }
    return leftOut.map { error in
      var failure = CommandFailure(error)
      failure.what += " It was skipped."
      return failure
    }
      + (output.map {
        [
          CommandFailure(
            status: .fault, kind: "output", what: "The output could not be written.", why: $0.displayText,
            next: "the same command > FILE")
        ]
      } ?? [])
  }
}

/// The format of a report that `--report KIND FILE` writes in addition to the output: for a CI that reads JUnit, or for
/// people.
enum ReportFile: String, CaseIterable {
  case junit, markdown, html

  func write(_ run: TrialRun, to path: String) throws {
    let text =
      switch self {
      case .junit: junitText(run)
      case .markdown: markdownText(run)
      case .html: HTMLPage(run.title, run.suites).text
      }
    try write(text, to: path)
  }

  /// Writes a report.
  func write(_ text: String, to path: String) throws {
    do {
      try writeFile(Data(text.utf8), to: path)
    } catch {
      throw CommandFailure(
        writing: path, error, kind: "report", noun: "report",
        next: "the same command with --report \(rawValue) report.\(rawValue)")
    }
  }

}

/// The option `--report KIND FILE`, which may be given twice.
struct ReportOption: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Also write a report: junit, markdown, or html, then the file; repeatable.",
      valueName: "kind file")
  )
  var report: [String] = []

  /// Returns the reports that the words specify, as pairs of a kind and a file, and the remaining words.
  func parsed() throws -> (files: [(kind: ReportFile, path: String)], more: [String]) {
    var files: [(kind: ReportFile, path: String)] = []
    var more: [String] = []
    var words = report[...]
    while let word = words.popFirst() {
      if let kind = ReportFile(rawValue: word), let path = words.popFirst() {
        files.append((kind, path))
      } else if files.isEmpty || ReportFile(rawValue: word) != nil {
        throw CommandFailure(
          usage: "--report takes a kind and a file.",
          why: "the kinds are junit, markdown, and html",
          next: "the same command with --report junit report.xml")
      } else {
        more.append(word)
      }
    }
    return (files, more)
  }
}

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

  /// A short sentence for each status; the words of docs/commands.md.
  var meaning: String {
    switch self {
    case .done: "Done."
    case .finding: "A check found a problem, or a token is not valid."
    case .usage: "The command line is not valid, or a file or port in it cannot be used."
    case .nothingMatched: "Nothing matched: no such app, account, scope, credential, or scenario."
    case .signInNeeded:
      "The app needs sign-in, a prompt has no answer, or reproduce found only the nearest failure."
    case .storeUnusable: "The store cannot be used, or a damaged row of it was skipped."
    case .terminalUnusable: "The terminal cannot be used."
    case .fault: "The server, the SDK, or the system reported an error, or the output could not be written."
    case .cancelled: "Cancelled by the user."
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

extension SystemError {
  /// The exit status for a file that the system does not write: an error of the system if there is no room or the disk
  /// fails, and otherwise a mistake in the path.
  var exitStatus: ExitStatus {
    [ENOSPC, EDQUOT, EIO, ENOMEM, EMFILE, ENFILE].contains(code) ? .fault : .usage
  }
}
