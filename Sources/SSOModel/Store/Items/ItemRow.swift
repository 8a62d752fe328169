import Essentials

extension KeychainItem {
  /// Creates an item from `ItemSQL.columns`, with empty data.
  init(attributesOf row: borrowing SQLRows) throws(StoreError) {
    let key = KeychainKey(
      accessGroup: try row[1], itemClass: try row[2], account: try row[3], service: try row[4])
    self.init(
      rowID: try row[0], key: key, generic: try row[5], type: try row[6], label: try row[7], data: Data(),
      createdAt: try row[8], modifiedAt: try row[9])
  }
}

extension StoreTransaction {
  /// Reads an item with its data from `ItemSQL.columns` and `sealed`, or returns `nil` if it does not match
  /// or is damaged.
  func item(
    _ row: borrowing SQLRows, matching query: KeychainQuery? = nil, device: String
  ) throws(StoreError) -> KeychainItem? {
    try intact(row.name(in: "item")) { () throws(StoreError) -> KeychainItem? in
      // The type excludes most rows, and reading it creates no strings.
      if let type = query?.type, try row[6] != type { return nil }
      var item = try KeychainItem(attributesOf: row)
      guard query.map({ item.matches($0) }) ?? true else { return nil }
      item.data = try open(row[10], .item(device: device, item.key))
      return item
    } ?? nil
  }
}
