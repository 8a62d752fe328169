/// The kind of a keychain item, with the Keychain screen's wording.
package enum ItemKind: String, CaseIterable, Sendable {
  case accessToken = "access token"
  case refreshToken = "refresh token"
  case familyRefreshToken = "family refresh token"
  case idToken = "ID token"
  case primaryRefreshToken = "primary refresh token"
  case account
  case appMetadata = "app metadata"
  case accountMetadata = "account metadata"
  case legacyAccessToken = "legacy access token"
  case legacyRefreshToken = "legacy refresh token"
  case legacyFamilyRefreshToken = "legacy family refresh token"
  case legacySingleResourceToken = "legacy single-resource token"
  case brokerKey = "broker key"
  case other
  case wipeInfo = "wipe info"

  init(_ item: KeychainItem) {
    self =
      switch item.type {
      case 2001, 2007: .accessToken
      case 2002:
        item.generic.map { $0.starts(with: "refreshtoken-1-".utf8) } == true
          ? .familyRefreshToken : .refreshToken
      case 2003, 2006: .idToken
      case 2005: .primaryRefreshToken
      case let type? where (1000..<2000).contains(type): .account
      case 3001: .appMetadata
      case 5001: .accountMetadata
      default:
        item.key.itemClass == .key ? .brokerKey : item.generic == WipeInfo.generic ? .wipeInfo : .other
      }
  }
}

/// The format of a keychain item (docs/behaviour/adal.md §4).
package enum ItemFormat: String, CaseIterable, Sendable {
  /// MSAL's format: JSON.
  case unified
  /// ADAL's format: a keyed archive for each token.
  case legacy
  /// Keys, and the system's data about the device.
  case other
}

extension KeychainItemRow {
  package var format: ItemFormat {
    if generic == LegacyKey.library { return .legacy }
    return (1000..<6000).contains(type ?? 0) ? .unified : .other
  }
}
