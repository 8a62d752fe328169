import Essentials

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

  /// Returns the client's own refresh token, not its family's, or `nil` if there is none.
  package func refreshToken(
    homeAccountID: String, environments: [String], clientID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: clientID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// Returns the refresh token of a family, whatever its client ID, or `nil` if there is none.
  package func familyRefreshToken(
    homeAccountID: String, environments: [String], familyID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: "", familyID: familyID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// Returns the ID token of one account, realm, and client, or `nil` if there is none.
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
    let query = CacheKey(accountMetadataOf: clientID).query(in: accessGroup)
    return try keychain.items(matching: query, what: "accountmetadata").lazy
      .compactMap { lastMetadata.value(of: $0.data) }.first
  }

  /// Records that a client is not in a family (silent-call.md §5, `client_mismatch`).
  ///
  /// It changes each item that the client has under these hosts, or adds an item under the first host, the
  /// preferred-cache host.
  package func leaveFamily(clientID: String, environments: [String]) throws {
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
}
