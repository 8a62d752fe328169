import Essentials
import SSOCore

/// The class of a keychain item (`kSecClass`).
package enum KeychainClass: String, CaseIterable, Codable, Sendable {
  case genericPassword = "genp"
  case key = "keys"
}

/// The attributes that make a keychain item unique: (access group, class, account, service).
///
/// This is Apple's primary key of a generic password (docs/behaviour/keychain.md §1); type and generic are not part of
/// it.
package struct KeychainKey: Hashable, Codable, Sendable {
  /// The full access group with the team prefix, such as `TEAMID.com.microsoft.adalcache`.
  package var accessGroup: String
  package var itemClass: KeychainClass
  package var account: String
  package var service: String

  package init(
    accessGroup: String, itemClass: KeychainClass = .genericPassword, account: String, service: String
  ) {
    self.accessGroup = accessGroup
    self.itemClass = itemClass
    self.account = account
    self.service = service
  }
}

/// A keychain item with its attributes (docs/behaviour/keychain.md §1).
package struct KeychainItem: Hashable, Sendable {
  /// The item's row in the store, or 0 before it is stored.
  package var rowID: Int64
  package var key: KeychainKey
  /// `kSecAttrGeneric`.
  package var generic: Data?
  /// `kSecAttrType`: 2000 + credential type, 1000 + account type, 3001, 5001.
  package var type: Int?
  package var label: String?
  /// `kSecValueData`.
  package var data: Data
  package var createdAt: Instant
  package var modifiedAt: Instant

  package init(
    rowID: Int64 = 0, key: KeychainKey, generic: Data? = nil, type: Int? = nil, label: String? = nil,
    data: Data, createdAt: Instant, modifiedAt: Instant
  ) {
    self.rowID = rowID
    self.key = key
    self.generic = generic
    self.type = type
    self.label = label
    self.data = data
    self.createdAt = createdAt
    self.modifiedAt = modifiedAt
  }
}

/// A query by any subset of the attributes (`kSecMatchLimitAll`).
///
/// If it specifies several groups, an item in any of them matches.
package struct KeychainQuery: Hashable, Sendable {
  package var accessGroups: [String]
  package var itemClass: KeychainClass
  package var account: String?
  package var service: String?
  package var generic: Data?
  package var type: Int?
  package var label: String?
  /// `kSecMatchLimit`, or `nil` for `kSecMatchLimitAll`.
  package var limit: Int?
  /// The wanted accounts, in order of preference.
  ///
  /// This and ``accountPrefix`` are not part of the call: the SDK compares the accounts in memory after the call, and
  /// the store looks them up by index instead.
  package var wantedAccounts: [String]?
  package var accountPrefix: String?

  package init(
    accessGroups: [String] = [], itemClass: KeychainClass = .genericPassword, account: String? = nil,
    service: String? = nil, generic: Data? = nil, type: Int? = nil, label: String? = nil, limit: Int? = nil
  ) {
    self.accessGroups = accessGroups
    self.itemClass = itemClass
    self.account = account
    self.service = service
    self.generic = generic
    self.type = type
    self.label = label
    self.limit = limit
  }
}
