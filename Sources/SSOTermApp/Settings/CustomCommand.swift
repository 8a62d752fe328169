import SSOCore
import SSOLab
import SafeText
import TerminalUI

/// A program that a key runs with values of the selection.
///
/// No shell is involved, so a value is a single argument, whatever it contains.
struct CustomCommand: Hashable, Sendable {
  /// A part of an argument.
  enum Piece: Hashable, Sendable {
    case text(String)
    case value(Value)
  }

  typealias Word = [Piece]

  /// A value that can be passed to a program, by its name in the line and in the program's environment.
  ///
  /// No value is a secret.
  enum Value: String, CaseIterable, Sendable {
    case account = "ACCOUNT"
    case homeAccountID = "HOME_ACCOUNT_ID"
    case app = "APP"
    case clientID = "CLIENT_ID"
    case redirectURI = "REDIRECT_URI"
    case correlationID = "CORRELATION_ID"
    case trace = "TRACE"
    case row = "ROW"
    case store = "STORE"
  }

  var name: String
  var keys: [KeyPress]
  /// The screens that have the command, or `nil` for all screens, where it has only keys that no other command uses.
  var scope: [KeyContext]?
  var words: [Word]
  var asksFirst: Bool
  /// The line of the command in the file.
  var line: Int

  /// The line as it was written, for display.
  var text: String {
    words.map { word in
      word.map { piece in
        switch piece {
        case .text(let text): shellWord(text)
        case .value(let value): "$" + value.rawValue
        }
      }.joined()
    }.joined(separator: " ")
  }

  /// The values that the line contains.
  var needed: [Value] {
    words.flatMap { $0 }.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }
}

extension CustomCommand.Value {
  /// Returns the current value, or `nil` if the selection does not have one.
  func text(in model: AppModel) -> String? {
    let selection = model.selection
    let text: String? =
      switch self {
      case .account: selection.copies[.username]
      case .homeAccountID: selection.copies[.homeAccountID]
      case .app: selection.app?.bundleID
      case .clientID: selection.copies[.clientID]
      case .redirectURI: selection.copies[.redirectURI]
      case .correlationID: selection.copies[.correlationID]
      case .trace: (selection.trace ?? selection.openTrace?.summary.id).map(String.init)
      case .row: selection.copies[.cell]
      case .store: model.lab.status?.storePath
      }
    return text.flatMap { $0.isEmpty || $0.contains("\0") ? nil : $0 }
  }
}

/// An error in a command line of the settings.
struct CommandLineError: Error, Equatable {
  var problem: String
  var nearest: String?
}

extension CustomCommand {
  /// Returns the words of a line, parsed by the shell's rules for quotes and backslashes.
  static func words(of line: String) throws(CommandLineError) -> [Word] {
    var reader = CommandLineReader(rest: Substring(line))
    let words = try reader.read()
    guard let first = words.first else { throw CommandLineError(problem: "is empty") }
    guard case .text? = first.first else {
      throw CommandLineError(problem: "must begin with the name of a program")
    }
    return words
  }
}

/// A parser that reads a command line character by character.
private struct CommandLineReader {
  var rest: Substring
  private var words: [CustomCommand.Word] = []
  private var word: CustomCommand.Word?

  init(rest: Substring) { self.rest = rest }

  mutating func read() throws(CommandLineError) -> [CustomCommand.Word] {
    while let character = rest.popFirst() {
      switch character {
      case " ", "\t", "\n": endWord()
      case "'": try quoted(until: "'", hasValues: false)
      case "\"": try quoted(until: "\"", hasValues: true)
      case "\\": if let next = rest.popFirst() { add(next) }
      case "$": try value()
      case "|", "&", ";", "<", ">", "`", "(", ")":
        throw CommandLineError(
          problem: "has “\(character)”, but no shell runs it: quote it, or run sh -c '…'")
      default: add(character)
      }
    }
    endWord()
    return words
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }

  private mutating func add(_ character: Character) {
    var pieces = word ?? []
    if case .text(let text)? = pieces.last {
      pieces[pieces.count - 1] = .text(text + String(character))
    } else {
      pieces.append(.text(String(character)))
    }
    word = pieces
  }

  private mutating func quoted(until end: Character, hasValues: Bool) throws(CommandLineError) {
    // Empty quotes are a word too.
    word = word ?? [.text("")]
    while let character = rest.popFirst() {
      if character == end { return }
      if hasValues, character == "$" {
        try value()
      } else if hasValues, character == "\\", let next = rest.first, "\"\\$".contains(next) {
        add(rest.removeFirst())
      } else {
        add(character)
      }
    }
    throw CommandLineError(problem: "has a quote that does not end")
  }

  /// Reads `$NAME` or `${NAME}`.
  private mutating func value() throws(CommandLineError) {
    let isBraced = rest.first == "{"
    if isBraced { rest.removeFirst() }
    let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    rest.removeFirst(name.count)
    if isBraced, rest.popFirst() != "}" { throw CommandLineError(problem: "has a ${ without its }") }
    guard let value = CustomCommand.Value(rawValue: name) else {
      let known = CustomCommand.Value.allCases.map { "$" + $0.rawValue }
      let near = nearestName(to: "$" + name, among: known)
      throw CommandLineError(
        problem: "has $\(name), which is not one of \(known.joined(separator: ", "))", nearest: near)
    }
    word = (word ?? []) + [.value(value)]
  }
}

/// A command from the settings, which runs its program with values of the selection.
enum CustomAction: FeatureAction {
  case run(CustomCommand)
  /// The user's confirmation that the program may run.
  case confirm

  func obstacle(in model: AppModel) -> String? {
    guard case .run(let command) = self else { return nil }
    for value in command.needed where value.text(in: model) == nil {
      return "nothing that is selected has $\(value.rawValue)"
    }
    for word in command.words.dropFirst() {
      // A program would take such an argument for an option, even where it expects a value.
      if case .value(let value)? = word.first, value.text(in: model)?.hasPrefix("-") == true {
        return "$\(value.rawValue) begins with “-”, which programs take for an option"
      }
    }
    return nil
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .run(let command):
      let program = ExternalProgram(command, in: model)
      guard command.asksFirst else { return [.runProgram(program)] }
      model.shared.open(RunConfirmation(program: program))
      return []
    case .confirm:
      guard let question = model.topDialog(RunConfirmation.self) else { return [] }
      model.dialogs.removeLast()
      return [.runProgram(question.program)]
    }
  }
}

extension ExternalProgram {
  /// Creates a program with the values of the current selection in its arguments and in its environment.
  fileprivate init(_ command: CustomCommand, in model: AppModel) {
    name = command.name
    words = command.words.map { word in
      word.map { piece in
        switch piece {
        case .text(let text): text
        case .value(let value): value.text(in: model) ?? ""
        }
      }.joined()
    }
    for value in CustomCommand.Value.allCases { variables[value.rawValue] = value.text(in: model) }
  }
}

extension KeyContext { static let runQuestion = KeyContext("runQuestion") }

/// The confirmation that precedes a program whose command contains `confirm: true`.
struct RunConfirmation: TextWindow {
  var program: ExternalProgram

  static let keys: [KeyContext: [KeyCommand]] = [
    .runQuestion: [
      KeyCommand(CustomAction.confirm, [.enter], "Enter", "run", name: "run program", "Runs the program."),
      DialogAction.closeQuietly,
    ]
  ]

  var context: KeyContext { .runQuestion }
  var title: String { "Run “\(program.name)”?" }
  var mostWidth: Int { 76 }

  func lines(width: Int) -> [PanelLine] {
    wrapped(program.words.map(shellWord).joined(separator: " "), width).map { PanelLine($0, .bold) }
      + [PanelLine(""), PanelLine("Enter runs it, Esc does not.", .dim)]
  }
}
