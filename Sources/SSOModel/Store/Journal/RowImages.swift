import Essentials
import SSOCore
import SSOKeychain

/// The rows as the journal stores them: a document's sealed bytes, or an item's columns with its sealed data.
struct RowImages {
  let connection: StoreConnection

  /// Returns the current image of a row, or `nil` if it does not exist.
  func image(of row: RowKey) throws(StoreError) -> Data? {
    switch row {
    case .item(let device, let key):
      try connection.first(ItemSQL.image, ItemSQL.key(device, key), image(ofItem:))
    case .document(let kind, let key):
      try connection.value(DocumentSQL.find, [kind, key])
    case .trace, .check, .newItems: nil
    }
  }

  /// Passes each existing item in a range of rows to `body`, the last first.
  func eachItem(
    in rows: ClosedRange<Int64>, _ body: (RowKey, _ image: Data) throws(StoreError) -> Void
  ) throws(StoreError) {
    var items = try connection.rows(ItemSQL.images, [rows.lowerBound, rows.upperBound])
    while try items.next() {
      let key = KeychainKey(
        accessGroup: try items[8], itemClass: try items[9], account: try items[10], service: try items[11])
      try body(.item(device: items[7], key), image(ofItem: items))
    }
  }

  /// Restores the row to an image, or removes it if the image is `nil`.
  func restore(_ row: RowKey, to image: Data?) throws(StoreError) {
    switch row {
    case .item(let device, let key):
      try connection.run(ItemSQL.delete, ItemSQL.key(device, key))
      if let image { try insert(itemImage: image, device: device, key) }
    case .document(let kind, let key):
      if let image {
        try connection.run(DocumentSQL.put, [kind, key, image])
      } else {
        try connection.run(DocumentSQL.delete, [kind, key])
      }
    case .newItems(let rows):
      try connection.run("DELETE FROM item WHERE id BETWEEN ? AND ?", [rows.lowerBound, rows.upperBound])
    case .trace, .check: break
    }
  }

  /// Returns the image of a row of `ItemSQL.imageColumns`.
  private func image(ofItem row: borrowing SQLRows) throws(StoreError) -> Data {
    var bytes = ByteWriter(capacity: 1024)
    bytes.append(try row[0] as Int64)
    bytes.append(try row[1] as Data?) { $0.append($1) }
    bytes.append(try row[2] as Int64?) { $0.append($1) }
    bytes.append(try row[3] as String?) { $0.append($1) }
    bytes.append(try row[4] as Data)
    bytes.append(try row[5] as Int64)
    bytes.append(try row[6] as Int64)
    return bytes.data
  }

  private func insert(itemImage image: Data, device: String, _ key: KeychainKey) throws(StoreError) {
    var bytes = ByteReader(image)
    guard let id = bytes.number(), let generic = bytes.optional({ $0.bytes() }),
      let type = bytes.optional({ $0.number() }), let label = bytes.optional({ $0.string() }),
      let sealed = bytes.bytes(), let created = bytes.number(), let modified = bytes.number()
    else { throw .damaged(path: connection.name, row: "journal_change", message: "an item that was cut") }
    try connection.run(
      ItemSQL.insert,
      [id] + ItemSQL.key(device, key) + [generic, type, label, sealed, created, modified])
  }
}
