import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOTermApp

/// A mistake in a command line, read from ArgumentParser's message.
enum CommandMistake: Equatable {
  /// An argument that the command needs; `option` is the name of an option that has no default.
  case missing(String, option: String?)
  /// An option without its value; `names` are all of its names.
  case noValue(String, names: [String])
  case unknownOption(String, meant: String?)
  /// A value for an option that does not take one.
  case needlessValue(String, of: String)
  /// A value that cannot be used, with the values that can, and the option, or `nil` for an argument.
  case invalid(String, among: [String], option: String?, reason: String)
  /// Words that the command does not accept.
  case unexpected([String])
  case other(String)

  init(_ error: any Error) {
    let message = SSOTermCommand.message(for: error)
    let quoted = Self.texts(of: message, between: "'", "'")
    let first = quoted.first ?? ""
    let names = first.split { ", ".contains($0) }.map(String.init).filter { $0.hasPrefix("-") }
    self =
      if message.hasPrefix("Missing expected argument") {
        .missing(Self.line(message), option: names.last)
      } else if message.hasPrefix("Missing value for '") {
        .noValue(Self.line(message), names: names)
      } else if message.hasPrefix("Unknown option '") {
        .unknownOption(first, meant: quoted.count > 1 ? quoted[1] : nil)
      } else if message.contains(" does not take any value, but ") {
        .needlessValue(quoted.count > 1 ? quoted[1] : "", of: first)
      } else if message.lowercased().contains("unexpected argument") {
        .unexpected(quoted)
      } else if message.contains(" is invalid for '"), quoted.count > 1 {
        Self.invalid(first, of: quoted[1], message)
      } else if let word = Self.texts(of: message, between: "“", "”").last {
        .invalid(word, among: Self.listed(in: message), option: nil, reason: Self.line(message))
      } else {
        .other(Self.line(message))
      }
  }

  /// Reads the message for an invalid value, which is followed by the text that a transform threw or by the list of
  /// valid values.
  private static func invalid(_ value: String, of field: String, _ message: String) -> CommandMistake {
    let names = field.split { ", ".contains($0) }.map(String.init).filter { $0.hasPrefix("-") }
    let name = names.last ?? field
    if let start = message.firstRange(of: "Please provide one of ") {
      let rest = String(message[start.upperBound...])
      let lines = rest.split(separator: "\n").map { $0.trimmed }
      let list =
        lines.count > 1
        ? lines.dropFirst().map { $0.hasPrefix("- ") ? String($0.dropFirst(2)) : $0 }
        : texts(of: rest, between: "'", "'")
      return .invalid(
        value, among: list, option: names.last,
        reason: "\(name) must be \(alternatives(list, near: value)), not “\(value)”.")
    }
    // A reason that quotes the value needs no introduction.
    if let names = message.firstRange(of: " is invalid for '"),
      let start = message[names.upperBound...].firstRange(of: "': ")
    {
      let reason = String(message[start.upperBound...])
      return .invalid(
        value, among: listed(in: reason), option: option(of: field),
        reason: line(reason.contains("“") ? reason : "\(name) cannot be “\(value)”: \(reason)"))
    }
    return .invalid(value, among: [], option: names.last, reason: "\(name) cannot be “\(value)”.")
  }

  private static func option(of field: String) -> String? {
    field.split { ", ".contains($0) }.map(String.init).last { $0.hasPrefix("-") }
  }

  private static func alternatives(_ words: [String], near value: String) -> String {
    guard !words.isTooLongToList else { return "one of " + words.listed(near: value, as: "words") }
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + (words.count > 2 ? ", or " : " or ") + last
  }

  /// Returns the values that one of our own sentences lists: `--approve must be terminal, browser or auto:UPN, not
  /// “x”`.
  private static func listed(in sentence: String) -> [String] {
    let starts = ["must be one of ", "must be ", "such as ", "expected one of "]
    guard let start = starts.lazy.compactMap({ sentence.firstRange(of: $0)?.upperBound }).first else {
      return []
    }
    let list = sentence[start...].prefix { !"“:.".contains($0) }
    return list.replacing(" or ", with: ", ").split(separator: ",").map { $0.trimmed }.filter { $0 != "not" }
  }

  private static func texts(of text: String, between start: Character, _ end: Character) -> [String] {
    var texts: [String] = []
    var rest = text[...]
    while let from = rest.firstIndex(of: start), let to = rest[rest.index(after: from)...].firstIndex(of: end)
    {
      texts.append(String(rest[rest.index(after: from)..<to]))
      rest = rest[rest.index(after: to)...]
    }
    return texts
  }

  /// Returns a message on one line that ends with a full stop.
  private static func line(_ message: String) -> String {
    let line = message.split(separator: "\n").map { $0.trimmed }.joined(separator: " ")
    return line.hasSuffix(".") ? line : line + "."
  }

  /// The mistake in one sentence.
  var sentence: String {
    switch self {
    case .missing(let text, _), .noValue(let text, _), .other(let text): text
    case .unknownOption(let name, _): "Unknown option '\(name)'."
    case .needlessValue(let value, let option): "\(option) takes no value, not even “\(value)”."
    case .invalid(let word, let list, _, let reason):
      reason.replacing(list.joined(separator: ", "), with: list.listed(near: word, as: "words"))
    case .unexpected(let words): "Unexpected: \(words.joined(separator: " "))."
    }
  }
}

/// The command line that works in place of a wrong one, found by correcting one mistake after the other.
enum CommandCorrection {
  /// The maximum number of mistakes in a line that are corrected.
  private static let mistakes = 4

  /// Commands of other programs and of the screens, with the words that do the same here.
  private static let otherNames = ["version": ["--version"], "matrix": ["why", "--matrix"]]

  /// Returns the corrected line, or `nil` if it cannot be determined.
  static func line(for error: any Error) -> String? {
    if case .missing = CommandMistake(error), let line = TraceNote.line(for: TypedLine.words) { return line }
    var (words, error) = (TypedLine.words, error)
    if words.count == 1, let meant = otherNames[words[0]] { return TypedLine.text(of: meant) }
    if TypedLine.isRepeatable {
      // The options of a misspelt command are unknown to the program itself.
      if let wrong = misspeltCommand, let near = nearestName(to: wrong, among: CommandFailure.commands) {
        words[0] = near
        guard let other = self.error(in: words) else { return TypedLine.text(of: words) }
        error = other
      }
      for _ in 1...mistakes {
        guard let next = mended(words, error), next != words else { break }
        let usage = CommandUsage(error)
        words = next
        guard let other = self.error(in: words) else {
          // The typed line says nothing about the arguments, so an example says more than the command alone.
          let isBare = words == usage.path || usage.path.starts(with: words)
          return isBare && usage.needsMore ? example(of: usage) : TypedLine.text(of: words)
        }
        error = other
      }
    }
    return nil
  }

  /// The first word, if it is in the place of a command but is not one.
  static var misspeltCommand: String? {
    guard let first = TypedLine.words.first, !first.hasPrefix("-"), first != "help",
      !CommandFailure.commands.contains(first)
    else { return nil }
    return first
  }

  /// Returns the first example of the command that an error is about, or else its help.
  static func example(for error: any Error) -> String {
    example(of: CommandUsage(error)) ?? help(for: error)
  }

  /// Returns the first example that works here as it is, or else the first one, with placeholders.
  private static func example(of usage: CommandUsage) -> String? {
    let examples = usage.examples.map(adapted)
    return examples.first { line in !line.split(separator: " ").contains { placeholders.contains(String($0)) }
    }
      ?? examples.first
  }

  private static let placeholders = ["FILE", "FOLDER"]

  /// Returns the typed option that resembles a missing option, or `nil` if no typed option does.
  static func misspelt(_ option: String, in words: [String] = TypedLine.words) -> String? {
    words.prefix { $0 != "--" }.first { $0.hasPrefix("--") && nearestName(to: $0, among: [option]) != nil }
  }

  /// Returns an example that works here: without a file to write to, with `FILE` in place of a file that does not exist,
  /// or, in place of a credential that the lab may not have, the command that lists the credentials.
  private static func adapted(_ example: String) -> String {
    let isOfCredential = example.split(separator: " ").contains { word in
      word.first == "t" && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
    }
    guard !isOfCredential else { return "ssoterm tokens" }
    let words = example.firstRange(of: " > ").map { example[..<$0.lowerBound] } ?? example[...]
    var isOutput = false
    return words.split(separator: " ").map { word in
      defer { isOutput = word == "-o" }
      let isFile = fileKinds.contains { word.hasSuffix("." + $0) } && !word.hasPrefix("-")
      let home = StandardStreams.variable("HOME") ?? systemHome() ?? ""
      let path = word.hasPrefix("~/") ? home + word.dropFirst() : String(word)
      guard isFile || word.hasPrefix("~/"), !isOutput, !FileManager.default.fileExists(atPath: path) else {
        return String(word)
      }
      return placeholders[isFile ? 0 : 1]
    }.joined(separator: " ")
  }

  private static let fileKinds = ["json", "log", "har", "yaml", "txt", "key", "xml"]

  /// Returns the command that shows the help of the command that an error is about.
  static func help(for error: any Error) -> String {
    (["ssoterm"] + CommandUsage(error).path + ["--help"]).joined(separator: " ")
  }

  private static func error(in words: [String]) -> (any Error)? {
    do {
      _ = try Main.parse(words)
      return nil
    } catch { return error }
  }

  /// Returns the words without the mistake, or with another mistake in its place, or `nil` if there are no such words.
  private static func mended(_ words: [String], _ error: any Error) -> [String]? {
    let usage = CommandUsage(error)
    switch CommandMistake(error) {
    case .missing(_, let option?):
      if let wrong = misspelt(option, in: words) {
        return TypedLine.replacing(wrong, with: option, in: words)
      }
      return usage.value(of: [option]).map { words.beforeTerminator([option, $0]) }
    case .missing: return words == usage.path ? nil : best(completed(words, usage), than: error)
    case .noValue(_, let names):
      guard let place = words.lastIndex(where: names.contains) else { return nil }
      let value = usage.value(of: names).map { [words.inserting([$0], at: place + 1)] } ?? []
      return best(value + [words.removing(place, 1)], than: error)
    case .unknownOption(let wrong, let meant):
      if let meant, let near = nearestName(to: wrong, among: [meant]) {
        return TypedLine.replacing(wrong, with: near, in: words)
      }
      guard let place = words.firstIndex(where: { $0 == wrong || $0.hasPrefix(wrong + "=") }) else {
        return nil
      }
      // Where any number of arguments may follow, the next word is more likely to be the value of the option, unless
      // it is a file.
      let next = words.indices.contains(place + 1) ? words[place + 1] : "-"
      let hasValue = usage.needsMore && !next.hasPrefix("-") && !FileManager.default.fileExists(atPath: next)
      return best((hasValue ? [2, 1] : [1, 2]).map { words.removing(place, $0) }, than: error)
    case .needlessValue(let value, let option):
      return TypedLine.replacing("\(option)=\(value)", with: option, in: words)
    case .invalid(let wrong, let list, let option, _):
      return best(replaced(wrong, among: list, of: option, in: words, usage), than: error)
    case .unexpected(let unexpected): return withoutUnexpected(unexpected, in: words, usage)
    case .other:
      let shorter = [1, 2].flatMap { length in
        words.indices.dropFirst().reversed().map { words.removing($0, length) }
      }
      return shorter.first { self.error(in: $0) == nil }
    }
  }

  /// Returns the first words without a mistake, or else the first with another mistake.
  private static func best(_ candidates: [[String]], than error: any Error) -> [String]? {
    candidates.first { self.error(in: $0) == nil }
      ?? candidates.first { candidate in
        self.error(in: candidate).map { CommandMistake($0) != CommandMistake(error) } ?? true
      }
  }

  /// Returns the words with the arguments of an example, after the command or at the end.
  private static func completed(_ words: [String], _ usage: CommandUsage) -> [[String]] {
    guard let example = usage.exampleWords.first else { return [] }
    let start = zip(words, example).prefix { $0 == $1 }.count
    let given = Array(example.dropFirst(start).prefix { !$0.hasPrefix("-") })
    // The typed arguments replace as many of the example's.
    let typed = min(given.count, words.dropFirst(start).count { !$0.hasPrefix("-") })
    return (Array(given.indices[typed...]) + given.indices[..<typed]).flatMap { number in
      let more = Array(given[number...])
      return [words.beforeTerminator(more), words.inserting(more, at: start)]
    }
  }

  private static func replaced(
    _ wrong: String, among list: [String], of option: String?, in words: [String], _ usage: CommandUsage
  ) -> [[String]] {
    let ordered = (nearestName(to: wrong, among: list).map { [$0] } ?? []) + list
    let values = ordered + (option.flatMap { usage.value(of: [$0]) }.map { [$0] } ?? [])
    let replaced = values.compactMap { TypedLine.replacing(wrong, with: $0, in: words) }
    guard list.isEmpty, let place = words.firstIndex(of: wrong) else { return replaced }
    return replaced
      + (option == nil ? [words.removing(place, 1)] : [words.removing(place - 1, 2)])
      + usage.exampleWords.filter { $0.count > place }.map { example in
        words.removing(place, 1).inserting([example[place]], at: place)
      }
  }

  /// Returns the words with the intended command, or with the words as a program to run, or without them.
  private static func withoutUnexpected(
    _ unexpected: [String], in words: [String], _ usage: CommandUsage
  ) -> [String]? {
    guard let first = unexpected.first, let place = words.firstIndex(of: first) else { return nil }
    if let near = nearestName(to: first, among: usage.subcommands(before: place, in: words)) {
      return TypedLine.replacing(first, with: near, in: words)
    }
    guard place > 0 else { return nil }
    let program = words.inserting(["--"], at: place)
    if error(in: program) == nil { return program }
    return words.filter { !unexpected.contains($0) }
  }
}

/// The command that ArgumentParser's usage text is about, with its examples.
private struct CommandUsage {
  /// The words that name the command, without `ssoterm`.
  let path: [String]
  /// Whether the command does nothing without arguments, although it can be read.
  let needsMore: Bool
  private let command: any ParsableCommand.Type

  init(_ error: any Error) {
    let usage =
      SSOTermCommand.fullMessage(for: error).split(separator: "\n")
      .first { $0.hasPrefix("Usage: ") }.map { String($0.dropFirst(7)) } ?? ""
    var command: any ParsableCommand.Type = SSOTermCommand.self
    var path: [String] = []
    for word in usage.split(separator: " ").prefix(while: { $0.first?.isLetter == true }).dropFirst() {
      guard let next = command.subcommand(String(word)) else { break }
      command = next
      path.append(String(word))
    }
    (self.command, self.path) = (command, path)
    let isGroup = command.configuration.defaultSubcommand == nil && !command.configuration.subcommands.isEmpty
    needsMore = usage.contains("...") || isGroup && !path.isEmpty
  }

  /// The lines that the help gives as examples.
  var examples: [String] {
    command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ssoterm ") }
      .map { $0.trimmed }
  }

  /// The words of the examples after `ssoterm`, up to the first that only a shell understands.
  var exampleWords: [[String]] {
    examples.map { line in
      line.split(separator: " ").dropFirst().map(String.init)
        .prefix { !["&&", "|", ">", "<"].contains($0) && !$0.contains { "\"'~$".contains($0) } }
    }
  }

  /// Returns the value that an option has in an example.
  func value(of names: [String]) -> String? {
    exampleWords.lazy.compactMap { words in
      words.firstIndex(where: names.contains).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }.first
  }

  /// Returns the commands that could be at a position in the words.
  func subcommands(before place: Int, in words: [String]) -> [String] {
    var command: any ParsableCommand.Type = SSOTermCommand.self
    for word in words[..<place] {
      guard let next = command.subcommand(word) else { return [] }
      command = next
    }
    return command.configuration.subcommands.map { $0._commandName }
  }
}

extension ParsableCommand {
  fileprivate static func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0._commandName == name }
  }
}

extension [String] {
  fileprivate func removing(_ place: Int, _ count: Int) -> [String] {
    Array(self[..<place] + dropFirst(place + count))
  }

  fileprivate func inserting(_ words: [String], at place: Int) -> [String] {
    Array(self[..<place] + words + self[place...])
  }

  /// Returns the words with others at the end, before the program that `--` introduces.
  func beforeTerminator(_ words: [String]) -> [String] {
    inserting(words, at: firstIndex(of: "--") ?? count)
  }
}
