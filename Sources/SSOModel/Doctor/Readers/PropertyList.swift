import Essentials
import KeyedArchive
import SSOCore

/// A reader of property lists in any of the three formats: XML, binary, and the NeXTSTEP format of Xcode projects.
enum PropertyListReader {
  /// Reads a property list in XML, binary, or OpenStep format.
  /// - Throws: `ReadingError` with the line or the byte at which it is malformed.
  package static func read(_ data: Data) throws(ReadingError) -> PropertyListNode {
    if data.starts(with: Array("bplist00".utf8)) { return try binary(data) }
    let start = data.prefix(512).drop { $0 <= 0x20 || $0 >= 0xBB }
    if start.first == UInt8(ascii: "<"), start.dropFirst().first.map({ "?!p".utf8.contains($0) }) ?? false {
      return try value(of: document(try XMLReader.read(data)), depth: 0)
    }
    return try OpenStepPropertyList.read(data)
  }

  // MARK: XML

  private static func document(_ root: XMLElement) throws(ReadingError) -> XMLElement {
    guard root.name == "plist", let only = root.children.first, root.children.count == 1 else {
      throw ReadingError(line: root.line, "expected <plist> with one value in it")
    }
    return only
  }

  private static func value(of element: XMLElement, depth: Int) throws(ReadingError) -> PropertyListNode {
    PropertyListNode(try content(of: element, depth: depth), line: element.line)
  }

  private static func content(
    of element: XMLElement, depth: Int
  ) throws(ReadingError) -> PropertyListNode.Value {
    switch element.name {
    case "string", "date": return .string(element.text)
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "integer":
      guard let number = Int64(element.text.filter { !$0.isWhitespace }) else {
        throw ReadingError(line: element.line, "<integer> does not contain a number")
      }
      return .integer(number)
    case "real": return .real(Double(element.text) ?? 0)
    case "data":
      return .data(Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) ?? Data())
    case "array":
      var elements: [PropertyListNode] = []
      for child in element.children { elements.append(try value(of: child, depth: depth + 1)) }
      return .array(elements)
    case "dict":
      var entries: [PropertyListNode.Entry] = []
      var children = element.children[...]
      while let key = children.popFirst() {
        guard key.name == "key" else { throw ReadingError(line: key.line, "expected <key>") }
        guard let next = children.popFirst(), next.name != "key" else {
          throw ReadingError(line: key.line, "<key>\(key.text)</key> has no value")
        }
        entries.append(.init(key: key.text, line: key.line, value: try value(of: next, depth: depth + 1)))
      }
      return .dictionary(entries)
    default: throw ReadingError(line: element.line, "<\(element.name)> is not a value of a property list")
    }
  }

  // MARK: Binary

  private static func binary(_ data: Data) throws(ReadingError) -> PropertyListNode {
    do throws(ArchiveError) {
      let list = try BinaryPropertyList(data)
      var budget = PropertyListNode.nodeLimit
      return try expand(list.top, of: list, depth: 0, &budget)
    } catch {
      throw ReadingError(error.description)
    }
  }

  /// Returns an object with everything that it contains.
  ///
  /// Each reference to an object counts against the budget, even if several refer to the same one.
  private static func expand(
    _ index: Int, of list: BinaryPropertyList, depth: Int, _ budget: inout Int
  ) throws(ArchiveError) -> PropertyListNode {
    budget -= 1
    guard budget > 0, depth < PropertyListNode.depthLimit else {
      throw ArchiveError(list.offset(of: index), "too many values, or nested too deeply")
    }
    func nodes(_ indices: [Int], _ budget: inout Int) throws(ArchiveError) -> [PropertyListNode] {
      var nodes: [PropertyListNode] = []
      for index in indices { nodes.append(try expand(index, of: list, depth: depth + 1, &budget)) }
      return nodes
    }
    switch try list.object(index) {
    case .null: return PropertyListNode(.string(""))
    case .bool(let flag): return PropertyListNode(.bool(flag))
    case .integer(let number): return PropertyListNode(.integer(number))
    case .real(let number), .date(let number): return PropertyListNode(.real(number))
    case .data(let data): return PropertyListNode(.data(data))
    case .string(let text): return PropertyListNode(.string(text))
    case .uid(let number): return PropertyListNode(.integer(Int64(number)))
    case .array(let indices), .set(let indices):
      return PropertyListNode(.array(try nodes(indices, &budget)))
    case .dictionary(let pairs):
      let values = try nodes(pairs.map(\.value), &budget)
      var entries: [PropertyListNode.Entry] = []
      for (pair, value) in zip(pairs, values) {
        guard case .string(let key) = try list.object(pair.key) else {
          throw ArchiveError(list.offset(of: pair.key), "a key is not a string")
        }
        entries.append(.init(key: key, value: value))
      }
      return PropertyListNode(.dictionary(entries))
    }
  }
}

/// A value of a property list in any format, with its line.
package struct PropertyListNode: Hashable, Sendable {
  package indirect enum Value: Hashable, Sendable {
    case string(String)
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case data(Data)
    case array([PropertyListNode])
    case dictionary([Entry])
  }

  package struct Entry: Hashable, Sendable {
    package var key: String
    /// The one-based line of the key, or `nil` if the format does not show it.
    package var line: Int?
    package var value: PropertyListNode
  }

  package var value: Value
  /// The one-based line, or `nil` in a binary file.
  package var line: Int?

  package init(_ value: Value, line: Int? = nil) {
    self.value = value
    self.line = line
  }

  /// The maximum depth of nested containers that a reader follows.
  static let depthLimit = 64
  /// The maximum number of values that a reader creates from one file.
  static let nodeLimit = 400_000
}

extension PropertyListNode {
  package var string: String? { if case .string(let text) = value { text } else { nil } }
  package var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }
  package var array: [PropertyListNode]? { if case .array(let elements) = value { elements } else { nil } }
  package var dictionary: [Entry]? { if case .dictionary(let entries) = value { entries } else { nil } }

  /// The value as JSON; data is not kept.
  var json: JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .bool(let flag): .bool(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .string(String(number))
    case .data: .null
    case .array(let elements): .array(elements.map(\.json))
    case .dictionary(let entries):
      .object(Dictionary(entries.map { ($0.key, $0.value.json) }) { first, _ in first })
    }
  }

  /// The value of the first entry with this key, or `nil` if the key is missing.
  package subscript(key: String) -> PropertyListNode? { dictionary?.first { $0.key == key }?.value }

  /// The strings in an array, or an empty list for a string in the place of an array, which the system ignores.
  var listed: [(text: String, line: Int?)] { string == nil ? strings : [] }

  /// The strings in an array, or only the value itself if it is a string.
  package var strings: [(text: String, line: Int?)] {
    if let string { return [(string, line)] }
    return (array ?? []).compactMap { node in node.string.map { ($0, node.line) } }
  }
}
