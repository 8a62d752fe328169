/// Why a binary property list or a keyed archive is refused: where, and what is wrong there.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte at which it was noticed, counted from 0.
  package var offset: Int
  /// A sentence without its full stop: `the object contains itself`.
  package var problem: String

  package init(_ offset: Int, _ problem: String) {
    self.offset = offset
    self.problem = problem
  }

  package var description: String { "byte \(offset): \(problem)" }
}
