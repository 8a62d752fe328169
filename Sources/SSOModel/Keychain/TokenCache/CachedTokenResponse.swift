/// The values of one successful token response that go into the cache (docs/behaviour/silent-call.md §1(8)).
///
/// They are plain values, which the SDK reads from the response.
package struct CachedTokenResponse: Hashable, Sendable {
  /// The user in the realm of the response, which provides the home account ID, environment (preferred cache), and
  /// realm.
  package var account: AccountItem
  /// The client ID, with its case preserved.
  package var clientID: String
  package var accessToken: String?
  /// The granted scopes, separated by spaces, in the server's order and case.
  package var target: String
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var refreshOn: Instant?
  package var refreshToken: String?
  /// The `foci` value of the response: `1`, or `nil`.
  package var familyID: String?
  package var idToken: String?
  /// The authority URL that the developer requested; it and the resolved URL are recorded if they differ.
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
  /// Returns the access token as it is cached, or `nil` if the response has none.
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

  /// The family's copy followed by the app's own copy; without a family, only the latter.
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
