import Essentials

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

  /// Returns the account item of one realm, or `nil` if there is none.
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
        case .unknown: holders.contains(normalized(account.homeAccountID))
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
}
