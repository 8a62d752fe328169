import Essentials

/// A value of a property list, whatever form the file has, with its line.
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
    package var value: PropertyListNode
  }

  package var value: Value
  /// Counted from 1; nil in a binary file.
  package var line: Int?

  package init(_ value: Value, line: Int? = nil) {
    self.value = value
    self.line = line
  }

  /// Containers within one another that a reader follows.
  static let depthLimit = 64
  /// Values that a reader makes of one file.
  static let nodeLimit = 400_000
}

extension PropertyListNode {
  package var string: String? { if case .string(let text) = value { text } else { nil } }
  package var array: [PropertyListNode]? { if case .array(let elements) = value { elements } else { nil } }
  package var dictionary: [Entry]? { if case .dictionary(let entries) = value { entries } else { nil } }

  /// The first entry with this key.
  package subscript(key: String) -> PropertyListNode? { dictionary?.first { $0.key == key }?.value }

  /// The texts of an array; of a text alone that text.
  package var strings: [(text: String, line: Int?)] {
    if let string { return [(string, line)] }
    return (array ?? []).compactMap { node in node.string.map { ($0, node.line) } }
  }
}
