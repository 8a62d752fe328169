internal import Foundation
internal import GRDB

/// One device's keychain items inside a transaction.
final class DeviceCredentials: CredentialStore {
  private let device: String
  private let transaction: StoreTransaction

  init(device: String, in transaction: StoreTransaction) {
    self.device = device
    self.transaction = transaction
  }

  func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    guard !query.accessGroups.isEmpty else { return [] }
    if let account = query.account, let service = query.service {
      let groups = query.accessGroups.count == 1 ? query.accessGroups : Array(Set(query.accessGroups))
      let found = try groups.compactMap { group in
        try item(
          KeychainKey(accessGroup: group, itemClass: query.itemClass, account: account, service: service),
          matching: query)
      }
      return Array(found.sorted { $0.rowID < $1.rowID }.prefix(max(0, query.limit ?? .max)))
    }
    let selection = ItemSelection(query, device: device)
    let statement = try transaction.reading().cachedStatement(sql: selection.sql)
    var items: [KeychainItem] = []
    let rows = try Row.fetchCursor(statement, arguments: selection.arguments)
    while let row = try rows.next() {
      var item = ItemSQL.attributes(row)
      item.data = try transaction.open(row[10], .item(device: device, item.key))
      items.append(item)
    }
    return items
  }

  /// The item with this key, if its other attributes match: no text is put together and nothing is sorted.
  private func item(_ key: KeychainKey, matching query: KeychainQuery) throws -> KeychainItem? {
    let statement = try transaction.reading().cachedStatement(sql: ItemSQL.find)
    let rows = try Row.fetchCursor(statement, arguments: ItemSQL.key(device, key))
    guard let row = try rows.next() else { return nil }
    var item = ItemSQL.attributes(row)
    guard query.generic == nil || query.generic == item.generic, query.type == nil || query.type == item.type,
      query.label == nil || query.label == item.label
    else { return nil }
    item.data = try transaction.open(row[10], .item(device: device, item.key))
    return item
  }

  func insert(_ item: KeychainItem) throws {
    let database = try transaction.writing()
    let row = RowKey.item(device: device, item.key)
    let hasGeneric = item.generic?.isEmpty != true
    var arguments: StatementArguments = [nil]
    arguments += ItemSQL.key(device, item.key)
    if hasGeneric { arguments += [item.generic] }
    arguments += [
      item.type, item.label?.storedText, try transaction.seal(item.data, row), item.createdAt.milliseconds,
      item.modifiedAt.milliseconds,
    ]
    do {
      try database.cachedStatement(sql: hasGeneric ? ItemSQL.insert : ItemSQL.insertEmptyGeneric)
        .execute(arguments: arguments)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw KeychainError.duplicateItem
    }
    try transaction.record(row, before: nil)
  }

  func update(_ item: KeychainItem) throws -> Bool {
    let database = try transaction.writing()
    let row = RowKey.item(device: device, item.key)
    if transaction.entry != nil {
      guard let before = try transaction.itemImage(device: device, item.key) else { return false }
      try transaction.record(row, before: before)
    }
    let hasGeneric = item.generic?.isEmpty != true
    var arguments: StatementArguments = hasGeneric ? [item.generic] : []
    arguments += [
      item.type, item.label?.storedText, try transaction.seal(item.data, row), item.modifiedAt.milliseconds,
    ]
    arguments += ItemSQL.key(device, item.key)
    try database.cachedStatement(sql: hasGeneric ? ItemSQL.update : ItemSQL.updateEmptyGeneric)
      .execute(arguments: arguments)
    return database.changesCount > 0
  }

  func delete(_ key: KeychainKey) throws {
    let database = try transaction.writing()
    if transaction.entry != nil {
      guard let before = try transaction.itemImage(device: device, key) else { return }
      try transaction.record(.item(device: device, key), before: before)
    }
    try database.cachedStatement(sql: ItemSQL.delete).execute(arguments: ItemSQL.key(device, key))
  }
}
