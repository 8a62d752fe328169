import SSOCore

/// Parts of words, four letters of each, of which a line is searched for any, ignoring case.
struct LetterMarks: Sendable {
  private let marks: Set<UInt32>
  /// A bit for each hash of a mark, so that few groups of letters are searched in the set.
  private let bits: [UInt64]

  /// Creates the marks from a list with blanks between them.
  init(_ list: String) {
    marks = Set(
      list.split(separator: " ").map { mark in
        Array(mark.utf8).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) | Self.lowercase }
      })
    bits = marks.reduce(into: [UInt64](repeating: 0, count: 1 << 10)) { bits, mark in
      bits[Self.bit(of: mark) >> 6] |= 1 << UInt64(Self.bit(of: mark) & 63)
    }
  }

  /// Returns whether a mark occurs in a line.
  func occur(in line: LineBytes) -> Bool {
    guard line.count >= 4, let base = UnsafeRawPointer(line.bytes.baseAddress) else { return false }
    return bits.withUnsafeBufferPointer { bits in
      (0...line.count - 4).contains { index in
        let four = base.loadUnaligned(fromByteOffset: index, as: UInt32.self) | Self.lowercase
        let bit = Self.bit(of: four)
        return bits[bit >> 6] & 1 << UInt64(bit & 63) != 0 && marks.contains(four)
      }
    }
  }

  /// The bits that make four letters lowercase.
  private static let lowercase: UInt32 = 0x2020_2020

  private static func bit(of four: UInt32) -> Int { Int((four &* 0x9E37_79B1) >> 16) }
}
