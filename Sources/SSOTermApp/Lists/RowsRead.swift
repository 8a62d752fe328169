/// The rows of a long list that have been read: the visible rows, and about a page before and after them.
struct RowsRead<Row: Equatable & Sendable>: Equatable, Sendable {
  private var rows: [RowID: Row] = [:]
  /// The rows that were requested last.
  private var asked: Set<RowID> = []
  /// Rows that may have changed since they were read.
  private var stale: Set<RowID> = []

  /// The number of rows above which the rows of other parts of the list are discarded.
  private static var limit: Int { 1000 }

  init() {}

  /// Creates the rows of a list that is not long.
  init(_ all: [Row], by id: (Row) -> RowID) {
    rows = Dictionary(all.map { (id($0), $0) }) { first, _ in first }
  }

  var all: some Collection<Row> { rows.values }

  subscript(id: RowID?) -> Row? { id.flatMap { rows[$0] } }

  /// Adds rows that were read.
  mutating func take(_ new: [RowID: Row]) {
    if rows.count > Self.limit {
      rows = rows.filter { asked.contains($0.key) }
    }
    rows.merge(new) { $1 }
    stale.subtract(new.keys)
  }

  /// Marks all rows as stale because the store has changed.
  ///
  /// Visible rows are read again, and stay on the screen until then.
  mutating func expire() {
    stale = Set(rows.keys)
    asked = []
  }

  /// Returns the rows to read so that no visible row is missing, or `nil` if none is missing or they have already been
  /// requested.
  ///
  /// It reads ahead one page in each direction, and requests more rows when the view comes within half a page of the
  /// end.
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
