import Essentials

/// The bytes of one line or record, which are valid only as long as the buffer that contains them.
///
/// A log of 200 MB has millions of lines, so a search is mostly one call of `memchr`, and no `String` is created for
/// lines that are not shown.
struct LineBytes {
  let bytes: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The byte at an index, or a line feed outside the line.
  subscript(index: Int) -> UInt8 {
    index >= 0 && index < bytes.count ? bytes[index] : UInt8(ascii: "\n")
  }

  /// The part in a range, which is clamped to the existing bytes.
  subscript(range: Range<Int>) -> LineBytes {
    LineBytes(UnsafeBufferPointer(rebasing: bytes[range.clamped(to: 0..<count)]))
  }

  func index(of byte: UInt8, from start: Int = 0) -> Int? {
    guard start < count, start >= 0, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Returns the index at which a text begins, or `nil` if it does not begin before `end`.
  func index(of text: StaticString, from start: Int = 0, before end: Int = .max) -> Int? {
    index(
      of: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start, before: end)
  }

  func index(of text: [UInt8]) -> Int? {
    text.withUnsafeBufferPointer { index(of: $0, from: 0, before: .max) }
  }

  private func index(of needle: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int) -> Int? {
    guard start >= 0 else { return nil }
    // Capitals and punctuation are rarer than lowercase letters, so fewer places have to be compared.
    let anchor = needle.firstIndex { !($0.isSpace || $0.isDigit || (0x61...0x7A).contains($0)) } ?? 0
    let limit = min(count, end > count ? count : end + anchor)
    var from = start + anchor
    while from < limit, let found = index(of: needle[anchor], from: from), found < limit {
      if hasText(needle, at: found - anchor) { return found - anchor }
      from = found + 1
    }
    return nil
  }

  func hasText(_ text: StaticString, at index: Int) -> Bool {
    hasText(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), at: index)
  }

  func hasText(_ text: [UInt8], at index: Int) -> Bool {
    text.withUnsafeBufferPointer { hasText($0, at: index) }
  }

  private func hasText(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index >= 0, text.count <= count - index, let base = bytes.baseAddress, let start = text.baseAddress
    else { return false }
    return memcmp(base + index, start, text.count) == 0
  }

  /// Returns the first index from `start` on whose byte is not skipped.
  func index(from start: Int, skipping isSkipped: (UInt8) -> Bool) -> Int {
    var index = start
    while index < count, isSkipped(bytes[index]) { index += 1 }
    return index
  }

  var isBlank: Bool { index(from: 0, skipping: \.isSpace) == count }

  /// Returns the text of a range, with U+FFFD in place of bytes that are not valid UTF-8.
  func text(_ range: Range<Int>) -> String {
    String(decoding: self[range].bytes, as: UTF8.self)
  }

  /// Returns the decimal number of exactly `digits` digits, at most nine, at an index, or `nil` if there is none.
  func number(at start: Int, digits: Int) -> Int? {
    var value = 0
    for index in start..<start + digits {
      let byte = self[index]
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte) - 0x30
    }
    return value
  }

  /// Returns a range without the white space at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, self[start].isSpace { start += 1 }
    while end > start, self[end - 1].isSpace { end -= 1 }
    return start..<end
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isLetter: Bool { (0x61...0x7A).contains(self) || (0x41...0x5A).contains(self) }
  var isHexDigit: Bool { isDigit || (0x61...0x66).contains(self) || (0x41...0x46).contains(self) }
}
