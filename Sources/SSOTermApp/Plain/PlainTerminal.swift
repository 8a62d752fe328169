import SSOLab
import TerminalUI

/// The input and output of a plain session: a terminal or a test.
package struct PlainTerminal {
  /// The event that ended the wait for a line.
  package enum LineInput: Equatable, Sendable {
    case line(String)
    /// One of the given descriptors is readable.
    case news
    /// The user closed the input.
    case end
  }

  /// A closure that prints a line.
  var say: (String) -> Void
  /// A closure that prompts for a line, and waits for the line or for one of the descriptors.
  var hear: (String, [Int32]) -> LineInput
  /// A closure that presents a flow's prompt as numbered lines.
  ///
  /// If the second argument is true, the user may postpone the answer, which returns `nil`.
  var answer: (Prompt, Bool) -> Answer?

  package init(
    say: @escaping (String) -> Void, hear: @escaping (String, [Int32]) -> LineInput,
    answer: @escaping (Prompt, Bool) -> Answer?
  ) {
    (self.say, self.hear, self.answer) = (say, hear, answer)
  }
}

/// The meaning of a line that the user typed in a plain session: a row number, a key, or the name of a command.
enum PlainInput: Equatable {
  /// An empty line, which prints the current screen again.
  case nothing
  case help
  case row(Touch.Target)
  case key(KeyPress)
  /// Text after `=`, for the field of a dialog.
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
      // These words close every dialog, whatever its own commands are called.
      self = .key(.escape)
    } else {
      self = .unknown(line, nearest: nearestName(to: line, among: commands.map(\.name)))
    }
  }

  /// Returns the row with the number that was typed.
  private static func target(_ line: String, in model: AppModel) -> Touch.Target? {
    guard let number = Int(line) else { return nil }
    return PlainScreen(model).lines.lazy.compactMap(\.target).first {
      if case .row(_, let row) = $0 { row == number - 1 } else { false }
    }
  }

  /// Returns the key for a letter or for its name in the help, such as `s`, `Esc`, or `C-t`.
  private static func key(_ line: String) -> KeyPress? {
    if line.count == 1, let character = line.first { return .character(character) }
    let word = line.lowercased()
    if word.hasPrefix("c-"), word.count == 3, let letter = word.last { return .control(letter) }
    let named: [KeyPress] = [
      .enter, .escape, .tab, .backTab, .pageUp, .pageDown, .home, .end, .up, .down, .left, .right,
      .character(" "),
    ]
    return named.first { $0.displayText.lowercased() == word }
  }
}
