import Essentials
import SSOCore
import SafeText

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
    let limit = end > count ? count : min(count, end + needle.count - 1)
    guard limit > 0 else { return nil }
    return ByteSearch.offset(
      of: UnsafeRawBufferPointer(needle),
      in: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<limit])), from: start)
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

  /// Returns the decimal number of exactly `digits` digits, at most nine, at an index, or `nil` if the text there
  /// differs.
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

/// The formatting of log texts for display: without secrets, on one line, and truncated.
enum LogText {
  static let longest = 600
  /// The maximum size, in bytes, of a text that is kept unchanged until it is shown; a longer text is kept as it is
  /// shown.
  static let longestKept = 1024

  /// Returns a text for display, with single spaces for white space and hashes for secrets
  /// (``Redaction/text(_:taken:)``).
  static func shown(_ text: String) -> String {
    // The end of a line ends a secret, so the lines are joined after the secrets are gone.
    let clean =
      isPlain(text)
      ? Redaction.text(text)
      : Redaction.text(text.replacing("\u{A0}", with: " ")).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    return clean.count > longest ? clean.prefix(longest) + "…" : clean
  }

  /// Returns whether a text is ASCII on one line with single spaces between its words, as most lines are.
  private static func isPlain(_ text: String) -> Bool {
    var previous = UInt8(ascii: " ")
    for byte in text.utf8 {
      guard 0x20...0x7E ~= byte, byte != 0x20 || previous != 0x20 else { return false }
      previous = byte
    }
    return previous != 0x20
  }
}

/// The three formats of a time in the SDKs' log lines (docs/behaviour/real-logs.md §1), all in UTC.
extension LineBytes {
  /// Returns the time in `2024-05-06 07:08:09`, optionally with a `T` in between, or `05/06/2024 07:08:09`, and the
  /// index of its end.
  func moment(at start: Int) -> (Instant, end: Int)? {
    if let year = number(at: start, digits: 4), self[start + 4] == UInt8(ascii: "-") {
      return moment(year: year, month: start + 5, day: start + 8, time: start + 11)
    }
    guard self[start + 2] == UInt8(ascii: "/"), let year = number(at: start + 6, digits: 4) else {
      return nil
    }
    return moment(year: year, month: start, day: start + 3, time: start + 11)
  }

  private func moment(year: Int, month: Int, day: Int, time: Int) -> (Instant, end: Int)? {
    guard let month = number(at: month, digits: 2), let day = number(at: day, digits: 2),
      let second = secondOfDay(at: time), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return (Instant(year: year, month: month, day: day, second: second), time + 8)
  }

  /// Returns the time in `Fri, 12 Jun 2026 17:56:16 GMT` (RFC 9110 §5.6.7).
  func httpDate(at start: Int) -> Instant? {
    // A day of one digit has a leading zero, but not in every library.
    let digits = self[start + 6].isDigit ? 2 : 1
    guard let day = number(at: start + 5, digits: digits),
      let year = number(at: start + 10 + digits, digits: 4),
      let second = secondOfDay(at: start + 15 + digits)
    else { return nil }
    let months: [StaticString] = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard let month = months.firstIndex(where: { hasText($0, at: start + 6 + digits) }) else { return nil }
    return Instant(year: year, month: month + 1, day: day, second: second)
  }

  private func secondOfDay(at start: Int) -> Int? {
    guard let hour = number(at: start, digits: 2), let minute = number(at: start + 3, digits: 2),
      let second = number(at: start + 6, digits: 2), self[start + 2] == UInt8(ascii: ":"),
      self[start + 5] == UInt8(ascii: ":")
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}
