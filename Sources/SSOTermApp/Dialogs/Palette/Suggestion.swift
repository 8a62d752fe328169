/// A line that the palette offers.
struct Suggestion: Equatable, Sendable {
  var command: KeyCommand
  var argument = ""
  var detail = ""

  var line: String { argument.isEmpty ? command.name : "\(command.name) \(argument)" }
}

extension Palette {
  /// Returns the possible meanings of the line: commands by name, or arguments once a name is complete.
  func suggestions(in model: AppModel) -> [Suggestion] {
    guard let (command, argument, typed) = named else {
      let offered = commands.filter { model.hasStory || $0.action.value.keyGroup != .story }
      return ranked(offered, by: line).map {
        Suggestion(command: $0, detail: $0.action.value.object(in: model))
      }
    }
    return arguments(of: command, argument, in: model, typed: typed)
  }

  private var line: String { String(field.text.drop { $0 == " " }) }

  /// The command whose full name begins the line, with the text after the name, or `nil` if there is no such command
  /// with an argument.
  var named: (command: KeyCommand, argument: CommandArgument, typed: String)? {
    let line = line
    let command = commands.filter { $0.argument != nil && line.hasPrefix($0.name + " ") }
      .max { $0.name.count < $1.name.count }
    return command.flatMap { command in
      command.argument.map { (command, $0, String(line.dropFirst(command.name.count + 1))) }
    }
  }

  private func arguments(
    of command: KeyCommand, _ argument: CommandArgument, in model: AppModel, typed: String
  ) -> [Suggestion] {
    let words = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // There may be several credentials, and only the last word is still being typed.
    let kept = argument == .credentials ? words.dropLast().map { $0 + " " }.joined() : ""
    let last = argument == .credentials ? words.last ?? "" : typed
    let wanted = last.lowercased()
    let found = argument.candidates(in: model).filter {
      wanted.isEmpty || $0.value.lowercased().contains(wanted) || $0.detail.lowercased().contains(wanted)
    }
    // Candidates that begin with the typed text come first, and the order is otherwise unchanged.
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

  /// Returns the commands in which all words occur.
  ///
  /// Names count more than descriptions, and for a name it is sufficient that the letters occur in order.
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
      let all = name + " " + table.sentence(of: command).lowercased()
      return words.allSatisfy(all.contains) ? 4 : nil
    }
    let ranks = commands.map(rank)
    return (0...4).flatMap { wanted in commands.indices.filter { ranks[$0] == wanted }.map { commands[$0] } }
  }
}

extension String {
  /// Returns whether the letters of `other` occur in this order, with anything in between.
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
