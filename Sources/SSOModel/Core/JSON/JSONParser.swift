import Essentials

/// Why bytes are no JSON document that is taken here, and at which byte.
package struct JSONParseError: Error, Equatable {
  package enum Reason: Equatable {
    /// The input ended inside a value.
    case truncated
    /// What was expected there instead.
    case unexpected(expected: String)
    case tooDeep
  }
  package var reason: Reason
  /// In bytes from the start.
  package var offset: Int
}

/// A small bounded JSON reader.
///
/// Recursion ends at `depthLimit`, so no input can exhaust the stack. Of equal keys the last wins. A lone surrogate escape
/// becomes U+FFFD; bytes that are no UTF-8 are refused.
package struct JSONParser {
  package static let depthLimit = 64

  let bytes: UnsafeBufferPointer<UInt8>
  /// Objects and arrays within one another.
  var depthLimit = Self.depthLimit
  /// Takes `[1,]` and `{"a":1,}`, as .NET's fixtures have them.
  var toleratesTrailingCommas = false
  /// Takes a number that no double holds as a ``JSONValue/numeral(_:)`` instead of refusing the document.
  var keepsLongNumbers = false
  var position = 0
  var depth = 0

  /// The document as a value; only white space may follow it.
  /// - Throws: `JSONParseError` with the byte at which it is malformed.
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

  /// What `body` makes of the document's value; only white space may follow it.
  /// - Throws: `JSONParseError` with the byte at which it is malformed.
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

  /// The next value, with everything in it.
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

  /// Takes an object apart without making a value of it.
  ///
  /// `body` is handed each key and must read the value. Of equal keys all come, in their order. A value that is no object is
  /// passed over.
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

  /// After an element: true at the closing bracket, false after a comma that another element follows.
  private mutating func ends(with close: UInt8, name: String) throws(JSONParseError) -> Bool {
    if try takes(close) { return true }
    guard try takes(UInt8(ascii: ",")) else { throw unexpected(name) }
    return toleratesTrailingCommas ? try takes(close) : false
  }
}
