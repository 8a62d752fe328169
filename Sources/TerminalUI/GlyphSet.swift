/// Which characters the terminal can be trusted with.
package enum GlyphSet: Equatable, Sendable {
  case unicode, ascii

  /// One ASCII column for one of our own symbols, `?` for anything else that is not ASCII.
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
