/// An error for a binary property list or keyed archive that is not valid: the position and the problem.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The zero-based byte offset at which the error was detected.
  package var offset: Int
  /// The problem as a sentence without its full stop, such as `the object contains itself`.
  package var problem: String

  package init(_ offset: Int, _ problem: String) {
    self.offset = offset
    self.problem = problem
  }

  package var description: String { "byte \(offset): \(problem)" }
}
