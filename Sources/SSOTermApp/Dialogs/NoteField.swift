extension KeyContext { static let note = KeyContext("note") }

/// A note on a step of a trace, while the user writes it in the status line.
struct NoteField: DialogComponent {
  var trace: Int64
  /// The number of the step, counted from 0.
  var step: Int
  var field: TextField

  static let keys: [KeyContext: [KeyCommand]] = [
    .note: [
      KeyCommand(
        NoteAction.keep, [.enter], "Enter", "save note", name: "save note", "Saves the note on the step."),
      .close([.escape], "cancel", name: "leave note", "Closes the note without a change."),
    ]
  ]

  var context: KeyContext { .note }
  mutating func type(_ key: KeyPress) -> Bool { field.handle(key) }
  mutating func paste(_ text: String) { field.insert(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {}
}

enum NoteAction: FeatureAction {
  case keep

  func run(on model: inout AppModel) -> [Command] {
    guard let note = model.topDialog(NoteField.self) else { return [] }
    model.dialogs.removeLast()
    return [.note(trace: note.trace, step: note.step, text: note.field.text)]
  }
}
