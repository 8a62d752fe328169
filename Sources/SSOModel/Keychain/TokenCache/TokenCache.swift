import Essentials
import SSOCore

/// The unified cache as one app sees it: a keychain and one full access group (docs/behaviour/msal-cache.md §10, §11).
///
/// Lookups never load all items. The SDK reads by generic and type, and filters by home account ID and host in memory
/// (msal-cache.md §6). The call is the SDK's, as the trace shows; the store finds the wanted items by the `account`
/// attribute, which is composed of exactly these two. If there are several, the order of environments (preferred cache
/// first) determines which item comes first; the SDK leaves this open.
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does.
package struct TokenCache {
  package let keychain: Keychain
  package let accessGroup: String
  let lastMetadata: LastMetadata
  /// Whether the cache has metadata of apps and accounts, and wipe information, as MSAL's for Apple's platforms has.
  package let keepsMetadata: Bool

  /// Creates the cache of an app in an access group.
  ///
  /// `accessGroup` is the full group, from `fullAccessGroup(_:teamID:bundleID:)`. The app need not be entitled to it:
  /// as on a real device, only the first read or write fails.
  package init(
    keychain: Keychain, accessGroup: String, lastMetadata: LastMetadata = LastMetadata(),
    keepsMetadata: Bool = true
  ) {
    self.keychain = keychain
    self.accessGroup = accessGroup
    self.lastMetadata = lastMetadata
    self.keepsMetadata = keepsMetadata
  }

  package var now: Instant { keychain.now }
}

// MARK: - Queries

extension TokenCache {
  /// Returns the credentials with this ID in the environments, of one account or, if it is `nil`, of all accounts.
  func credentials(
    _ type: CredentialType, id: String, homeAccountID: String?, environments: [String]
  ) throws -> [CredentialItem] {
    var query = KeychainQuery(
      accessGroups: [accessGroup], service: type.isAccessToken ? nil : id + "-", generic: Data(id.utf8),
      type: type.attributeType)
    query.want(homeAccountID, environments)
    return try read(query, what: type.keyName).filter { item in
      homeAccountID.map { normalized($0) == normalized(item.homeAccountID) } ?? true
        && isWanted(item.environment, among: environments)
    }
  }

  /// Reads credentials, deleting tombstones and skipping incomplete credentials (msal-cache.md §2).
  func read(_ query: KeychainQuery, what: String) throws -> [CredentialItem] {
    var found: [CredentialItem] = []
    for item in try keychain.items(matching: query, what: what) {
      guard let credential = CredentialItem(data: item.data) else { continue }
      if credential.isTombstone {
        try keychain.delete(matching: KeychainQuery(item), what: what)
      } else if credential.isComplete {
        found.append(credential)
      }
    }
    return found
  }

  /// Adds or replaces a credential under its composed key.
  package func write(_ item: CredentialItem) throws {
    let key = CacheKey(item)
    try keychain.set(key.item(in: accessGroup, data: item.data, at: now), what: item.type.keyName)
  }
}

/// Returns whether an item of this host is wanted; an empty `environments` matches any host.
func isWanted(_ environment: String, among environments: [String]) -> Bool {
  environments.isEmpty || environments.contains { normalized($0) == normalized(environment) }
}

extension KeychainQuery {
  /// Restricts the wanted matches to one home account ID under these hosts; an empty array means any host.
  mutating func want(_ homeAccountID: String?, _ environments: [String]) {
    guard let homeAccountID else { return }
    if environments.isEmpty {
      accountPrefix = CacheKey.account(homeAccountID, "")
    } else {
      wantedAccounts = environments.map { CacheKey.account(homeAccountID, $0) }
    }
  }
}

extension TokenCache {
  /// Returns the access tokens of one account and client that contain all requested scopes, including expired tokens.
  ///
  /// See msal-cache.md §6 and silent-call.md §1(2). `environments` comes from `EnvironmentAliases.candidates(for:)`; an
  /// empty array matches any host, which reads more. `scopes` must be a subset of the cached target, ignoring case; an
  /// empty array matches any target.
  /// - Throws: `KeychainError`, `StoreError`.
  package func accessTokens(
    homeAccountID: String, environments: [String], realm: String, clientID: String, scopes: [String] = []
  ) throws -> [CredentialItem] {
    let id = CacheKey.credentialID(.accessToken, clientID: clientID, realm: realm)
    let wanted = Set(scopes.map { normalized($0) })
    // Skip tokens that another library stores for certain claims: no call here looks for a token with claims.
    return try credentials(
      .accessToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).filter { wanted.isSubset(of: $0.scopes) && normalized($0[.requestedClaims]).isEmpty }
  }

  /// Returns the client's own refresh token, not its family's, or `nil` if it is not cached.
  package func refreshToken(
    homeAccountID: String, environments: [String], clientID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: clientID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// Returns the refresh token of a family, whatever its client ID, or `nil` if it is not cached.
  package func familyRefreshToken(
    homeAccountID: String, environments: [String], familyID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: "", familyID: familyID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// Returns the ID token of one account, realm, and client, or `nil` if it is not cached.
  package func idToken(
    homeAccountID: String, environments: [String], realm: String, clientID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.idToken, clientID: clientID, realm: realm)
    return try credentials(.idToken, id: id, homeAccountID: homeAccountID, environments: environments).first
  }

  /// Returns the app metadata of a client, or `nil` if its family is unknown (msal-cache.md §4).
  ///
  /// If `environments` is empty, the entries of every host match.
  /// - Throws: `KeychainError`, `StoreError`.
  package func appMetadata(clientID: String, environments: [String] = []) throws -> AppMetadata? {
    guard keepsMetadata else { return nil }
    let query = KeychainQuery(
      accessGroups: [accessGroup], service: CacheKey.appMetadataService(clientID),
      type: CacheKey.appMetadataType)
    return try keychain.items(matching: query, what: "appmetadata").lazy
      .compactMap { AppMetadata(data: $0.data) }.first { isWanted($0.environment, among: environments) }
  }

  /// Returns the family to try for a client: its own, `nil` if it is known not to be in one, or `1` if nothing is
  /// known.
  package func familyID(clientID: String, environments: [String] = []) throws -> String? {
    guard let metadata = try appMetadata(clientID: clientID, environments: environments) else { return "1" }
    return metadata.familyID.isEmpty ? nil : metadata.familyID
  }

  /// Returns the sign-in states of this client's accounts, or `nil` if none are recorded (msal-cache.md §5).
  package func accountMetadata(clientID: String) throws -> AccountMetadata? {
    guard keepsMetadata else { return nil }
    let query = CacheKey(accountMetadataOf: clientID).query(in: accessGroup)
    return try keychain.items(matching: query, what: "accountmetadata").lazy
      .compactMap { lastMetadata.value(of: $0.data) }.first
  }

  /// Records that a client is not in a family (silent-call.md §5, `client_mismatch`).
  ///
  /// It changes each item that the client has under these hosts, or adds an item under the first host, the
  /// preferred-cache host.
  package func leaveFamily(clientID: String, environments: [String]) throws {
    guard keepsMetadata else { return }
    let query = KeychainQuery(
      accessGroups: [accessGroup], service: CacheKey.appMetadataService(clientID),
      type: CacheKey.appMetadataType)
    var items = try keychain.items(matching: query, what: "appmetadata")
      .compactMap { AppMetadata(data: $0.data) }.filter { isWanted($0.environment, among: environments) }
    if items.isEmpty {
      items = [AppMetadata(clientID: clientID, environment: environments.first ?? "", familyID: "1")]
    }
    for var item in items {
      item.familyID = ""
      try write(item)
    }
  }
  package func write(_ metadata: AppMetadata) throws {
    let key = CacheKey(metadata)
    try keychain.set(key.item(in: accessGroup, data: metadata.data, at: now), what: "appmetadata")
  }

  package func write(_ metadata: AccountMetadata) throws {
    let key = CacheKey(accountMetadataOf: metadata.clientID)
    try keychain.set(key.item(in: accessGroup, data: metadata.data, at: now), what: "accountmetadata")
  }

  /// Saves a token response in the SDK's order (docs/behaviour/silent-call.md §1(8)).
  ///
  /// The order is: AccountMetadata; the new access token, after cached tokens with intersecting scopes are deleted; the
  /// ID token; the refresh tokens; AppMetadata; the account.
  ///
  /// - Throws: The first error of the keychain. The SDK logs it and returns the token anyway.
  package func save(_ response: CachedTokenResponse) throws {
    // An app-only token does not belong to an account.
    let isOfAPerson = !response.account.homeAccountID.isEmpty
    if isOfAPerson, keepsMetadata { try markSignedIn(response) }
    if let item = response.accessTokenItem(at: now) {
      try removeIntersecting(item)
      try write(item)
    }
    if let item = response.idTokenItem { try write(item) }
    for item in response.refreshTokenItems { try write(item) }
    if keepsMetadata {
      try write(
        AppMetadata(
          clientID: response.clientID, environment: response.account.environment,
          familyID: response.familyID ?? ""))
    }
    if isOfAPerson { try write(response.account) }
  }

  /// Saves the data that ADAL 2.7 and later write in this format: only refresh tokens and the account
  /// (docs/behaviour/adal.md §4).
  package func saveSingleSignOnState(_ response: CachedTokenResponse) throws {
    for item in response.refreshTokenItems { try write(item) }
    try write(response.account)
  }

  private func markSignedIn(_ response: CachedTokenResponse) throws {
    let id = response.account.homeAccountID
    var metadata =
      try accountMetadata(clientID: response.clientID) ?? AccountMetadata(clientID: response.clientID)
    metadata.signIn(
      id, requestedURL: response.requestedAuthority, resolvedURL: response.resolvedAuthority,
      instanceAware: response.instanceAware)
    try write(metadata)
  }

  /// Deletes the cached access tokens that share a scope with this one.
  ///
  /// They have the same account, environment, realm, client, application identifier, and token type. All scopes count,
  /// including `openid` and `profile`.
  private func removeIntersecting(_ item: CredentialItem) throws {
    let id = CacheKey.credentialID(
      item.type, clientID: item.clientID, realm: item.realm,
      applicationIdentifier: item[.applicationCacheIdentifier])
    // There is only one environment, so the account is part of the call.
    let cached = try read(
      KeychainQuery(
        accessGroups: [accessGroup], account: CacheKey.account(item.homeAccountID, item.environment),
        generic: Data(id.utf8), type: item.type.attributeType), what: item.type.keyName)
    for old in cached where !old.scopes.isDisjoint(with: item.scopes) { try remove(old) }
  }
}

/// An account as one client may list it (msal-cache.md §10).
package struct ListedAccount: Hashable, Sendable {
  package var account: AccountItem
  package var isSignedIn: Bool
  /// This client's ID token for the same account, environment, and realm, which provides claims.
  package var idToken: CredentialItem?
}

extension TokenCache {
  /// Returns the account items of type 1003 (msal-cache.md §10(2)), for all clients.
  ///
  /// `username` is compared with the generic attribute. If `environments` is empty, the items of every host match.
  /// - Throws: `KeychainError`, `StoreError`.
  package func accounts(
    homeAccountID: String? = nil, username: String? = nil, environments: [String] = []
  ) throws -> [AccountItem] {
    var query = KeychainQuery(
      accessGroups: [accessGroup], generic: username.map { Data(normalized($0).utf8) },
      type: AccountType.mssts.attributeType)
    query.want(homeAccountID, environments)
    return try readAccounts(query).filter { account in
      homeAccountID.map { normalized($0) == normalized(account.homeAccountID) } ?? true
        && isWanted(account.environment, among: environments)
    }
  }

  /// Returns the account item of one realm, or `nil` if it does not exist.
  package func account(homeAccountID: String, environments: [String], realm: String) throws -> AccountItem? {
    var query = KeychainQuery(
      accessGroups: [accessGroup], service: normalized(realm), type: AccountType.mssts.attributeType)
    query.want(homeAccountID, environments)
    return try readAccounts(query).first
  }

  /// Writes an account, merged over the item with the same key if there is one (msal-cache.md §3).
  package func write(_ account: AccountItem) throws {
    let key = CacheKey(account)
    let old = try readAccounts(key.query(in: accessGroup)).first
    let merged = old.map { account.merged(over: $0) } ?? account
    try keychain.set(key.item(in: accessGroup, data: merged.data, at: now), what: "account")
  }

  /// Returns the accounts that a client sees (msal-cache.md §10(1)–(6)).
  ///
  /// These are the account items whose home account ID has a refresh token of this client or of its family, unless
  /// AccountMetadata specifies otherwise for this client.
  ///
  /// If `onlySignedIn` is false, every account of the group is listed, and `isSignedIn` tells which accounts would be
  /// excluded otherwise. If `withIDTokens` is false, step 6 is skipped, which saves one query for each account.
  /// - Throws: `KeychainError`, `StoreError`.
  package func listedAccounts(
    clientID: String, homeAccountID: String? = nil, username: String? = nil, environments: [String] = [],
    onlySignedIn: Bool = true, withIDTokens: Bool = true
  ) throws -> [ListedAccount] {
    let accounts = try accounts(
      homeAccountID: homeAccountID, username: username, environments: environments)
    if accounts.isEmpty { return [] }
    let holders = try refreshTokenHolders(
      clientID: clientID, homeAccountID: homeAccountID, environments: environments)
    let metadata = try accountMetadata(clientID: clientID)
    return try accounts.compactMap { account in
      let isSignedIn =
        switch metadata?.entries[account.homeAccountID]?.signInState ?? .unknown {
        case .signedIn: true
        case .signedOut: false
        case .unknown: !keepsMetadata || holders.contains(normalized(account.homeAccountID))
        }
      guard isSignedIn || !onlySignedIn else { return nil }
      let idToken = withIDTokens ? try idToken(of: account, clientID: clientID) : nil
      return ListedAccount(account: account, isSignedIn: isSignedIn, idToken: idToken)
    }
  }

  private func idToken(of account: AccountItem, clientID: String) throws -> CredentialItem? {
    try idToken(
      homeAccountID: account.homeAccountID, environments: [account.environment], realm: account.realm,
      clientID: clientID)
  }

  /// Returns the home account IDs with a refresh token of the client or of its family (msal-cache.md §10(1), §10(3)).
  private func refreshTokenHolders(
    clientID: String, homeAccountID: String?, environments: [String]
  ) throws -> Set<String> {
    var ids = [CacheKey.credentialID(.refreshToken, clientID: clientID)]
    if let family = try familyID(clientID: clientID) {
      ids.append(CacheKey.credentialID(.refreshToken, clientID: "", familyID: family))
    }
    var holders: Set<String> = []
    for id in ids {
      let found = try credentials(
        .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments)
      for token in found { holders.insert(normalized(token.homeAccountID)) }
    }
    return holders
  }

  private func readAccounts(_ query: KeychainQuery) throws -> [AccountItem] {
    try keychain.items(matching: query, what: "account").compactMap { item in
      AccountItem(data: item.data).flatMap { $0.type == nil ? nil : $0 }
    }
  }

  /// Returns the owners of the first refresh tokens of the client and of its family, up to `limit` of each.
  package func refreshTokenOwners(clientID: String, limit: Int) throws -> [(id: String, environment: String)]
  {
    var ids = [CacheKey.credentialID(.refreshToken, clientID: clientID)]
    if let family = try familyID(clientID: clientID) {
      ids.append(CacheKey.credentialID(.refreshToken, clientID: "", familyID: family))
    }
    var owners: [(id: String, environment: String)] = []
    for id in ids {
      let query = KeychainQuery(
        accessGroups: [accessGroup], generic: Data(id.utf8), type: CredentialType.refreshToken.attributeType,
        limit: limit)
      owners += try read(query, what: "refreshtoken").map { ($0.homeAccountID, $0.environment) }
    }
    return owners
  }
}
