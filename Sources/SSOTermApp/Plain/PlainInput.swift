/// What a line of a plain session means: a row by its number, a key, a command by its name.
enum PlainInput: Equatable {
  /// An empty line: what is shown is said again.
  case nothing
  case help
  case row(Touch.Target)
  case key(KeyPress)
  /// Behind `=`: text for the field of a dialog.
  case text(String)
  case command(KeyCommand, String)
  case unknown(String, nearest: String?)

  init(_ line: String, in model: AppModel) {
    let commands = model.shared.keys.commands(in: model.context)
    if line.isEmpty {
      self = .nothing
    } else if line == "?" || line == "help" {
      self = .help
    } else if line.hasPrefix("=") {
      self = .text(String(line.dropFirst()))
    } else if let target = Self.target(line, in: model) {
      self = .row(target)
    } else if let key = Self.key(line) {
      self = .key(key)
    } else if let exact = commands.first(where: { $0.name == line.lowercased() }) {
      self = .command(exact, "")
    } else if let command = commands.filter({ $0.argument != nil && line.hasPrefix($0.name + " ") })
      .max(by: { $0.name.count < $1.name.count })
    {
      self = .command(command, String(line.dropFirst(command.name.count + 1)))
    } else if !model.dialogs.isEmpty, ["close", "back", "quit"].contains(line.lowercased()) {
      // In every box, whatever its own commands are called.
      self = .key(.escape)
    } else {
      self = .unknown(line, nearest: nearestName(to: line, among: commands.map(\.name)))
    }
  }

  /// The row of a number.
  private static func target(_ line: String, in model: AppModel) -> Touch.Target? {
    guard let number = Int(line) else { return nil }
    return PlainPicture(model).lines.lazy.compactMap(\.target).first {
      if case .row(_, let row) = $0 { row == number - 1 } else { false }
    }
  }

  /// A key by its letter or its name in the help: `s`, `Esc`, `C-t`.
  private static func key(_ line: String) -> KeyPress? {
    if line.count == 1, let character = line.first { return .character(character) }
    let word = line.lowercased()
    if word.hasPrefix("c-"), word.count == 3, let letter = word.last { return .control(letter) }
    let named: [KeyPress] = [
      .enter, .escape, .tab, .backTab, .pageUp, .pageDown, .home, .end, .up, .down, .left, .right,
      .character(" "),
    ]
    return named.first { $0.words.lowercased() == word }
  }
}
