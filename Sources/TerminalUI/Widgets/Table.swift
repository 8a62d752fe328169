/// A column of a table, with its desired width and how it may be truncated.
package struct TableColumn: Equatable, Sendable {
  /// The width of a column, in cells.
  package enum Width: Equatable, Sendable {
    case fixed(Int)
    /// A width of at least `min`.
    ///
    /// Spare columns first widen the column to `wanted`, and are then distributed by weight.
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
  /// The place where text that is too long is truncated.
  ///
  /// Identifiers are truncated in the middle, names at the end, and texts that share a common beginning at the start.
  package enum Cut: Equatable, Sendable { case start, middle, end }

  package var title: String
  package var width: Width
  package var align: Grid.Alignment
  package var cut: Cut
  /// The order in which columns are removed in a narrow window, the highest number first; 0 is never removed.
  package var priority: Int
  /// The name by which a narrow window says that it lacks the column: the title, unless the column has none.
  var name: String

  package init(
    _ title: String, width: Width, align: Grid.Alignment = .left, cut: Cut = .end, priority: Int = 0,
    name: String? = nil
  ) {
    self.title = title
    self.width = width
    self.align = align
    self.cut = cut
    self.priority = priority
    self.name = name ?? title
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

/// The content of one row in one column.
package struct TableCell: Equatable, Sendable {
  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style = .plain) {
    self.text = text
    self.style = style
  }
}

/// Returns the width of each column for a table of `width` columns with `gap` between them, or `nil` for an omitted
/// column.
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

/// Gives the room that the rows leave empty in flexible columns to columns in which a text would be cut.
private func balance(_ widths: inout [Int?], of columns: [TableColumn], for rows: [[TableCell]]) {
  var wanted = columns.map { columnWidth($0.title) }
  for row in rows {
    for (index, cell) in row.prefix(columns.count).enumerated() {
      wanted[index] = max(wanted[index], columnWidth(cell.text))
    }
  }
  for index in columns.indices {
    guard let width = widths[index], wanted[index] > width else { continue }
    for giver in columns.indices where columns[giver].width.weight > 0 {
      guard let own = widths[index], let other = widths[giver], other > wanted[giver] else { continue }
      let share = min(wanted[index] - own, other - wanted[giver])
      widths[index] = own + share
      widths[giver] = other - share
    }
  }
}

/// Draws a table, which is a row of titles followed by the visible rows.
///
/// The selected row is reverse and starts with `>`, so that it can be recognised without colour. The terminal's cursor
/// is on it.
///
/// Only the visible rows are requested, so a list of 100,000 rows is as cheap as a list of ten.
///
/// `isMarked` returns whether a row has a `*` in the margin. `headings` are lines above rows, by the number of the row
/// below, and scroll with the rows. `found` are the words of a filter, which are underlined in the cells. `list` is the
/// list's number if ``Grid/touch(at:)`` should report clicks on its rows.
package func drawTable(
  into grid: inout Grid, rect: Rect, columns: [TableColumn], rowCount: Int,
  row: (Int) -> [TableCell], state: ListState, focused: Bool = true,
  isMarked: (Int) -> Bool = { _ in false }, headings: [Int: String] = [:], found: [String] = [],
  list: Int? = nil
) {
  var widths = columnWidths(columns, width: rect.width - 2)
  for (column, width) in zip(columns, widths) where width == nil { grid.omit(column.name) }
  let hasTitles = columns.contains { !$0.title.isEmpty }
  let (header, body) = rect.splitTop(hasTitles ? 1 : 0)
  // Only if no row is out of sight, so that scrolling never moves a column.
  let known = rowCount + headings.count <= body.height ? (0..<rowCount).map(row) : []
  if !known.isEmpty { balance(&widths, of: columns, for: known) }

  func draw(_ cells: [TableCell], y: Int, areTitles: Bool = false) {
    var x = rect.x + 2
    for (index, cell) in cells.enumerated() where index < columns.count {
      guard let width = widths[index] else { continue }
      let text = areTitles ? cell.text : columns[index].cut.shorten(cell.text, width)
      grid.put(text, at: x, y, width: width, style: cell.style, align: columns[index].align)
      if !found.isEmpty, columns[index].align == .left {
        for place in places(of: found, in: text) where place.upperBound <= width {
          grid.restyle(Rect(x: x + place.lowerBound, y: y, width: place.count, height: 1)) {
            $0.underline = true
          }
        }
      }
      x += width + 2
    }
  }

  if !header.isEmpty { draw(columns.map { TableCell($0.title, .dim) }, y: header.y, areTitles: true) }
  let lines = TableLines(rowCount, headings)
  let visible = lines.visible(state, height: body.height)
  for (next, place) in visible.enumerated() {
    let line = body.rows(next, 1)
    let index = lines.row(at: place)
    guard lines.isRow(place) else {
      grid.put(headings[index] ?? "", at: rect.x + 1, line.y, width: rect.width - 1, style: .bold)
      continue
    }
    draw(known.isEmpty ? row(index) : known[index], y: line.y)
    if isMarked(index) { grid.put("*", at: line.x + 1, line.y, width: 1, style: .accent) }
    if let list { grid.add(Touch(.row(list: list, number: index), line)) }
    guard index == state.selection else { continue }
    grid.put(">", at: line.x, line.y, width: 1)
    guard focused else { continue }
    grid.restyle(line) { $0 = $0.inSelectedRow }
    grid.cursor = Point(x: line.x, y: line.y)
  }
  // Beside the rows, show in which direction the list continues.
  guard let first = visible.first, let last = visible.last, body.height > 0 else { return }
  if first > 0 { grid.put("↑", at: body.maxX, body.y, width: 1, style: .dim) }
  if last + 1 < lines.count { grid.put("↓", at: body.maxX, body.maxY - 1, width: 1, style: .dim) }
}

/// The lines of a table: its rows, and the headings above some of them.
private struct TableLines {
  private let rowCount: Int
  /// The rows below headings, in ascending order.
  private let below: [Int]

  init(_ rowCount: Int, _ headings: [Int: String]) {
    self.rowCount = rowCount
    below = headings.keys.filter { $0 < rowCount }.sorted()
  }

  var count: Int { rowCount + below.count }

  /// Returns the line of a row.
  private func line(of row: Int) -> Int { row + below.prefix { $0 <= row }.count }

  /// Returns the row in a line, or the row below if it is a heading.
  func row(at line: Int) -> Int { line - below.enumerated().count { $1 + $0 < line } }

  func isRow(_ line: Int) -> Bool { !below.enumerated().contains { $1 + $0 == line } }

  /// Returns the lines to draw, which begin with the heading above the first visible row.
  func visible(_ state: ListState, height: Int) -> Range<Int> {
    guard !below.isEmpty else { return state.visible(height: height, count: rowCount) }
    let first = line(of: state.offset) - (below.contains(state.offset) ? 1 : 0)
    var lines = ListState(selection: line(of: state.selection), offset: first)
    // At the top, the first heading is visible too.
    if state.selection == 0, height > 1 { lines.offset = 0 }
    return lines.visible(height: height, count: count)
  }
}

/// Returns the columns of a text that contain one of the words, ignoring case.
private func places(of words: [String], in text: String) -> [Range<Int>] {
  let letters = text.map { $0.lowercased() }
  return words.flatMap { word -> [Range<Int>] in
    let wanted = word.map { $0.lowercased() }
    guard !wanted.isEmpty, wanted.count <= letters.count else { return [] }
    return (0...letters.count - wanted.count).filter { letters[$0..<$0 + wanted.count].elementsEqual(wanted) }
      .map {
        let start = columnWidth(String(text.prefix($0)))
        return start..<start + columnWidth(word)
      }
  }
}
