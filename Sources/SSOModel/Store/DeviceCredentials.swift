import Foundation
import GRDB
import SSOCore
import SSOKeychain

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
    if let account = query.account { return try items(of: account, matching: query) }
    if query.generic != nil, query.type == nil { return try items(ofAnyType: query) }
    return try items(ItemSelection(query, device: device))
  }

  /// The index of generic attributes begins with the type, so one look-up is made for each type that there is.
  private func items(ofAnyType query: KeychainQuery) throws -> [KeychainItem] {
    var found: [KeychainItem] = []
    for type in try transaction.itemTypes(device: device, accessGroups: query.accessGroups) {
      var query = query
      query.type = type
      found += try items(ItemSelection(query, device: device))
    }
    found.sort { $0.rowID < $1.rowID }
    return query.limit.map { Array(found.prefix(max(0, $0))) } ?? found
  }

  private func items(_ selection: ItemSelection) throws -> [KeychainItem] {
    let statement = try transaction.reading().cachedStatement(sql: selection.sql)
    var items: [KeychainItem] = []
    var rows = try ItemRows(statement, arguments: selection.arguments)
    while try rows.next() { items.append(try rows.item(device: device, in: transaction)) }
    return items
  }

  /// The items of one account are a handful: no text is put together and the database sorts nothing. A silent
  /// call makes a dozen such queries.
  private func items(of account: String, matching query: KeychainQuery) throws -> [KeychainItem] {
    let groups = query.accessGroups.count == 1 ? query.accessGroups : Array(Set(query.accessGroups))
    let statement = try transaction.reading().cachedStatement(
      sql: query.service == nil ? ItemSQL.findAccount : ItemSQL.find)
    var found: [KeychainItem] = []
    for group in groups {
      let key = [device, group, query.itemClass.rawValue, account] + (query.service.map { [$0] } ?? [])
      var rows = ItemRows(statement, texts: key)
      while try rows.next() {
        if let item = try rows.item(matching: query, device: device, in: transaction) { found.append(item) }
      }
    }
    if groups.count > 1 || found.count > 1 { found.sort { $0.rowID < $1.rowID } }
    return query.limit.map { Array(found.prefix(max(0, $0))) } ?? found
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
    try transaction.record(newItem: database.lastInsertedRowID)
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
