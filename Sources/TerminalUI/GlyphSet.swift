/// The characters that the terminal can display reliably.
package enum GlyphSet: Equatable, Sendable {
  case unicode, ascii

  /// Returns the glyph to draw for a scalar.
  ///
  /// If the glyphs are ASCII, this is one ASCII character for each of SSOTerm's own symbols, and `?` for any other
  /// scalar that is not ASCII.
  func glyph(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    if self == .unicode || scalar.isASCII { return scalar }
    return Self.table[scalar] ?? Self.boxPart(scalar) ?? "?"
  }

  private static func boxPart(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "━": "="
    case "─", "┄", "┈", "╌", "═", "╴", "╶": "-"
    case "│", "┃", "┆", "┊", "╎", "║", "╵", "╷", "▏", "▕": "|"
    case "\u{2500}"..."\u{257F}": "+"
    case "█", "▓", "▉", "▊", "▋", "▌": "#"
    case "▒": ":"
    case "░": "."
    case "\u{2581}"..."\u{2587}": "_"
    default: nil
    }
  }

  private static let table: [Unicode.Scalar: Unicode.Scalar] = [
    "●": "*", "◔": "~", "○": "o", "✗": "x", "✘": "x", "×": "x", "·": ".", "•": "*", "✓": "+", "✔": "+",
    "▸": ">", "▶": ">", "►": ">", "◂": "<", "◀": "<", "▾": "v", "▼": "v", "▴": "^", "▲": "^",
    "→": ">", "⇒": ">", "←": "<", "⇐": "<", "↑": "^", "↓": "v", "↔": "-", "↵": "<", "⏎": "<",
    "…": "~", "–": "-", "—": "-", "−": "-", "‑": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    "«": "<", "»": ">", "\u{A0}": " ", "◆": "*", "◇": "o", "■": "#", "□": "o", "★": "*", "☆": "*",
    "◐": "~", "◑": "~", "◕": "~", "⚠": "!", "≥": ">", "≤": "<", "≠": "!", "⟳": "@", "↶": "<", "↻": "@",
  ]
}
