import SafeText

/// The contents of the screen, produced by a pure function and compared with the previous grid by the driver.
///
/// Everything that is drawn is clipped to the grid's edges and made safe to display; see ``Sanitized``.
package struct Grid: Equatable, Sendable {
  package let width: Int
  package let height: Int
  package var glyphs: GlyphSet
  /// The position of the terminal's cursor, or `nil` to hide it.
  ///
  /// It is in the field that receives input, or else on the selected row, because a screen reader reads there.
  package var cursor: Point?
  private(set) var cells: [Cell]
  /// The targets of clicks, recorded only if ``noticesTouches`` is set because most grids are never clicked.
  package private(set) var touches: [Touch] = []
  package var noticesTouches = false
  /// The names of the columns and panels that the window has no room for.
  package private(set) var omissions: [String] = []

  package init(width: Int, height: Int, glyphs: GlyphSet = .unicode) {
    self.width = max(0, width)
    self.height = max(0, height)
    self.glyphs = glyphs
    cells = Array(repeating: .blank, count: self.width * self.height)
  }

  package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// The cell at a position; blank outside the grid.
  package subscript(x: Int, y: Int) -> Cell {
    contains(x, y) ? cells[y * width + x] : .blank
  }

  private func contains(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && x < width && y >= 0 && y < height
  }
}

/// A part of the grid that responds to clicks.
package struct Touch: Equatable, Sendable {
  /// The meaning of a click in a rectangle.
  package enum Target: Equatable, Sendable {
    case row(list: Int, number: Int)
    case button(Int)
    case tab(Int)
    /// Text with this number of lines, which may not all be visible.
    case text(lines: Int)
    /// The action of a key.
    case key(KeyPress)
    /// Another location, given by its path.
    case place(String)
  }
  package var target: Target
  package var rect: Rect

  package init(_ target: Target, _ rect: Rect) {
    self.target = target
    self.rect = rect
  }
}

extension Grid {
  /// Records a click target.
  ///
  /// Targets that are recorded later are on top.
  package mutating func add(_ touch: Touch) {
    if noticesTouches { touches.append(touch) }
  }

  /// Records that the window has no room for a column or a panel.
  package mutating func omit(_ name: String) {
    if !name.isEmpty, !omissions.contains(name) { omissions.append(name) }
  }

  /// Starts a layer that covers what was drawn before, which receives no clicks and lacks nothing.
  package mutating func startLayer() { (touches, omissions) = ([], []) }

  /// Returns the target of a click at a position.
  package func touch(at x: Int, _ y: Int) -> Touch.Target? {
    touches.last { $0.rect.contains(x, y) }?.target
  }
}

extension Grid {
  package enum Alignment: Sendable { case left, right }

  /// Draws one line of text in at most `width` columns.
  ///
  /// Text that does not fit is cut and ends in `…`.
  package mutating func put(
    _ text: String, at x: Int, _ y: Int, width limit: Int, style: Style = .plain
  ) {
    put(text, at: x, y, width: limit, style: style, align: .left)
  }

  /// Draws text up to the right edge in the given style.
  package mutating func put(_ text: String, at x: Int, _ y: Int, style: Style = .plain) {
    put(text, at: x, y, width: width - x, style: style, align: .left)
  }

  /// Draws one line of text aligned to the left or right edge.
  ///
  /// Columns and rows are numbered from 0.
  package mutating func put(
    _ text: String, at x: Int, _ y: Int, width limit: Int, style: Style, align: Alignment
  ) {
    let room = min(limit, width - max(0, x), width - x)
    guard room > 0, y >= 0, y < height, x > -limit else { return }
    if putSimple(text, at: x, y, room, style, align) { return }
    let columns = drawnWidth(of: text)
    let fits = columns <= room
    let limit = fits ? room : room - 1
    var column = align == .right && fits ? x + room - columns : x
    let end = column + limit
    var last = -1
    var isCut = false
    var marks = DirectionMarks()
    Sanitized.walk(text, glyphs) { scalar, columns in
      guard !isCut else { return }
      if columns == 0 {
        if last >= 0, contains(last, y) { cells[y * width + last].append(mark: scalar) }
        return
      }
      isCut = column + columns > end
      guard !isCut else { return }
      if marks.isNeeded(before: scalar) { isolate(after: last >= 0 ? last : column - 1, y) }
      place(Cell(scalar, style: style), columns: columns, at: column, y)
      last = column
      column += columns
    }
    if marks.isNeededAtEnd { isolate(after: last, y) }
    if !fits { place(Cell(glyphs.glyph(for: "…"), style: style), columns: 1, at: column, y) }
  }

  /// Separates the right-to-left text on the two sides of a cell's right edge.
  private mutating func isolate(after x: Int, _ y: Int) {
    guard contains(x, y) else { return }
    let index = y * width + x
    cells[cells[index].isContinuation && x > 0 ? index - 1 : index].append(last: DirectionMarks.mark)
  }

  /// Draws text of scalars that each occupy one column, as most text does, without examining their properties.
  ///
  /// Returns `false` if the text contains anything else.
  private mutating func putSimple(
    _ text: String, at x: Int, _ y: Int, _ room: Int, _ style: Style, _ align: Alignment
  ) -> Bool {
    let glyphs = self.glyphs
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      guard let simple = SimpleText(bytes) else { return false }
      let fits = simple.columns <= room
      let start = align == .right && fits ? x + room - simple.columns : x
      let shown = fits ? simple.columns : room - 1
      let columns = max(0, start)..<max(0, start, min(width, start + shown))
      if !columns.isEmpty {
        separate(columns.lowerBound, columns.upperBound, y)
        let (row, blank) = (y * width, Cell(" ", style: style))
        cells.withUnsafeMutableBufferPointer { cells in
          var column = start
          simple.walk { scalar in
            if columns.contains(column) { cells[row + column] = blank.with(glyphs.glyph(for: scalar)) }
            column += 1
          }
        }
      }
      if !fits { place(Cell(glyphs.glyph(for: "…"), style: style), columns: 1, at: start + shown, y) }
      return true
    } ?? false
  }

  /// Returns the width of a text as drawn; with ASCII glyphs, a wide character occupies one column.
  private func drawnWidth(of text: String) -> Int {
    var columns = 0
    Sanitized.walk(text, glyphs) { columns += $1 }
    return columns
  }

  /// Blanks a rectangle.
  package mutating func fill(_ rect: Rect, style: Style = .plain) {
    fill(rect, with: Cell(" ", style: style))
  }

  private mutating func fill(_ rect: Rect, with cell: Cell) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      separate(area.x, area.maxX, y)
      let row = (y * width + area.x)..<(y * width + area.maxX)
      cells.withUnsafeMutableBufferPointer { $0[row].update(repeating: cell) }
    }
  }

  /// Changes the style of a rectangle without changing its text, for example for a selected row.
  package mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
    let area = rect.intersection(bounds)
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { change(&cells[y * width + x].style) }
    }
  }

  /// Draws a box with a title in its top edge: `┌ Title ───── trailing ─┐`.
  package mutating func box(
    _ rect: Rect, title: String = "", trailing: String = "", style: Style = .plain
  ) {
    guard rect.width >= 2, rect.height >= 2 else { return }
    let right = rect.maxX - 1
    let bottom = rect.maxY - 1
    for x in rect.x...right {
      symbol("─", x, rect.y, style)
      symbol("─", x, bottom, style)
    }
    for y in rect.y...bottom {
      symbol("│", rect.x, y, style)
      symbol("│", right, y, style)
    }
    symbol("┌", rect.x, rect.y, style)
    symbol("┐", right, rect.y, style)
    symbol("└", rect.x, bottom, style)
    symbol("┘", right, bottom, style)
    let titleWidth = title.isEmpty ? 0 : min(columnWidth(title) + 2, rect.width - 2)
    if titleWidth > 2 {
      fill(Rect(x: rect.x + 1, y: rect.y, width: titleWidth, height: 1), style: style)
      var heading = style
      heading.bold = true
      put(title, at: rect.x + 2, rect.y, width: titleWidth - 2, style: heading)
    }
    let trailingWidth = columnWidth(trailing) + 2
    if !trailing.isEmpty, titleWidth + trailingWidth + 4 <= rect.width {
      let start = right - 1 - trailingWidth
      fill(Rect(x: start, y: rect.y, width: trailingWidth, height: 1), style: style)
      put(trailing, at: start + 1, rect.y, width: trailingWidth - 2, style: style)
    }
  }

  /// Draws a heading followed by a rule: `Title ───── trailing`.
  ///
  /// The rule is heavy in the pane with the keyboard focus.
  package mutating func rule(
    _ row: Rect, title: String, trailing: String = "", style: Style, heading: Style, isHeavy: Bool
  ) {
    fill(row.rows(0, 1), with: Cell(glyphs.glyph(for: isHeavy ? "━" : "─"), style: style))
    let titleWidth = title.isEmpty ? 0 : min(columnWidth(title) + 2, row.width - 1)
    if titleWidth > 2 {
      fill(Rect(x: row.x, y: row.y, width: titleWidth, height: 1))
      put(title, at: row.x + 1, row.y, width: titleWidth - 2, style: heading)
    }
    let trailingWidth = columnWidth(trailing) + 2
    if !trailing.isEmpty, titleWidth + trailingWidth + 2 <= row.width {
      fill(Rect(x: row.maxX - trailingWidth, y: row.y, width: trailingWidth, height: 1))
      put(trailing, at: row.maxX - trailingWidth + 1, row.y, width: trailingWidth - 2, style: .dim)
    }
  }

  private mutating func symbol(_ scalar: Unicode.Scalar, _ x: Int, _ y: Int, _ style: Style) {
    place(Cell(glyphs.glyph(for: scalar), style: style), columns: 1, at: x, y)
  }

  /// Writes one cell, or the two halves of a wide one.
  private mutating func place(_ cell: Cell, columns: Int, at x: Int, _ y: Int) {
    guard contains(x, y), columns == 1 || x + 1 < width else { return }
    separate(x, x + columns, y)
    let index = y * width + x
    cells[index] = cell
    if columns == 2 { cells[index + 1] = .continuation(style: cell.style) }
  }

  /// Blanks the outer halves of wide cells that these columns, which are about to be overwritten, cut in two.
  private mutating func separate(_ start: Int, _ end: Int, _ y: Int) {
    let row = y * width
    if cells[row + start].isContinuation, start > 0 {
      cells[row + start - 1] = Cell(" ", style: cells[row + start - 1].style)
    }
    if end < width, cells[row + end].isContinuation {
      cells[row + end] = Cell(" ", style: cells[row + end].style)
    }
  }
}

extension Grid {
  /// Returns the text of the rows without trailing blanks.
  package func text() -> String {
    rows { cell in cell.scalars.map(Character.init) }
  }

  /// Returns the style of each cell as one letter.
  ///
  /// The letters are lowercase for an ink, uppercase for bold, a digit (the ink's number) for reverse, `_` for
  /// underline, and `.` for plain, which is omitted at the end of a row.
  package func styleText() -> String {
    rows(trimming: ".") { [$0.style.letter] }
  }

  private func rows(
    trimming blank: Character = " ", _ characters: (Cell) -> [Character]
  ) -> String {
    (0..<height).map { y in
      var row = String()
      for cell in cells[(y * width)..<((y + 1) * width)] { row.append(contentsOf: characters(cell)) }
      while row.last == blank { row.removeLast() }
      return row
    }
    .joined(separator: "\n")
  }
}

/// A position in a grid.
package struct Point: Equatable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A number of columns and rows.
package struct Size: Equatable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangular part of a grid.
///
/// Every operation returns a part of the receiver and never a negative size, so a screen that is laid out in too small
/// a window draws less instead of drawing elsewhere.
package struct Rect: Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package var isEmpty: Bool { width == 0 || height == 0 }
  package var maxX: Int { x + width }
  package var maxY: Int { y + height }

  /// Returns whether the rectangle contains a cell.
  ///
  /// The right and bottom edges are exclusive.
  package func contains(_ column: Int, _ row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  package func inset(by amount: Int) -> Rect { inset(x: amount, y: amount) }

  package func inset(x horizontal: Int, y vertical: Int) -> Rect {
    let left = min(max(0, horizontal), width)
    let top = min(max(0, vertical), height)
    return Rect(
      x: x + left, y: y + top, width: width - left - horizontal, height: height - top - vertical)
  }

  /// Returns `count` rows starting with row `from` of this rectangle.
  package func rows(_ from: Int, _ count: Int) -> Rect {
    let start = min(max(0, from), height)
    return Rect(x: x, y: y + start, width: width, height: min(max(0, count), height - start))
  }

  /// Returns the left `columns` columns, and the rest.
  package func splitLeft(_ columns: Int) -> (Rect, Rect) {
    let cut = min(max(0, columns), width)
    return (
      Rect(x: x, y: y, width: cut, height: height),
      Rect(x: x + cut, y: y, width: width - cut, height: height)
    )
  }

  /// Returns the top `count` rows, and the rest.
  package func splitTop(_ count: Int) -> (Rect, Rect) {
    let cut = min(max(0, count), height)
    return (rows(0, cut), rows(cut, height - cut))
  }

  /// Returns all rows except the bottom `count`, and the bottom `count` rows.
  package func splitBottom(_ count: Int) -> (Rect, Rect) {
    splitTop(height - min(max(0, count), height))
  }

  /// Returns the cells that are in both rectangles; empty if there are none.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// Returns a rectangle of at most this size in the centre of this one, for dialogs.
  package func centred(width wanted: Int, height tall: Int) -> Rect {
    let columns = min(max(0, wanted), width)
    let lines = min(max(0, tall), height)
    return Rect(
      x: x + (width - columns) / 2, y: y + (height - lines) / 2, width: columns, height: lines)
  }
}
