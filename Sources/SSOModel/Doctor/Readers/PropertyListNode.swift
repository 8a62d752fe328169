import Essentials

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
  package var array: [PropertyListNode]? { if case .array(let elements) = value { elements } else { nil } }
  package var dictionary: [Entry]? { if case .dictionary(let entries) = value { entries } else { nil } }

  /// The value of the first entry with this key, or `nil` if there is none.
  package subscript(key: String) -> PropertyListNode? { dictionary?.first { $0.key == key }?.value }

  /// The strings in an array, or only the value itself if it is a string.
  package var strings: [(text: String, line: Int?)] {
    if let string { return [(string, line)] }
    return (array ?? []).compactMap { node in node.string.map { ($0, node.line) } }
  }
}
