import Essentials

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
/// Recursion stops at `depthLimit`, so no input can exhaust the stack. If a key is repeated, the last value wins. A
/// lone surrogate escape becomes U+FFFD; bytes that are not valid UTF-8 are rejected.
package struct JSONParser {
  package static let depthLimit = 64

  let bytes: UnsafeBufferPointer<UInt8>
  /// The maximum nesting depth of objects and arrays.
  var depthLimit = Self.depthLimit
  /// Whether `[1,]` and `{"a":1,}` are accepted, as .NET's fixtures contain them.
  var toleratesTrailingCommas = false
  /// Whether a number that no double can hold becomes a ``JSONValue/numeral(_:)`` instead of making the document
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
