/// Marked rows of a list, and the range that is being marked.
struct Marks: Equatable, Sendable {
  private(set) var ids: Set<RowID> = []
  /// The row where the range begins; nil while none is being marked.
  private(set) var rangeStart: RowID?
  private var beforeRange: Set<RowID> = []

  /// Marks these, or takes the marks away if all have them.
  mutating func toggle(_ these: [RowID]) {
    rangeStart = nil
    if ids.isSuperset(of: these) { ids.subtract(these) } else { ids.formUnion(these) }
  }

  /// Begins a range, or keeps the one that was being marked.
  mutating func toggleRange(at id: RowID, _ these: [RowID]) {
    guard rangeStart == nil else {
      rangeStart = nil
      return
    }
    rangeStart = id
    beforeRange = ids
    ids.formUnion(these)
  }

  /// The selection has moved: the range is now these rows.
  mutating func extend(to these: [RowID]) { ids = beforeRange.union(these) }

  /// Forgets rows that are no longer there.
  mutating func keep(_ known: Set<RowID>) {
    ids.formIntersection(known)
    beforeRange.formIntersection(known)
  }
}
