import Foundation
import GRDB
import SSOKeychain

/// Rows as the journal keeps them: a document's sealed bytes, or an item's columns with its data sealed.
extension StoreTransaction {
  /// What the row is now; nil if it is not there.
  func image(of row: RowKey) throws -> Data? {
    switch row {
    case .item(let device, let key): try itemImage(device: device, key)
    case .document(let kind, let key): try sealedDocument(kind, key)
    case .trace, .check, .newItems: nil
    }
  }

  /// Makes the row what it was; nil removes it.
  func restore(_ row: RowKey, to image: Data?) throws {
    let database = try writing()
    switch row {
    case .item(let device, let key):
      try database.cachedStatement(sql: ItemSQL.delete).execute(arguments: ItemSQL.key(device, key))
      if let image { try insert(itemImage: image, device: device, key) }
    case .document(let kind, let key):
      try database.cachedStatement(sql: "DELETE FROM document WHERE kind = ? AND key = ?")
        .execute(arguments: [kind, key.storedText])
      guard let image else { return }
      try database.cachedStatement(sql: "INSERT INTO document(kind, key, sealed) VALUES(?, ?, ?)")
        .execute(arguments: [kind, key.storedText, image])
    case .newItems(let rows):
      try database.cachedStatement(sql: "DELETE FROM item WHERE id BETWEEN ? AND ?")
        .execute(arguments: [rows.lowerBound, rows.upperBound])
    case .trace, .check: break
    }
  }

  func itemImage(device: String, _ key: KeychainKey) throws -> Data? {
    let statement = try reading().cachedStatement(sql: ItemSQL.image)
    return try Row.fetchOne(statement, arguments: ItemSQL.key(device, key)).map(itemImage)
  }

  /// The image from a row of `ItemSQL.imageColumns`.
  func itemImage(_ row: Row) -> Data {
    var bytes = ByteWriter(capacity: 1024)
    bytes.append(row[0] as Int64)
    bytes.append(row[1] as Data?) { $0.append($1) }
    bytes.append(row[2] as Int64?) { $0.append($1) }
    bytes.append(row[3] as String?) { $0.append($1) }
    bytes.append(row[4] as Data)
    bytes.append(row[5] as Int64)
    bytes.append(row[6] as Int64)
    return bytes.data
  }

  private func insert(itemImage image: Data, device: String, _ key: KeychainKey) throws {
    var bytes = ByteReader(image)
    guard let id = bytes.number(), let generic = bytes.optional({ $0.bytes() }),
      let type = bytes.optional({ $0.number() }), let label = bytes.optional({ $0.string() }),
      let sealed = bytes.bytes(), let created = bytes.number(), let modified = bytes.number()
    else { throw StoreError.other(path: store.name, message: "an item in the journal is damaged") }
    let sql = generic?.isEmpty == true ? ItemSQL.insertEmptyGeneric : ItemSQL.insert
    var arguments: StatementArguments = [id]
    arguments += ItemSQL.key(device, key)
    if generic?.isEmpty != true { arguments += [generic] }
    arguments += [type, label, sealed, created, modified]
    try writing().cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
