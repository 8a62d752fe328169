/// The columns of the items of an access group.
enum ItemColumn: String, ListColumn {
  case kind = "KIND"
  case account = "ACCOUNT"
  case state = "STATE"
  case size = "BYTES"

  /// The only column that is known for all rows of a long list.
  static let sortsLongLists = ItemColumn.account

  var layout: TableColumn {
    switch self {
    case .kind: TableColumn(rawValue, width: .flexible(min: 13, wanted: 15, weight: 1))
    case .account: TableColumn(rawValue, width: .flexible(min: 15, weight: 2), priority: 1)
    case .state: TableColumn(rawValue, width: .fixed(6))
    case .size: TableColumn(rawValue, width: .fixed(5), align: .right, priority: 2)
    }
  }

  func cell(of item: KeychainItemRow, in shared: SharedState) -> TableCell {
    switch self {
    case .kind: TableCell(item.kind)
    case .account: TableCell(item.username ?? "-")
    case .state: item.isDated ? TableCell(item.standing.text, item.standing.style) : TableCell("-", .dim)
    case .size: TableCell("\(item.size)", .dim)
    }
  }

  func sortKey(of item: KeychainItemRow) -> SortKey {
    switch self {
    case .kind: .text(item.kind)
    case .account: .text(item.username ?? "")
    case .state: SortKey(item.standing)
    case .size: .number(item.size)
    }
  }
}
