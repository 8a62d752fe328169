/// A reader for the list of accounts, which may be very long.
struct AccountReading {
  let reader: LabReader

  /// The number of accounts up to which the list is read with all its rows.
  private static let short = 200
  private static let columns = ["user", "name", "tenant", "app", "id"]
  private static let sealedColumns = ["user", "name", "app"]

  private var accounts: AccountQueries { reader.accounts }

  /// Returns all accounts if there are few, or else a page of them, so that something is visible at once.
  func first() throws -> Loaded {
    let count = try accounts.itemCount()
    guard count > Self.short else { return .accounts(try accounts.rows()) }
    var index = RowIndex(columns: Self.columns)
    for account in try accounts.first(Self.short / 2) { index.append(account) }
    index.total = count
    return .accountList(index, try accounts.rows(index.ids.map(\.value)).byID)
  }

  /// Returns the entire list by username, with the columns that can be read at once.
  func all() throws -> Loaded {
    let expected = try accounts.itemCount()
    guard expected > Self.short else { return .accounts(try accounts.rows()) }
    var index = RowIndex(columns: Self.columns)
    try accounts.each { account in
      index.append(account)
      if index.count == 2000 { index.reserve(expected) }
    }
    index.sort(by: 0)
    return .accountList(index, [:])
  }

  /// Returns the columns of the entire list for which each account must be unsealed.
  func details() throws -> Loaded {
    let expected = try accounts.itemCount()
    var index = RowIndex(columns: Self.sealedColumns)
    try accounts.eachDetails { account in
      index.append(RowID(account.row), [account.username, account.name, account.apps])
      if index.count == 2000 { index.reserve(expected) }
    }
    return .accountDetails(index)
  }
}

extension RowIndex {
  fileprivate mutating func append(_ account: AccountSummary) {
    append(RowID(account.row), [account.username, "", account.tenant, "", account.identifier])
  }
}

extension Dictionary where Key == Int64 {
  /// The rows of the store by their IDs in a list.
  var byID: [RowID: Value] { [RowID: Value](uniqueKeysWithValues: map { (RowID($0.key), $0.value) }) }
}
