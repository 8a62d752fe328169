import SSOCore

/// A token in the unified cache: a view of its JSON object that preserves unknown keys (docs/behaviour/msal-cache.md
/// §2).
package struct CredentialItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: CredentialType, _ values: [CredentialField: String] = [:]) {
    fields = [CredentialField.credentialType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// The value of a known key, or `nil` if it is absent or not a string.
  ///
  /// Setting `nil` removes the key.
  package subscript(field: CredentialField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// The credential type, or `.other` if `credential_type` is absent or unknown.
  package var type: CredentialType {
    get { self[.credentialType].flatMap(CredentialType.init(jsonName:)) ?? .other }
    set { self[.credentialType] = newValue.jsonName }
  }

  /// The client ID, with its case preserved; on a family refresh token, the client that last wrote it.
  package var clientID: String { self[.clientID] ?? "" }
  /// The token itself.
  package var secret: String { self[.secret] ?? "" }
  /// The home account ID (`uid.utid`), which is empty for an app-only token.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  /// The preferred-cache host.
  package var environment: String { self[.environment] ?? "" }
  /// The tenant ID, which refresh tokens do not have.
  package var realm: String? { self[.realm] }
  /// The scopes, separated by one space, in the server's order and case.
  package var target: String? { self[.target] }
  /// The scopes of the target, in lowercase.
  package var scopes: Set<String> { scopeSet(target) }
  /// The family that a refresh token is for, such as `1`.
  package var familyID: String? { self[.familyID] }

  package var expiresOn: Instant? { moment(CredentialField.expiresOn.rawValue) }
  package var extendedExpiresOn: Instant? { moment(CredentialField.extendedExpiresOn.rawValue) }
  package var refreshOn: Instant? { moment(CredentialField.refreshOn.rawValue) }
  package var cachedAt: Instant? { moment(CredentialField.cachedAt.rawValue) }
  package var lastModificationTime: Instant? { moment(CredentialField.lastModificationTime.rawValue) }

  /// Sets a time as a decimal number of seconds.
  package mutating func set(_ field: CredentialField, _ moment: Instant?) {
    self[field] = moment.map { String($0.seconds) }
  }

  /// Whether the item is a tombstone, which is deleted as soon as it is read.
  package var isTombstone: Bool { self[.secret] == "<tombstone>" }

  /// Whether the credential has the fields without which the SDK ignores it.
  ///
  /// These are the secret, for access tokens the target, and for access tokens with a scheme also `kid` and
  /// `token_type`.
  package var isComplete: Bool {
    guard let secret = self[.secret], !secret.isEmpty else { return false }
    switch type {
    case .accessToken: return !scopes.isEmpty
    case .accessTokenWithAuthScheme:
      return !scopes.isEmpty && self[.keyID] != nil && self[.tokenType] != nil
    default: return true
    }
  }
}

extension KeychainItem {
  /// The item as a credential of the unified cache, or `nil` if it has another type or cannot be read.
  package var credential: CredentialItem? {
    (2000..<3000).contains(type ?? 0) ? CredentialItem(data: data) : nil
  }
}

extension CredentialItem {
  /// The expiration time of the token, or `nil` if the token does not specify one.
  ///
  /// It is `expires_on` or, for an ID token, which does not have `expires_on` in the cache, its `exp` claim.
  package var expiry: Instant? {
    if let expiresOn { return expiresOn }
    guard type == .idToken || type == .v1IDToken, let jwt = try? JSONWebToken(unverified: secret) else {
      return nil
    }
    return jwt.claims["exp"]?.integer.flatMap { Int(exactly: $0) }.map { Instant($0) }
  }
}

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
  /// Returns the access token as it is cached, or `nil` if the response does not contain one.
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
