import Essentials
import SSOCore

/// The keychain attributes of a unified cache item (docs/behaviour/msal-cache.md §1, §3–§5).
///
/// It is always composed and never parsed, because GUIDs contain the separator.
package struct CacheKey: Hashable, Sendable {
  /// `<home_account_id>-<environment>`.
  package var account: String
  /// The service attribute, such as `refreshtoken-1--`.
  package var service: String
  /// The generic attribute, such as `refreshtoken-1-`, in UTF-8.
  package var generic: Data?
  package var type: Int
}

extension CacheKey {
  package init(_ item: CredentialItem) {
    let generic = Self.credentialID(
      item.type, clientID: item.clientID, familyID: item.familyID, realm: item.realm,
      applicationIdentifier: item[.applicationCacheIdentifier])
    account = Self.account(item.homeAccountID, item.environment)
    service = generic + "-" + Self.serviceTail(item)
    self.generic = Data(generic.utf8)
    type = item.type.attributeType
  }

  /// - Note: `.other` represents an unknown authority type here; readers drop such items.
  package init(_ item: AccountItem) {
    account = Self.account(item.homeAccountID, item.environment)
    service = normalized(item.realm)
    generic = Data(normalized(item.username).utf8)
    type = (item.type ?? .other).attributeType
  }

  /// Creates a key with the environment unchanged; the generic attribute is the family ID, or `nil` if it is empty.
  package init(_ item: AppMetadata) {
    account = item.environment
    service = Self.appMetadataService(item.clientID)
    generic = item.familyID.isEmpty ? nil : Data(item.familyID.utf8)
    type = Self.appMetadataType
  }

  /// Creates the key of a client's account metadata; the client ID keeps its case.
  package init(accountMetadataOf clientID: String) {
    self.init(account: "authority_map", service: clientID, generic: nil, type: 5001)
  }

  static let appMetadataType = 3001

  /// Returns `appmetadata-<client ID>` in lowercase (msal-cache.md §1).
  static func appMetadataService(_ clientID: String) -> String {
    "appmetadata-" + normalized(clientID)
  }

  /// Returns the `kSecAttrAccount` of credentials and accounts.
  package static func account(_ homeAccountID: String, _ environment: String) -> String {
    normalized(homeAccountID) + "-" + normalized(environment)
  }

  /// Returns the generic attribute: `<credential_type>-<client_id |
  /// family_id>-<realm>[-<application_cache_identifier>]`.
  ///
  /// A refresh token does not have a realm. A blank family ID is treated as missing.
  package static func credentialID(
    _ type: CredentialType, clientID: String, familyID: String? = nil, realm: String? = nil,
    applicationIdentifier: String? = nil
  ) -> String {
    let family = normalized(familyID)
    var text = type.keyName + "-" + (family.isEmpty ? normalized(clientID) : family) + "-" + normalized(realm)
    if let applicationIdentifier, !normalized(applicationIdentifier).isEmpty {
      text += "-" + normalized(applicationIdentifier)
    }
    return text
  }

  /// Returns the first 7 hexadecimal digits of SHA-256 of the trimmed, lowercase claims request.
  static func claimsHash(_ claims: String) -> String {
    String(sha256Hex(normalized(claims)).prefix(7))
  }

  /// Returns `<target>[-<token_type>][|<claimsHash>]` for an access token, or an empty string for any other credential.
  ///
  /// MSAL Python also writes a target on refresh tokens, which is not part of their identity.
  private static func serviceTail(_ item: CredentialItem) -> String {
    guard item.type.isAccessToken else { return "" }
    var tail = normalized(item.target)
    if item.type == .accessTokenWithAuthScheme, let tokenType = item[.tokenType] {
      tail += "-" + normalized(tokenType)
    }
    if let claims = item[.requestedClaims], !normalized(claims).isEmpty { tail += "|" + claimsHash(claims) }
    return tail
  }
}

extension CacheKey {
  /// Returns the item to store under this key.
  package func item(in accessGroup: String, data: Data, at moment: Instant) -> KeychainItem {
    KeychainItem(
      key: KeychainKey(accessGroup: accessGroup, account: account, service: service), generic: generic,
      type: type, data: data, createdAt: moment, modifiedAt: moment)
  }

  /// Returns a query for exactly this item.
  package func query(in accessGroup: String) -> KeychainQuery {
    KeychainQuery(accessGroups: [accessGroup], account: account, service: service, type: type)
  }
}
