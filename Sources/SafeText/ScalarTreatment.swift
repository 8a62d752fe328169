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
