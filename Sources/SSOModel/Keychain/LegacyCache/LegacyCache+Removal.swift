/// ADAL's removal calls (docs/behaviour/adal.md §7), each of which returns the number of deleted items.
extension LegacyCache {
  /// Removes the items of one user and one client (`removeAllForUserId:clientId:`).
  ///
  /// The family's copy has another client ID and is not removed.
  ///
  /// If `environments` is empty, the items of every host are removed.
  /// - Returns: The number of deleted items.
  /// - Throws: `KeychainError`, `StoreError`.
  package func removeAll(userID: String, clientID: String, environments: [String] = []) throws -> Int {
    try remove(
      try items(userID: userID).filter { item in
        normalized(item.clientID) == normalized(clientID)
          && (environments.isEmpty || environments.contains(item.environment.lowercased()))
      })
  }

  /// Removes the items of every user of one client (`removeAllForClientId:`).
  package func removeAll(clientID: String) throws -> Int {
    try remove(try items().filter { normalized($0.clientID) == normalized(clientID) })
  }

  /// Removes the items of one user for every client, by the account attribute (`wipeAllItemsForUserId:`).
  ///
  /// ADAL up to 2.6.6 ignores the generic attribute, so it deletes everything with that account.
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
