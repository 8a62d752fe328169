import ArgumentParser
import Essentials
import SSOBus
import SSOCore
import SSOLab
import SSOScenarios
import SSOStore
import SSOTermApp

/// The reason that a command stopped, for people and scripts: the problem, its cause, and the next command.
struct CommandFailure: Error, Equatable {
  var status: ExitStatus
  /// The kind of failure, as a stable word for scripts.
  var kind: String
  var what: String
  var why: String
  /// A command to type, a sentence that ends with one, or a question.
  var next: String
}

extension CommandFailure {
  /// Creates a failure from any error that can occur in a command.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as LabError: self.init(lab: error)
    case let error as StoreError:
      self.init(
        status: .storeUnusable, kind: "store", what: error.what, why: clause(error.why),
        next: error.next.commandLine)
    case let error as BusError:
      self.init(
        status: .fault, kind: "bus", what: error.what, why: clause(error.why), next: error.next.commandLine)
    case let error as UnwritableFile:
      self.init(status: .usage, kind: "file", what: error.what, why: error.why, next: error.next)
    case let error as SettingsError:
      self.init(status: .usage, kind: "settings", what: error.what, why: clause(error.why), next: error.next)
    case let error as ScenarioError:
      self.init(
        status: error.isUnknownName ? .nothingMatched : .usage, kind: "scenario", what: error.what,
        why: clause(error.why), next: error.next.commandLine)
    default:
      self.init(
        status: .fault, kind: "fault", what: "The command could not be finished.",
        why: String(describing: error), next: "ssoterm status")
    }
  }

  private init(lab error: LabError) {
    let status: ExitStatus =
      switch error.kind {
      case .badInput, .readOnly, .ambiguousApp: .usage
      case .changedSince: .finding
      default: .nothingMatched
      }
    self.init(
      status: status, kind: String(describing: error.kind), what: error.what, why: clause(error.why),
      next: error.next.commandLine
    )
  }

  /// Creates a failure from ArgumentParser's message about a command line, in SSOTerm's three parts.
  init(usageError error: any Error) {
    let message = SSOTermCommand.message(for: error)
    if let word = Self.unknownCommand(in: message) {
      self.init(unknownCommand: word)
      return
    }
    if message.contains("'--password'") {
      self.init(
        usage: "A password is not taken from the command line.",
        why: "every user of this machine can read it there, and the shell remembers it",
        next: "the same command with --password-stdin < FILE")
      return
    }
    let usage = SSOTermCommand.fullMessage(for: error).split(separator: "\n")
      .first { $0.hasPrefix("Usage: ") }
    self.init(
      usage: Self.plain(message),
      why: usage.map { Self.usageMark + $0.dropFirst(7) } ?? "the command line does not match the usage",
      next: Self.help(for: usage.map { String($0.dropFirst(7)) } ?? ""))
  }

  /// Returns a message of ArgumentParser on one line, with the reason only once.
  ///
  /// The message for an invalid value says that it is invalid, followed by the text that a transform threw or the list
  /// of valid values.
  private static func plain(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { $0.trimmed }
    let listed = lines.count > 1 && lines.dropFirst().allSatisfy { $0.hasPrefix("- ") }
    let line =
      listed
      ? lines[0] + " " + lines.dropFirst().map { $0.dropFirst(2) }.joined(separator: ", ") + "."
      : lines.joined(separator: " ")
    // A reason that quotes the value needs no introduction.
    guard let names = line.firstRange(of: " is invalid for '"),
      let start = line[names.upperBound...].firstRange(of: "': "), line.hasSuffix("”")
    else { return line }
    return String(line[start.upperBound...]) + "."
  }

  /// Creates a failure for a word that is not a command, with the command that is nearest to it.
  init(unknownCommand word: String) {
    let near = nearestName(to: word, among: Self.commands)
    self.init(
      usage: "There is no command “\(word)”.",
      why: near.map { "the nearest is “\($0)”" } ?? "no command has a similar name",
      next: near.map { "ssoterm \($0)" } ?? "ssoterm help --all")
  }

  /// Returns the help command for a usage text: the words before its first option or argument.
  private static func help(for usage: String) -> String {
    let words = usage.split(separator: " ").prefix { $0.first?.isLetter == true }
    let path = words.first == "ssoterm" ? words.dropFirst() : words
    return (["ssoterm"] + path + ["--help"]).joined(separator: " ")
  }

  static var commands: [String] {
    SSOTermCommand.configuration.subcommands.map { $0._commandName }
  }

  /// Returns the word in the position of a command.
  ///
  /// ArgumentParser calls it and everything after it unexpected arguments.
  private static func unknownCommand(in message: String) -> String? {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[0].lowercased().contains("unexpected argument") else { return nil }
    let word = String(parts[1])
    return commands.contains(word) || !ProgramStart.arguments.contains(word) ? nil : word
  }

  init(usage what: String, why: String, next: String = "ssoterm --help") {
    self.init(status: .usage, kind: "usage", what: what, why: why, next: next)
  }

  /// Creates a failure for a name that does not exist, with the existing name that is nearest to it.
  init(unknown noun: String, _ name: String, among names: [String], list: String) {
    let near = nearestName(to: name, among: names)
    self.init(
      status: .nothingMatched, kind: "unknown" + noun.prefix(1).uppercased() + noun.dropFirst(),
      what: "There is no \(noun) “\(name)”.",
      why: near.map { "the nearest is “\($0)”" } ?? "no name is similar", next: list)
  }

  /// Returns the failure for a question that no option answers, in a process without a terminal.
  static func unanswered(_ question: String, option: String) -> CommandFailure {
    CommandFailure(
      status: .signInNeeded, kind: "signInNeeded", what: "A person has to answer: \(question).",
      why: "there is no terminal to ask on, and no option answers it", next: "the same command with \(option)"
    )
  }

  /// The start of a second line that contains the usage and not a cause.
  private static let usageMark = "usage: "

  /// The three lines for stderr.
  ///
  /// The reason follows “because” and has no full stop. A question, such as “Did you mean ada?”, is not a command to try.
  var text: String {
    let cause = why.hasSuffix(".") ? String(why.dropLast()) : why
    let reason = why.hasPrefix(Self.usageMark) ? why : "because " + cause
    let advice = next.hasSuffix("?") ? next : "try: " + next
    return "ssoterm: \(safe(what))\n  \(safe(reason))\n  \(safe(advice))"
  }

  var json: JSONValue {
    [
      "what": .string(what), "why": .string(why), "next": .string(next), "kind": .string(kind),
      "exitCode": .integer(Int64(status.rawValue)),
    ]
  }
}

/// Returns a sentence as the clause after “because”, with a lowercase first letter.
private func clause(_ sentence: String) -> String {
  let start = sentence.prefix(2)
  guard start.count == 2, start.last?.isLowercase == true else { return sentence }
  return start.lowercased() + sentence.dropFirst(2)
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
