import SSOCore
import SafeText
import TerminalUI

/// The form of the output: with or without colour, in Unicode or ASCII, and truncated to a terminal or not.
///
/// It also sanitises the text.
package struct TextInk: Equatable, Sendable {
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

  /// Returns texts one after another behind a label, with the gaps that they begin with, or one space.
  ///
  /// On a terminal, lines break between words, and continue below the first text. In a pipe, all is on one line.
  package func paragraph(_ label: InkedText, _ texts: [InkedText]) -> String {
    var texts = texts.filter { !$0.text.isEmpty }
    for index in texts.indices.dropFirst() where !texts[index].text.hasPrefix(" ") {
      texts[index].text = " " + texts[index].text
    }
    guard case .fitted(let width) = layout else { return draw(label) + texts.map { draw($0) }.joined() }
    // In a narrow terminal, a wide label leaves no room below it.
    let indent = min(columnWidth(label.text), width / 2)
    var lines: [[InkedText]] = [[]]
    var used = columnWidth(label.text)
    for text in texts {
      var gap = 0
      for word in text.text.split(separator: " ", omittingEmptySubsequences: false) {
        guard !word.isEmpty else {
          gap += 1
          continue
        }
        let columns = columnWidth(safe(String(word)))
        let isFirst = lines.last?.isEmpty ?? true
        if !isFirst, used + gap + columns > width {
          lines.append([])
          (used, gap) = (indent, 0)
        }
        used += gap + columns
        let last = lines.count - 1
        let piece = String(repeating: " ", count: gap) + word
        if let end = lines[last].indices.last, lines[last][end].tone == text.tone {
          lines[last][end].text += piece
        } else {
          lines[last].append(InkedText(piece, text.tone))
        }
        gap = 1
      }
    }
    let margin = "\n" + String(repeating: " ", count: indent)
    return draw(label) + lines.map { $0.map(draw).joined() }.joined(separator: margin)
  }

  /// Returns a sentence behind an indentation, as ``paragraph(_:_:)`` breaks it.
  package func sentence(_ text: String, _ tone: Tone = .plain, indent: Int = 0) -> String {
    paragraph(InkedText(String(repeating: " ", count: indent)), [InkedText(text, tone)])
  }
}

/// Returns untrusted text in the only form in which it may be output.
///
/// Control and bidirectional characters are spelt out as `<U+001B>`, exactly as on the screens, and right-to-left text
/// is isolated from the text beside it.
package func safe(_ text: String) -> String { isolated(truncated(text, .max)) }

/// Returns `text`, or a dash if there is nothing to show.
package func dashed(_ text: String?) -> String {
  guard let text, !text.isEmpty else { return "-" }
  return text
}

/// The meaning by which a cell is coloured.
///
/// The text says the same, so nothing is lost without colour.
package enum Tone: Sendable {
  case plain, good, warning, bad, faint, strong

  /// Whether it colours a state and not a word.
  var isVerdict: Bool { self == .good || self == .warning || self == .bad }

  /// The parameter of the SGR escape sequence.
  var code: String {
    switch self {
    case .plain: ""
    case .good: "32"
    case .warning: "33"
    case .bad: "31"
    case .faint: "2"
    case .strong: "1"
    }
  }
}

/// A piece of a line with the colour that it may have.
package struct InkedText: Equatable, Sendable {
  package var text: String
  package var tone: Tone = .plain

  package init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// Returns the text with ASCII characters in place of this program's glyphs, for `--ascii`.
///
/// Names keep their letters.
func asciiGlyphs(_ text: String) -> String {
  String(text.map { asciiTable[$0] ?? $0 })
}

private let asciiTable: [Character: Character] = [
  "●": "*", "◔": "~", "○": "o", "✗": "x", "·": ".", "✓": "+", "…": "~", "─": "-", "│": "|", "└": "`",
  "├": "|", "→": ">", "↶": "<", "“": "\"", "”": "\"", "—": "-", "•": "*", "≠": "!", "▸": ">",
]
