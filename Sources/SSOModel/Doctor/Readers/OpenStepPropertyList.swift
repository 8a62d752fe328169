import Essentials

/// A reader of the property lists of NeXTSTEP, such as `project.pbxproj`.
///
/// It reads `{ key = value; }`, `( a, b, )`, strings with or without quotes, data in hexadecimal digits, and C
/// comments.
struct OpenStepPropertyList {
  static let sizeLimit = 32 << 20

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var nodes = 0

  static func read(_ data: Data) throws(ReadingError) -> PropertyListNode {
    guard data.count <= sizeLimit else { throw ReadingError("more than \(sizeLimit) bytes") }
    var reader = OpenStepPropertyList(bytes: [UInt8](data))
    let root = try reader.node(depth: 0)
    try reader.skip()
    guard reader.position == reader.bytes.count else { throw reader.error("the end of the property list") }
    return root
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func error(_ expected: String) -> ReadingError {
    ReadingError(line: line, position < bytes.count ? "expected \(expected)" : "the property list ends early")
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  /// Skips white space and comments.
  private mutating func skip() throws(ReadingError) {
    while let byte {
      if byte <= 0x20 {
        advance()
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        position += 2
        while self.byte != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
          guard self.byte != nil else { throw error("the end of a comment") }
          advance()
        }
        position += 2
      } else {
        return
      }
    }
  }

  private mutating func takes(_ wanted: Unicode.Scalar) throws(ReadingError) -> Bool {
    try skip()
    guard byte == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private mutating func node(depth: Int) throws(ReadingError) -> PropertyListNode {
    nodes += 1
    guard nodes <= PropertyListNode.nodeLimit, depth < PropertyListNode.depthLimit else {
      throw ReadingError(line: line, "too many values, or nested too deeply")
    }
    try skip()
    let start = line
    if try takes("{") {
      var entries: [PropertyListNode.Entry] = []
      while try !takes("}") {
        try skip()
        let key = try text()
        guard try takes("=") else { throw error("\"=\" after \(key)") }
        let value = try node(depth: depth + 1)
        guard try takes(";") else { throw error("\";\" after the value of \(key)") }
        entries.append(.init(key: key, value: value))
      }
      return PropertyListNode(.dictionary(entries), line: start)
    }
    if try takes("(") {
      var elements: [PropertyListNode] = []
      while try !takes(")") {
        elements.append(try node(depth: depth + 1))
        if try takes(",") { continue }
        guard try takes(")") else { throw error("\",\" or \")\"") }
        break
      }
      return PropertyListNode(.array(elements), line: start)
    }
    if try takes("<") {
      while let byte, byte != UInt8(ascii: ">") { advance() }
      guard try takes(">") else { throw error("\">\"") }
      return PropertyListNode(.data(Data()), line: start)
    }
    return PropertyListNode(.string(try text()), line: start)
  }

  private mutating func text() throws(ReadingError) -> String {
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while let byte, Self.isWord(byte) { position += 1 }
      guard position > start else { throw error("a value") }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    position += 1
    var text: [UInt8] = []
    while let byte, byte != quote {
      if byte == UInt8(ascii: "\\"), let escaped = next {
        position += 1
        text.append(escaped == UInt8(ascii: "n") ? 0x0A : escaped == UInt8(ascii: "t") ? 0x09 : escaped)
      } else {
        text.append(byte)
      }
      advance()
    }
    guard byte == quote else { throw error("the closing quote") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: "_$/:.-+@".utf8.contains(byte)
    }
  }
}
