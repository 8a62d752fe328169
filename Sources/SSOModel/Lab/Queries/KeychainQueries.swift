import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOStore

/// The keychain of the device, as a user with every entitlement would see it.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct KeychainQueries {
  let reader: LabReader

  private var tokens: TokenQueries { TokenQueries(reader: reader) }

  /// Returns the access groups and their readers.
  package func groups() throws -> [KeychainGroupRow] {
    let installed = reader.device.simulationCheck == nil ? reader.installed.filter(reader.device.runs) : []
    let apps = try installed + reader.externalClients().map(\.asApp)
    return try reader.accessGroups().map { group in
      KeychainGroupRow(
        accessGroup: group,
        readers: apps.filter { $0.entitledGroups.contains(group) }.map {
          KeychainGroupRow.Reader(
            bundleID: $0.bundleID, displayName: $0.displayName, isConfigured: $0.sharedAccessGroup == group)
        },
        outsiders: outsiders(of: group), itemCount: try itemCount(group: group))
    }
  }

  package func itemCount(group: String) throws -> Int { try reader.items.itemCount(accessGroup: group) }

  /// Passes the items of a group to `body` in the order of their keys, until it returns `false`.
  ///
  /// Nothing is unsealed.
  package func each(group: String, _ body: (KeychainItemSummary) throws -> Bool) throws {
    let usernames = try reader.items.usernames()
    try reader.items.scanKeys(accessGroup: group) { row, account, service in
      try body(
        KeychainItemSummary(
          row: row, username: usernames[account.hashValue] ?? "", account: account, service: service))
    }
  }

  /// Returns the items with these row numbers of the store.
  package func rows(_ numbers: [Int64]) throws -> [Int64: KeychainItemRow] {
    // The rows come from a file or server that others can write, so a number may occur twice.
    Dictionary(try reader.items.items(rows: numbers).map { ($0.rowID, try row(of: $0)) }) { $1 }
  }

  /// Returns the items of a group, in keychain order, without their values.
  package func rows(group: String, limit: Int? = nil) throws -> [KeychainItemRow] {
    try [KeychainClass.genericPassword, .key].flatMap { itemClass in
      try reader.credentials.items(
        matching: KeychainQuery(accessGroups: [group], itemClass: itemClass, limit: limit))
    }.map { try row(of: $0) }
  }

  /// Returns the apps whose SDK is configured to use a group of this name but that cannot read it, with the
  /// reason.
  private func outsiders(of group: String) -> [String] {
    guard reader.device.simulationCheck == nil else { return [] }
    let bare = group.split(separator: ".", maxSplits: 1).last.map(String.init) ?? group
    let team = group.split(separator: ".").first.map(String.init) ?? ""
    return reader.installed.compactMap { app in
      let isOfPlatform = reader.device.runs(app)
      guard !isOfPlatform || !app.entitledGroups.contains(group),
        (app.keychainSharingGroup ?? app.bundleID) == bare
      else { return nil }
      let reason =
        !isOfPlatform
        ? "built for \(app.builtDefaults.platform.rawValue)"
        : app.teamID == team ? "not in its entitlements" : "another team (\(app.teamID))"
      return "\(app.displayName): \(reason)"
    }
  }

  private func row(of item: KeychainItem) throws -> KeychainItemRow {
    let token = item.credential
    let account = (1000..<2000).contains(item.type ?? 0) ? AccountItem(data: item.data) : nil
    if item.isLegacy, let legacy = try? LegacyItem(data: item.data) {
      return KeychainItemRow(
        id: item.rowID, key: item.key, generic: LegacyKey.library, type: item.type, kind: legacy.displayText,
        username: legacy.user?.userID, status: try LegacyTokens(reader: reader).status(of: legacy),
        size: item.data.count,
        createdAt: item.createdAt, modifiedAt: item.modifiedAt)
    }
    let holder = try token.flatMap {
      try tokens.username(of: $0.homeAccountID, $0.environment, group: item.key.accessGroup)
    }
    let isRefresh = token?.type == .refreshToken || token?.type == .familyRefreshToken
    return KeychainItemRow(
      id: item.rowID, key: item.key, generic: item.generic.flatMap { String(bytes: $0, encoding: .utf8) },
      type: item.type, kind: ItemKind(item).rawValue, username: account?.username ?? holder,
      status: try token.map {
        isRefresh ? try reader.status(ofRefreshToken: $0.secret) : TokenStatus($0, at: reader.now)
      }
        ?? TokenStatus(.none),
      size: item.data.count, createdAt: item.createdAt, modifiedAt: item.modifiedAt)
  }
}

/// An access group of the current device's keychain, with its readers.
package struct KeychainGroupRow: Codable, Hashable, Sendable, Identifiable {
  /// An app that is entitled to the group.
  package struct Reader: Codable, Hashable, Sendable {
    package var bundleID: String
    package var displayName: String
    /// Whether the app's SDK is also configured to use this group.
    package var isConfigured: Bool
  }
  package var id: String { accessGroup }
  package var accessGroup: String
  package var readers: [Reader]
  /// The apps that seem to share the group but do not, with the reason: "another team" or "not in its
  /// entitlements".
  package var outsiders: [String]
  package var itemCount: Int
}

/// A keychain item without its value.
package struct KeychainItemRow: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var key: KeychainKey
  /// `kSecAttrGeneric` as text, or `nil` if it is not text.
  package var generic: String?
  /// `kSecAttrType`.
  package var type: Int?
  /// The kind, such as "access token", "refresh token", "account", or "app metadata".
  package var kind: String
  package var username: String?
  package var status: TokenStatus
  /// The size of the value in bytes.
  package var size: Int
  package var createdAt: Instant
  package var modifiedAt: Instant

  /// Whether the item is a credential.
  ///
  /// Other items, such as accounts and broker keys, do not have a state.
  package var isDated: Bool { status.state != .none }
}

/// The attributes of a keychain item that a very long list needs.
package struct KeychainItemSummary: Hashable, Sendable {
  /// The row of the store.
  package var row: Int64
  /// The username of the item's owner, if an account item contains it.
  package var username: String
  package var account: String
  package var service: String
}

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
  case workplaceJoin = "workplace join"
  case throttling
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
        if item.key.isOfWorkplaceJoin {
          .workplaceJoin
        } else if item.key.itemClass == .key {
          .brokerKey
        } else if item.generic == WipeInfo.generic {
          .wipeInfo
        } else {
          item.key.isOfThrottling ? .throttling : .other
        }
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
