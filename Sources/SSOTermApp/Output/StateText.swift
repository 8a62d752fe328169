/// The meaning by which a cell is coloured.
///
/// The text says the same, so nothing is lost without colour.
package enum Tone: Sendable {
  case plain, good, warning, bad, faint, strong

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

/// Returns the state with its glyph and the time left, as shown in lists.
package func stateText(_ standing: TokenStanding) -> InkedText {
  InkedText(standing.lineText, standing.state.tone)
}

/// Returns the glyph of a check: `✓`, `✗`, or `·`.
func verdictText(_ check: Check) -> InkedText {
  switch check.verdict {
  case .passed: InkedText(check.glyph, .good)
  case .failed: InkedText(check.glyph, .bad)
  case .skipped: InkedText(check.glyph, .faint)
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
  "├": "|", "→": ">", "↶": "<", "“": "\"", "”": "\"", "—": "-", "•": "*",
]
