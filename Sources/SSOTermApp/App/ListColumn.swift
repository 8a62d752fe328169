import SSOLab
import TerminalUI

/// The columns of a list: how each is drawn, and what it sorts by.
protocol ListColumn: RawRepresentable<String>, CaseIterable, Sendable {
  associatedtype Row
  /// The screen it is on.
  static var context: Context { get }
  var layout: TableColumn { get }
  func cell(of row: Row, in model: AppModel) -> TableCell
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
    case .invalid: self = .number(.min)
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

extension AppModel {
  /// All columns of the list that has the keys, shown or not.
  var columns: [(title: String, isShown: Bool)] {
    let titles: [String] =
      switch screenContext {
      case .apps: AppColumn.allCases.map(\.rawValue)
      case .traces: TraceColumn.allCases.map(\.rawValue)
      case .keychain: ItemColumn.allCases.map(\.rawValue)
      default: []
      }
    return titles.map { ($0, !isHidden($0, screenContext)) }
  }

  private func isHidden(_ column: String, _ context: Context) -> Bool {
    hiddenColumns[context]?.contains(column) ?? false
  }

  /// The columns that the person wants to see; which of them fit is for the table to find out.
  func shown<Column: ListColumn>(_ type: Column.Type) -> [Column] {
    Column.allCases.filter { !isHidden($0.rawValue, Column.context) }
  }

  func sorted<Column: ListColumn>(_ rows: [Column.Row], by type: Column.Type) -> [Column.Row] {
    guard let sorting = sorting[Column.context],
      let column = Column.allCases.first(where: { $0.rawValue == sorting.column })
    else { return rows }
    let keyed = rows.map { (key: column.sortKey(of: $0), row: $0) }
    return keyed.sorted { sorting.isDescending ? $0.key > $1.key : $0.key < $1.key }.map(\.row)
  }

  /// What the items are sorted by: a long list goes by its keys, unless by the one column that is known of all its rows.
  var sortingOfItems: Sorting? {
    guard let sorting = sorting[.keychain] else { return nil }
    return items.index.isLong && sorting.column != ItemColumn.sortsLongLists.rawValue ? nil : sorting
  }

  /// A digit in the menu of columns.
  mutating func pickColumn(_ number: Int) -> [Command] {
    guard case .menu(let menu) = dialogs.last else { return [] }
    if menu == .columns { return toggleColumn(number) }
    dialogs.removeLast()
    return sort(by: number)
  }

  /// Counted from 1; the same column again turns the order round, 0 leaves it to the store.
  mutating func sort(by number: Int) -> [Command] {
    guard number > 0 else {
      sorting[screenContext] = nil
      return reload()
    }
    let title = columns[number - 1].title
    let known = ItemColumn.sortsLongLists.rawValue
    guard screenContext != .keychain || !items.index.isLong || title == known else {
      notice = Notice(text: "A list this long sorts by \(known) only.", kind: .plain)
      return []
    }
    let isAgain = sorting[screenContext]?.column == title
    let wasDescending = sorting[screenContext]?.isDescending ?? false
    sorting[screenContext] = Sorting(column: title, isDescending: isAgain && !wasDescending)
    sortAgain()
    return []
  }

  mutating func toggleColumn(_ number: Int) -> [Command] {
    guard number > 0 else {
      hiddenColumns[screenContext] = nil
      return []
    }
    let title = columns[number - 1].title
    guard number > 1 else {
      notice = Notice(text: "\(title) stays: rows need a name.", kind: .plain)
      return []
    }
    hiddenColumns[screenContext, default: []].formSymmetricDifference([title])
    return []
  }
}
