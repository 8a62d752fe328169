import ArgumentParser
import Essentials
import SSOBus
import SSOCore
import SSOLab
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
  /// Whether the text shows the usage, because no command line is known that works.
  private var usageIsNews = true

  init(status: ExitStatus, kind: String, what: String, why: String, next: String) {
    (self.status, self.kind, self.what, self.why, self.next) = (status, kind, what, why, next)
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
    if let word = Self.unexpectedWord(in: message) {
      self.init(unexpected: word)
      return
    }
    if message.contains("'--password'") {
      self.init(
        usage: "A password is not taken from the command line.",
        why: "every user of this machine can read it there, and the shell remembers it",
        next: "the same command with --password-stdin < FILE")
      return
    }
    let usage =
      SSOTermCommand.fullMessage(for: error).split(separator: "\n")
      .first { $0.hasPrefix("Usage: ") }.map { String($0.dropFirst(7)) } ?? ""
    let corrected = Self.correction(of: message, usage: usage)
    self.init(
      usage: Self.plain(message), why: Self.usageMark + Self.brief(usage),
      next: corrected ?? Self.help(for: usage))
    usageIsNews = corrected == nil
  }

  /// Returns the command line that works in place of the wrong one, or `nil` if the message does not say enough.
  private static func correction(of message: String, usage: String) -> String? {
    if message.hasPrefix("Missing expected argument") { return example(for: usage) }
    let quoted = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    guard quoted.count >= 3 else { return nil }
    if message.hasPrefix(unknownOption), !quoted[1].contains("=") {
      let meant = quoted.count >= 5 ? nearestName(to: quoted[1], among: [quoted[3]]) : nil
      return meant.flatMap { TypedLine.replacing(quoted[1], with: $0) } ?? TypedLine.leavingOut(quoted[1])
    }
    guard message.contains(" is invalid for '"), let list = validValues(in: message) else { return nil }
    return (nearestName(to: quoted[1], among: list) ?? list.first).flatMap {
      TypedLine.replacing(quoted[1], with: $0)
    }
  }

  /// Returns the values that a message of ArgumentParser lists: in one line, or one in each line.
  private static func validValues(in message: String) -> [String]? {
    guard let start = message.firstRange(of: "Please provide one of ") else { return nil }
    let rest = message[start.upperBound...]
    let lines = rest.split(separator: "\n").map { $0.trimmed }
    if lines.count > 1 { return lines.dropFirst().map { $0.hasPrefix("- ") ? String($0.dropFirst(2)) : $0 } }
    let quoted = rest.split(separator: "'", omittingEmptySubsequences: false)
    return quoted.indices.filter { $0 % 2 == 1 }.map { String(quoted[$0]) }
  }

  /// Returns the first example of the command that a usage text is about.
  private static func example(for usage: String) -> String? {
    var command: any ParsableCommand.Type = SSOTermCommand.self
    for word in usage.split(separator: " ").prefix(while: { $0.first?.isLetter == true }).dropFirst() {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
        return nil
      }
      command = next
    }
    return command.configuration.discussion.split(separator: "\n").map { $0.trimmed }
      .first { $0.hasPrefix("ssoterm ") }
  }

  /// Returns a usage line with a word in place of a long list of options.
  private static func brief(_ usage: String) -> String {
    let words = usage.split(separator: " ").map(String.init)
    let options = words.filter { $0.hasPrefix("[-") }
    guard options.count > 3 else { return usage }
    let path = Array(words.prefix { $0.first?.isLetter == true })
    let arguments = words.last.map { $0.hasPrefix("<") ? [$0] : [] } ?? []
    return (path + ["[<options>]"] + arguments).joined(separator: " ")
  }

  private static let unknownOption = "Unknown option '"

  /// Returns a message of ArgumentParser on one line, with the reason only once.
  ///
  /// An unknown option keeps no guess: the command to try has the meant option, if one is near.
  /// The message for an invalid value says that it is invalid, followed by the text that a transform threw or the list
  /// of valid values.
  private static func plain(_ message: String) -> String {
    if message.hasPrefix(unknownOption) {
      return unknownOption + message.dropFirst(unknownOption.count).prefix { $0 != "'" } + "'."
    }
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

  /// Creates a failure for a word that is not a command, or that its command does not take.
  private init(unexpected word: String) {
    let command = ProgramStart.arguments.dropFirst().first ?? ""
    if command != word, Self.commands.contains(command) {
      self.init(
        usage: "\(command) does not take “\(word)”.", why: "", next: "the same command without \(word)")
      return
    }
    let near = nearestName(to: word, among: Self.commands)
    self.init(
      usage: "There is no command “\(word)”.", why: "",
      next: near.flatMap { TypedLine.replacing(word, with: $0) } ?? "ssoterm help")
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

  /// Returns the first word that is neither an option nor an argument.
  ///
  /// ArgumentParser calls it and everything after it unexpected arguments.
  private static func unexpectedWord(in message: String) -> String? {
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
      what: "There is no \(noun) “\(name)”.", why: "",
      next: near.map { TypedLine.replacing(name, with: $0) ?? "Did you mean \($0)?" } ?? list)
  }

  /// Returns the failure for a question that no option answers, in a process without a terminal.
  static func unanswered(_ question: String, option: String) -> CommandFailure {
    CommandFailure(
      status: .signInNeeded, kind: "signInNeeded", what: "An answer is needed: \(question).",
      why: "there is no terminal to ask on, and no option answers it", next: "the same command with \(option)"
    )
  }

  /// The start of a second line that contains the usage and not a cause.
  private static let usageMark = "usage: "

  /// The lines for stderr: the problem with its reason, and the command to try, complete with its arguments.
  var text: String {
    let isUsage = why.hasPrefix(Self.usageMark)
    let problem = why.isEmpty || isUsage ? what : "\(what.withoutStop): \(why.withoutStop)."
    let lines =
      [problem] + (isUsage && usageIsNews ? ["  " + why] : []) + [
        "  " + TypedLine.advice(next, wrong: quotedName)
      ]
    return "ssoterm: " + lines.map { safe($0) }.joined(separator: "\n")
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
      "what": .string(what), "why": .string(why), "next": .string(next), "kind": .string(kind),
      "exitCode": .integer(Int64(status.rawValue)),
    ]
  }
}

extension String {
  fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// The command line that was typed, from which an error makes a command that works.
private enum TypedLine {
  static var words: [String] { Array(ProgramStart.arguments.dropFirst()) }

  static func text(of words: [String]) -> String {
    (["ssoterm"] + words).map(shellWord).joined(separator: " ")
  }

  /// Whether the line may be repeated: it is short, and contains no address, nothing encoded, and nothing that looks like
  /// a secret.
  private static var isRepeatable: Bool {
    words.allSatisfy { word in
      let text = word.lowercased()
      let isSecret =
        text != "--password-stdin" && ["password", "secret", "eyj", "token="].contains { text.contains($0) }
      return !isSecret && word.utf8.count <= 200 && !text.contains("://") && !text.contains("%")
    }
  }

  /// Returns the line with another word in place of the first wrong one, or `nil` if that is not possible.
  static func replacing(_ wrong: String, with right: String) -> String? {
    var words = words
    guard isRepeatable, let place = words.firstIndex(of: wrong) else { return nil }
    words[place] = right
    return text(of: words)
  }

  /// Returns the line without a wrong option and without its value, or `nil` if no such line works.
  ///
  /// The word after the option is its value if the line cannot be read with it.
  static func leavingOut(_ wrong: String) -> String? {
    guard isRepeatable, let place = words.firstIndex(of: wrong) else { return nil }
    for length in [1, 2] where place + length <= words.count {
      let rest = Array(words[..<place] + words[(place + length)...])
      if (try? Main.parse(rest)) != nil { return text(of: rest) }
    }
    return nil
  }

  /// Returns the line with an option and its value, in place of the same option with another value.
  private static func with(_ option: Substring) -> String {
    let name = option.prefix { $0 != " " }
    guard name.count < option.count, let place = words.firstIndex(of: String(name)), place + 1 < words.count
    else { return "\(text(of: words)) \(option)" }
    return "\(text(of: Array(words[..<place] + words[(place + 2)...]))) \(option)"
  }

  /// Returns advice as the command to type, or as the sentence that it is.
  ///
  /// `wrong` is the word that the error is about, or `nil` if it is about none.
  static func advice(_ next: String, wrong: String?) -> String {
    for (mark, ending) in [("the same command with ", ""), ("Repeat the command with ", " to create it.")] {
      guard next.hasPrefix(mark), next.hasSuffix(ending) else { continue }
      let option = next.dropFirst(mark.count).dropLast(ending.count)
      if option.hasPrefix("-"), isRepeatable { return "try: \(with(option))" }
    }
    let pipe = " | the same command"
    if next.hasSuffix(pipe), isRepeatable { return "try: \(next.dropLast(pipe.count)) | \(text(of: words))" }
    if next.hasPrefix("the same command without "), isRepeatable {
      let option = String(next.dropFirst("the same command without ".count))
      return "try: " + text(of: words.filter { $0 != option })
    }
    let question = "Did you mean "
    if next.hasPrefix(question), next.hasSuffix("?") {
      let name = String(next.dropFirst(question.count).dropLast().drop { $0 == "'" })
      let right = name.hasSuffix("'") ? String(name.dropLast()) : name
      return wrong.flatMap { replacing($0, with: right) }.map { "try: " + $0 } ?? next
    }
    guard !next.hasSuffix("?") else { return next }
    // A short sentence before a command of ours says no more than the problem does. A longer one has other ways too.
    let command = next.firstRange(of: ": ssoterm ")
    guard let command, !next[..<command.lowerBound].contains(",") else { return "try: " + next }
    return "try: " + next[command.lowerBound...].dropFirst(2)
  }
}

/// Returns a sentence as the clause after a colon, with a lowercase first letter.
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
    case .signInNeeded:
      "The app needs sign-in, a question has no answer, or reproduce found only a nearest failure."
    case .storeUnusable: "The store cannot be used, or a damaged row of it was skipped."
    case .terminalUnusable: "The terminal cannot be used."
    case .fault: "The server, the SDK or the system reported an error."
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
