import Essentials
import SSOKeychain
import SSOReference

/// The keychain items of one device inside a transaction.
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

  /// Searches each existing type separately, because the index of generic attributes begins with the type.
  private func items(ofAnyType query: KeychainQuery) throws -> [KeychainItem] {
    var found: [KeychainItem] = []
    let types = try transaction.items(ofDevice: device).itemTypes(accessGroups: query.accessGroups)
    for type in types {
      var query = query
      query.type = type
      found += try items(ItemSelection(query, device: device))
    }
    return Self.sorted(found, limit: query.limit)
  }

  private func items(_ selection: ItemSelection) throws -> [KeychainItem] {
    try transaction.reading().all(selection.sql, selection.values) { row throws(StoreError) in
      try transaction.item(row, device: device)
    }.compactMap(\.self)
  }

  /// Returns the few items of one account without building a statement or sorting in the database.
  ///
  /// A silent call makes a dozen such queries.
  private func items(of account: String, matching query: KeychainQuery) throws -> [KeychainItem] {
    let groups = query.accessGroups.count == 1 ? query.accessGroups : Array(Set(query.accessGroups))
    let connection = try transaction.reading()
    var found: [KeychainItem] = []
    for group in groups {
      var values: [any SQLBindable] = [device, group, query.itemClass, account]
      if let service = query.service { values.append(service) }
      var rows = try connection.rows(query.service == nil ? ItemSQL.findAccount : ItemSQL.find, values)
      while try rows.next() {
        if let item = try transaction.item(rows, matching: query, device: device) { found.append(item) }
      }
    }
    return Self.sorted(found, limit: query.limit)
  }

  private static func sorted(_ items: [KeychainItem], limit: Int?) -> [KeychainItem] {
    let items = items.count > 1 ? items.sorted { $0.rowID < $1.rowID } : items
    return limit.map { Array(items.prefix(max(0, $0))) } ?? items
  }

  func insert(_ item: KeychainItem) throws {
    let connection = try transaction.writing()
    let sealed = try transaction.seal(item.data, .item(device: device, item.key))
    try connection.run(
      ItemSQL.insert,
      [connection.newRowID(in: .item)] + ItemSQL.key(device, item.key)
        + [item.generic, item.type, item.label, sealed, item.createdAt, item.modifiedAt])
    guard connection.changedRows > 0 else { throw KeychainError.duplicateItem }
    try transaction.journal.record(newItem: connection.lastRowID)
  }

  func update(_ item: KeychainItem) throws -> Bool {
    let connection = try transaction.writing()
    guard try recordImage(of: item.key) else { return false }
    let sealed = try transaction.seal(item.data, .item(device: device, item.key))
    try connection.run(
      ItemSQL.update,
      [item.generic, item.type, item.label, sealed, item.modifiedAt] + ItemSQL.key(device, item.key))
    return connection.changedRows > 0
  }

  func delete(_ key: KeychainKey) throws {
    let connection = try transaction.writing()
    guard try recordImage(of: key) else { return }
    try connection.run(ItemSQL.delete, ItemSQL.key(device, key))
  }

  /// Records the image of an item in the journal, if there is an entry.
  ///
  /// Returns `false` if the item does not exist.
  private func recordImage(of key: KeychainKey) throws -> Bool {
    guard transaction.entry != nil else { return true }
    let row = RowKey.item(device: device, key)
    guard let before = try transaction.journal.images.image(of: row) else { return false }
    try transaction.journal.record(row, before: before)
    return true
  }
}
