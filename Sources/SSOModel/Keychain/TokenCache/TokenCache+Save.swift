import Essentials

extension TokenCache {
  /// Saves a token response in the SDK's order (docs/behaviour/silent-call.md §1(8)): AccountMetadata; access tokens whose
  /// scopes intersect go, the new one comes; ID token; refresh tokens; AppMetadata; account.
  ///
  /// - Throws: what the keychain throws first. The SDK logs that and returns the token all the same.
  package func save(_ response: CachedTokenResponse) throws {
    // An app's token for itself belongs to no account.
    let isOfAPerson = !response.account.homeAccountID.isEmpty
    if isOfAPerson { try markSignedIn(response) }
    if let item = response.accessTokenItem(at: now) {
      try removeIntersecting(item)
      try write(item)
    }
    if let item = response.idTokenItem { try write(item) }
    for item in response.refreshTokenItems { try write(item) }
    try write(
      AppMetadata(
        clientID: response.clientID, environment: response.account.environment,
        familyID: response.familyID ?? ""))
    if isOfAPerson { try write(response.account) }
  }

  /// What ADAL 2.7 and later write in this format: refresh tokens and the account, nothing else (docs/behaviour/adal.md §4).
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

  /// Deletes access tokens of the same account, environment, realm, client, application identifier and token type that share
  /// a scope with this one.
  ///
  /// All scopes count, `openid` and `profile` too.
  private func removeIntersecting(_ item: CredentialItem) throws {
    let id = CacheKey.credentialID(
      item.type, clientID: item.clientID, realm: item.realm,
      applicationIdentifier: item[.applicationCacheIdentifier])
    // One environment: the account is part of the call.
    let cached = try read(
      KeychainQuery(
        accessGroups: [accessGroup], account: CacheKey.account(item.homeAccountID, item.environment),
        generic: Data(id.utf8), type: item.type.attributeType), what: item.type.keyName)
    for old in cached where !old.scopes.isDisjoint(with: item.scopes) { try remove(old) }
  }
}
