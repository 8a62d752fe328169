import Essentials

extension TokenCache {
  /// Access tokens of one account and client that hold all the scopes asked for (msal-cache.md §6, silent-call.md §1(2)), expired
  /// ones too.
  ///
  /// `environments` comes from `EnvironmentAliases.candidates(for:)`; empty means any, which reads more. `scopes` must be a
  /// subset of the cached target, without regard to case; empty matches any.
  /// - Throws: `KeychainError`, `StoreError`.
  package func accessTokens(
    homeAccountID: String, environments: [String], realm: String, clientID: String, scopes: [String] = []
  ) throws -> [CredentialItem] {
    let id = CacheKey.credentialID(.accessToken, clientID: clientID, realm: realm)
    let wanted = Set(scopes.map { normalized($0) })
    // A token that another library keeps for certain claims serves no call: none looks for one with claims.
    return try credentials(
      .accessToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).filter { wanted.isSubset(of: $0.scopes) && normalized($0[.requestedClaims]).isEmpty }
  }

  /// The plain refresh token of this client.
  package func refreshToken(
    homeAccountID: String, environments: [String], clientID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: clientID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// The refresh token of a family: no client ID takes part.
  package func familyRefreshToken(
    homeAccountID: String, environments: [String], familyID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.refreshToken, clientID: "", familyID: familyID)
    return try credentials(
      .refreshToken, id: id, homeAccountID: homeAccountID, environments: environments
    ).first
  }

  /// The ID token of one account, realm and client.
  package func idToken(
    homeAccountID: String, environments: [String], realm: String, clientID: String
  ) throws -> CredentialItem? {
    let id = CacheKey.credentialID(.idToken, clientID: clientID, realm: realm)
    return try credentials(.idToken, id: id, homeAccountID: homeAccountID, environments: environments).first
  }

  /// What is known of a client's family, or nil: unknown (msal-cache.md §4).
  ///
  /// Without `environments` the entries of every host count.
  /// - Throws: `KeychainError`, `StoreError`.
  package func appMetadata(clientID: String, environments: [String] = []) throws -> AppMetadata? {
    let query = KeychainQuery(
      accessGroups: [accessGroup], service: CacheKey.appMetadataService(clientID),
      type: CacheKey.appMetadataType)
    return try keychain.items(matching: query, what: "appmetadata").lazy
      .compactMap { AppMetadata(data: $0.data) }.first { isWanted($0.environment, among: environments) }
  }

  /// Which family to try for a client: its own, nil if it is known to be in none, `1` if nothing is known.
  package func familyID(clientID: String, environments: [String] = []) throws -> String? {
    guard let metadata = try appMetadata(clientID: clientID, environments: environments) else { return "1" }
    return metadata.familyID.isEmpty ? nil : metadata.familyID
  }

  /// Who is signed in to this client; nil if nothing is noted (msal-cache.md §5).
  package func accountMetadata(clientID: String) throws -> AccountMetadata? {
    let query = CacheKey(accountMetadataOf: clientID).query(in: accessGroup)
    return try keychain.items(matching: query, what: "accountmetadata").lazy
      .compactMap { lastMetadata.value(of: $0.data) }.first
  }

  /// Notes that a client is in no family: in each item that it has under these hosts, or in a new one under the first, the
  /// preferred-cache host (silent-call.md §5, `client_mismatch`).
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
