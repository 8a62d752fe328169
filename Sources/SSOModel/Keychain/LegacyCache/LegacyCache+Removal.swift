/// The removal calls of ADAL (docs/behaviour/adal.md §7). Each returns how many items went.
extension LegacyCache {
  /// `removeAllForUserId:clientId:`.
  ///
  /// The family's copy has another client ID and stays.
  ///
  /// Without `environments` it removes the items of every host.
  /// - Returns: how many items were deleted.
  /// - Throws: `KeychainError`, `StoreError`.
  package func removeAll(userID: String, clientID: String, environments: [String] = []) throws -> Int {
    try remove(
      try items(userID: userID).filter { item in
        normalized(item.clientID) == normalized(clientID)
          && (environments.isEmpty || environments.contains(item.environment.lowercased()))
      })
  }

  /// `removeAllForClientId:`: every user of one client.
  package func removeAll(clientID: String) throws -> Int {
    try remove(try items().filter { normalized($0.clientID) == normalized(clientID) })
  }

  /// `wipeAllItemsForUserId:`: every client's, by the account attribute.
  ///
  /// Until 2.6.6 the generic attribute takes no part, so that anything of that account goes.
  package func wipe(userID: String, byAccountAlone: Bool) throws -> Int {
    let count = try keychain.delete(
      matching: KeychainQuery(
        accessGroups: [accessGroup], account: LegacyKey.account(userID),
        generic: byAccountAlone ? nil : LegacyKey.generic),
      what: "legacy items")
    try keychain.noteWipe(in: accessGroup)
    return count
  }

  private func remove(_ items: [LegacyItem]) throws -> Int {
    try items.reduce(0) { try $0 + remove($1) }
  }
}
