extension KeyContext { static let leaving = KeyContext("leaving") }

/// Asked before a demo ends in which something was done: its store is in memory only.
struct LeaveQuestion: DialogComponent {
  static let keys: [KeyContext: [KeyCommand]] = [
    .leaving: [
      KeyCommand(
        NavigationAction.leave, [.enter, .character("q"), .character("Q")], "Enter", "quit",
        name: "quit demo", "Quits; what was done in the demo is lost."),
      .close([.escape], "stay", name: "stay", "Goes back to the screen."),
    ]
  ]

  var context: KeyContext { .leaving }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(60, layout.size.width)
    let text =
      wrapped("The store of a demo is in memory: what was done in it is lost.", width - 4).map {
        PanelLine($0)
      } + [PanelLine(""), PanelLine("Enter or q quits, Esc stays.", .dim)]
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 2))
    grid.lines(text, in: grid.window(area, "Quit the demo?"))
  }
}
