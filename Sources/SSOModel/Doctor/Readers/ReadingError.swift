import Essentials

/// An error that describes why a file cannot be read as the type that its name indicates, and at which line.
package struct ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The one-based line, or `nil` in a file without lines.
  package var line: Int?
  /// The problem, as a clause without a full stop: `a string has no closing quote`.
  package var problem: String

  package init(line: Int? = nil, _ problem: String) {
    self.line = line
    self.problem = problem
  }

  /// Creates an error for a document that is not valid JSON, at the line where the parser stopped.
  init(_ error: any Error, in data: Data) {
    let end = (error as? JSONParseError)?.offset
    let line = end.map { offset in data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }
    self.init(line: line, "not a JSON document")
  }

  package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
}
