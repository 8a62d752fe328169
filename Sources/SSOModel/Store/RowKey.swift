import Essentials

/// The primary key of a sealed row.
///
/// Its encoding is the additional data of the seal, so a sealed value that is moved to another row cannot be
/// opened. It also identifies the row in the journal. Only the journal has `newItems`: the rows of items that
/// were added consecutively.
enum RowKey: Hashable {
  case item(device: String, KeychainKey)
  case document(kind: String, key: String)
  case trace(correlationID: String)
  case check
  case newItems(ClosedRange<Int64>)

  static let itemTable: UInt8 = 0
  static let newItemsTable: UInt8 = 4

  /// The number of the table in the journal.
  private var table: UInt8 {
    switch self {
    case .item: Self.itemTable
    case .document: 1
    case .trace: 2
    case .check: 3
    case .newItems: Self.newItemsTable
    }
  }

  /// The encoding: the table's number, then each part as its length (4 bytes, big-endian) and its UTF-8.
  var encoded: Data {
    var bytes = ByteWriter(capacity: 192)
    bytes.append(byte: table)
    switch self {
    case .item(let device, let key):
      bytes.append(device)
      bytes.append(key.accessGroup)
      bytes.append(key.itemClass.rawValue)
      bytes.append(key.account)
      bytes.append(key.service)
    case .document(let kind, let key):
      bytes.append(kind)
      bytes.append(key)
    case .trace(let correlationID): bytes.append(correlationID)
    case .check: break
    case .newItems(let rows):
      bytes.append(rows.lowerBound)
      bytes.append(rows.upperBound)
    }
    return bytes.data
  }

  /// Creates a key from its encoding, or returns `nil` for other bytes and for rows that are not in the
  /// journal.
  init?(encoded: Data) {
    var bytes = ByteReader(encoded)
    switch bytes.byte() {
    case Self.itemTable:
      guard let device = bytes.string(), let group = bytes.string(),
        let itemClass = bytes.string().flatMap(KeychainClass.init(rawValue:)),
        let account = bytes.string(), let service = bytes.string()
      else { return nil }
      let key = KeychainKey(accessGroup: group, itemClass: itemClass, account: account, service: service)
      self = .item(device: device, key)
    case 1:
      guard let kind = bytes.string(), let key = bytes.string() else { return nil }
      self = .document(kind: kind, key: key)
    case Self.newItemsTable:
      guard let first = bytes.number(), let last = bytes.number(), first <= last else { return nil }
      self = .newItems(first...last)
    default: return nil
    }
  }
}
