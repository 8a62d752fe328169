/// One cell of the screen: a spacing scalar with up to four zero-width marks, and a style.
///
/// It is stored in two words, with 21 bits for each scalar and one byte for the style, so that a grid is a single flat
/// allocation and two rows can be compared as memory.
package struct Cell: Equatable, Sendable {
  /// The spacing scalar and two marks.
  private var first: UInt64
  /// Two more marks, and the style in the highest byte.
  private var second: UInt64

  private static let scalarBits: UInt64 = 21
  private static let scalarMask: UInt64 = (1 << 21) - 1
  private static let styleShift: UInt64 = 56
  private static let marksMask: UInt64 = (1 << 42) - 1

  /// No scalar has this value, so it marks the right half of a wide cell.
  private static let continuationMark = scalarMask

  package static let blank = Cell(" ")

  package init(_ scalar: Unicode.Scalar, marks: [Unicode.Scalar] = [], style: Style = .plain) {
    self.init(value: UInt64(scalar.value), style: style)
    for mark in marks { append(mark: mark) }
  }

  private init(value: UInt64, style: Style) {
    first = value
    second = UInt64(style.bits) << Self.styleShift
  }

  /// The right half of a wide cell.
  package static func continuation(style: Style) -> Cell { Cell(value: continuationMark, style: style) }

  package var style: Style {
    get { Style(bits: UInt8(second >> Self.styleShift)) }
    set { second = second & Self.marksMask | UInt64(newValue.bits) << Self.styleShift }
  }

  package var isContinuation: Bool { first == Self.continuationMark }

  /// The scalars to draw, empty for the right half of a wide cell.
  package var scalars: [Unicode.Scalar] {
    guard !isContinuation else { return [] }
    let fields = [
      first, first >> Self.scalarBits, first >> (2 * Self.scalarBits), second,
      second >> Self.scalarBits,
    ]
    return fields.enumerated().compactMap { index, field in
      let value = field & Self.scalarMask
      return index > 0 && value == 0 ? nil : Unicode.Scalar(UInt32(value))
    }
  }

  /// The spacing scalar without its marks, read without allocating.
  var base: Unicode.Scalar { Unicode.Scalar(UInt32(first & Self.scalarMask)) ?? " " }

  /// Whether the cell contains a symbol or a line instead of part of a word; ASCII punctuation counts as part of a
  /// word.
  var isSymbol: Bool { base.value > 0x7F && !base.properties.isAlphabetic }

  /// Whether zero-width marks follow the spacing scalar.
  var hasMarks: Bool { !isContinuation && first >> Self.scalarBits != 0 }

  /// Appends a zero-width mark, replacing the fourth one if there is one.
  mutating func append(last mark: Unicode.Scalar) {
    second &= ~(Self.scalarMask << Self.scalarBits)
    append(mark: mark)
  }

  /// Appends a zero-width mark.
  ///
  /// A fifth mark is dropped because curses holds at most four.
  mutating func append(mark: Unicode.Scalar) {
    guard !isContinuation else { return }
    let value = UInt64(mark.value)
    if first >> Self.scalarBits == 0 {
      first |= value << Self.scalarBits
    } else if first >> (2 * Self.scalarBits) == 0 {
      first |= value << (2 * Self.scalarBits)
    } else if second & Self.scalarMask == 0 {
      second |= value
    } else if (second & Self.marksMask) >> Self.scalarBits == 0 {
      second |= value << Self.scalarBits
    }
  }
}
