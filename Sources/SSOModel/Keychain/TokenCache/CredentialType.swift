/// The kinds of credential of the unified cache (docs/behaviour/msal-cache.md §1).
///
/// The raw value is the SDK's number.
package enum CredentialType: Int, CaseIterable, Sendable {
  case other = 0
  case accessToken, refreshToken, idToken, legacySingleResourceToken, primaryRefreshToken, v1IDToken
  case accessTokenWithAuthScheme, familyRefreshToken, boundRefreshToken

  /// `credential_type` in the JSON: `AccessToken`.
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

  /// The word inside service and generic: `accesstoken`.
  package var keyName: String { jsonName.lowercased() }

  /// `kSecAttrType`: 2000 + number.
  package var attributeType: Int { 2000 + rawValue }

  /// True for both kinds of access token, the only ones with a target in their key.
  package var isAccessToken: Bool { self == .accessToken || self == .accessTokenWithAuthScheme }

  /// What can be redeemed for other tokens.
  package var isRefreshToken: Bool {
    self == .refreshToken || self == .familyRefreshToken || self == .boundRefreshToken
  }

  /// By `credential_type`, whatever its case: MSAL Go up to 1.1 writes `IDToken` (docs/behaviour/external-clients.md §3).
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.keyName == name }) else { return nil }
    self = type
  }
}

/// The kinds of account, by `authority_type` (docs/behaviour/msal-cache.md §3).
///
/// MSAL always writes `MSSTS`.
package enum AccountType: Int, CaseIterable, Sendable {
  case other = 0
  case aad, msa, mssts, adfs

  /// `authority_type` in the JSON: `MSSTS`.
  package var jsonName: String {
    switch self {
    case .other: "Other"
    case .aad: "AAD"
    case .msa: "MSA"
    case .mssts: "MSSTS"
    case .adfs: "ADFS"
    }
  }

  /// `kSecAttrType`: 1000 + number.
  package var attributeType: Int { 1000 + rawValue }

  /// By `authority_type`, whatever its case; nil for an unknown one: such an account is dropped on read.
  package init?(jsonName: String) {
    let name = jsonName.lowercased()
    guard let type = Self.allCases.first(where: { $0.jsonName.lowercased() == name }) else { return nil }
    self = type
  }
}
