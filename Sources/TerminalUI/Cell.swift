/// One place on the screen: a spacing scalar with up to four zero-width marks, and a style.
///
/// The five scalars are packed, 21 bits each, so that a grid is one flat allocation and two grids
/// compare word by word.
package struct Cell: Equatable, Sendable {
  package var style: Style
  private var first: UInt64
  private var second: UInt64

  private static let scalarBits: UInt64 = 21
  private static let scalarMask: UInt64 = (1 << 21) - 1

  /// No scalar has this value, so it marks the right half of a wide cell.
  private static let continuationMark = scalarMask

  package static let blank = Cell(" ")

  package init(_ scalar: Unicode.Scalar, marks: [Unicode.Scalar] = [], style: Style = .plain) {
    first = UInt64(scalar.value)
    second = 0
    self.style = style
    for mark in marks { append(mark: mark) }
  }

  /// The right half of a wide cell.
  package static func continuation(style: Style) -> Cell {
    var cell = Cell(" ", style: style)
    cell.first = continuationMark
    return cell
  }

  package var isContinuation: Bool { first == Self.continuationMark }

  /// What is drawn here: empty for the right half of a wide cell.
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

  /// The spacing scalar alone, without allocation.
  var base: Unicode.Scalar { Unicode.Scalar(UInt32(first & Self.scalarMask)) ?? " " }

  /// Whether zero-width marks follow the spacing scalar.
  var hasMarks: Bool { !isContinuation && first >> Self.scalarBits != 0 }

  /// Adds a zero-width mark; a fifth one is dropped, since curses holds no more.
  mutating func append(mark: Unicode.Scalar) {
    guard !isContinuation else { return }
    let value = UInt64(mark.value)
    if first >> Self.scalarBits == 0 {
      first |= value << Self.scalarBits
    } else if first >> (2 * Self.scalarBits) == 0 {
      first |= value << (2 * Self.scalarBits)
    } else if second == 0 {
      second = value
    } else if second >> Self.scalarBits == 0 {
      second |= value << Self.scalarBits
    }
  }
}
