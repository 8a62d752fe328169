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

  package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
}
