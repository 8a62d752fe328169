/// ADAL's removal calls (docs/behaviour/adal.md §7).
///
/// Each returns the number of deleted items.
struct ADALRemoval: ADALPart {
  let client: ADALClient

  private var legacy: LegacyCache { client.legacy }
  private var unified: TokenCache { client.unified }

  /// Performs `removeAllForUserId:clientId:`, `removeAllForClientId:` if no user is given, or `wipeAllItemsForUserId:`.
  ///
  /// The last one is for `wipeAccount`.
  func signOut(_ user: String?, _ options: SignOutOptions) throws -> SignOutResult {
    guard !options.fromBrowser, !options.wipeCache else {
      throw SDKCallError.unsupported(
        why: "ADAL removes items only: of a user, of a client, or of a user in every app (wipeAccount).")
    }
    let users = try client.users().map(\.username)
    guard try user.map(knows) ?? !users.isEmpty else {
      throw SDKCallError.unknownAccount(why: "Neither format of the cache has an item of that user.")
    }
    let (call, count) = try remove(user, of: users, fromAllApps: options.wipeAccount)
    context.trace.add(.app, .sdk, actor: app.bundleID, call, result: "\(count) items")
    return SignOutResult(
      names: user ?? users.joined(separator: ", "),
      account: (user ?? (users.count == 1 ? users[0] : nil)).map { SDKAccount(identifier: "", username: $0) },
      details: [call], removed: "\(count) items")
  }

  private func remove(
    _ user: String?, of users: [String], fromAllApps: Bool
  ) throws -> (call: String, count: Int) {
    guard fromAllApps else {
      return try user.map { ("removeAllForUserId:clientId", try removeAll(userID: $0)) }
        ?? ("removeAllForClientId", removeAllOfClient())
    }
    guard let user = user ?? (users.count == 1 ? users[0] : nil) else {
      throw SDKCallError.severalAccounts(users)
    }
    return ("wipeAllItemsForUserId", try wipe(userID: user))
  }

  /// Returns whether there is anything to remove; a blank user counts, so that the call itself rejects it.
  private func knows(_ user: String) throws -> Bool {
    try normalized(user).isEmpty
      || client.wordingKeychainErrors {
        try !legacy.items(userID: user).isEmpty || homeAccountID(user) != nil
      }
  }

  /// Performs `removeAllForUserId:clientId:`.
  ///
  /// Since 2.7, the unified credentials of this account and client and the account items are removed too, so MSAL apps
  /// with another client ID no longer list the user.
  func removeAll(userID: String) throws -> Int {
    try require(userID, "userId")
    try require(app.clientID, "clientId")
    return try client.wordingKeychainErrors {
      let count = try legacy.removeAll(userID: userID, clientID: app.clientID)
      guard let id = try homeAccountID(userID) else { return count }
      return try count + unified.remove(homeAccountID: id, clientID: app.clientID, environments: [])
        + unified.removeAccounts(homeAccountID: id)
    }
  }

  /// Performs `removeAllForClientId:`, which removes the items of every user of this client.
  ///
  /// It does not specify a user, so nothing is removed from the unified cache.
  func removeAllOfClient() throws -> Int {
    try require(app.clientID, "clientId")
    return try client.wordingKeychainErrors { try legacy.removeAll(clientID: app.clientID) }
  }

  /// Performs `wipeAllItemsForUserId:`, which removes the items of every client of the group.
  ///
  /// ADAL up to 2.6.6 goes by the account attribute alone. Since 2.7, the unified credentials of all clients and the
  /// account items are removed too, so every app of the group is signed out.
  func wipe(userID: String) throws -> Int {
    try require(userID, "userId")
    return try client.wordingKeychainErrors {
      let count = try legacy.wipe(userID: userID, byAccountAlone: !client.version.isUnified)
      guard let id = try homeAccountID(userID) else { return count }
      return try count + unified.wipe(homeAccountID: id, environments: [])
    }
  }

  /// Throws error 100 for a blank argument, in 2.7 and later.
  private func require(_ argument: String, _ name: String) throws {
    guard client.version.isUnified, normalized(argument).isEmpty else { return }
    throw ADALError.invalidArgument(name, argument)
  }

  /// Returns the home account ID of the first account item whose username is exactly this one in lowercase, as in ADAL.
  ///
  /// A username with capitals is not found (`CC@6.0.5/cache/accessor/MSIDDefaultTokenCacheAccessor.m`).
  private func homeAccountID(_ userID: String) throws -> String? {
    guard client.version.isUnified else { return nil }
    return try unified.accounts(username: userID).first { $0.username == normalized(userID) }?.homeAccountID
  }
}
