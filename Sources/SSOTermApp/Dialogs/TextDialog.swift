import TerminalUI

/// A dialog with a text to read, which scrolls.
protocol TextDialog: DialogComponent {
  var title: String { get }
  /// At the right of the title.
  var remark: String { get }
  var scroll: Int { get set }
  func lines(width: Int) -> [PanelLine]
}

extension TextDialog {
  var remark: String { "" }

  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let area = model.layout.textArea
    let hidden = lines(width: area.width - 4).count - (area.height - 2)
    var state = ListState(selection: scroll)
    guard state.handle(key, count: max(1, hidden + 1), height: area.height - 2) else { return false }
    scroll = state.selection
    return true
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let most = layout.textArea
    let text = lines(width: most.width - 4)
    let area = layout.body.centred(width: most.width, height: min(most.height, text.count + 2))
    let inner = grid.window(area, title, trailing: remark)
    grid.lines(text, in: inner, scroll: scroll)
  }
}

extension Layout {
  /// The most that a text takes.
  fileprivate var textArea: Rect { body.centred(width: min(84, size.width), height: body.height) }
}
