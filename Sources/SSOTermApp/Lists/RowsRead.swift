/// The rows of a long list that were read: those in sight and about a page before and after.
struct RowsRead<Row: Equatable & Sendable>: Equatable, Sendable {
  private var rows: [RowID: Row] = [:]
  /// What was asked for last.
  private var asked: Set<RowID> = []
  /// Rows that may have changed since they were read.
  private var stale: Set<RowID> = []

  /// With more than this the rows of other parts of the list are let go.
  private static var limit: Int { 1000 }

  init() {}

  /// All rows of a list that is not long.
  init(_ all: [Row], by id: (Row) -> RowID) {
    rows = Dictionary(all.map { (id($0), $0) }) { first, _ in first }
  }

  var all: some Collection<Row> { rows.values }

  subscript(id: RowID?) -> Row? { id.flatMap { rows[$0] } }

  /// Takes rows that were read.
  mutating func take(_ new: [RowID: Row]) {
    if rows.count > Self.limit {
      rows = rows.filter { asked.contains($0.key) }
    }
    rows.merge(new) { $1 }
    stale.subtract(new.keys)
  }

  /// The store has changed: what is in sight is read again, and shown as it was until then.
  mutating func expire() {
    stale = Set(rows.keys)
    asked = []
  }

  /// What to read now so that all rows in sight are there; nil if nothing is missing or it was asked for already.
  ///
  /// It reads ahead a page each way, and asks again when the person comes within half a page of the end of that.
  mutating func missing(in list: RowList, height: Int) -> [RowID]? {
    let seen = list.state.visible(height: height, count: list.count)
    guard !seen.isEmpty else { return nil }
    let near = list.ids(at: (seen.lowerBound - height / 2)..<(seen.upperBound + height / 2))
    guard near.contains(where: { (rows[$0] == nil || stale.contains($0)) && !asked.contains($0) }) else {
      return nil
    }
    let wanted = list.ids(at: (seen.lowerBound - height)..<(seen.upperBound + height))
    asked = Set(wanted)
    return wanted
  }
}
