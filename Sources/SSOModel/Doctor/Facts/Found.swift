/// A position in a file.
package struct FilePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path as the user typed it, or a path below it.
  package var path: String
  /// The one-based line number, or `nil` for a file without lines.
  package var line: Int?

  package init(_ path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  package var description: String { line.map { "\(path):\($0)" } ?? path }
}

/// A value that was read, and its place.
package struct Found<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  package var place: FilePlace

  package init(_ value: Value, _ place: FilePlace) {
    self.value = value
    self.place = place
  }
}

/// A list of strings, and the place where it begins, which is also the place of missing values.
package struct FoundList: Hashable, Sendable {
  package var items: [Found<String>]
  package var place: FilePlace

  package init(_ items: [Found<String>], _ place: FilePlace) {
    self.items = items
    self.place = place
  }

  package var values: [String] { items.map(\.value) }
}
