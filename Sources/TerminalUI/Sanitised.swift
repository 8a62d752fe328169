/// Text as cells: what is safe and what every terminal gives the same number of columns.
///
/// Names come out of tokens, property lists, caches and servers, so none of it may reach the
/// terminal as it is. Control, bidirectional and invisible format characters are spelt out as
/// `<U+001B>`. Joiners, variation selectors and skin tones, about whose width terminals disagree,
/// are cut. What remains is one spacing scalar and its zero-width marks a cell.
struct Sanitised {
  struct Cluster {
    var cell: Cell
    var width: Int
  }

  private(set) var clusters: [Cluster] = []
  private(set) var width = 0

  init(_ text: String, style: Style = .plain, glyphs: GlyphSet = .unicode) {
    clusters.reserveCapacity(text.utf8.count)
    Self.walk(text, glyphs) { scalar, columns in
      if columns > 0 {
        clusters.append(Cluster(cell: Cell(scalar, style: style), width: columns))
        width += columns
      } else {
        clusters[clusters.count - 1].cell.append(mark: scalar)
      }
    }
  }

  /// Whether every character is drawn as it is, in one column.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E }
  }

  /// Hands over what is drawn, with its columns: 1 or 2, or 0 for a mark on what came before.
  @inline(__always)
  static func walk(_ text: String, _ glyphs: GlyphSet, _ draw: (Unicode.Scalar, Int) -> Void) {
    var isFirst = true
    for scalar in text.unicodeScalars {
      switch Treatment(scalar) {
      case .spelledOut:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        for letter in "<U+\(zeros)\(digits)>".unicodeScalars { draw(letter, 1) }
      case .cut: continue
      case .replaced(let other): draw(glyphs.glyph(for: other), 1)
      case .drawn:
        let columns = ColumnWidth.of(scalar)
        if columns > 0 {
          let glyph = glyphs.glyph(for: scalar)
          draw(glyph, glyph == scalar ? columns : 1)
        } else {
          guard glyphs == .unicode else { continue }
          if isFirst { draw(" ", 1) }
          draw(scalar, 0)
        }
      }
      isFirst = false
    }
  }

  /// The longest beginning that fits into `columns`, and its width.
  func prefix(fitting columns: Int) -> (ArraySlice<Cluster>, Int) {
    if width <= columns { return (clusters[...], width) }
    var used = 0
    var end = 0
    while end < clusters.count, used + clusters[end].width <= columns {
      used += clusters[end].width
      end += 1
    }
    return (clusters[..<end], used)
  }

  /// The longest end that fits into `columns`.
  func suffix(fitting columns: Int) -> ArraySlice<Cluster> {
    var used = 0
    var start = clusters.count
    while start > 0, used + clusters[start - 1].width <= columns {
      used += clusters[start - 1].width
      start -= 1
    }
    return clusters[start...]
  }

  static func string(_ clusters: ArraySlice<Cluster>) -> String {
    var text = ""
    for cluster in clusters {
      for scalar in cluster.cell.scalars { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}

extension Sanitised {
  private enum Treatment {
    case drawn, cut, spelledOut
    case replaced(Unicode.Scalar)

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x20...0x7E: self = .drawn
      case 0x00...0x1F, 0x7F...0x9F, 0xAD: self = .spelledOut
      case 0xA0...0x2FF: self = .drawn
      // Dashes, quotation marks, arrows, boxes and symbols: all assigned, all visible, and frequent here.
      case 0x2010...0x2027, 0x2190...0x23FF, 0x2500...0x27BF: self = .drawn
      case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x1F3FB...0x1F3FF: self = .cut
      case 0x1F1E6...0x1F1FF: self = Self.flagLetter(scalar)
      case 0x3164, 0xFFA0: self = .spelledOut  // Hangul fillers look like spaces
      default: self = Self.byCategory(scalar)
      }
    }

    /// Half a flag is drawn as the letter it stands for: terminals give a flag 1, 2 or 4 columns.
    private static func flagLetter(_ scalar: Unicode.Scalar) -> Treatment {
      .replaced(Unicode.Scalar(0x41 + scalar.value - 0x1F1E6) ?? "\u{FFFD}")
    }

    private static func byCategory(_ scalar: Unicode.Scalar) -> Treatment {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: .spelledOut
      case .unassigned, .privateUse, .surrogate: .replaced("\u{FFFD}")
      default: .drawn
      }
    }
  }
}

/// The columns that `text` takes when it is drawn.
package func columnWidth(_ text: String) -> Int {
  if Sanitised.isPlain(text) { return text.utf8.count }
  var width = 0
  Sanitised.walk(text, .unicode) { width += $1 }
  return width
}

/// `text` in at most `width` columns, cut at the end.
package func truncated(_ text: String, _ width: Int) -> String {
  if Sanitised.isPlain(text), text.utf8.count <= width { return text }
  let whole = Sanitised(text)
  guard whole.width > width else { return Sanitised.string(whole.clusters[...]) }
  guard width > 0 else { return "" }
  return Sanitised.string(whole.prefix(fitting: width - 1).0) + "…"
}

/// `text` in at most `width` columns, cut in the middle: what tells identifiers apart is at both ends.
package func middleTruncated(_ text: String, _ width: Int) -> String {
  if Sanitised.isPlain(text) {
    guard text.utf8.count > width else { return text }
    guard width > 0 else { return "" }
    let tail = (width - 1) / 2
    return "\(Substring(text.utf8.prefix(width - 1 - tail)))…\(Substring(text.utf8.suffix(tail)))"
  }
  let whole = Sanitised(text)
  guard whole.width > width else { return Sanitised.string(whole.clusters[...]) }
  guard width > 0 else { return "" }
  let tail = whole.suffix(fitting: (width - 1) / 2)
  let left = width - 1 - tail.reduce(0) { $0 + $1.width }
  return Sanitised.string(whole.prefix(fitting: left).0) + "…" + Sanitised.string(tail)
}

/// `text` in at most `width` columns, cut at the start: for what begins like all the others.
package func startTruncated(_ text: String, _ width: Int) -> String {
  if Sanitised.isPlain(text) {
    guard text.utf8.count > width else { return text }
    return width > 0 ? "…\(Substring(text.utf8.suffix(width - 1)))" : ""
  }
  let whole = Sanitised(text)
  guard whole.width > width else { return Sanitised.string(whole.clusters[...]) }
  return width > 0 ? "…" + Sanitised.string(whole.suffix(fitting: width - 1)) : ""
}
