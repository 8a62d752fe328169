import SSOLab
import TerminalUI

/// The list of the lab's records, with the title and the name of each.
///
/// A name that does not fit beside its title is below it, if there are enough lines for the entire list.
extension LabScreen {
  /// The column of a name below its title.
  private static let nameIndent = 4

  func drawRecords(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let width = rect.width - 2
    if hasFoldedRows(width: width, height: rect.height) {
      return drawFolded(shared, into: &grid, rect)
    }
    drawTable(
      into: &grid, rect: rect, columns: [TableColumn("", width: .flexible(min: 14, weight: 1))],
      rowCount: records.count,
      row: { index in
        switch rows[records.matches[index]] {
        case .kind(let kind, let count): [TableCell("\(kind.plural) \(count)", .dim)]
        // Drawn below.
        case .unused: []
        case .record(let row): [TableCell(titleAndName(of: row, width: width))]
        }
      }, state: records.state, focused: shared.panel == 0, list: 0)
    let visible = records.state.visible(height: rect.height, count: records.count)
    for (line, place) in visible.enumerated() where place != records.state.selection || shared.panel != 0 {
      guard case .record(let row) = rows[records.matches[place]] else { continue }
      let start = namePlace(of: row, width: width)
      grid.restyle(Rect(x: rect.x + 2 + start, y: rect.y + line, width: width - start, height: 1)) {
        $0 = .dim
      }
    }
    guard let last = visible.last, case .unused(let kinds) = rows[records.matches[last]] else { return }
    let line = rect.rows(last - visible.lowerBound, 1)
    let style = grid[line.x + 2, line.y].style
    let words = words(of: .unused(kinds))
    // Below the last row, there may be lines for the rest.
    let whole = wrapped(words, width, indent: "  ")
    let shown = line.y + whole.count <= rect.maxY ? whole : [words]
    for (number, text) in shown.enumerated() {
      grid.put(
        text, at: line.x + 2, line.y + number, width: line.width - 2,
        style: style == .plain || number > 0 ? .dim : style)
    }
  }

  /// Returns whether the names that do not fit beside their titles have lines of their own in a list of this size.
  private func hasFoldedRows(width: Int, height: Int) -> Bool {
    let folded = records.matches.count { isFolded(rows[$0], width: width) }
    let unused = rows.last.map { columnWidth(words(of: $0)) / max(1, width - 4) } ?? 0
    return folded > 0 && records.count + folded + unused <= height
  }

  /// Returns whether the window has lines for the names that do not fit beside their titles in a list of this width.
  func hasLinesForIDs(width: Int, _ layout: Layout) -> Bool {
    !layout.isStacked && hasFoldedRows(width: width - 4, height: layout.body.height - 1)
  }

  private func isFolded(_ row: LabRow, width: Int) -> Bool {
    guard case .record(let row) = row else { return false }
    let (title, name) = (columnWidth(row.title), columnWidth(row.name))
    let place = namePlace(of: row, width: width)
    return (place < title + 3 || place + name > width) && max(title + 1, name + Self.nameIndent) <= width
  }

  private func words(of row: LabRow) -> String {
    switch row {
    case .kind(let kind, let count): "\(kind.plural) \(count)"
    case .record(let record): " " + record.title
    case .unused(let kinds): "Nothing yet: " + kinds.map { $0.plural.lowercased() }.joined(separator: ", ")
    }
  }

  /// Draws the entire list, with each name beside or below its title.
  private func drawFolded(_ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    let (x, width) = (rect.x + 2, rect.width - 2)
    var y = rect.y
    for (place, match) in records.matches.enumerated() {
      let row = rows[match]
      let first = y
      switch row {
      case .record(let record):
        grid.put(words(of: row), at: x, y, width: width)
        let isFolded = isFolded(row, width: width)
        let start = isFolded ? Self.nameIndent : namePlace(of: record, width: width)
        if isFolded { y += 1 }
        grid.put(
          middleTruncated(record.name, width - start), at: x + start, y, width: width - start, style: .dim)
      case .kind: grid.put(words(of: row), at: x, y, width: width, style: .dim)
      case .unused:
        for (number, line) in wrapped(words(of: row), width, indent: "  ").enumerated() {
          if number > 0 { y += 1 }
          grid.put(line, at: x, y, width: width, style: .dim)
        }
      }
      y += 1
      let area = Rect(x: rect.x, y: first, width: rect.width, height: y - first)
      grid.add(Touch(.row(list: 0, number: place), area))
      guard place == records.state.selection else { continue }
      grid.put(">", at: rect.x, first, width: 1)
      guard shared.panel == 0 else { continue }
      grid.restyle(area) { $0 = $0.inSelectedRow }
      grid.cursor = Point(x: rect.x, y: first)
    }
  }

  /// Returns the title and the name of a record.
  private func titleAndName(of row: RecordRow, width: Int) -> String {
    let place = namePlace(of: row, width: width)
    return truncated(" " + row.title, place - 2).padding(to: place) + middleTruncated(row.name, width - place)
  }

  /// Returns the column where the name of a record begins: the same for all, except that a GUID that would be cut
  /// begins further left, in place of the record's title.
  private func namePlace(of row: RecordRow, width: Int) -> Int {
    let fits = titleWidth + nameWidth + 3 <= width
    let usual =
      fits ? max(18, titleWidth + 3) : min(18 + max(0, width - 32) * 3 / 5, max(18, width - shortNameWidth))
    let (title, name) = (columnWidth(row.title) + 3, columnWidth(row.name))
    // A GUID is complete even if that cuts the title, and another name if the title is complete too.
    let least = name >= Self.guidWidth ? 12 : min(usual, title - 1)
    if usual + name > width { return width - name >= least ? width - name : usual }
    return max(usual, min(title, width - name))
  }
}
