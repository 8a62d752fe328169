/// A kind of credential in the unified cache (docs/behaviour/msal-cache.md §1).
///
/// The raw value is the SDK's number.
package enum CredentialType: Int, CaseIterable, Sendable {
  case other = 0
  case accessToken, refreshToken, idToken, legacySingleResourceToken, primaryRefreshToken, v1IDToken
  case accessTokenWithAuthScheme, familyRefreshToken, boundRefreshToken

  /// The `credential_type` in the JSON, such as `AccessToken`.
  package var jsonName: String {
    switch self {
    case .other: "token"
    case .accessToken: "AccessToken"
    case .refreshToken: "RefreshToken"
    case .idToken: "IdToken"
    case .legacySingleResourceToken: "LegacySingleResourceToken"
    case .primaryRefreshToken: "PrimaryRefreshToken"
    case .v1IDToken: "V1IdToken"
    case .accessTokenWithAuthScheme: "AccessToken_With_AuthScheme"
    case .familyRefreshToken: "FamilyRefreshToken"
    case .boundRefreshToken: "BoundRefreshToken"
    }
  }

  /// The name in the service and generic attributes, such as `accesstoken`.
  package var keyName: String { jsonName.lowercased() }

  /// `kSecAttrType`: 2000 plus the raw value.
  package var attributeType: Int { 2000 + rawValue }

  /// Whether this is one of the two kinds of access token, the only credentials with a target in their key.
  package var isAccessToken: Bool { self == .accessToken || self == .accessTokenWithAuthScheme }

  /// Whether the credential can be redeemed for other tokens.
  package var isRefreshToken: Bool {
    self == .refreshToken || self == .familyRefreshToken || self == .boundRefreshToken
  }

  /// Creates a type from `credential_type`, or returns `nil` if it is unknown.
  ///
  /// The case is ignored, because MSAL Go up to 1.1 writes `IDToken` (docs/behaviour/external-clients.md §3).
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.keyName == name }) else { return nil }
    self = type
  }
}

/// A kind of account, by `authority_type` (docs/behaviour/msal-cache.md §3).
///
/// MSAL always writes `MSSTS`.
package enum AccountType: Int, CaseIterable, Sendable {
  case other = 0
  case aad, msa, mssts, adfs

  /// The `authority_type` in the JSON, such as `MSSTS`.
  package var jsonName: String {
    switch self {
    case .other: "Other"
    case .aad: "AAD"
    case .msa: "MSA"
    case .mssts: "MSSTS"
    case .adfs: "ADFS"
    }
  }

  /// `kSecAttrType`: 1000 plus the raw value.
  package var attributeType: Int { 1000 + rawValue }

  /// Creates a type from `authority_type`, ignoring case, or returns `nil` if it is unknown.
  ///
  /// An account of an unknown type is dropped on read.
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.jsonName.lowercased() == name }) else { return nil }
    self = type
  }
}
