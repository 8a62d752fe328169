/// Aligned columns, as wide as their widest cell.
package struct TextTable {
  var header: [String]
  var rows: [[InkedText]] = []

  package init(_ header: [String]) { self.header = header }

  package mutating func append(_ cells: [InkedText]) { rows.append(cells) }

  package func text(_ ink: Ink) -> String { lines(ink).joined(separator: "\n") }

  /// Without a header if there is none.
  package func lines(_ ink: Ink) -> [String] {
    let lines = (header.isEmpty ? [] : [header.map { InkedText($0, .strong) }]) + rows
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
    return lines.map { line($0, widths, ink) }
  }

  private func line(_ cells: [InkedText], _ widths: [Int], _ ink: Ink) -> String {
    var line = ""
    // Nothing is padded behind which nothing stands.
    let used = (cells.lastIndex { !$0.text.isEmpty } ?? -1) + 1
    for (column, cell) in cells.prefix(used).enumerated() {
      let isLast = column == used - 1
      let gap = isLast ? 0 : widths[column] - columnWidth(cell.text) + 2
      line += ink.draw(cell) + String(repeating: " ", count: gap)
    }
    return line
  }
}

/// How cells become bytes: with colour or without, in Unicode or ASCII.
///
/// Sanitises on the way.
package struct Ink: Equatable, Sendable {
  package var colour = false
  package var ascii = false

  package init(colour: Bool = false, ascii: Bool = false) {
    self.colour = colour
    self.ascii = ascii
  }

  package func draw(_ cell: InkedText) -> String {
    let clean = ascii ? asciiGlyphs(safe(cell.text)) : safe(cell.text)
    guard colour, cell.tone != .plain, !clean.isEmpty else { return clean }
    return "\u{1B}[\(cell.tone.code)m\(clean)\u{1B}[0m"
  }

  package func draw(_ text: String, _ tone: Tone = .plain) -> String { draw(InkedText(text, tone)) }
}
