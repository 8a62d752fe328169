import Foundation

extension KeychainItem {
  /// An item from `ItemSQL.columns`, with empty data.
  init(attributesOf row: borrowing SQLiteRows) throws(StoreError) {
    let key = KeychainKey(
      accessGroup: try row[1], itemClass: try row[2], account: try row[3], service: try row[4])
    self.init(
      rowID: try row[0], key: key, generic: try row[5], type: try row[6], label: try row[7], data: Data(),
      createdAt: try row[8], modifiedAt: try row[9])
  }
}

extension StoreTransaction {
  /// An item with its data, from `ItemSQL.columns` and `sealed`.
  func item(_ row: borrowing SQLiteRows, device: String) throws(StoreError) -> KeychainItem {
    var item = try KeychainItem(attributesOf: row)
    item.data = try open(row[10], .item(device: device, item.key))
    return item
  }

  /// The item with its data, if its attributes match.
  func item(
    _ row: borrowing SQLiteRows, matching query: KeychainQuery, device: String
  ) throws(StoreError) -> KeychainItem? {
    // The type tells most rows apart, and is read without making texts.
    if let type = query.type, try row[6] != type { return nil }
    var item = try KeychainItem(attributesOf: row)
    guard item.matches(query) else { return nil }
    item.data = try open(row[10], .item(device: device, item.key))
    return item
  }
}
