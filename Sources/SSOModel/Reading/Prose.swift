import SSOCore

/// The words, runs, and quotations of a text in UTF-8, by their indexes.
struct Prose {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the byte at an index; outside the text, it is that of a line's end.
  func at(_ index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0x0A }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  func lower(_ range: Range<Int>) -> String { text(range).lowercased() }

  /// Returns the first index at which a byte is not of a kind.
  func end(from start: Int, where isPart: (UInt8) -> Bool) -> Int {
    var index = start
    while index < bytes.count, isPart(bytes[index]) { index += 1 }
    return index
  }

  /// Returns the index behind spaces and tabs.
  func blank(_ start: Int) -> Int { end(from: start) { $0 == 0x20 || $0 == 0x09 } }

  /// Returns the index at which the spaces and tabs before another begin.
  func blankBefore(_ end: Int) -> Int {
    var end = end
    while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return end
  }

  /// Returns the characters up to white space, or `nil` if there are none.
  func word(at start: Int) -> Range<Int>? {
    let stop = end(from: start) { !$0.isSpace }
    return stop > start ? start..<stop : nil
  }

  /// Returns the characters up to white space, or, in scripts without blanks, up to a character of the script, without the
  /// punctuation of the sentence.
  func run(at start: Int, isLatin: Bool) -> Range<Int> {
    var stop = end(from: start) { !$0.isSpace && (isLatin || $0 < 0x80) }
    while stop > start, ".,;:)]}\"'".utf8.contains(bytes[stop - 1]) { stop -= 1 }
    return start..<stop
  }

  /// Returns the characters back to white space, without an opening bracket or quotation mark.
  func run(before end: Int) -> Range<Int> {
    var start = end
    while start > 0, !bytes[start - 1].isSpace, bytes[start - 1] < 0x80 { start -= 1 }
    while start < end, "(\"'[".utf8.contains(bytes[start]) { start += 1 }
    return start..<end
  }

  /// Returns the content of the quotation that begins at an index.
  func quoted(at start: Int) -> Range<Int>? {
    for (open, close) in Self.quotes {
      guard let first = end(of: open, at: start) else { continue }
      for index in first..<min(bytes.count, first + 200) where bytes[index] != 0x0A {
        if end(of: close, at: index) != nil { return first..<index }
      }
      // The end of the text may have been cut off with the quotation mark.
      if bytes.count - first <= 60, !bytes[first...].contains(0x0A) { return first..<bytes.count }
    }
    return nil
  }

  /// Returns the content of the quotation that ends at an index.
  func quoted(endingAt end: Int) -> Range<Int>? {
    for (open, close) in Self.quotes {
      let last = end - close.count
      guard last > 0, self.end(of: close, at: last) == end else { continue }
      for index in stride(from: last - open.count, through: max(0, last - 200), by: -1)
      where bytes[index] != 0x0A {
        if let first = self.end(of: open, at: index) { return first..<last }
      }
    }
    return nil
  }

  /// Returns whether a sentence, or a part of it, ends at an index.
  func endsSentence(_ index: Int) -> Bool {
    let next = at(index)
    return next == 0x0A || next == 0x0D || ",;)".utf8.contains(next)
      || next == 0x2E && (at(index + 1).isSpace || index + 1 >= bytes.count)
  }

  /// Returns the end of a text in lowercase at an index, or `nil` if something else is there.
  func end(of text: [UInt8], at index: Int) -> Int? {
    guard index + text.count <= bytes.count else { return nil }
    for (offset, byte) in text.enumerated() {
      let here = bytes[index + offset]
      guard here == byte || here.isLetter && here | 0x20 == byte else { return nil }
    }
    return index + text.count
  }

  /// The quotation marks around a value.
  private static let quotes: [(open: [UInt8], close: [UInt8])] = [
    ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"), ("„", "“"), ("‚", "‘"),
    ("「", "」"),
    ("『", "』"), ("\\\"", "\\\""),
  ].map { (Array($0.utf8), Array($1.utf8)) }
}
