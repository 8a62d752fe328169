import SSOCore
import SSODevice
import SSOKeychain
import SSOLab
import TerminalUI

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
  init(_ status: TokenStatus) {
    switch status.state {
    case .none: self = .number(.max)
    case .invalid, .revoked: self = .number(.min)
    default: self = .number(status.secondsLeft ?? .max - 1)
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

/// A row whose columns a filter can refer to by name, as in `client:4b0` or `!state:valid`.
protocol Searchable {
  static var searchColumns: [String] { get }
  /// The texts to search, in the order of `searchColumns`.
  var searchValues: [String] { get }
}

extension AppRow: Searchable {
  static let searchColumns = ["app", "client", "redirect", "user", "state", "lib", "next"]
  var searchValues: [String] {
    [
      displayName + " " + bundleID, clientID, redirectURI, accounts.joined(separator: " "),
      "\(accessToken.displayText) \(refreshToken.displayText)", sdk, next.sentence,
    ]
  }
}

extension AccountRow: Searchable {
  static let searchColumns = ["user", "tenant", "app", "state", "name", "id"]
  var searchValues: [String] {
    [
      username, (homeTenantName ?? "") + " " + homeTenantID, apps.joined(separator: " "),
      refreshToken.displayText,
      displayName ?? "", identifier,
    ]
  }
}

extension TokenLine: Searchable {
  static let searchColumns = ["client", "app", "redirect", "user", "type", "scope", "state", "realm"]

  /// The texts to search.
  ///
  /// A credential also matches by its user, and by the app that it is listed under.
  var searchValues: [String] {
    switch kind {
    case .client(let name): return [text + " " + (name ?? "")]
    case .redirect(let app): return ["", app ?? "", text]
    case .branch(let branch): return [branch.clientID, branch.app ?? "", text]
    case .broker: return ["", "broker"]
    case .primary(let token):
      return ["", "broker", "", token.username, "PrimaryRefreshToken PRT", "", token.status.displayText]
    case .token(let row):
      return [
        row.clientID, app ?? row.apps.joined(separator: " "), uri ?? row.redirectURIs.joined(separator: " "),
        row.username ?? row.homeAccountID, "\(row.type) \(row.shortType)", row.target ?? "",
        row.status.displayText,
        row.realm ?? "",
      ]
    }
  }
}

extension KeychainItemRow: Searchable {
  static let searchColumns = ["kind", "user", "service", "state"]
  var searchValues: [String] { [kind, username ?? "", key.service, status.displayText] }
}

extension TraceSummary: Searchable {
  static let searchColumns = ["what", "outcome", "state", "id"]
  var searchValues: [String] {
    [title, summary, isUndone ? "undone" : verdict, correlationID, author?.displayText ?? ""]
  }
}

extension PickerCandidate: Searchable {
  static let searchColumns = ["user", "name", "tenant", "state", "app"]
  var searchValues: [String] {
    [username, displayName, tenantName, "\(state.rawValue) \(remark)", lastUse?.app ?? ""]
  }
}

extension TokenStatus {
  /// The state as in JSON, followed by its text on the screen.
  fileprivate var displayText: String { state == .valid ? "valid" : "\(state.rawValue) \(text.dropFirst(2))" }
}

/// Returns the headings of a list whose rows are in groups, by the first row of each group.
///
/// A single group needs no heading.
func groupHeadings(_ groups: [String]) -> [Int: String] {
  let starts = groups.indices.filter { $0 == 0 || groups[$0 - 1] != groups[$0] }
  return starts.count < 2 ? [:] : Dictionary(uniqueKeysWithValues: starts.map { ($0, groups[$0]) })
}

/// Returns the rows of each group, in the order in which the groups first occur.
func groups<Row>(_ rows: [Row], by heading: (Row) -> String) -> [[Row]] {
  var order: [String] = []
  var found: [String: [Row]] = [:]
  for row in rows {
    let name = heading(row)
    if found[name] == nil { order.append(name) }
    found[name, default: []].append(row)
  }
  return order.map { found[$0] ?? [] }
}
