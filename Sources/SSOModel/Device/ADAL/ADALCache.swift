import SSOCore
import SSOKeychain
import SSOReference

/// The part of ADAL that processes a token response (docs/behaviour/adal.md §3).
struct ADALTokenSaving: ADALPart {
  let client: ADALClient

  private var version: ADALVersion { client.version }

  /// Saves a token response, and checks the user *afterwards*, as the SDK does (adal.md §8), so the tokens stay cached.
  func finish(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, verifiesUser: Bool
  ) throws -> SDKResult {
    let result = try save(tokens, request, source: source)
    if verifiesUser, let user = user(of: tokens), !request.matches(user) {
      throw ADALError.wrongUser(version)
    }
    return result
  }

  /// Writes a token response to the cache, or only its refresh tokens and account if `withAccessToken` is false.
  @discardableResult
  func save(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, withAccessToken: Bool = true
  ) throws -> SDKResult {
    let save = legacySave(tokens, request)
    try logging {
      try client.legacy.save(save, withAccessToken: withAccessToken)
      if version.isUnified, app.builtDefaults.hasSharedCache, save.isMultiResource,
        let unified = unifiedSave(tokens, expiresOn: save.expiresOn)
      {
        try client.unified.saveSingleSignOnState(unified)
      }
    }
    return result(tokens, request, source)
  }

  /// Returns the result that the app receives for a response.
  func result(_ tokens: TokenResponse, _ request: ADALRequest, _ source: SDKResult.Source) -> SDKResult {
    SDKResult(
      homeAccountID: clientInfo(of: tokens)?.homeAccountID, username: user(of: tokens)?.userID ?? "",
      accessToken: tokens.accessToken, scopes: [tokens.resource ?? request.resource],
      expiresOn: context.now.adding(seconds: tokens.expiresIn), source: source)
  }

  private func user(of tokens: TokenResponse) -> LegacyUser? {
    tokens.idToken.flatMap(LegacyUser.init(idToken:))
  }

  private func clientInfo(of tokens: TokenResponse) -> ClientInfo? {
    version.isUnified ? tokens.clientInfo.flatMap { ClientInfo($0) } : nil
  }

  private func legacySave(_ tokens: TokenResponse, _ request: ADALRequest) -> LegacySave {
    var save = LegacySave(
      authority: client.authority.stored, clientID: app.clientID, resource: tokens.resource,
      requestedResource: request.resource, accessToken: tokens.accessToken, tokenType: tokens.tokenType,
      refreshToken: tokens.refreshToken, expiresOn: context.now.adding(seconds: tokens.expiresIn),
      cachedAt: context.now, idToken: tokens.idToken, isUnified: version.isUnified)
    save.extendedExpiresOn = tokens.extExpiresIn.map { context.now.adding(seconds: $0) }
    save.familyID = version.knowsFamilies ? tokens.familyID : nil
    save.homeAccountID = clientInfo(of: tokens)?.homeAccountID
    return save
  }

  /// Returns the values for the unified cache, or `nil` without `client_info`, without an ID token, or before 2.7.
  ///
  /// They are the refresh token (and the family's) and the account, and nothing else (adal.md §4).
  private func unifiedSave(_ tokens: TokenResponse, expiresOn: Instant) -> CachedTokenResponse? {
    guard let clientInfo = clientInfo(of: tokens), let user = user(of: tokens) else { return nil }
    let claims = user.claims
    var values: [AccountField: String] = [
      .homeAccountID: clientInfo.homeAccountID, .environment: client.authority.environment,
      .realm: claims["tid"]?.string ?? clientInfo.utid, .localAccountID: claims["oid"]?.string ?? "",
      .username: claims["upn"]?.string ?? user.userID, .clientInfo: tokens.clientInfo ?? "",
    ]
    values[.name] = claims["name"]?.string
    values[.givenName] = claims["given_name"]?.string
    values[.familyName] = claims["family_name"]?.string
    return CachedTokenResponse(
      account: AccountItem(values), clientID: app.clientID,
      accessToken: nil, target: "", expiresOn: expiresOn, refreshToken: tokens.refreshToken,
      familyID: tokens.familyID)
  }

  /// Logs a failure to save and does not throw it; the token is still returned (keychain.md §4(8)).
  private func logging(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let status as KeychainError {
      let error = ADALError.keychain(status, reading: false, version)
      context.trace.add(
        .adal, .app, actor: app.bundleID, "log",
        result: "\(error.description) \(status.name) (\(status.number)); the token is returned all the same"
      )
    }
  }
}

extension ADALRequest {
  /// Returns whether the tokens are for the requested user.
  ///
  /// Any user matches if none was requested, or if the request was only a hint.
  func matches(_ user: LegacyUser) -> Bool {
    guard let userID, !normalized(userID).isEmpty else { return true }
    switch userIDType {
    case .optionalDisplayableID: return true
    case .requiredDisplayableID: return normalized(userID) == user.userID
    case .uniqueID: return user.uniqueID.map { normalized($0) == normalized(userID) } ?? true
    }
  }
}

/// ADAL's removal calls (docs/behaviour/adal.md §7).
///
/// Each returns the number of deleted items.
struct ADALRemoval: ADALPart {
  let client: ADALClient

  private var legacy: LegacyCache { client.legacy }
  private var unified: TokenCache { client.unified }

  /// Performs `removeAllForUserId:clientId:`, `removeAllForClientId:` if the user is not specified, or
  /// `wipeAllItemsForUserId:`.
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
    context.trace.add(.app, .adal, actor: app.bundleID, call, result: counted(count, "item"))
    return SignOutResult(
      names: user ?? users.joined(separator: ", "),
      account: (user ?? (users.count == 1 ? users[0] : nil)).map { SDKAccount(identifier: "", username: $0) },
      details: [call], removed: counted(count, "item"))
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
  /// ADAL up to 2.6.6 uses only the account attribute. Since 2.7, the unified credentials of all clients and the
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
