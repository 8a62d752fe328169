import SafeText
import TerminalUI

/// The layout of a table with titles.
package enum TableLayout: Equatable, Sendable {
  /// Each column is as wide as its widest cell.
  case aligned
  /// Like `aligned`, but limited to the given number of columns of a terminal.
  case fitted(Int)
  /// Cells are separated by tabs and never truncated, for `cut`, `sort`, and `awk`.
  case tabs
}

/// A table of cells in rows and columns.
package struct TextTable {
  var header: [String]
  /// The titles of the columns that are omitted if there is no room, in the order of omission.
  var dispensable: [String]
  /// Whether the titles are printed, and not only name the columns that are omitted.
  var showsTitles = true
  var rows: [[InkedText]] = []

  package init(_ header: [String], dispensable: [String] = [], showsTitles: Bool = true) {
    self.header = header
    self.dispensable = dispensable
    self.showsTitles = showsTitles
  }

  /// Creates a table with one row for each element.
  package init<Row>(
    _ header: [String], dispensable: [String] = [], of elements: some Sequence<Row>,
    cells: (Row) throws -> [InkedText]
  ) rethrows {
    self.init(header, dispensable: dispensable)
    rows = try elements.map(cells)
  }

  package mutating func append(_ cells: [InkedText]) { rows.append(cells) }

  package func text(_ ink: TextInk) -> String { lines(ink).joined(separator: "\n") }

  /// Returns the lines of the table.
  ///
  /// A table without a header is not a list but a text: it keeps its form in a pipe, and on a terminal its lines break
  /// between words.
  ///
  /// `indent` is the number of columns that the caller puts before each line of a list without titles, which must fit
  /// too.
  package func lines(_ ink: TextInk, indent: Int? = nil) -> [String] {
    let (lines, omission) = parts(ink, indent: indent)
    return lines + [omission].compactMap(\.self)
  }

  /// Returns the lines of the table, and the line that names the columns for which there was no room.
  package func parts(_ ink: TextInk, indent: Int? = nil) -> (lines: [String], omission: String?) {
    let hasTitles = !header.isEmpty && showsTitles
    let lines = (hasTitles ? [header.map { InkedText($0, .strong) }] : []) + rows
    let isList = !header.isEmpty || indent != nil
    guard isList else {
      let widths = Self.textWidths(of: rows, ink.layout)
      return (rows.map { paragraph($0, widths, ink) }, nil)
    }
    switch ink.layout {
    case .tabs where hasTitles: return (lines.map { $0.map(ink.draw).joined(separator: "\t") }, nil)
    case .fitted(let width): return fitted(lines, width - (indent ?? 0), ink)
    case .aligned, .tabs: return (aligned(lines, Self.widths(of: lines), ink), nil)
    }
  }

  private static func widths(of lines: [[InkedText]]) -> [Int] {
    var widths: [Int] = []
    for line in lines {
      for (column, cell) in line.enumerated() {
        let width = columnWidth(cell.text)
        if column == widths.count {
          widths.append(width)
        } else {
          widths[column] = max(widths[column], width)
        }
      }
    }
    return widths
  }

  /// The width from which a cell of a text pads the others only if they are nearly as wide.
  private static let (widePadding, outlier) = (48, 24)

  /// Returns the widths to which the cells of a text are padded, which leave room for the last cells on a terminal.
  ///
  /// After a wider cell, the line continues where the cell ends.
  private static func textWidths(of lines: [[InkedText]], _ layout: TableLayout) -> [Int] {
    let natural = widths(of: lines)
    guard let first = natural.first, natural.count > 2 else { return natural }
    let room =
      if case .fitted(let width) = layout { max(word, width - first - readable - 2 * gap) } else { Int.max }
    return natural.indices.map { column in
      guard column > 0 else { return first }
      let widths = lines.compactMap { $0.indices.contains(column) ? columnWidth($0[column].text) : nil }
        .filter { $0 <= room }.sorted(by: >)
      let widest = widths.indices.first { index in
        widths[index] <= widePadding || index + 1 == widths.count
          || widths[index] - widths[index + 1] <= outlier
      }
      return widest.map { widths[$0] } ?? 0
    }
  }

  /// Returns a line of a text, which continues below its second cell.
  private func paragraph(_ cells: [InkedText], _ widths: [Int], _ ink: TextInk) -> String {
    let used = cells.prefix((cells.lastIndex { !$0.text.isEmpty } ?? -1) + 1)
    func padding(_ column: Int) -> String {
      String(repeating: " ", count: max(0, widths[column] - columnWidth(used[column].text)) + Self.gap)
    }
    guard let first = used.first, used.count > 1 else { return line(Array(used), widths, ink) }
    var texts: [InkedText] = []
    var gap = ""
    for column in used.indices.dropFirst() {
      if !used[column].text.isEmpty {
        texts.append(InkedText(gap + used[column].text, used[column].tone))
        gap = ""
      }
      gap += padding(column)
    }
    return ink.paragraph(InkedText(first.text + padding(0), first.tone), texts)
  }

  private func aligned(_ lines: [[InkedText]], _ widths: [Int], _ ink: TextInk) -> [String] {
    lines.map { line($0, widths, ink) }
  }

  private func line(_ cells: [InkedText], _ widths: [Int], _ ink: TextInk) -> String {
    var line = ""
    // The last cell of a line is not padded.
    let used = (cells.lastIndex { !$0.text.isEmpty } ?? -1) + 1
    for (column, cell) in cells.prefix(used).enumerated() {
      let isLast = column == used - 1
      let gap = isLast ? 0 : widths[column] - columnWidth(cell.text) + Self.gap
      line += ink.draw(cell) + String(repeating: " ", count: gap)
    }
    return line
  }
}

extension TextTable {
  fileprivate static let gap = 2
  /// The minimum width of a truncated column, as long as another column can be omitted instead.
  private static let readable = 24

  /// The width of a word that loses its meaning if it is truncated, such as `AccessToken`.
  private static let word = 12

  /// Returns the columns that are truncated last: those of words, and those of states, because a truncated state can be
  /// mistaken for another.
  private static func firm(in lines: [[InkedText]], widths: [Int]) -> Set<Int> {
    Set(
      widths.indices.filter { column in
        let isState = lines.contains { $0.indices.contains(column) && $0[column].tone.isVerdict }
        return widths[column] <= (isState ? readable : word)
      })
  }

  /// The width of a sentence for which dispensable columns give way.
  private static let sentence = 60

  /// Omits dispensable columns, and then truncates the widest columns.
  ///
  /// The last column says what is new in a row, unless it is dispensable itself. It is truncated last.
  private func fitted(
    _ lines: [[InkedText]], _ width: Int, _ ink: TextInk
  ) -> (lines: [String], omission: String?) {
    let natural = Self.widths(of: lines)
    var kept = Array(natural.indices)
    var leftOut: [String] = []
    var firm = Self.firm(in: lines, widths: natural)
    func least(_ column: Int, _ cap: Int) -> Int {
      firm.contains(column) ? natural[column] : min(natural[column], cap)
    }
    let news = header.last.map { dispensable.contains($0) } == false ? header.count - 1 : nil
    func needed(_ cap: Int, news width: Int = 0) -> Int {
      kept.reduce(0) { $0 + max(least($1, cap), $1 == news ? width : 0) } + Self.gap * max(0, kept.count - 1)
    }
    let longest = news.map { natural[$0] } ?? 0
    for title in dispensable where needed(Self.readable, news: min(longest, Self.sentence)) > width {
      guard let column = header.firstIndex(of: title) else { continue }
      kept.removeAll { $0 == column }
      leftOut.append(title)
    }
    if needed(Self.word) > width { firm = [] }
    if let news, needed(Self.word, news: longest) <= width { firm.insert(news) }
    var cap = natural.max() ?? 0
    while cap > 1, needed(cap) > width { cap -= 1 }
    // The room that remains after truncating all of the widest columns equally goes to the first of them.
    var spare = max(0, width - needed(cap))
    var widths: [Int] = []
    for column in kept {
      let more = min(spare, natural[column] - least(column, cap))
      widths.append(least(column, cap) + more)
      spare -= more
    }
    let cut = lines.map { cells in
      zip(kept, widths).compactMap { column, width in
        cells.indices.contains(column) ? cells[column].cut(to: width) : nil
      }
    }
    let omission =
      leftOut.isEmpty ? nil : ink.draw("no room for \(leftOut.joined(separator: ", "))", .faint)
    return (aligned(cut, widths, ink), omission)
  }
}

extension InkedText {
  /// Returns the text truncated to a width: a sentence at its end, and an ID in its middle, because both of its ends
  /// distinguish it.
  fileprivate func cut(to width: Int) -> InkedText {
    InkedText(text.contains(" ") ? truncated(text, width) : middleTruncated(text, width), tone)
  }
}
