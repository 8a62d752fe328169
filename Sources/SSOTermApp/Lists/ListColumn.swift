/// A column of a list: its layout, its cells, and its sort keys.
protocol ListColumn: RawRepresentable<String>, CaseIterable, Sendable {
  associatedtype Row
  var layout: TableColumn { get }
  func cell(of row: Row, in shared: SharedState) -> TableCell
  func sortKey(of row: Row) -> SortKey
}

/// A value to sort rows by.
///
/// Numbers sort before texts.
enum SortKey: Comparable, Sendable {
  case number(Int)
  case text(String)
}

extension SortKey {
  /// Creates a sort key by the time left.
  ///
  /// Invalid and revoked tokens come first, and missing tokens come last.
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

  /// The text for the frame of the list, such as `sort AT ^`.
  var text: String { "sort \(column) \(isDescending ? "v" : "^")" }
}

extension RowList {
  /// Returns the columns that the user has not hidden.
  ///
  /// The table decides which of them fit.
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
