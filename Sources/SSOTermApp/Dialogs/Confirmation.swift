import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let confirm = KeyContext("confirm") }

/// A removal that waits for confirmation, with what each app would lose.
struct Confirmation: DialogComponent {
  var intent: AnyIntent
  var radius: BlastRadius
  /// The title with a name in place of the intent's ID, or `nil` for the title of the blast radius.
  var title: String?
  /// Whether the button that removes is selected.
  ///
  /// Cancel is the default, so that Enter alone removes nothing.
  var isConfirming = false

  static let keys: [KeyContext: [KeyCommand]] = [
    .confirm: [
      KeyCommand(
        ConfirmAction.otherButton, [.tab, .backTab, .left, .right, .character("h"), .character("l")], "Tab",
        "switch", name: "other button", "Goes to the other button."),
      KeyCommand(
        ConfirmAction.press, [.enter], "Enter", "press", name: "press button", "Presses the marked button."),
      DialogAction.closeQuietly,
    ]
  ]

  var context: KeyContext { .confirm }
  mutating func click(button: Int) { isConfirming = button == 1 }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(70, layout.size.width)
    let text = lines(
      width: width - 4, undoKey: model.shared.keys.fill("{undo}"),
      hasBroker: model.lab.status?.brokerInstalled == true, item: model.lab.storage.itemLabel)
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 4))
    let inner = grid.window(area, title ?? radius.title)
    let (rest, buttons) = inner.splitBottom(1)
    grid.lines(text, in: rest)
    drawButtons(["Cancel", verb], selected: isConfirming ? 1 : 0, into: &grid, buttons)
  }

  private func lines(width: Int, undoKey: String, hasBroker: Bool, item: String) -> [PanelLine] {
    let items = radius.itemCount == 0 ? nil : counted(radius.itemCount, item)
    let removed = [items, hasBroker ? besides : nil].compactMap(\.self)
    let what = removed.isEmpty ? "no \(item)" : removed.joined(separator: ", and ")
    var lines = wrapped("This deletes \(what). Undo with \(undoKey).", width).map { PanelLine($0) }
    lines.append(PanelLine(""))
    for loss in radius.affected {
      let glyph = loss.losesSignIn ? "✗" : "·"
      lines += wrapped("\(glyph) \(loss.displayText)", width, indent: "  ")
        .map { PanelLine($0, loss.losesSignIn ? .bad : .plain) }
    }
    if radius.affected.isEmpty { lines.append(PanelLine("No app loses anything.", .good)) }
    return lines
  }

  /// The verb on the button, which is the same as that of the key that led here.
  private var verb: String {
    switch intent.value {
    case is SignOut: "Sign out"
    case is ForgetAccount: title?.hasPrefix("Sign ") == true ? "Sign out" : "Forget"
    default: "Delete"
    }
  }

  /// The data that is deleted in addition to keychain items.
  private var besides: String? {
    intent.value is ForgetAccount ? "the broker's credentials of the account" : nil
  }
}

extension DialogAction {
  static let closeQuietly = KeyCommand.close(
    [.escape, .character("q")], "cancel", name: "close", "Closes the question without a change.")
}

enum ConfirmAction: FeatureAction {
  case otherButton, press

  func run(on model: inout AppModel) -> [Command] {
    guard var confirmation = model.topDialog(Confirmation.self) else { return [] }
    if self == .otherButton {
      confirmation.isConfirming.toggle()
      model.shared.replaceDialog(confirmation)
      return []
    }
    model.dialogs.removeLast()
    guard confirmation.isConfirming else {
      model.shared.say("Nothing was deleted.")
      return []
    }
    return model.shared.begin("Deleting", .perform(confirmation.intent, []))
  }
}

extension KeyContext { static let leaving = KeyContext("leaving") }

/// A confirmation before leaving something that exists only in memory: a demo with changes, or a checklist without a
/// report.
struct QuitConfirmation: TextWindow {
  var title: String
  /// The sentence that says what would be lost.
  var loss: String

  static let demo = QuitConfirmation(
    title: "Quit the demo?", loss: "The store of a demo is in memory: what was done in it is lost.")
  static let checklist = QuitConfirmation(
    title: "Quit the checklist?",
    loss: "The verdicts are not in a report yet: they are lost. To keep them, press Esc, then x.")

  static let keys: [KeyContext: [KeyCommand]] = [
    .leaving: [
      KeyCommand(
        NavigationAction.leave, [.enter, .character("q"), .character("Q")], "Enter", "quit",
        name: "quit demo", "Quits; what is in memory only is lost."),
      .close([.escape], "stay", name: "stay", "Goes back to the screen."),
    ]
  ]

  var context: KeyContext { .leaving }
  var mostWidth: Int { 60 }

  func lines(width: Int) -> [PanelLine] {
    wrapped(loss, width).map { PanelLine($0) }
      + [PanelLine(""), PanelLine("Enter or q quits, Esc stays.", .dim)]
  }
}
