import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

extension Stage {
  /// A keychain item of the current device by its row in the store.
  func item(rowID: Int64) throws -> KeychainItem? {
    let found = try deviceItems.itemAttributes(limit: 1, afterRowID: rowID - 1).first
    guard let found, found.rowID == rowID else { return nil }
    let query = KeychainQuery(
      accessGroups: [found.key.accessGroup], itemClass: found.key.itemClass, account: found.key.account,
      service: found.key.service)
    return try credentials.items(matching: query).first
  }

  /// Those that the broker holds; without the broker nobody can reach them.
  func brokerAccounts() throws -> [BrokerAccount] {
    guard device.brokerVersion != nil else { return [] }
    return try transaction.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/")
  }

  /// Every access group that holds items or that some app is entitled to, in order of names.
  func accessGroups() throws -> [String] {
    let entitled = installed.flatMap(\.entitledGroups)
    return Set(try deviceItems.accessGroups() + entitled).sorted()
  }
}
