import TerminalUI

/// The content of a screen or dialog as lines without frames, for a session that never repaints.
///
/// It is extracted from the drawn screen, so it always matches what the screen shows.
struct PlainScreen {
  struct Line: Equatable {
    var text: String
    /// The target that a number or a name selects on this line.
    var target: Touch.Target?
  }

  private(set) var lines: [Line] = []
  /// The selected row.
  private(set) var selected: Line?

  init(_ model: AppModel) {
    var model = model
    model.shared.isZoomed = true
    var grid = Grid(width: model.size.width, height: model.size.height)
    grid.noticesTouches = true
    let layout = model.layout
    if let dialog = model.dialogs.last {
      dialog.component.draw(in: model, into: &grid, layout)
      // These dialogs draw in the status line.
      if dialog.component is NoteField || dialog.component is PasteField {
        drawStatus(model, into: &grid, layout.status)
      }
    } else {
      model.screen.draw(model.shared, into: &grid, layout.panels(of: model))
    }
    let split = Self.split(of: grid)
    for y in 0..<grid.height {
      guard let split, split.rows.contains(y) else {
        add(grid, y, 0..<grid.width)
        continue
      }
      add(grid, y, 0..<split.column)
      guard y == split.rows.upperBound else { continue }
      for y in split.rows { add(grid, y, split.column..<grid.width) }
    }
  }

  /// Returns the rows of a text beside a list, with the heading above them, and the column at which the text begins.
  private static func split(of grid: Grid) -> (rows: ClosedRange<Int>, column: Int)? {
    func column(in y: Int) -> Int? {
      var isBehindRow = false
      for x in 0..<grid.width {
        switch grid.touch(at: x, y) {
        case .row?: isBehindRow = true
        case .text? where isBehindRow: return x
        default: break
        }
      }
      return nil
    }
    guard let column = (0..<grid.height).lazy.compactMap({ column(in: $0) }).first else { return nil }
    let rows = (0..<grid.height).filter { y in
      if case .text? = grid.touch(at: column, y) { true } else { false }
    }
    guard let first = rows.first, let last = rows.last else { return nil }
    return (max(0, first - 1)...last, column)
  }

  private mutating func add(_ grid: Grid, _ y: Int, _ columns: Range<Int>) {
    var scalars = String.UnicodeScalarView()
    for x in columns { scalars.append(contentsOf: grid[x, y].scalars) }
    var text = Self.withoutFrame(String(scalars))
    let targets = columns.compactMap { grid.touch(at: $0, y) }
    let row = targets.first {
      if case .row = $0 { true } else { false }
    }
    guard case .row(_, let number)? = row else {
      if !text.isEmpty { lines.append(Line(text: text, target: targets.first)) }
      return
    }
    let isSelected = text.hasPrefix(">")
    text = "\(number + 1). " + text.drop { $0 == ">" || $0 == " " }
    lines.append(Line(text: text, target: row))
    if isSelected { selected = lines.last }
  }

  /// Returns the text without the lines drawn around it, and with two spaces between columns.
  private static func withoutFrame(_ text: String) -> String {
    let shown = text.map { "│┌┐└┘─━├┤┬┴┼▏".contains($0) ? " " : $0 }
    var words: [String] = []
    var blanks = 2
    for character in shown {
      if character == " " {
        blanks += 1
      } else {
        if blanks > 1 || words.isEmpty { words.append("") }
        if blanks == 1, let last = words.indices.last { words[last] += " " }
        words[words.count - 1].append(character)
        blanks = 0
      }
    }
    return words.joined(separator: "  ")
  }
}
