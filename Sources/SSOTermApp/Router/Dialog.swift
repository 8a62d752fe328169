/// What is drawn over the screen and takes the keys.
struct Dialog: Equatable, Sendable {
  var component: any DialogComponent

  init(_ component: any DialogComponent) { self.component = component }

  static func == (one: Dialog, other: Dialog) -> Bool { one.component.equals(other.component) }

  /// All dialogs, for the table of keys.
  static let all: [any DialogComponent.Type] = [
    PromptDialog.self, Confirmation.self, Help.self, Palette.self, Menu.self, NoteField.self, Choice.self,
    VisibilityMatrix.self, Why.self, Explained.self, FieldEdit.self, Effects.self, FaultForm.self,
    LeaveQuestion.self, RunQuestion.self, PasteField.self, Finding.self, RemarkField.self,
    EvidenceField.self, SignInEnded.self,
  ]
}

/// A dialog: its state, how it is drawn, and its keys.
///
/// What the keys do is in its actions (``FeatureAction``).
protocol DialogComponent: Equatable, Sendable {
  /// Its keys in each context that it may be in.
  static var keys: [KeyContext: [KeyCommand]] { get }
  var context: KeyContext { get }

  /// Takes a key that edits its text.
  mutating func type(_ key: KeyPress) -> Bool
  mutating func paste(_ text: String)
  /// - Returns: whether the key moves here.
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool
  mutating func click(row: Int)
  mutating func click(button: Int)
  mutating func click(tab: Int)
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout)
}

extension DialogComponent {
  mutating func type(_ key: KeyPress) -> Bool { false }
  mutating func paste(_ text: String) {}
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool { false }
  mutating func click(row: Int) {}
  mutating func click(button: Int) {}
  mutating func click(tab: Int) {}
}

/// A dialog with a list, in which the keys move.
protocol ListDialog: DialogComponent {
  var list: RowList { get set }
}

extension ListDialog {
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    list.move(key, height: max(1, model.size.height - 12))
  }

  mutating func click(row: Int) { list.state.selection = row }
}

/// Leaves a dialog without doing anything; a list that was narrowed by typing shows all of it first.
enum DialogAction: FeatureAction {
  case close

  func run(on model: inout AppModel) -> [Command] {
    if var dialog = model.dialogs.last?.component as? any ListDialog, dialog.list.isFiltered {
      dialog.list.clearFilter()
      model.shared.replaceDialog(dialog)
      return []
    }
    model.dialogs.removeLast()
    return []
  }
}

extension KeyCommand {
  static func close(
    _ keys: [KeyPress], _ label: String, name: String, _ sentence: String, keyText: String = "Esc"
  ) -> KeyCommand {
    KeyCommand(DialogAction.close, keys, keyText, label, name: name, sentence)
  }
}
