/// How a table with titles is laid out.
package enum TableLayout: Equatable, Sendable {
  /// Each column as wide as its widest cell.
  case aligned
  /// As `aligned`, in at most so many columns of a terminal.
  case fitted(Int)
  /// A tab between cells, nothing cut: for `cut`, `sort` and `awk`.
  case tabs
}

/// Rows of cells in columns.
package struct TextTable {
  var header: [String]
  /// The titles of columns that are left out where there is no room, the first of them first.
  var dispensable: [String]
  var rows: [[InkedText]] = []

  package init(_ header: [String], dispensable: [String] = []) {
    self.header = header
    self.dispensable = dispensable
  }

  /// One row for each element.
  package init<Row>(
    _ header: [String], dispensable: [String] = [], of elements: some Sequence<Row>,
    cells: (Row) throws -> [InkedText]
  ) rethrows {
    self.init(header, dispensable: dispensable)
    rows = try elements.map(cells)
  }

  package mutating func append(_ cells: [InkedText]) { rows.append(cells) }

  package func text(_ ink: Ink) -> String { lines(ink).joined(separator: "\n") }

  /// Without a header if there is none: then it is no list but a text, which keeps its length and its form in a pipe.
  ///
  /// `indent` is how many columns the caller puts before each line of a list without titles, which have to fit too.
  package func lines(_ ink: Ink, indent: Int? = nil) -> [String] {
    let lines = (header.isEmpty ? [] : [header.map { InkedText($0, .strong) }]) + rows
    let isList = !header.isEmpty || indent != nil
    switch ink.layout {
    case .tabs where !header.isEmpty: return lines.map { $0.map(ink.draw).joined(separator: "\t") }
    case .fitted(let width) where isList: return fitted(lines, width - (indent ?? 0), ink)
    case .aligned, .fitted, .tabs: return aligned(lines, Self.widths(of: lines), ink)
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

  private func aligned(_ lines: [[InkedText]], _ widths: [Int], _ ink: Ink) -> [String] {
    lines.map { line($0, widths, ink) }
  }

  private func line(_ cells: [InkedText], _ widths: [Int], _ ink: Ink) -> String {
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
  /// A column that is cut shows at least so much, as long as another one can be left out instead.
  private static let readable = 24

  /// Leaves out what is dispensable, then cuts the widest columns.
  private func fitted(_ lines: [[InkedText]], _ width: Int, _ ink: Ink) -> [String] {
    let natural = Self.widths(of: lines)
    var kept = Array(natural.indices)
    var leftOut: [String] = []
    func needed(_ cap: Int) -> Int {
      kept.reduce(0) { $0 + min(natural[$1], cap) } + Self.gap * max(0, kept.count - 1)
    }
    for title in dispensable where needed(Self.readable) > width {
      guard let column = header.firstIndex(of: title) else { continue }
      kept.removeAll { $0 == column }
      leftOut.append(title)
    }
    var cap = natural.max() ?? 0
    while cap > 1, needed(cap) > width { cap -= 1 }
    // What is left over by cutting all the widest alike goes to the first of them.
    var spare = max(0, width - needed(cap))
    var widths: [Int] = []
    for column in kept {
      let more = min(spare, max(0, natural[column] - cap))
      widths.append(min(natural[column], cap) + more)
      spare -= more
    }
    let cut = lines.map { cells in
      zip(kept, widths).compactMap { column, width in
        cells.indices.contains(column) ? cells[column].cut(to: width) : nil
      }
    }
    let note = leftOut.isEmpty ? [] : [ink.draw("no room for \(leftOut.joined(separator: ", "))", .faint)]
    return aligned(cut, widths, ink) + note
  }
}

extension InkedText {
  /// A sentence loses its end; an ID, whose two ends distinguish it, its middle.
  fileprivate func cut(to width: Int) -> InkedText {
    InkedText(text.contains(" ") ? truncated(text, width) : middleTruncated(text, width), tone)
  }
}

/// How cells become bytes: with colour or without, in Unicode or ASCII, cut to a terminal or not.
///
/// Sanitises on the way.
package struct Ink: Equatable, Sendable {
  package var colour = false
  package var ascii = false
  package var layout = TableLayout.aligned

  package init(colour: Bool = false, ascii: Bool = false, layout: TableLayout = .aligned) {
    self.colour = colour
    self.ascii = ascii
    self.layout = layout
  }

  package func draw(_ cell: InkedText) -> String {
    let clean = ascii ? asciiGlyphs(safe(cell.text)) : safe(cell.text)
    guard colour, cell.tone != .plain, !clean.isEmpty else { return clean }
    return "\u{1B}[\(cell.tone.code)m\(clean)\u{1B}[0m"
  }

  package func draw(_ text: String, _ tone: Tone = .plain) -> String { draw(InkedText(text, tone)) }
}
