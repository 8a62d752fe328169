import Essentials

/// A JSON value that preserves unknown keys, because caches contain keys that this version does not know
/// (docs/behaviour/msal-cache.md §2).
///
/// Integers stay integers.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// A number outside the range of a double, in its original spelling, from a parser that
  /// ``JSONParser/keepsLongNumbers``.
  case numeral(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  package var isLongNumber: Bool { if case .numeral = self { true } else { false } }

  package subscript(key: String) -> JSONValue? { object?[key] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

/// Returns the JSON of a record with sorted keys, so that equal values produce identical bytes.
///
/// Records are `Codable` and use Foundation's coders; every other document is a ``JSONValue``, which ``JSONParser``
/// reads and ``JSONWriter`` writes.
/// - Throws: `EncodingError`.
package func encodeJSON(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return try encoder.encode(value)
}

/// Decodes a record that ``encodeJSON(_:)`` wrote.
/// - Throws: `DecodingError` if the data is not the JSON of such a record.
package func decodeJSON<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
  try JSONDecoder().decode(type, from: data)
}

/// An error that describes why the parser rejected its input, and at which byte offset.
package struct JSONParseError: Error, Equatable {
  package enum Reason: Equatable {
    /// The input ended inside a value.
    case truncated
    /// The input does not continue with `expected`.
    case unexpected(expected: String)
    case tooDeep
  }
  package var reason: Reason
  /// The offset in bytes from the start of the input.
  package var offset: Int
}

/// A small JSON parser with a depth limit.
///
/// Recursion stops at `depthLimit`, so input cannot exhaust the stack. If a key is repeated, the last value wins. A
/// lone surrogate escape becomes U+FFFD; bytes that are not valid UTF-8 are rejected.
package struct JSONParser {
  package static let depthLimit = 64

  let bytes: UnsafeBufferPointer<UInt8>
  /// The maximum nesting depth of objects and arrays.
  var depthLimit = Self.depthLimit
  /// Whether `[1,]` and `{"a":1,}` are accepted, as .NET's fixtures contain them.
  var toleratesTrailingCommas = false
  /// Whether a number that does not fit in a double becomes a ``JSONValue/numeral(_:)`` instead of making the document
  /// invalid.
  var keepsLongNumbers = false
  var position = 0
  var depth = 0

  /// Parses a document and returns its value.
  ///
  /// Only white space may follow the value.
  /// - Throws: `JSONParseError` with the offset of the byte at which the document is malformed.
  package static func parse(
    _ data: Data, depthLimit: Int = Self.depthLimit, toleratesTrailingCommas: Bool = false,
    keepsLongNumbers: Bool = false
  ) throws -> JSONValue {
    try read(data, depthLimit: depthLimit, toleratesTrailingCommas: toleratesTrailingCommas) {
      parser throws(JSONParseError) in
      parser.keepsLongNumbers = keepsLongNumbers
      return try parser.value()
    }
  }

  /// Parses a document and returns the result of applying `body` to its value.
  ///
  /// Only white space may follow the value.
  /// - Throws: `JSONParseError` with the offset of the byte at which the document is malformed.
  package static func read<Result>(
    _ data: Data, depthLimit: Int = Self.depthLimit, toleratesTrailingCommas: Bool = false,
    _ body: (inout JSONParser) throws(JSONParseError) -> Result
  ) throws -> Result {
    try data.withUnsafeBytes { raw in
      var parser = JSONParser(
        bytes: raw.bindMemory(to: UInt8.self), depthLimit: depthLimit,
        toleratesTrailingCommas: toleratesTrailingCommas)
      let result = try body(&parser)
      parser.skipSpace()
      if parser.position < parser.bytes.count { throw parser.unexpected("end of input") }
      return result
    }
  }

  /// Parses the next value, including everything nested in it.
  /// - Throws: `JSONParseError` if it is malformed or too deep.
  package mutating func value() throws(JSONParseError) -> JSONValue {
    skipSpace()
    switch try peek() {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      try object { parser, key throws(JSONParseError) in members[key] = try parser.value() }
      return .object(members)
    case UInt8(ascii: "["): return try nested { parser throws(JSONParseError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected("a value")
    }
  }

  /// Reads the members of an object without creating a value for the object.
  ///
  /// `body` receives each key and must read its value. Repeated keys are all passed to `body`, in order. A value that
  /// is not an object is skipped.
  package mutating func members(
    _ body: (inout JSONParser, String) throws(JSONParseError) -> Void
  ) throws(JSONParseError) {
    skipSpace()
    if try peek() == UInt8(ascii: "{") { try object(body) } else { _ = try value() }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONParser) throws(JSONParseError) -> Result
  ) throws(JSONParseError) -> Result {
    guard depth < depthLimit else { throw JSONParseError(reason: .tooDeep, offset: position) }
    depth += 1
    position += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func object(
    _ body: (inout JSONParser, String) throws(JSONParseError) -> Void
  ) throws(JSONParseError) {
    try nested { parser throws(JSONParseError) in
      if try parser.takes(UInt8(ascii: "}")) { return }
      repeat {
        parser.skipSpace()
        guard try parser.peek() == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotes") }
        let key = try parser.string()
        guard try parser.takes(UInt8(ascii: ":")) else { throw parser.unexpected("\":\"") }
        try body(&parser, key)
      } while try !parser.ends(with: UInt8(ascii: "}"), name: "\",\" or \"}\"")
    }
  }

  private mutating func array() throws(JSONParseError) -> JSONValue {
    var elements: [JSONValue] = []
    if try takes(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value())
      if try ends(with: UInt8(ascii: "]"), name: "\",\" or \"]\"") { return .array(elements) }
    }
  }

  /// Returns true at the closing bracket, or false after a comma that another element follows.
  private mutating func ends(with close: UInt8, name: String) throws(JSONParseError) -> Bool {
    if try takes(close) { return true }
    guard try takes(UInt8(ascii: ",")) else { throw unexpected(name) }
    return toleratesTrailingCommas ? try takes(close) : false
  }
}

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
        // ASCII, which makes up most of a cache, does not need validation.
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

extension JSONValue {
  /// Creates a value from untrusted JSON, or returns `nil` if it is too long, nested too deeply, or not valid JSON.
  package init?(bounded data: some DataProtocol, maximumBytes: Int = 65_536, maximumDepth: Int = 16) {
    guard data.count <= maximumBytes,
      let value = try? JSONParser.parse(data as? Data ?? Data(data), depthLimit: maximumDepth)
    else { return nil }
    self = value
  }
}
