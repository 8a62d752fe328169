import GRDB
import SSOKeychain

/// Who the accounts are, by an index of their attributes alone: a hundred thousand rows lie apart by their tokens, and
/// each would have to be fetched and unsealed.
enum AccountNames {
  static let migration = """
    CREATE INDEX item_account ON item(device, account, generic) WHERE type = \(AccountType.mssts.attributeType)
    """
}

extension StoreTransaction {
  /// Hands over row ID, account attribute and generic attribute (the username in lower case) of each account item, in
  /// the order of the account attribute. The bytes are good during the call, and are `storedText`.
  package func scanAccountNames(
    device: String,
    _ body: (Int64, _ account: UnsafeRawBufferPointer, _ generic: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withSmallCache { database in
      let statement = try database.cachedStatement(sql: Self.inOrderOfAccounts("id, account, generic"))
      var rows = StatementRows(statement, texts: [device])
      while try rows.next() { try body(rows.integer(0), rows.bytes(1), rows.bytes(2)) }
    }
  }

  /// Hands over the account items with their data in the order of ``scanAccountNames(device:_:)``.
  package func scanAccountItems(device: String, _ body: (KeychainItem) throws -> Void) throws {
    try withSmallCache { database in
      let statement = try database.cachedStatement(sql: Self.inOrderOfAccounts("\(ItemSQL.columns), sealed"))
      var rows = ItemRows(statement, texts: [device])
      while try rows.next() { try body(rows.item(device: device, in: self)) }
    }
  }

  private static func inOrderOfAccounts(_ columns: String) -> String {
    """
    SELECT \(columns) FROM item INDEXED BY item_account
    WHERE device = ? AND type = \(AccountType.mssts.attributeType) ORDER BY account
    """
  }

  /// Usernames, in lower case as they stand in the generic attribute, by the hash of the account attribute: the texts
  /// themselves would take three times as much.
  package func usernames(device: String) throws -> [Int: String] {
    var names: [Int: String] = [:]
    names.reserveCapacity(try itemCount(device: device, type: AccountType.mssts.attributeType))
    try scanAccountNames(device: device) { _, account, generic in
      let account = String(storedText: String(decoding: account, as: UTF8.self))
      names[account.hashValue] = String(decoding: generic, as: UTF8.self)
    }
    return names
  }
}
