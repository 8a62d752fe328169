import Essentials

/// The SDK's items for the broker in the app's keychain: the response key and the application token.
///
/// See docs/behaviour/broker.md §6.
package struct BrokerKeys {
  /// `kSecAttrApplicationTag`, which ends with a NUL.
  package static let keyTag = "com.microsoft.adBrokerKey\0"

  var context: AppContext
  /// The cache's full access group, or `nil` for ADAL, which writes its key to the first entitled group.
  var accessGroup: String?

  /// Returns the key of 32 bytes for every request and every response.
  ///
  /// It is looked up in the group, and then in every group that the app is entitled to; a lost key is created again.
  /// - Throws: `KeychainError` if it cannot be created.
  func key() throws -> [UInt8] {
    do {
      if let found = try read(Self.keyTag, "broker key") { return [UInt8](found) }
    } catch is KeychainError {}
    let key = context.random.bytes(32)
    try write(Data(key), tag: Self.keyTag, "broker key")
    return key
  }

  func applicationToken(clientID: String) throws -> String? {
    try read(Self.tokenTag(clientID), "application token").flatMap { String(bytes: $0, encoding: .utf8) }
  }

  /// Stores the application token; a failure is only logged (-51812).
  func keep(applicationToken: String, clientID: String) throws {
    do {
      try write(Data(applicationToken.utf8), tag: Self.tokenTag(clientID), "application token")
    } catch let status as KeychainError {
      context.trace.add(
        .sdk, .app, actor: context.app.bundleID, "log",
        result: "Failed to write broker application token. \(status.name) (\(status.number))")
    }
  }

  static func tokenTag(_ clientID: String) -> String { "com.microsoft.adBrokerAppToken-" + clientID }

  private func read(_ tag: String, _ what: String) throws -> Data? {
    let inGroup = KeychainQuery(
      accessGroups: accessGroup.map { [$0] } ?? [], itemClass: .key, service: tag)
    if let found = try context.keychain.items(matching: inGroup, what: what).first { return found.data }
    guard accessGroup != nil else { return nil }
    let anywhere = KeychainQuery(itemClass: .key, service: tag)
    return try context.keychain.items(matching: anywhere, what: what + " in any group").first?.data
  }

  private func write(_ data: Data, tag: String, _ what: String) throws {
    let group = accessGroup ?? context.app.entitledGroups.first ?? ""
    try context.keychain.set(
      KeychainItem(
        key: KeychainKey(accessGroup: group, itemClass: .key, account: "", service: tag), data: data,
        createdAt: context.now, modifiedAt: context.now), what: what)
  }
}
