/// The removal calls (docs/behaviour/adal.md §7). Each returns how many items went.
extension ADALClient {
  /// `removeAllForUserId:clientId:`; from 2.7 the unified credentials of that account and client go too.
  package func removeAll(userID: String) throws -> Int {
    try wordingKeychainErrors {
      var count = try legacy.removeAll(userID: userID, clientID: app.clientID)
      for id in try homeAccountIDs(userID) {
        count += try unified.remove(
          homeAccountID: id, clientID: app.clientID, environments: authority.environments)
      }
      return count
    }
  }

  /// `removeAllForClientId:`: every user of this client.
  package func removeAllOfClient() throws -> Int {
    try wordingKeychainErrors {
      let users = try users()
      var count = try legacy.removeAll(clientID: app.clientID)
      for id in try users.flatMap({ try homeAccountIDs($0.username) }) {
        count += try unified.remove(
          homeAccountID: id, clientID: app.clientID, environments: authority.environments)
      }
      return count
    }
  }

  /// `wipeAllItemsForUserId:`: the legacy items of every client of the group. Until 2.6.6 by the account attribute
  /// alone.
  package func wipe(userID: String) throws -> Int {
    try wordingKeychainErrors { try legacy.wipe(userID: userID, byAccountAlone: !version.isUnified) }
  }

  private func homeAccountIDs(_ userID: String) throws -> [String] {
    guard version.isUnified else { return [] }
    let accounts = try unified.accounts(username: userID, environments: authority.environments)
    return Set(accounts.map(\.homeAccountID)).sorted()
  }
}
