import SafeText

/// A small, bounded reader of untrusted XML documents: elements, attributes, text, and CDATA.
///
/// A document type is skipped, so its entities are not expanded, and other files are not read. Sizes and depth
/// are limited, so that input cannot exhaust the memory or the stack.
struct XMLReader {
  static let sizeLimit = 8 << 20
  private static let elementLimit = 200_000

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var elements = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the root element of a document.
  static func read(_ bytes: some Collection<UInt8>) throws(ReadingError) -> XMLElement {
    guard bytes.count <= sizeLimit else { throw ReadingError("more than \(sizeLimit) bytes") }
    var reader = XMLReader(Array(bytes))
    if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    try reader.skipProlog()
    let root = try reader.element(depth: 0)
    try reader.skipProlog()
    guard reader.position == reader.bytes.count else { throw reader.error("the end of the document") }
    return root
  }

  private func error(_ expected: String) -> ReadingError {
    ReadingError(line: line, position < bytes.count ? "expected \(expected)" : "the document ends early")
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func advance(past text: String) throws(ReadingError) {
    while position < bytes.count, !starts(with: text) { advance() }
    guard position < bytes.count else { throw error(text) }
    position += text.utf8.count
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
  }

  /// Skips white space, comments, processing instructions, and a document type.
  private mutating func skipProlog() throws(ReadingError) {
    while true {
      skipSpace()
      if starts(with: "<!--") {
        try advance(past: "-->")
      } else if starts(with: "<?") {
        try advance(past: "?>")
      } else if starts(with: "<!DOCTYPE") {
        try skipDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func skipDocumentType() throws(ReadingError) {
    var brackets = 0
    while let byte {
      advance()
      switch byte {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">") where brackets <= 0: return
      default: break
      }
    }
    throw error("the end of the document type")
  }

  private mutating func name() throws(ReadingError) -> String {
    let start = position
    while let byte, !" \n\r\t=/>\"'<&?".utf8.contains(byte) { position += 1 }
    guard position > start, let name = String(validating: bytes[start..<position], as: UTF8.self) else {
      throw error("a name")
    }
    return name
  }

  private mutating func element(depth: Int) throws(ReadingError) -> XMLElement {
    guard depth < PropertyListNode.depthLimit else { throw ReadingError(line: line, "nested too deeply") }
    elements += 1
    guard elements <= Self.elementLimit else {
      throw ReadingError(line: line, "more than \(Self.elementLimit) elements")
    }
    guard byte == UInt8(ascii: "<") else { throw error("an element") }
    var element = XMLElement(name: "", line: line)
    position += 1
    element.name = try name()
    while true {
      skipSpace()
      if starts(with: "/>") {
        position += 2
        return element
      }
      if byte == UInt8(ascii: ">") {
        position += 1
        try content(of: &element, depth: depth)
        return element
      }
      element.attributes.append(try attribute())
    }
  }

  private mutating func attribute() throws(ReadingError) -> XMLElement.Attribute {
    let start = line
    let name = try name()
    skipSpace()
    guard byte == UInt8(ascii: "=") else { throw error("\"=\"") }
    position += 1
    skipSpace()
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw error("a value in quotes")
    }
    position += 1
    let value = try characters { $0 == quote }
    guard byte == quote else { throw error("the closing quote") }
    position += 1
    return XMLElement.Attribute(name: name, value: value, line: start)
  }

  private mutating func content(of element: inout XMLElement, depth: Int) throws(ReadingError) {
    while true {
      element.text += try characters { $0 == UInt8(ascii: "<") }
      if starts(with: "</") {
        position += 2
        guard try name() == element.name else { throw error("</\(element.name)>") }
        skipSpace()
        guard byte == UInt8(ascii: ">") else { throw error("\">\"") }
        position += 1
        return
      }
      if starts(with: "<!--") {
        try advance(past: "-->")
      } else if starts(with: "<?") {
        try advance(past: "?>")
      } else if starts(with: "<![CDATA[") {
        position += 9
        let start = position
        try advance(past: "]]>")
        element.text += String(decoding: bytes[start..<position - 3], as: UTF8.self)
      } else {
        element.children.append(try self.element(depth: depth + 1))
      }
    }
  }

  /// Returns text with its entities replaced, up to a byte that satisfies `isEnd`.
  private mutating func characters(until isEnd: (UInt8) -> Bool) throws(ReadingError) -> String {
    var text: [UInt8] = []
    while let byte, !isEnd(byte) {
      if byte == UInt8(ascii: "&") {
        text += String(try entity()).utf8
      } else {
        text.append(byte)
        advance()
      }
    }
    guard position < bytes.count else { throw error("the end of a text") }
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw ReadingError(line: line, "a text is not UTF-8")
    }
    return valid
  }

  private mutating func entity() throws(ReadingError) -> Character {
    let rest = bytes[position...].dropFirst().prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw error("an entity") }
    let word = String(decoding: bytes[position + 1..<end], as: UTF8.self)
    guard let character = Escaping.character(ofEntity: word) else {
      throw error("one of the five entities of XML, or a number")
    }
    position = end + 1
    return character
  }
}

/// An element of an XML document with its contents, and the line at which it begins.
struct XMLElement: Hashable {
  struct Attribute: Hashable {
    /// The name as written, including the prefix, such as `android:scheme`.
    var name: String
    var value: String
    var line: Int?
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The text directly inside the element.
  var text = ""
  var line: Int?

  subscript(attribute: String) -> Attribute? { attributes.first { $0.name == attribute } }

  func elements(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}
