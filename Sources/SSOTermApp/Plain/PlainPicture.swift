/// What a screen or dialog shows, line by line, without frames: for a session that repaints nothing.
///
/// It is read off the picture itself, so it says what the picture shows.
struct PlainPicture {
  struct Line: Equatable {
    var text: String
    /// What a number or a name chooses here.
    var target: Touch.Target?
  }

  private(set) var lines: [Line] = []
  /// The row that is selected.
  private(set) var selected: Line?

  init(_ model: AppModel) {
    var model = model
    model.shared.isZoomed = true
    var grid = Grid(width: model.size.width, height: model.size.height)
    grid.noticesTouches = true
    let layout = model.layout
    if let dialog = model.dialogs.last {
      dialog.component.draw(in: model, into: &grid, layout)
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

  /// Where two panels stand beside each other: the rows, and the column at which the second begins.
  private static func split(of grid: Grid) -> (rows: ClosedRange<Int>, column: Int)? {
    func column(of corners: String, in y: Int) -> Int? {
      let wanted = Array(corners.unicodeScalars)
      return (1..<max(1, grid.width)).first {
        Array(grid[$0 - 1, y].scalars) == [wanted[0]] && Array(grid[$0, y].scalars) == [wanted[1]]
      }
    }
    guard let top = (0..<grid.height).first(where: { column(of: "┐┌", in: $0) != nil }),
      let column = column(of: "┐┌", in: top)
    else { return nil }
    let end = (top..<grid.height).last {
      grid[column, $0].scalars.contains { "│┌└├".unicodeScalars.contains($0) }
    }
    return (top...(end ?? top), column)
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

  /// The text without lines drawn around it, and with two blanks between what stands in columns.
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
