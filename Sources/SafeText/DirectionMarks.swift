/// A scanner that decides where left-to-right marks (U+200E) go, so that a terminal reorders only right-to-left text.
///
/// A name in Hebrew or Arabic must not drag along the numbers and signs beside it. A mark is placed before
/// right-to-left text if no letter precedes it, and after it if a number or the end follows. According to the
/// bidirectional algorithm (https://www.unicode.org/reports/tr9/, rules W7, N1, and N2), the text between the two marks
/// then keeps its place.
package struct DirectionMarks: Sendable {
  package static let mark: Unicode.Scalar = "\u{200E}"

  /// Whether the last letter was right-to-left, or `nil` before the first letter.
  private var isRightToLeft: Bool?

  package init() {}

  /// Returns whether a mark is needed before the next scalar of the text.
  package mutating func isNeeded(before scalar: Unicode.Scalar) -> Bool {
    if Self.isRightToLeft(scalar) {
      defer { isRightToLeft = true }
      return isRightToLeft == nil
    }
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A: isRightToLeft = false
    case 0x30...0x39: break
    case ..<0x80: return false
    default:
      if scalar.properties.isAlphabetic { isRightToLeft = false }
      guard scalar.properties.numericType != nil else { return false }
    }
    guard isRightToLeft == true else { return false }
    isRightToLeft = false
    return true
  }

  /// Whether a mark is needed at the end of the text.
  package var isNeededAtEnd: Bool { isRightToLeft == true }

  /// Returns whether a scalar is in a block whose letters have the bidirectional class R or AL
  /// (`DerivedBidiClass.txt`).
  fileprivate static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x6EF, 0x6FA...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}

/// Returns `text`, which is safe to display, with the marks that keep its right-to-left parts apart.
package func isolated(_ text: String) -> String {
  // The first right-to-left letter, U+0590, starts with the byte D6.
  if text.utf8.allSatisfy({ $0 < 0xD6 }) { return text }
  var whole = String.UnicodeScalarView()
  var marks = DirectionMarks()
  for scalar in text.unicodeScalars {
    if marks.isNeeded(before: scalar) { whole.append(DirectionMarks.mark) }
    whole.append(scalar)
  }
  if marks.isNeededAtEnd { whole.append(DirectionMarks.mark) }
  return String(whole)
}

/// Returns `text`, which is safe to display, between U+2068 and U+2069 if it contains right-to-left letters.
///
/// This is for programs that implement the whole bidirectional algorithm, such as browsers. The surrounding text keeps
/// its place.
package func enclosedIfRightToLeft(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 >= 0xD6 }),
    text.unicodeScalars.contains(where: DirectionMarks.isRightToLeft)
  else { return text }
  return "\u{2068}" + text + "\u{2069}"
}
