/// The list of accounts, which may be very long.
struct AccountReading {
  let reader: LabReader

  /// A list this short is read with all its rows.
  private static let short = 200
  private static let columns = ["user", "name", "tenant", "app", "id"]
  private static let sealedColumns = ["user", "name", "app"]

  private var accounts: AccountQueries { reader.accounts }

  /// All accounts if they are few; else a page of them, so that there is something to see at once.
  func first() throws -> Loaded {
    let count = try accounts.itemCount()
    guard count > Self.short else { return .accounts(try accounts.rows()) }
    var index = RowIndex(columns: Self.columns)
    for account in try accounts.first(Self.short / 2) { index.append(account) }
    index.total = count
    return .accountList(index, try accounts.rows(index.ids.map(\.value)).byID)
  }

  /// The whole list by username, as far as it can be had at once.
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

  /// The columns of the whole list for which each account has to be unsealed.
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
  /// Rows of the store by the ID that a list knows them by.
  var byID: [RowID: Value] { [RowID: Value](uniqueKeysWithValues: map { (RowID($0.key), $0.value) }) }
}
