import SSOLab
import TerminalUI

/// The command line of the screens.
struct Palette: Equatable, Sendable {
  /// The screen whose commands are offered first.
  var context: Context
  var field = TextField()
  var state = ListState()
  /// How many lines back in the history the field's text is; 0: it is being typed.
  var age = 0
  private var draft = ""

  init(context: Context) { self.context = context }

  /// The screen's own commands, then those of other screens that an argument makes sense of.
  var commands: [KeyCommand] {
    let own = KeyCommand.all(in: context).filter { $0.action != .palette }
    let names = Set(own.map(\.name))
    let others = KeyCommand.table.filter {
      !$0.contexts.isDisjoint(with: Context.screens) && !names.contains($0.name) && Self.standsAlone($0)
    }
    return own + others
  }

  /// Whether the argument alone says what is meant, whatever is selected.
  private static func standsAlone(_ command: KeyCommand) -> Bool {
    switch command.argument {
    case .app, .account: true
    default: false
    }
  }

  func needsArgument(_ command: KeyCommand) -> Bool {
    command.keys.isEmpty || !command.contexts.contains(context)
  }

  /// A key that edits the line.
  mutating func type(_ key: KeyPress) -> Bool {
    guard field.handle(key) else { return false }
    edited()
    return true
  }

  mutating func paste(_ text: String) {
    field.insert(text)
    edited()
  }

  private mutating func edited() {
    age = 0
    state = ListState()
  }

  mutating func set(_ line: String) {
    field = TextField(line)
    edited()
  }

  /// Up goes up the list, and from its top into the history; Down comes the same way back.
  mutating func move(_ key: KeyPress, count: Int, height: Int, history: [String]) {
    switch key {
    case .up where state.selection == 0:
      guard age < history.count else { return }
      if age == 0 { draft = field.text }
      recall(age + 1, history)
    case .down where age > 0: recall(age - 1, history)
    case .up, .down, .pageUp, .pageDown: _ = state.handle(key, count: count, height: height)
    default: break
    }
  }

  private mutating func recall(_ lines: Int, _ history: [String]) {
    age = lines
    field = TextField(lines == 0 ? draft : history[history.count - lines])
    state = ListState()
  }
}

/// A line that the palette offers.
struct Suggestion: Equatable, Sendable {
  var command: KeyCommand
  var argument = ""
  var detail = ""

  var line: String { argument.isEmpty ? command.name : "\(command.name) \(argument)" }
}

extension AppModel {
  /// What the line may mean: commands by name, or arguments once a name is complete.
  func suggestions(for palette: Palette) -> [Suggestion] {
    let line = String(palette.field.text.drop { $0 == " " })
    let commands = palette.commands
    let named = commands.filter { $0.argument != nil && line.hasPrefix($0.name + " ") }
    guard let command = named.max(by: { $0.name.count < $1.name.count }), let argument = command.argument
    else {
      return ranked(commands, by: line).map { Suggestion(command: $0, detail: detail(of: $0)) }
    }
    return arguments(of: command, argument, typed: String(line.dropFirst(command.name.count + 1)))
  }

  private func arguments(of command: KeyCommand, _ argument: CommandArgument, typed: String) -> [Suggestion] {
    let words = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // Credentials may be several; only the last word is still being typed.
    let kept = argument == .credentials ? words.dropLast().map { $0 + " " }.joined() : ""
    let last = argument == .credentials ? words.last ?? "" : typed
    let wanted = last.lowercased()
    let found = candidates(for: argument).filter {
      wanted.isEmpty || $0.value.lowercased().contains(wanted) || $0.detail.lowercased().contains(wanted)
    }
    // What begins so comes first; the order is kept otherwise.
    let first = found.filter { $0.value.lowercased().hasPrefix(wanted) }
    let rest = found.filter { !$0.value.lowercased().hasPrefix(wanted) }
    var suggestions = (first + rest).map {
      Suggestion(command: command, argument: kept + $0.value, detail: $0.detail)
    }
    let asTyped = typed.trimmingSpaces
    if argument.takes(asTyped), !suggestions.contains(where: { $0.argument == asTyped }) {
      suggestions.insert(Suggestion(command: command, argument: asTyped), at: 0)
    }
    return suggestions
  }

  /// What a command would act on now.
  private func detail(of command: KeyCommand) -> String {
    switch command.action {
    case .silent, .interactive, .chooseAccount, .signOut: selectedApp?.displayName ?? ""
    case .forget: selectedAccount?.username ?? ""
    case .undo: status?.canUndo ?? ""
    case .redo: status?.canRedo ?? ""
    case .expire, .invalidate, .delete: marked.isEmpty ? "" : "\(marked.count) marked"
    default: ""
    }
  }

  /// All words must occur; names count more than descriptions, and letters in the right order are enough for a name.
  private func ranked(_ commands: [KeyCommand], by line: String) -> [KeyCommand] {
    let words = line.lowercased().split(separator: " ").map(String.init)
    guard !words.isEmpty else { return commands }
    let whole = words.joined(separator: " ")
    func rank(_ command: KeyCommand) -> Int? {
      let name = command.name.lowercased()
      if name == whole { return 0 }
      if name.hasPrefix(whole) { return 1 }
      if words.allSatisfy(name.contains) { return 2 }
      if words.allSatisfy({ name.hasInOrder($0) }) { return 3 }
      let all = name + " " + command.sentence.lowercased()
      return words.allSatisfy(all.contains) ? 4 : nil
    }
    let ranks = commands.map(rank)
    return (0...4).flatMap { wanted in commands.indices.filter { ranks[$0] == wanted }.map { commands[$0] } }
  }
}

extension String {
  /// Whether the letters of `other` occur in this order, with anything between.
  fileprivate func hasInOrder(_ other: String) -> Bool {
    var rest = other[...]
    for letter in self where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
