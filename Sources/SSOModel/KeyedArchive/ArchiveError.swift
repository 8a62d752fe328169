/// Why a binary property list or a keyed archive is refused: where, and what is wrong there.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte at which it was noticed, counted from 0.
  public var offset: Int
  /// A sentence without its full stop: `the object contains itself`.
  public var problem: String

  public init(_ offset: Int, _ problem: String) {
    self.offset = offset
    self.problem = problem
  }

  public var description: String { "byte \(offset): \(problem)" }
}
