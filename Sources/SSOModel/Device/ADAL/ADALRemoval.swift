/// The removal calls (docs/behaviour/adal.md §7).
///
/// Each returns how many items went.
struct ADALRemoval: ADALPart {
  let client: ADALClient

  private var legacy: LegacyCache { client.legacy }
  private var unified: TokenCache { client.unified }

  /// `removeAllForUserId:clientId:`; without a user `removeAllForClientId:`; with `wipeAccount` `wipeAllItemsForUserId:`.
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

  /// Whether there is anything to remove; a blank user goes on to the call, which refuses it.
  private func knows(_ user: String) throws -> Bool {
    try normalized(user).isEmpty
      || client.wordingKeychainErrors {
        try !legacy.items(userID: user).isEmpty || homeAccountID(user) != nil
      }
  }

  /// `removeAllForUserId:clientId:`.
  ///
  /// From 2.7 on the unified credentials of this account and client go too, and its account items: MSAL apps with another
  /// client ID no longer list the person.
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

  /// `removeAllForClientId:`: every user of this client.
  ///
  /// It names no user, so that nothing unified goes.
  func removeAllOfClient() throws -> Int {
    try require(app.clientID, "clientId")
    return try client.wordingKeychainErrors { try legacy.removeAll(clientID: app.clientID) }
  }

  /// `wipeAllItemsForUserId:`: the items of every client of the group.
  ///
  /// Until 2.6.6 by the account attribute alone; from 2.7 on the unified credentials of all clients and the account items go
  /// too, so that every app of the group is signed out.
  func wipe(userID: String) throws -> Int {
    try require(userID, "userId")
    return try client.wordingKeychainErrors {
      let count = try legacy.wipe(userID: userID, byAccountAlone: !client.version.isUnified)
      guard let id = try homeAccountID(userID) else { return count }
      return try count + unified.wipe(homeAccountID: id, environments: [])
    }
  }

  /// From 2.7 on a blank argument is 100.
  private func require(_ argument: String, _ name: String) throws {
    guard client.version.isUnified, normalized(argument).isEmpty else { return }
    throw ADALError.invalidArgument(name, argument)
  }

  /// The first account item with exactly this username, in lower case as ADAL has it: one with capitals is not found
  /// (`CC@6.0.5/cache/accessor/MSIDDefaultTokenCacheAccessor.m`).
  private func homeAccountID(_ userID: String) throws -> String? {
    guard client.version.isUnified else { return nil }
    return try unified.accounts(username: userID).first { $0.username == normalized(userID) }?.homeAccountID
  }
}
