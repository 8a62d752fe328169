/// A token in the unified cache: a view over its JSON object that keeps unknown keys (fact sheet §1.3).
public struct CredentialItem: CacheEntity {
  public var fields: [String: JSONValue]

  public init(fields: [String: JSONValue]) { self.fields = fields }

  public init(type: CredentialType, _ values: [CredentialField: String] = [:]) {
    fields = [CredentialField.credentialType.rawValue: .string(type.jsonName)]
    for (field, value) in values { fields[field.rawValue] = .string(value) }
  }

  /// A known key's value; nil if it is absent or no string. Setting nil removes the key.
  public subscript(field: CredentialField) -> String? {
    get { text(field.rawValue) }
    set { setText(field.rawValue, newValue) }
  }

  /// `.other` if `credential_type` is absent or unknown.
  public var type: CredentialType {
    get { self[.credentialType].flatMap(CredentialType.init(jsonName:)) ?? .other }
    set { self[.credentialType] = newValue.jsonName }
  }

  /// Case preserved; on a family refresh token the client that wrote it last.
  public var clientID: String { self[.clientID] ?? "" }
  /// The token itself.
  public var secret: String { self[.secret] ?? "" }
  /// `uid.utid`; empty for an app-only token.
  public var homeAccountID: String { self[.homeAccountID] ?? "" }
  /// The preferred-cache host.
  public var environment: String { self[.environment] ?? "" }
  /// Tenant ID; absent for refresh tokens.
  public var realm: String? { self[.realm] }
  /// Scopes separated by one space, the server's order and case.
  public var target: String? { self[.target] }
  /// The scopes of the target, lower-case.
  public var scopes: Set<String> { scopeSet(target) }
  /// The family a refresh token is for: `1`.
  public var familyID: String? { self[.familyID] }

  public var expiresOn: Instant? { moment(CredentialField.expiresOn.rawValue) }
  public var extendedExpiresOn: Instant? { moment(CredentialField.extendedExpiresOn.rawValue) }
  public var refreshOn: Instant? { moment(CredentialField.refreshOn.rawValue) }
  public var cachedAt: Instant? { moment(CredentialField.cachedAt.rawValue) }
  public var lastModificationTime: Instant? { moment(CredentialField.lastModificationTime.rawValue) }

  /// Sets a moment as a decimal string of whole seconds.
  public mutating func set(_ field: CredentialField, _ moment: Instant?) {
    self[field] = moment.map { String($0.seconds) }
  }

  /// Deleted as soon as it is read.
  public var isTombstone: Bool { self[.secret] == "<tombstone>" }

  /// What the SDK takes at all: a secret; for access tokens a target, and with a scheme `kid` and
  /// `token_type`.
  public var isComplete: Bool {
    guard let secret = self[.secret], !secret.isEmpty else { return false }
    switch type {
    case .accessToken: return !scopes.isEmpty
    case .accessTokenWithAuthScheme:
      return !scopes.isEmpty && self[.keyID] != nil && self[.tokenType] != nil
    default: return true
    }
  }
}
