/// Texts as columns. GRDB binds texts up to the first NUL, so two names that differ only after one would
/// become the same row: NUL is written as U+10FFFF `0`, and U+10FFFF itself as U+10FFFF `1`.
extension String {
  /// This text without NUL.
  package var storedText: String {
    guard holds(0) || holds(0xF4) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\0": scalars.append(contentsOf: "\u{10FFFF}0".unicodeScalars)
      case "\u{10FFFF}": scalars.append(contentsOf: "\u{10FFFF}1".unicodeScalars)
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// The text that `storedText` was made from.
  package init(storedText: String) {
    guard storedText.holds(0xF4) else {
      self = storedText
      return
    }
    var scalars = String.UnicodeScalarView()
    var escaped = false
    for scalar in storedText.unicodeScalars {
      if escaped {
        scalars.append(scalar == "0" ? "\0" : "\u{10FFFF}")
        escaped = false
      } else if scalar == "\u{10FFFF}" {
        escaped = true
      } else {
        scalars.append(scalar)
      }
    }
    self = String(scalars)
  }

  /// Whether a byte occurs in its UTF-8. Every text of a row is asked, so it goes by the bytes as they lie.
  private func holds(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }
}
