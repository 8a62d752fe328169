/// The actions of the palette, which complete a line, run it, or copy it as a command line.
enum PaletteAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case open, complete, run, copyCommand

  /// The number of lines in the history.
  private static let remembered = 50

  func run(on model: inout AppModel) -> [Command] {
    if self == .open {
      model.shared.open(Palette(screen: model.context, model.shared.keys))
      // Read the names to complete, but not the accounts of a huge store, which are too many for a list.
      let isHuge = (model.lab.status?.accountCount ?? 0) > 1000
      return (model.lab.apps.isEmpty ? [.load(.apps)] : [])
        + (model.screens.accounts.list.index.count == 0 && !isHuge ? [.load(.accounts)] : [])
    }
    let behind = model.behind
    guard let palette = model.topDialog(Palette.self), let suggestion = palette.chosen(in: behind) else {
      return []
    }
    switch self {
    case .complete: complete(palette, suggestion, &model.shared)
    case .copyCommand:
      let action = suggestion.command.action.value
      if let words = action.commandWords(suggestion.argument, in: behind) {
        return [.copy(Copy(text: model.lab.commandLine(words), label: "command"))]
      }
      model.shared.say("\(suggestion.line): ssoterm has no such command line.")
    case .open, .run:
      guard !suggestion.argument.isEmpty || !palette.needsArgument(suggestion.command) else {
        complete(palette, suggestion, &model.shared)
        return []
      }
      model.dialogs.removeLast()
      return run(suggestion, on: &model)
    }
    return []
  }

  /// Replaces the line with the selected suggestion, with room for an argument.
  private func complete(_ palette: Palette, _ suggestion: Suggestion, _ shared: inout SharedState) {
    var palette = palette
    let takesMore = suggestion.argument.isEmpty && suggestion.command.argument != nil
    palette.set(suggestion.line + (takesMore ? " " : ""))
    shared.replaceDialog(palette)
  }

  private func run(_ suggestion: Suggestion, on model: inout AppModel) -> [Command] {
    let isSecret = Setting(suggestion.argument)?.change.isSecret ?? false
    if model.history.last != suggestion.line, !isSecret {
      model.history = (model.history + [suggestion.line]).suffix(Self.remembered)
    }
    return suggestion.argument.isEmpty
      ? model.attempt(suggestion.command) : model.run(suggestion.command, suggestion.argument)
  }
}
