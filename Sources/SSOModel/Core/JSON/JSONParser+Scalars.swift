import Essentials

extension JSONParser {
  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  func peek() throws(JSONParseError) -> UInt8 {
    guard position < bytes.count else { throw JSONParseError(reason: .truncated, offset: bytes.count) }
    return bytes[position]
  }

  func unexpected(_ expected: String) -> JSONParseError {
    JSONParseError(reason: .unexpected(expected: expected), offset: position)
  }

  /// Skips white space, and consumes the next byte if it is the given one; returns whether it was.
  mutating func takes(_ byte: UInt8) throws(JSONParseError) -> Bool {
    skipSpace()
    guard try peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func literal(_ word: String, _ value: JSONValue) throws(JSONParseError) -> JSONValue {
    for byte in word.utf8 {
      guard try peek() == byte else { throw unexpected(word) }
      position += 1
    }
    return value
  }

  /// Parses a number, which must not have a leading zero or an empty fraction or exponent (RFC 8259 §6).
  mutating func number() throws(JSONParseError) -> JSONValue {
    let start = position
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits() }
    let end = position
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    let isInteger = position == end
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    if let value = Double(text), value.isFinite { return .number(value) }
    if keepsLongNumbers { return .numeral(text) }
    throw JSONParseError(reason: .unexpected(expected: "a number"), offset: start)
  }

  /// Consumes the next byte if it is the given one; returns whether it was.
  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Consumes one or more digits.
  private mutating func digits() throws(JSONParseError) {
    guard (0x30...0x39).contains(try peek()) else { throw unexpected("a digit") }
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
  }

  mutating func string() throws(JSONParseError) -> String {
    position += 1
    let start = position
    var seen: UInt8 = 0
    while true {
      let byte = try peek()
      if byte == UInt8(ascii: "\"") {
        let utf8 = bytes[start..<position]
        // ASCII, which makes up most of a cache, needs no validation.
        let text = seen < 0x80 ? String(decoding: utf8, as: UTF8.self) : try text(utf8, at: start)
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      guard byte >= 0x20 else { throw unexpected("no unescaped control character in a string") }
      seen |= byte
      position += 1
    }
  }

  private mutating func escapedString(from start: Int) throws(JSONParseError) -> String {
    var collected = Array(bytes[start..<position])
    while true {
      let byte = try peek()
      guard byte >= 0x20 else { throw unexpected("no unescaped control character in a string") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(collected, at: start)
      case UInt8(ascii: "\\"): try escape(into: &collected)
      default: collected.append(byte)
      }
    }
  }

  private func text(_ utf8: some Sequence<UInt8>, at start: Int) throws(JSONParseError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw JSONParseError(reason: .unexpected(expected: "UTF-8 text"), offset: start)
    }
    return text
  }

  private mutating func escape(into collected: inout [UInt8]) throws(JSONParseError) {
    let byte = try peek()
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): collected.append(byte)
    case UInt8(ascii: "b"): collected.append(0x08)
    case UInt8(ascii: "f"): collected.append(0x0C)
    case UInt8(ascii: "n"): collected.append(0x0A)
    case UInt8(ascii: "r"): collected.append(0x0D)
    case UInt8(ascii: "t"): collected.append(0x09)
    case UInt8(ascii: "u"): collected.append(contentsOf: String(try unicodeEscape()).utf8)
    default:
      position -= 1
      throw unexpected("an escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONParseError) -> Character {
    let high = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard (0xD800..<0xDC00).contains(high), position + 1 < bytes.count,
      bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    let mark = position
    position += 2
    let low = try hexadecimalUnit()
    guard (0xDC00..<0xE000).contains(low) else {
      position = mark
      return "\u{FFFD}"
    }
    let code = 0x10000 + (UInt32(high - 0xD800) << 10) + UInt32(low - 0xDC00)
    return Unicode.Scalar(code).map(Character.init) ?? "\u{FFFD}"
  }

  private mutating func hexadecimalUnit() throws(JSONParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let byte = try peek()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
