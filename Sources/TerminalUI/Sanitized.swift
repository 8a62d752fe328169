import SafeText

/// Text as cells, limited to characters that are safe and have the same number of columns on every terminal.
///
/// Names come from tokens, property lists, caches, and servers, so they must never reach the terminal unchanged;
/// ``ScalarTreatment`` decides. Joiners, variation selectors, and skin tones, about whose width terminals disagree, are
/// removed. Each cell holds one spacing scalar and its zero-width marks.
struct Sanitized {
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

  /// Returns whether every character is drawn unchanged in one column.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E }
  }

  /// Calls `draw` with each scalar to draw and its columns: 1 or 2, or 0 for a mark on the preceding scalar.
  @inline(__always)
  static func walk(_ text: String, _ glyphs: GlyphSet, _ draw: (Unicode.Scalar, Int) -> Void) {
    var isFirst = true
    var treatments = ScalarTreatments()
    for scalar in text.unicodeScalars {
      switch treatments.next(scalar) {
      case .spelledOut: for letter in spelledOut(scalar).unicodeScalars { draw(letter, 1) }
      case .attached: continue
      case .shown where (0x1F3FB...0x1F3FF).contains(scalar.value): continue
      case .shown where (0x1F1E6...0x1F1FF).contains(scalar.value):
        // Draw each half of a flag as the letter that it represents, because terminals give a flag 1, 2, or 4 columns.
        draw(Unicode.Scalar(0x41 + scalar.value - 0x1F1E6) ?? scalar, 1)
      case .shown:
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

  /// Returns the longest prefix that fits into `columns`, and its width.
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

  /// Returns the longest suffix that fits into `columns`.
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

/// Returns the number of columns that `text` occupies when drawn.
package func columnWidth(_ text: String) -> Int {
  let simple = text.utf8.withContiguousStorageIfAvailable { SimpleText($0)?.columns } ?? nil
  if let simple { return simple }
  var width = 0
  Sanitized.walk(text, .unicode) { width += $1 }
  return width
}

/// Returns `text` in at most `width` columns, truncated at the end.
package func truncated(_ text: String, _ width: Int) -> String {
  if Sanitized.isPlain(text), text.utf8.count <= width { return text }
  let whole = Sanitized(text)
  guard whole.width > width else { return Sanitized.string(whole.clusters[...]) }
  guard width > 0 else { return "" }
  return Sanitized.string(whole.prefix(fitting: width - 1).0) + "…"
}

/// Returns `text` in at most `width` columns, truncated in the middle because identifiers differ at both ends.
package func middleTruncated(_ text: String, _ width: Int) -> String {
  if Sanitized.isPlain(text) {
    guard text.utf8.count > width else { return text }
    guard width > 0 else { return "" }
    let tail = (width - 1) / 2
    return "\(Substring(text.utf8.prefix(width - 1 - tail)))…\(Substring(text.utf8.suffix(tail)))"
  }
  let whole = Sanitized(text)
  guard whole.width > width else { return Sanitized.string(whole.clusters[...]) }
  guard width > 0 else { return "" }
  let tail = whole.suffix(fitting: (width - 1) / 2)
  let left = width - 1 - tail.reduce(0) { $0 + $1.width }
  // An ellipsis beside the new one says nothing more.
  var (start, end) = (Sanitized.string(whole.prefix(fitting: left).0), Sanitized.string(tail))
  while start.last == "…" { start.removeLast() }
  while end.first == "…" { end.removeFirst() }
  return start + "…" + end
}

/// Returns `text` in at most `width` columns, truncated at the start, for texts that share a common beginning.
package func startTruncated(_ text: String, _ width: Int) -> String {
  if Sanitized.isPlain(text) {
    guard text.utf8.count > width else { return text }
    return width > 0 ? "…\(Substring(text.utf8.suffix(width - 1)))" : ""
  }
  let whole = Sanitized(text)
  guard whole.width > width else { return Sanitized.string(whole.clusters[...]) }
  return width > 0 ? "…" + Sanitized.string(whole.suffix(fitting: width - 1)) : ""
}

extension String {
  package func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - columnWidth(self)))
  }
}
