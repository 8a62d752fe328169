/// A column of a table: how wide it wants to be and what it may lose.
package struct TableColumn: Equatable, Sendable {
  /// How wide a column is, in cells.
  package enum Width: Equatable, Sendable {
    case fixed(Int)
    /// At least `min`; what is to spare makes it as wide as `wanted`, and then shares itself out by weight.
    case flexible(min: Int, wanted: Int = 0, weight: Int)

    var minimum: Int {
      switch self {
      case .fixed(let width): width
      case .flexible(let minimum, _, _): minimum
      }
    }

    package var wanted: Int {
      switch self {
      case .fixed(let width): width
      case .flexible(let minimum, let wanted, _): max(minimum, wanted)
      }
    }

    var weight: Int {
      switch self {
      case .fixed: 0
      case .flexible(_, _, let weight): weight
      }
    }
  }
  /// Where a text that is too long is cut: identifiers in the middle, names at the end, and at the start what begins
  /// like all the others.
  package enum Cut: Equatable, Sendable { case start, middle, end }

  package var title: String
  package var width: Width
  package var align: Grid.Alignment
  package var cut: Cut
  /// In a narrow window the columns with the highest number go first; 0 stays until the end.
  package var priority: Int

  package init(
    _ title: String, width: Width, align: Grid.Alignment = .left, cut: Cut = .end, priority: Int = 0
  ) {
    self.title = title
    self.width = width
    self.align = align
    self.cut = cut
    self.priority = priority
  }
}

extension TableColumn.Cut {
  fileprivate func shorten(_ text: String, _ width: Int) -> String {
    switch self {
    case .start: startTruncated(text, width)
    case .middle: middleTruncated(text, width)
    case .end: text
    }
  }
}

/// What a table shows in one row of one column.
package struct TableCell: Equatable, Sendable {
  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }
}

/// The width of each column in `width` columns with `gap` between them; `nil` for one left out.
package func columnWidths(_ columns: [TableColumn], width: Int, gap: Int = 2) -> [Int?] {
  var kept = Array(columns.indices)
  func needed(_ size: (TableColumn.Width) -> Int) -> Int {
    kept.reduce(0) { $0 + size(columns[$1].width) } + gap * max(0, kept.count - 1)
  }
  while kept.count > 1, needed(\.minimum) > width || needed(\.wanted) > width {
    guard let last = kept.max(by: { columns[$0].priority <= columns[$1].priority }) else { break }
    guard columns[last].priority > 0 || needed(\.minimum) > width else { break }
    kept.removeAll { $0 == last }
  }
  var widths: [Int?] = columns.map { _ in nil }
  var spare = max(0, width - needed(\.minimum))
  for index in kept {
    let size = columns[index].width
    let more = min(spare, size.wanted - size.minimum)
    widths[index] = min(size.minimum + more, max(0, width))
    spare -= more
  }
  var weights = kept.reduce(0) { $0 + columns[$1].width.weight }
  for index in kept {
    let weight = columns[index].width.weight
    let share = weights > 0 ? spare * weight / weights : 0
    widths[index] = widths[index].map { min($0 + share, max(0, width)) }
    spare -= share
    weights -= weight
  }
  return widths
}

/// Draws a table: a row of titles, then the rows in sight.
///
/// The selected row is reverse and begins with `>`, so that it can be seen without colour; the terminal's cursor is on it.
///
/// Only the rows in sight are asked for, which keeps a list of 100 000 as cheap as one of ten.
///
/// `isMarked` says whether a row has a `*` in the margin, `heading` gives a line above a row, for all of which the
/// rectangle has to have room. `list` is the list's number, if a click on a row should be reported by ``Grid/touch(at:)``.
package func drawTable(
  into grid: inout Grid, rect: Rect, columns: [TableColumn], rowCount: Int,
  row: (Int) -> [TableCell], state: ListState, focused: Bool = true,
  isMarked: (Int) -> Bool = { _ in false }, heading: (Int) -> String? = { _ in nil }, list: Int? = nil
) {
  let widths = columnWidths(columns, width: rect.width - 2)
  let hasTitles = columns.contains { !$0.title.isEmpty }
  let (header, body) = rect.splitTop(hasTitles ? 1 : 0)

  func draw(_ cells: [TableCell], y: Int) {
    var x = rect.x + 2
    for (index, cell) in cells.enumerated() where index < columns.count {
      guard let width = widths[index] else { continue }
      let text = columns[index].cut.shorten(cell.text, width)
      grid.put(text, at: x, y, width: width, style: cell.style, align: columns[index].align)
      x += width + 2
    }
  }

  if !header.isEmpty { draw(columns.map { TableCell($0.title, .dim) }, y: header.y) }
  let visible = state.visible(height: body.height, count: rowCount)
  var next = 0
  for index in visible {
    if let heading = heading(index) {
      grid.put(heading, at: rect.x + 1, body.y + next, width: rect.width - 1, style: .bold)
      next += 1
    }
    let line = body.rows(next, 1)
    next += 1
    draw(row(index), y: line.y)
    if isMarked(index) { grid.put("*", at: line.x + 1, line.y, width: 1, style: .accent) }
    if let list { grid.note(Touch(.row(list: list, number: index), line)) }
    guard index == state.selection else { continue }
    grid.put(">", at: line.x, line.y, width: 1)
    guard focused else { continue }
    grid.restyle(line) { $0 = .selected }
    grid.cursor = Point(x: line.x, y: line.y)
  }
  // Beside the rows: where the list goes on.
  guard let first = visible.first, let last = visible.last, body.height > 0 else { return }
  if first > 0 { grid.put("↑", at: body.maxX, body.y, width: 1, style: .dim) }
  if last + 1 < rowCount { grid.put("↓", at: body.maxX, body.maxY - 1, width: 1, style: .dim) }
}
