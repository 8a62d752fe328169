/// All that a list knows of each of its rows: who it is, what it is searched and sorted by.
struct RowIndex: Equatable, Sendable {
  private(set) var ids: [RowID] = []
  private(set) var texts: SearchIndex
  /// The rows as they are shown without a filter; nil as they came.
  private(set) var order: [UInt32]?
  /// Whether rows are read only where they are seen; see ``RowsRead``.
  let isLong: Bool
  /// Of a tree: how deep each row is.
  ///
  /// Headings are shown with what is below them.
  var depths: [Int]?
  /// How many rows there will be, if these are only the first.
  var total: Int?

  /// A long list.
  /// - Parameter columns: names for `client:4b0` in the filter, in the order of the texts.
  init(columns: [String]) {
    texts = SearchIndex(columns: columns)
    isLong = true
  }

  /// A list whose rows are all there.
  init(ids: [RowID] = [], texts: [[String]] = [], columns: [String] = [""]) {
    self.texts = SearchIndex(columns: columns)
    isLong = false
    for (id, row) in zip(ids, texts) { append(id, row) }
  }

  init<Row: Searchable>(_ ids: [RowID], _ rows: [Row]) {
    self.init(ids: ids, texts: rows.map(\.searchValues), columns: Row.searchColumns)
  }

  var count: Int { ids.count }

  mutating func append(_ id: RowID, _ row: [String]) {
    ids.append(id)
    texts.append(row)
  }

  /// Takes over the columns of an index that has the same rows; any other is of another time and says nothing.
  mutating func take(columnsOf other: RowIndex) {
    if ids == other.ids { texts.take(columnsOf: other.texts) }
  }

  /// What rows have in the column of a name.
  func values(of column: String, inRows wanted: Set<RowID>) -> [String] {
    guard let column = texts.column(named: column) else { return [] }
    return ids.indices.filter { wanted.contains(ids[$0]) }.map { texts.text($0, column: column) }
  }

  /// Makes room, best when some rows are there.
  mutating func reserve(_ rows: Int) {
    ids.reserveCapacity(rows)
    texts.reserve(rows)
  }

  mutating func sort(by column: Int, isDescending: Bool = false) {
    let ascending = texts.order(by: column)
    order = isDescending ? ascending.reversed() : ascending
  }

  /// The rows that pass, and in a tree the headings above them.
  func withHeadings(_ found: RowOrder) -> RowOrder {
    guard let depths, found.count < count else { return found }
    let found = Set(found)
    var shown: Set<Int> = []
    // From below: the depth of the headings that are still looked for.
    var wanted = 0
    for row in depths.indices.reversed() {
      if found.contains(row) {
        shown.insert(row)
        wanted = depths[row]
      } else if depths[row] < wanted {
        shown.insert(row)
        wanted = depths[row]
      }
    }
    return RowOrder(shown.sorted().map { UInt32($0) })
  }

  /// The rows as they came.
  mutating func unsort() { order = nil }
}
