/// A token in the unified cache: a view over its JSON object that keeps unknown keys (docs/behaviour/msal-cache.md §2).
package struct CredentialItem: CacheEntity {
  package var fields: [String: JSONValue]

  package init(fields: [String: JSONValue]) { self.fields = fields }

  package init(type: CredentialType, _ values: [CredentialField: String] = [:]) {
    fields = [CredentialField.credentialType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// A known key's value; nil if it is absent or no string.
  ///
  /// Setting nil removes the key.
  package subscript(field: CredentialField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// `.other` if `credential_type` is absent or unknown.
  package var type: CredentialType {
    get { self[.credentialType].flatMap(CredentialType.init(jsonName:)) ?? .other }
    set { self[.credentialType] = newValue.jsonName }
  }

  /// Case preserved; on a family refresh token the client that wrote it last.
  package var clientID: String { self[.clientID] ?? "" }
  /// The token itself.
  package var secret: String { self[.secret] ?? "" }
  /// `uid.utid`; empty for an app-only token.
  package var homeAccountID: String { self[.homeAccountID] ?? "" }
  /// The preferred-cache host.
  package var environment: String { self[.environment] ?? "" }
  /// Tenant ID; absent for refresh tokens.
  package var realm: String? { self[.realm] }
  /// Scopes separated by one space, the server's order and case.
  package var target: String? { self[.target] }
  /// The scopes of the target, lower-case.
  package var scopes: Set<String> { scopeSet(target) }
  /// The family a refresh token is for: `1`.
  package var familyID: String? { self[.familyID] }

  package var expiresOn: Instant? { moment(CredentialField.expiresOn.rawValue) }
  package var extendedExpiresOn: Instant? { moment(CredentialField.extendedExpiresOn.rawValue) }
  package var refreshOn: Instant? { moment(CredentialField.refreshOn.rawValue) }
  package var cachedAt: Instant? { moment(CredentialField.cachedAt.rawValue) }
  package var lastModificationTime: Instant? { moment(CredentialField.lastModificationTime.rawValue) }

  /// Sets a moment as a decimal string of whole seconds.
  package mutating func set(_ field: CredentialField, _ moment: Instant?) {
    self[field] = moment.map { String($0.seconds) }
  }

  /// Deleted as soon as it is read.
  package var isTombstone: Bool { self[.secret] == "<tombstone>" }

  /// What the SDK takes at all: a secret; for access tokens a target, and with a scheme `kid` and
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
  /// The credential of the unified cache that it is, by its type; nil if it is another item, or no readable one.
  package var credential: CredentialItem? {
    (2000..<3000).contains(type ?? 0) ? CredentialItem(data: data) : nil
  }
}
