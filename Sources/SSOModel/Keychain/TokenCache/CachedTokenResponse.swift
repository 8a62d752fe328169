/// What one successful token response puts in the cache (docs/behaviour/silent-call.md §1(8)).
///
/// Plain values: the SDK reads them from the response.
package struct CachedTokenResponse: Hashable, Sendable {
  /// The person in the realm of the response; gives home account ID, environment (preferred cache) and realm.
  package var account: AccountItem
  /// Case preserved.
  package var clientID: String
  package var accessToken: String?
  /// Granted scopes separated by spaces, the server's order and case.
  package var target: String
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var refreshOn: Instant?
  package var refreshToken: String?
  /// `foci` of the response: `1`, or nil.
  package var familyID: String?
  package var idToken: String?
  /// The authority URL the developer asked for, and what it resolved to; noted if they differ.
  package var requestedAuthority: String?
  package var resolvedAuthority: String?
  package var instanceAware = false

  package init(
    account: AccountItem, clientID: String, accessToken: String?, target: String,
    expiresOn: Instant, refreshToken: String? = nil, familyID: String? = nil, idToken: String? = nil
  ) {
    self.account = account
    self.clientID = clientID
    self.accessToken = accessToken
    self.target = target
    self.expiresOn = expiresOn
    self.refreshToken = refreshToken
    self.familyID = familyID
    self.idToken = idToken
  }
}

extension CachedTokenResponse {
  /// The access token as it is cached; nil if the response had none.
  func accessTokenItem(at now: Instant) -> CredentialItem? {
    guard let accessToken else { return nil }
    var item = credential(.accessToken, accessToken)
    item[.realm] = account.realm
    item[.target] = target
    item.set(.cachedAt, now)
    item.set(.expiresOn, expiresOn)
    item.set(.extendedExpiresOn, extendedExpiresOn)
    item.set(.refreshOn, refreshOn)
    return item
  }

  var idTokenItem: CredentialItem? {
    guard let idToken else { return nil }
    var item = credential(.idToken, idToken)
    item[.realm] = account.realm
    return item
  }

  /// The family copy first, then the plain copy of the app; just the latter without a family.
  var refreshTokenItems: [CredentialItem] {
    guard let refreshToken else { return [] }
    let plain = credential(.refreshToken, refreshToken)
    guard let familyID, !familyID.isEmpty else { return [plain] }
    var family = plain
    family[.familyID] = familyID
    return [family, plain]
  }

  private func credential(_ type: CredentialType, _ secret: String) -> CredentialItem {
    CredentialItem(
      type: type,
      [
        .clientID: clientID, .secret: secret, .homeAccountID: account.homeAccountID,
        .environment: account.environment,
      ])
  }
}
