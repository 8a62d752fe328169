/// Returns `text` with each character that must not be displayed spelled out as `<U+202E>` (see ``ScalarTreatment``).
package func safeText(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) { return text }
  var safe = String.UnicodeScalarView()
  var treatments = ScalarTreatments()
  for scalar in text.unicodeScalars {
    if treatments.next(scalar) == .spelledOut {
      safe.append(contentsOf: spelledOut(scalar).unicodeScalars)
    } else {
      safe.append(scalar)
    }
  }
  return String(safe)
}

/// Returns the code point in at least four hexadecimal digits, such as `<U+001B>`.
package func spelledOut(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
}

/// Returns `text` as one word of a POSIX shell, in single quotes only if it needs them.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy {
    (0x61...0x7A).contains($0) || (0x40...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
  }
  guard text.isEmpty || !isPlain else { return text }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

/// The treatment of a character of untrusted text on a screen, in a command's output, on a web page, or in a JSON
/// document.
package enum ScalarTreatment: Equatable, Sendable {
  /// The character is displayed unchanged.
  case shown
  /// A joiner or variation selector after a character that accepts it.
  ///
  /// Text keeps it; a grid of cells omits it, because terminals disagree about the width of the result.
  case attached
  /// The character is spelled out as `<U+202E>` because it is invisible or changes the display of its neighbours.
  case spelledOut
}

/// A classifier for the scalars of a text, from the first to the last, because joiners depend on the preceding scalar.
///
/// It spells out control characters (Cc), format characters (Cf: bidirectional controls, soft hyphen, zero-width space,
/// tags, and others), line and paragraph separators, private-use and unassigned code points, and everything else that
/// Unicode lists as `Default_Ignorable_Code_Point` (`DerivedCoreProperties.txt`), such as Hangul fillers.
package struct ScalarTreatments: Sendable {
  private var previous: Unicode.Scalar?

  package init() {}

  /// Returns the treatment of the next scalar of a text.
  package mutating func next(_ scalar: Unicode.Scalar) -> ScalarTreatment {
    let treatment = Self.alone(scalar) ?? attachment(scalar)
    previous = treatment == .spelledOut ? nil : scalar
    return treatment
  }

  /// Returns the treatment, or `nil` if it depends on the preceding scalar.
  private static func alone(_ scalar: Unicode.Scalar) -> ScalarTreatment? {
    switch scalar.value {
    case 0x20...0x7E: .shown
    case 0x00...0x1F, 0x7F...0x9F, 0xAD: .spelledOut
    case 0xA0...0x2FF: .shown
    case 0x200C, 0x200D, 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: nil
    // Dashes, quotation marks, arrows, boxes, symbols, ideographs, and Hangul are all assigned and visible, and
    // frequent here.
    case 0x2010...0x2027, 0x2190...0x23FF, 0x2500...0x27BF, 0x3400...0x9FFC, 0xAC00...0xD7A3: .shown
    default: byProperties(scalar.properties)
    }
  }

  private static func byProperties(_ properties: Unicode.Scalar.Properties) -> ScalarTreatment {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
      .spelledOut
    default: properties.isDefaultIgnorableCodePoint ? .spelledOut : .shown
    }
  }

  private func attachment(_ scalar: Unicode.Scalar) -> ScalarTreatment {
    guard let previous else { return .spelledOut }
    let fits =
      switch scalar.value {
      case 0x200C: Self.joins(previous)
      case 0x200D: Self.joins(previous) || Self.isEmoji(previous) || previous.value == 0xFE0F
      case 0x180B...0x180F: (0x1820...0x18AA).contains(previous.value)  // Mongolian
      case 0xFE0E, 0xFE0F: previous.properties.isEmoji  // including digits, for keycaps
      case 0xFE00...0xFE02, 0xE0100...0xE01EF: previous.properties.isIdeographic
      default: false
      }
    return fits ? .attached : .spelledOut
  }

  /// Returns whether a scalar belongs to a script whose spelling needs U+200C and U+200D.
  ///
  /// See Unicode Standard Annex #31, section 2.3. These are Arabic and related scripts, the scripts of India, Khmer,
  /// Myanmar, and Mongolian.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0620...0x07FF, 0x0840...0x085B, 0x0860...0x08FF, 0x0900...0x0DFF, 0x1000...0x109F, 0x1780...0x17D3,
      0x1820...0x18AA, 0x1B00...0x1B4B, 0xA8E0...0xA8FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
      0x11000...0x1147F, 0x1E900...0x1E94B:
      true
    default: false
    }
  }

  /// Returns whether a scalar can be part of a sequence such as `👩‍💻`: an emoji, or the skin tone after it.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xFF && scalar.properties.isEmoji
  }
}

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
/// This is for programs that implement the complete bidirectional algorithm, such as browsers. The surrounding text
/// keeps its place.
package func enclosedIfRightToLeft(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 >= 0xD6 }),
    text.unicodeScalars.contains(where: DirectionMarks.isRightToLeft)
  else { return text }
  return "\u{2068}" + text + "\u{2069}"
}
