import Essentials

/// Why a file cannot be read as what its name says: where, and what is wrong there.
package struct ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1; nil in a file without lines.
  package var line: Int?
  /// A clause without a full stop: `a string has no closing quote`.
  package var problem: String

  package init(line: Int? = nil, _ problem: String) {
    self.line = line
    self.problem = problem
  }

  /// Of a document that is no JSON, at the line where the parser stopped.
  init(_ error: any Error, in data: Data) {
    let end = (error as? JSONParseError)?.offset
    let line = end.map { offset in data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }
    self.init(line: line, "not a JSON document")
  }

  package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
}
