/// The columns of a list: how each is drawn, and what it sorts by.
protocol ListColumn: RawRepresentable<String>, CaseIterable, Sendable {
  associatedtype Row
  var layout: TableColumn { get }
  func cell(of row: Row, in shared: SharedState) -> TableCell
  func sortKey(of row: Row) -> SortKey
}

/// Numbers before words.
enum SortKey: Comparable, Sendable {
  case number(Int)
  case text(String)
}

extension SortKey {
  /// What ends first comes first; what has no end comes last.
  init(_ standing: TokenStanding) {
    switch standing.state {
    case .none: self = .number(.max)
    case .invalid, .revoked: self = .number(.min)
    default: self = .number(standing.secondsLeft ?? .max - 1)
    }
  }
}

/// The column that a list is sorted by.
struct Sorting: Equatable, Sendable {
  var column: String
  var isDescending = false

  /// `sort AT ^`, for the frame of the list.
  var text: String { "sort \(column) \(isDescending ? "v" : "^")" }
}

extension RowList {
  /// The columns that the person wants to see; which of them fit is for the table to find out.
  func shown<Column: ListColumn>(_ type: Column.Type) -> [Column] {
    Column.allCases.filter { !hiddenColumns.contains($0.rawValue) }
  }

  func sorted<Column: ListColumn>(_ rows: [Column.Row], by type: Column.Type) -> [Column.Row] {
    guard let sorting, let column = Column.allCases.first(where: { $0.rawValue == sorting.column }) else {
      return rows
    }
    let keyed = rows.map { (key: column.sortKey(of: $0), row: $0) }
    return keyed.sorted { sorting.isDescending ? $0.key > $1.key : $0.key < $1.key }.map(\.row)
  }
}
