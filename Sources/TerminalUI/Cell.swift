import SafeText

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

  /// The same cell with another spacing scalar.
  func with(_ scalar: Unicode.Scalar) -> Cell {
    var cell = self
    cell.first = UInt64(scalar.value)
    return cell
  }

  /// The right half of a wide cell.
  package static func continuation(style: Style) -> Cell { Cell(value: continuationMark, style: style) }

  package var style: Style {
    get { Style(bits: UInt8(second >> Self.styleShift)) }
    set { second = second & Self.marksMask | UInt64(newValue.bits) << Self.styleShift }
  }

  var isContinuation: Bool { first == Self.continuationMark }

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
  ///
  /// A bold space is a symbol where it is a block of colour. Other spaces in a selected row are between words.
  var isSymbol: Bool {
    base.value > 0x7F ? !base.properties.isAlphabetic : base == " " && style.reverse && style.bold
  }

  /// Whether the cell contains a printable ASCII character that is part of a word; see ``isSymbol``.
  var isLetter: Bool { (0x20...0x7E).contains(first) && !isSymbol }

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

/// A sequence of texts in one buffer, each followed by a zero byte so that no match spans two texts.
struct TextRun: Equatable, Sendable {
  private var bytes: [UInt8] = []
  /// The position of the zero byte after each text.
  private var ends: [UInt32] = []

  /// The maximum length of a text, in bytes.
  ///
  /// Longer texts are truncated, because a store may contain anything and users search for the beginning.
  static let limit = 1024

  var count: Int { ends.count }

  /// Reserves capacity for `total` texts similar to the existing ones, to avoid repeated copying as the buffer grows.
  mutating func reserve(_ total: Int) {
    guard total > count else { return }
    ends.reserveCapacity(total)
    guard count > 0 else { return }
    bytes.reserveCapacity((bytes.count / count + 1) * total)
  }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text.prefix(Self.limit))
    ends.append(UInt32(bytes.count))
    bytes.append(0)
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]) + 1)..<Int(ends[index])
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

  func string(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

  func withBytes<T>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(index)])) }
  }

  /// Calls `body` with the number of each text that contains `term`, in order.
  ///
  /// The caller applies `!`.
  func forEachMatch(_ term: SearchTerm, _ body: (Int) -> Void) {
    guard !term.needle.contains(0), count > 0 else { return }
    bytes.withUnsafeBytes { hay in
      term.needle.withUnsafeBytes { needle in
        if term.isFuzzy {
          for index in 0..<count
          where term.accepts(UnsafeRawBufferPointer(rebasing: hay[range(index)]), needle) { body(index) }
        } else {
          search(needle, in: hay, body)
        }
      }
    }
  }

  /// Searches the entire buffer at once and skips the rest of a text after its first match.
  private func search(
    _ needle: UnsafeRawBufferPointer, in hay: UnsafeRawBufferPointer, _ body: (Int) -> Void
  ) {
    var index = 0
    var position = 0
    while let offset = ByteSearch.offset(of: needle, in: hay, from: position) {
      index = first(endingAfter: offset, from: index)
      body(index)
      position = Int(ends[index]) + 1
      index += 1
    }
  }

  /// Doubles the step size each time, because the next match is usually near.
  private func first(endingAfter offset: Int, from start: Int) -> Int {
    var low = start
    var step = 1
    while low + step < ends.count, Int(ends[low + step]) <= offset {
      low += step
      step *= 2
    }
    var high = min(low + step, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if Int(ends[middle]) <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The number of columns that a scalar occupies.
///
/// This is a separate table because the C library's depends on its version and on the locale, and golden files must
/// depend on neither. The driver also asks the C library before it draws (see ``NcursesDriver``), so a disagreement
/// costs one character and not the row.
enum ColumnWidth {
  /// The ranges of East Asian wide and full-width scalars (Unicode 14, `EastAsianWidth.txt`), sorted.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
    0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
    0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
    0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
    0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
    0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F265, 0x1F300...0x1F320, 0x1F32D...0x1F335,
    0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
    0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
    0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
    0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF,
    0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
    0x1F947...0x1F9FF, 0x1FA70...0x1FAF6, 0x20000...0x3FFFD,
  ]

  /// Returns 0 for marks that combine with the preceding scalar, 2 for wide scalars, and 1 for all others.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if isMark(scalar) { return 0 }
    return value >= 0x1100 && isWide(value) ? 2 : 1
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: true  // Hangul vowels and finals join the syllable
    case 0x2500...0x25FF, 0x3400...0x9FFF, 0xAC00...0xD7A3: false  // frequent, so test these early
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: true
      default: false
      }
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }
}

/// The scalars of a text in which each is drawn unchanged, or as its glyph, in one column.
///
/// Almost every text is of this kind: printable ASCII, Latin letters, and the symbols and lines of the screens. Such a
/// text needs no ``Sanitized``, which looks up several properties of each scalar.
struct SimpleText {
  /// The number of scalars, which is the number of columns.
  let columns: Int
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Returns `nil` for any other text.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var columns = 0
    var place = 0
    while place < bytes.count {
      guard Self.isSimple(Self.next(in: bytes, &place)) else { return nil }
      columns += 1
    }
    self.columns = columns
  }

  /// Calls `body` with each scalar.
  @inline(__always)
  func walk(_ body: (Unicode.Scalar) -> Void) {
    var place = 0
    while place < bytes.count { body(Unicode.Scalar(Self.next(in: bytes, &place)) ?? " ") }
  }

  /// Returns the scalar at a byte and advances to the next, or returns 0 for a scalar that takes four bytes.
  ///
  /// The bytes are those of a string, and therefore valid UTF-8.
  @inline(__always)
  private static func next(in bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32 {
    let lead = UInt32(bytes[place])
    func rest(_ offset: Int) -> UInt32 { UInt32(bytes[place + offset]) & 0x3F }
    defer { place += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4 }
    return lead < 0x80
      ? lead
      : lead < 0xE0
        ? (lead & 0x1F) << 6 | rest(1) : lead < 0xF0 ? (lead & 0x0F) << 12 | rest(1) << 6 | rest(2) : 0
  }

  /// Returns whether a scalar is visible, neither wide nor a mark, and written from left to right.
  @inline(__always)
  private static func isSimple(_ value: UInt32) -> Bool {
    switch value {
    case 0x20...0x7E: true
    case 0xA0...0x2FF: value != 0xAD
    case 0x2010...0x2027, 0x2190...0x22FF, 0x2500...0x25FC, 0x270C...0x2727: true
    default: false
    }
  }
}

/// Returns whether each scalar of a text, given as the UTF-8 of a string, is drawn in one column.
func isSimpleText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { SimpleText(bytes) != nil }
