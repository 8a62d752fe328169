import SSOLab
import TerminalUI

extension AppModel {
  /// Lines of the palette that are remembered.
  private static let remembered = 50

  mutating func openPalette() -> [Command] {
    dialogs.append(.palette(Palette(context: context)))
    // Names to complete; a huge store's accounts are too many to be a list.
    let isHuge = (status?.accountCount ?? 0) > 1000
    return (appRows.isEmpty ? [.load(.apps)] : [])
      + (accounts.index.count == 0 && !isHuge ? [.load(.accounts)] : [])
  }

  /// The suggestion that Enter would run.
  private func chosen(_ palette: Palette) -> Suggestion? {
    let all = behind.suggestions(for: palette)
    return all.indices.contains(palette.state.selection) ? all[palette.state.selection] : nil
  }

  /// The model as it is behind the dialog that takes the keys.
  package var behind: AppModel {
    var model = self
    model.dialogs = Array(dialogs.dropLast())
    return model
  }

  mutating func movePalette(_ key: KeyPress, _ palette: Palette) {
    var palette = palette
    let count = behind.suggestions(for: palette).count
    palette.move(key, count: count, height: layout.paletteRows, history: history)
    dialogs[dialogs.count - 1] = .palette(palette)
  }

  /// Tab: the selected suggestion becomes the line, with room for an argument.
  mutating func complete() {
    guard case .palette(var palette) = dialogs.last, let suggestion = chosen(palette) else { return }
    let takesMore = suggestion.argument.isEmpty && suggestion.command.argument != nil
    palette.set(suggestion.line + (takesMore ? " " : ""))
    dialogs[dialogs.count - 1] = .palette(palette)
  }

  mutating func runPalette(_ palette: Palette) -> [Command] {
    guard let suggestion = chosen(palette) else { return [] }
    if suggestion.argument.isEmpty, palette.needsArgument(suggestion.command) {
      complete()
      return []
    }
    dialogs.removeLast()
    let isSecret = Setting(suggestion.argument)?.change.isSecret ?? false
    if history.last != suggestion.line, !isSecret {
      history = (history + [suggestion.line]).suffix(Self.remembered)
    }
    return suggestion.argument.isEmpty
      ? attempt(suggestion.command) : run(suggestion.command, suggestion.argument)
  }

  /// C-x: the same as a command line.
  mutating func copyCommand() -> [Command] {
    guard case .palette(let palette) = dialogs.last, let suggestion = chosen(palette) else { return [] }
    guard let text = behind.commandLine(suggestion.command, suggestion.argument) else {
      notice = Notice(text: "\(suggestion.line): ssoterm has no such command line.", kind: .plain)
      return []
    }
    return [.copy(Copy(text: text, label: "command"))]
  }
}
