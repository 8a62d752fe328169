/// A position: a file, and the line in it.
package struct FilePlace: Hashable, Sendable, CustomStringConvertible {
  /// As the person typed it, with what is below.
  package var path: String
  /// Counted from 1; nil in a file without lines.
  package var line: Int?

  package init(_ path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  package var description: String { line.map { "\(path):\($0)" } ?? path }
}

/// A value that was read, and where.
package struct Found<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  package var place: FilePlace

  package init(_ value: Value, _ place: FilePlace) {
    self.value = value
    self.place = place
  }
}

/// A list of texts, and where it begins: the place for what is missing in it.
package struct FoundList: Hashable, Sendable {
  package var items: [Found<String>]
  package var place: FilePlace

  package init(_ items: [Found<String>], _ place: FilePlace) {
    self.items = items
    self.place = place
  }

  package var values: [String] { items.map(\.value) }
}
