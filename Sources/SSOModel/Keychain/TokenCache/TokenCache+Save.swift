import Essentials

extension TokenCache {
  /// Saves a token response in the SDK's order (docs/behaviour/silent-call.md §1(8)).
  ///
  /// The order is: AccountMetadata; the new access token, after cached tokens with intersecting scopes are deleted; the
  /// ID token; the refresh tokens; AppMetadata; the account.
  ///
  /// - Throws: The first error of the keychain. The SDK logs it and returns the token anyway.
  package func save(_ response: CachedTokenResponse) throws {
    // An app-only token does not belong to an account.
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

  /// Saves what ADAL 2.7 and later write in this format: only refresh tokens and the account (docs/behaviour/adal.md
  /// §4).
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
