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
    loss: "The verdicts are not in a report yet and are lost; x writes the reports.")

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
