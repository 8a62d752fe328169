import TerminalUI

/// The index of a list's rows: their IDs, and the texts by which they are searched and sorted.
struct RowIndex: Equatable, Sendable {
  private(set) var ids: [RowID] = []
  private(set) var texts: SearchIndex
  /// The order of the rows without a filter, or `nil` for the order in which they were loaded.
  private(set) var order: [UInt32]?
  /// Whether the list is so long that only visible rows are read; see ``RowsRead``.
  let isLong: Bool
  /// The depth of each row, or `nil` if the list is not a tree.
  ///
  /// Headings are shown with the rows below them.
  var depths: [Int]?
  /// Whether a filter shows rows first whose name, the first text, contains it, before rows in which another text does.
  var ranksNames = false
  /// The final number of rows, if only the first rows are loaded.
  var total: Int?

  /// Creates the index of a long list.
  /// - Parameter columns: The column names for a filter such as `client:4b0`, in the order of the texts.
  init(columns: [String]) {
    texts = SearchIndex(columns: columns)
    isLong = true
  }

  /// Creates the index of a list whose rows are all loaded.
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

  /// Copies the columns of an index with the same rows, and ignores an index with other rows, which is out of date.
  mutating func take(columnsOf other: RowIndex) {
    if ids == other.ids { texts.take(columnsOf: other.texts) }
  }

  /// Returns the values of the given rows in the named column.
  func values(of column: String, inRows wanted: Set<RowID>) -> [String] {
    guard let column = texts.column(named: column) else { return [] }
    return ids.indices.filter { wanted.contains(ids[$0]) }.map { texts.text($0, column: column) }
  }

  /// Reserves capacity.
  ///
  /// The estimate is best if some rows have been added before.
  mutating func reserve(_ rows: Int) {
    ids.reserveCapacity(rows)
    texts.reserve(rows)
  }

  mutating func sort(by column: Int, isDescending: Bool = false) {
    let ascending = texts.order(by: column)
    order = isDescending ? ascending.reversed() : ascending
  }

  /// Returns the rows that match and, in a tree, the headings above them.
  func withHeadings(_ found: RowOrder) -> RowOrder {
    guard let depths, found.count < count else { return found }
    let found = Set(found)
    var shown: Set<Int> = []
    // From the last row up: a row that is less deep than `wanted` is a heading of the rows below it.
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

  /// Returns the rows that match, those first whose name begins with the words of a filter, then those whose name
  /// contains them.
  func ranked(_ found: RowOrder, by words: [String]) -> RowOrder {
    guard ranksNames, !words.isEmpty else { return found }
    let wanted = words.joined(separator: " ").lowercased()
    var ranks: [[UInt32]] = [[], [], []]
    for row in found {
      let name = texts.text(row).lowercased()
      ranks[name.hasPrefix(wanted) ? 0 : name.contains(wanted) ? 1 : 2].append(UInt32(row))
    }
    return RowOrder(Array(ranks.joined()))
  }

  /// Restores the order in which the rows were loaded.
  mutating func unsort() { order = nil }
}

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
