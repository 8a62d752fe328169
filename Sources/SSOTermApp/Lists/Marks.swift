/// The marked rows of a list, and the range that is being marked.
struct Marks: Equatable, Sendable {
  private(set) var ids: Set<RowID> = []
  /// The row where the range begins, or `nil` while no range is being marked.
  private(set) var rangeStart: RowID?
  private var beforeRange: Set<RowID> = []

  /// Marks the given rows, or removes their marks if all of them are marked.
  mutating func toggle(_ these: [RowID]) {
    rangeStart = nil
    if ids.isSuperset(of: these) { ids.subtract(these) } else { ids.formUnion(these) }
  }

  /// Begins a range, or ends the current range and keeps its marks.
  mutating func toggleRange(at id: RowID, _ these: [RowID]) {
    guard rangeStart == nil else {
      rangeStart = nil
      return
    }
    rangeStart = id
    beforeRange = ids
    ids.formUnion(these)
  }

  /// Replaces the range with the given rows after the selection has moved.
  mutating func extend(to these: [RowID]) { ids = beforeRange.union(these) }

  /// Removes the marks of rows that no longer exist.
  mutating func keep(_ known: Set<RowID>) {
    ids.formIntersection(known)
    beforeRange.formIntersection(known)
  }
}
