import SSOCore
import SSOLab

/// The kind of a credential, regardless of the format in which it is stored.
enum CredentialKind: String, Hashable, Sendable {
  case accessToken = "AT"
  case refreshToken = "RT"
  case familyRefreshToken = "FRT"
  case idToken = "ID"
  case primaryRefreshToken = "PRT"

  /// - Parameter type: MSAL's `credential_type`, or the type of an item in ADAL's format.
  init?(type: String) {
    switch type {
    case "AccessToken", "AccessToken_With_AuthScheme", "LegacyAccessToken", "LegacySingleResourceToken":
      self = .accessToken
    case "RefreshToken", "LegacyRefreshToken": self = .refreshToken
    case "FamilyRefreshToken", "LegacyFamilyRefreshToken": self = .familyRefreshToken
    case "IdToken", "V1IdToken": self = .idToken
    case "PrimaryRefreshToken": self = .primaryRefreshToken
    default: return nil
    }
  }

  var displayText: String {
    switch self {
    case .accessToken: "access token"
    case .refreshToken: "refresh token"
    case .familyRefreshToken: "family refresh token"
    case .idToken: "ID token"
    case .primaryRefreshToken: "primary refresh token"
    }
  }

  /// Returns the kinds that a change applies to, or an empty set for a deletion, which applies to all kinds.
  static func all(for change: ChangeCredentials.Change?) -> Set<CredentialKind> {
    switch change {
    case .expire: [.accessToken, .idToken]
    case .invalidate: [.refreshToken, .familyRefreshToken, .primaryRefreshToken]
    case .delete, nil: []
    }
  }
}

extension TokenRow {
  package var status: TokenStatus { TokenStatus(state, secondsLeft: secondsLeft, changesIn: changesIn) }

  var kind: CredentialKind? { CredentialKind(type: type) }

  /// The abbreviation of the type for a column: `AT`, `RT`, `FRT`, `ID`.
  var shortType: String { kind?.rawValue ?? type }

  /// Whether the credential is stored in ADAL's format.
  var isLegacy: Bool { type.hasPrefix("Legacy") }

  /// The name of the type within a sentence: `access token`, `legacy refresh token`.
  var name: String { (isLegacy ? "legacy " : "") + (kind?.displayText ?? type) }

  var longType: String {
    guard let kind, kind != .primaryRefreshToken || isLegacy else { return type }
    return name.sentenceCased
  }
}

extension KeychainItemRow {
  /// The kind of the credential in the item, or `nil` if the item is an account, metadata, or a key.
  var credential: CredentialKind? {
    switch ItemKind(rawValue: kind) {
    case .accessToken, .legacyAccessToken, .legacySingleResourceToken: .accessToken
    case .refreshToken, .legacyRefreshToken: .refreshToken
    case .familyRefreshToken, .legacyFamilyRefreshToken: .familyRefreshToken
    case .idToken: .idToken
    case .primaryRefreshToken: .primaryRefreshToken
    default: nil
    }
  }

  /// The item's ID among the credentials of the lab.
  var credentialID: String { "t\(id)" }
}
