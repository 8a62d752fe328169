import ArgumentParser
import Essentials
import SSOBus
import SSOCore
import SSOLab
import SSOReading
import SSOScenarios
import SSOStore
import SSOTermApp
import SafeText

/// The reason that a command stopped, for people and scripts: the problem with its cause in one line, and the command
/// that works.
struct CommandFailure: Error, Equatable {
  var status: ExitStatus
  /// The kind of failure, as a stable word for scripts.
  var kind: String
  var what: String
  var why: String
  /// A command to type, a sentence that ends with one, or a question.
  var next: String
  /// Other commands that work as well, such as one for each account.
  var others: [String] = []
  /// Whether the command to type reads a password, which a file then has to contain.
  var readsPassword = false
  /// The values of the lab's own records in the sentences, which need no mask, such as an app's redirect URI.
  var ordinaryValues: [String] = []

  init(
    status: ExitStatus, kind: String, what: String, why: String, next: String, readsPassword: Bool = false
  ) {
    (self.status, self.kind, self.what, self.why, self.next) = (status, kind, what, why, next)
    self.readsPassword = readsPassword
  }
}

extension CommandFailure {
  /// Creates a failure from any error that can occur in a command.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as LabError: self.init(lab: error)
    case let error as StoreError:
      self.init(
        status: error.isOfName ? .usage : .storeUnusable, kind: "store", what: error.what,
        why: clause(error.why),
        next: error.needsAnotherFolder ? TypedLine.inStore("/tmp/ssoterm.sqlite") : error.next.commandLine)
    case let error as BusError:
      self.init(
        status: .fault, kind: "bus", what: error.what, why: clause(error.why), next: error.next.commandLine)
    case let error as UnwritableFile:
      self.init(
        status: error.cause.exitStatus, kind: "file", what: error.what, why: error.cause.displayText,
        next: error.next)
    case let error as SettingsError:
      self.init(status: .usage, kind: "settings", what: error.what, why: clause(error.why), next: error.next)
    case let error as ScenarioError:
      self.init(
        status: error.isUnknownName ? .nothingMatched : .usage, kind: "scenario", what: error.what,
        why: clause(error.why),
        next: error.isMissingFile ? Self.next(missing: error.file) : error.next.commandLine)
    default:
      self.init(
        status: .fault, kind: "fault", what: "The command could not be finished.",
        why: String(describing: error), next: "ssoterm status")
    }
  }

  /// Creates the failure of a file that the system does not write; `noun` says what the file is.
  init(
    writing path: String, _ error: SystemError, kind: String = "file", noun: String? = nil,
    next: String = "the same command with -o other.json"
  ) {
    let file = noun.map { "The \($0) \(path)" } ?? path
    self.init(
      status: error.exitStatus, kind: kind, what: "\(file) cannot be written.", why: error.displayText,
      next: next)
  }

  private init(lab error: LabError) {
    let status: ExitStatus =
      switch error.kind {
      case .badInput, .readOnly, .ambiguousApp: .usage
      case .changedSince: .finding
      case .system: .fault
      default: .nothingMatched
      }
    self.init(
      status: status, kind: String(describing: error.kind), what: error.what, why: clause(error.why),
      next: error.next.commandLine
    )
    let lines = error.replacement.map { replacement in
      replacement.names.prefix(5).compactMap { TypedLine.replacing(replacement.typed, with: $0) }
    }
    guard let lines, let first = lines.first else { return }
    (next, others) = (first, Array(lines.dropFirst()))
  }

  /// Creates a failure from ArgumentParser's message about a command line: the problem, and the corrected command.
  init(usageError error: any Error) {
    var mistake = CommandMistake(error)
    if case .missing(_, let option?) = mistake, let wrong = CommandCorrection.misspelt(option) {
      mistake = .unknownOption(wrong, meant: option)
    }
    let next = CommandCorrection.line(for: error)
    if let wrong = CommandCorrection.misspeltCommand {
      self.init(usage: "There is no command “\(wrong)”.", why: "", next: next ?? "ssoterm help")
      return
    }
    switch mistake {
    case .unexpected(let words) where !words.isEmpty && !Self.beginsWithCommand:
      self.init(usage: "There is no command “\(echo(words[0]))”.", why: "", next: next ?? "ssoterm help")
    case .unexpected(let words):
      let command = ProgramStart.arguments.dropFirst().first ?? ""
      self.init(
        usage: "\(command) does not take “\(echo(words.first ?? ""))”.", why: "",
        next: next ?? CommandCorrection.example(for: error))
    case .unknownOption("--password", _):
      self.init(
        usage: "Passwords are not accepted on the command line.",
        why:
          "other users of this machine can see it in the process list, and the shell saves it in its history",
        next: TypedLine.withoutPassword ?? "ssoterm signin mytestapp1 --password-stdin < FILE")
    case .other(let sentence):
      self.init(
        usage: echo(sentence, most: 300), why: "", next: next ?? CommandCorrection.example(for: error))
    default:
      self.init(usage: mistake.sentence, why: "", next: next ?? CommandCorrection.example(for: error))
      if case .invalid(_, let list, _, _) = mistake, list.isTooLongToList {
        others = [CommandCorrection.help(for: error)]
      }
    }
  }

  /// Whether the first word is a command, so that a word that was not expected follows a command.
  private static var beginsWithCommand: Bool {
    commands.contains(ProgramStart.arguments.dropFirst().first ?? "")
  }

  static var commands: [String] {
    SSOTermCommand.configuration.subcommands.map { $0._commandName }
  }

  init(usage what: String, why: String, next: String = "ssoterm --help") {
    self.init(status: .usage, kind: "usage", what: what, why: why, next: next)
  }

  /// Creates a failure for a name that does not exist, with the existing name that is nearest to it.
  init(unknown noun: String, _ name: String, among names: [String], list: String) {
    let near = nearestName(to: name, among: names)
    self.init(
      status: .nothingMatched, kind: "unknown" + noun.sentenceCased,
      what: "There is no \(noun) “\(name)”.", why: "",
      next: near.map { TypedLine.replacing(name, with: $0) ?? "Did you mean \($0)?" } ?? list)
  }

  /// Returns the failure for a question that no option answers, in a process without a terminal.
  static func unanswered(_ question: String, option: String) -> CommandFailure {
    CommandFailure(
      status: .signInNeeded, kind: "signInNeeded", what: "An answer is needed: \(question).",
      why: "there is no terminal to ask on, and no option answers it",
      next: "the same command with \(option)", readsPassword: option.contains("--password-stdin"))
  }

  /// The lines for stderr: the problem with its reason, and the command to try, complete with its arguments.
  ///
  /// The command is not broken, so that it can be copied.
  func text(_ ink: TextInk = TextInk()) -> String {
    let problem =
      why.isEmpty ? shown(what) : "\(shown(what).withoutStop): \(shown(why).withoutStop)."
    let commands = [firstAdvice] + others.map { advice($0).replacing("try: ", with: " or: ") }
    return
      ([ink.paragraph(InkedText("ssoterm: "), [InkedText(problem)])] + commands.map { ink.draw("  " + $0) })
      .joined(separator: "\n")
  }

  /// The command to type, complete with its arguments, or a sentence.
  var commandToTry: String {
    firstAdvice.hasPrefix("try: ") ? String(firstAdvice.dropFirst(5)) : firstAdvice
  }

  private var firstAdvice: String { advice(next) + (readsPassword ? " < FILE" : "") }

  /// Returns a sentence without the secrets that it quotes from the command line.
  private func shown(_ sentence: String) -> String { Self.masked(sentence, besides: ordinaryValues[...]) }

  private static func masked(_ sentence: String, besides values: ArraySlice<String>) -> String {
    guard let value = values.first else {
      return Redaction.text(
        LabAddress.masked(sentence: sentence), of: Redaction.Kind.secrets, inSentence: true)
    }
    return sentence.split(separator: value, omittingEmptySubsequences: false)
      .map { masked(String($0), besides: values.dropFirst()) }.joined(separator: value)
  }

  private func advice(_ next: String) -> String {
    LabAddress.masked(sentence: TypedLine.withStore(TypedLine.advice(next, wrong: quotedName)))
  }

  /// The name that the problem quotes, which may be a word of the command line.
  private var quotedName: String? {
    guard let start = what.firstIndex(of: "“"), let end = what[start...].firstIndex(of: "”") else {
      // An error of a file begins with its name.
      return what.firstIndex(of: ":").map { String(what[..<$0]) }
    }
    return String(what[what.index(after: start)..<end])
  }

  var json: JSONValue {
    [
      "what": .string(shown(what)), "why": .string(shown(why)),
      "next": .string(commandToTry), "kind": .string(kind),
      "exitCode": .integer(Int64(status.rawValue)),
    ]
  }
}

/// Returns an argument or a text from standard input as an error quotes it: without secrets, on one line, and short.
func echo(_ text: String, most: Int = 80) -> String {
  let line = Redaction.text(text, of: Redaction.Kind.secrets).split(whereSeparator: \.isWhitespace).joined(
    separator: " ")
  return line.count > most ? line.prefix(most) + "…" : line
}

extension String {
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// Returns a sentence as the clause after a colon, with a lowercase first letter.
func clause(_ sentence: String) -> String {
  let start = sentence.prefix(2)
  guard start.count == 2, start.last?.isLowercase == true else { return sentence }
  return start.lowercased() + sentence.dropFirst(2)
}
