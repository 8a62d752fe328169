import TerminalUI

/// A dialog that is drawn over the screen and receives the keys.
struct Dialog: Equatable, Sendable {
  var component: any DialogComponent

  init(_ component: any DialogComponent) { self.component = component }

  static func == (one: Dialog, other: Dialog) -> Bool { one.component.equals(other.component) }

  /// All types of dialogs, for the key table.
  static let all: [any DialogComponent.Type] = [
    PromptDialog.self, Confirmation.self, Help.self, Palette.self, Menu.self, NoteField.self, Choice.self,
    VisibilityMatrix.self, Comparison.self, IssueCard.self, Timeline.self, Why.self, Explained.self,
    FieldEdit.self, Effects.self, FaultForm.self,
    QuitConfirmation.self, RunConfirmation.self, PasteField.self, Finding.self, RemarkField.self,
    EvidenceField.self, SignInEnded.self, Jump.self,
  ]
}

/// The state, the drawing, and the keys of a dialog.
///
/// The effects of the keys are in its actions (``FeatureAction``).
protocol DialogComponent: Equatable, Sendable {
  /// The keys of the dialog in each of its contexts.
  static var keys: [KeyContext: [KeyCommand]] { get }
  var context: KeyContext { get }

  /// Handles a key that edits the dialog's text, and returns whether the key was used.
  mutating func type(_ key: KeyPress) -> Bool
  mutating func paste(_ text: String)
  /// - Returns: Whether the key moves in this dialog.
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

/// A dialog with a list in which the keys move the selection.
protocol ListDialog: DialogComponent {
  var list: RowList { get set }
}

extension ListDialog {
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    list.move(key, height: max(1, model.size.height - 12))
  }

  mutating func click(row: Int) { list.state.selection = row }
}

/// The action that closes a dialog without any other effect.
///
/// If the list is narrowed by typing, it first clears the filter instead.
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
