import TerminalUI

/// A dialog with a text to read, in a window that is as high as the text.
protocol TextWindow: DialogComponent {
  var title: String { get }
  /// The text at the right of the title.
  var remark: String { get }
  /// The maximum width in columns, including the frame.
  var mostWidth: Int { get }
  var scroll: Int { get }
  func lines(width: Int) -> [PanelLine]
}

/// A text window that scrolls, for texts of any length.
protocol TextDialog: TextWindow {
  var scroll: Int { get set }
}

extension TextWindow {
  var remark: String { "" }
  var mostWidth: Int { 84 }
  var scroll: Int { 0 }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let width = min(mostWidth, layout.size.width)
    let text = lines(width: width - 4)
    let area = layout.body.centred(width: width, height: min(layout.body.height, text.count + 2))
    grid.lines(text, in: grid.window(area, title, trailing: remark), scroll: scroll)
  }
}

extension TextDialog {
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let width = min(mostWidth, model.layout.size.width)
    let height = model.layout.body.height - 2
    let hidden = lines(width: width - 4).count - height
    var state = ListState(selection: scroll)
    guard state.handle(key, count: max(1, hidden + 1), height: height) else { return false }
    scroll = state.selection
    return true
  }
}
