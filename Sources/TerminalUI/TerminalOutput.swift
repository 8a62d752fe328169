/// A converter from grids to the output for a terminal.
///
/// It uses the escape sequences of ECMA-48, with those of the 256 colours that are readable on a dark background.
package struct TerminalOutput {
  package init() {}

  /// Returns the output that makes the terminal display `new`.
  ///
  /// `old` is the grid that it displays now, or `nil` if the terminal was just opened.
  package func text(of new: Grid, over old: Grid?) -> String {
    let isSameSize = old?.width == new.width && old?.height == new.height
    var text = isSameSize ? "" : "\u{1B}[?25l\u{1B}[2J"
    for y in 0..<new.height {
      var x = 0
      while x < new.width {
        guard !isSameSize || old?[x, y] != new[x, y] else {
          x += 1
          continue
        }
        text += "\u{1B}[\(y + 1);\(x + 1)H"
        x = write(new, over: isSameSize ? old : nil, from: x, y, to: &text)
      }
    }
    return text
  }

  /// Writes the cells from the first that differs up to the next that does not.
  /// - Returns: the column after them.
  private func write(_ new: Grid, over old: Grid?, from start: Int, _ y: Int, to text: inout String) -> Int {
    var x = start
    var style: Style?
    while x < new.width, old == nil || old?[x, y] != new[x, y] {
      let cell = new[x, y]
      if !cell.isContinuation {
        if cell.style != style { text += codes(of: cell.style) }
        style = cell.style
        text.unicodeScalars.append(contentsOf: cell.scalars)
      }
      x += 1
    }
    text += "\u{1B}[0m"
    return x
  }

  private func codes(of style: Style) -> String {
    var codes = ["0"]
    if style.bold { codes.append("1") }
    if style.underline { codes.append("4") }
    if style.reverse { codes.append("7") }
    if let color = Theme.dark.inks(on: .dark, colors: 256).color(of: style.ink) {
      codes.append("38;5;\(color)")
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
