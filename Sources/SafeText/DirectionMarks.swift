/// Where left-to-right marks (U+200E) go, so that a terminal that reorders text does so inside a stretch of right-to-left
/// text only: a name in Hebrew or Arabic must not take the numbers and signs beside it along.
///
/// A mark comes before such a text if no letter does, and behind it before a number or at the end. By the bidirectional
/// algorithm (https://www.unicode.org/reports/tr9/, rules W7, N1 and N2) what is between the two then keeps its place.
package struct DirectionMarks: Sendable {
  package static let mark: Unicode.Scalar = "\u{200E}"

  /// The direction of the last letter; nil before the first.
  private var isRightToLeft: Bool?

  package init() {}

  /// Whether a mark belongs before the next scalar of the text.
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

  /// Whether one belongs at the end of the text.
  package var isNeededAtEnd: Bool { isRightToLeft == true }

  /// The blocks whose letters have the bidirectional class R or AL (`DerivedBidiClass.txt`).
  fileprivate static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x6EF, 0x6FA...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}

/// `text`, which is safe to show, with the marks that keep right-to-left parts of it apart.
package func isolated(_ text: String) -> String {
  // The first right-to-left letter, U+0590, begins with the byte D6.
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

/// `text`, which is safe to show, between U+2068 and U+2069 if it has right-to-left letters.
///
/// For programs that follow the bidirectional algorithm whole, as browsers do: what is around it keeps its place.
package func enclosedIfRightToLeft(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 >= 0xD6 }),
    text.unicodeScalars.contains(where: DirectionMarks.isRightToLeft)
  else { return text }
  return "\u{2068}" + text + "\u{2069}"
}
