public import Foundation

/// The class of a keychain item (`kSecClass`).
public enum KeychainClass: String, Codable, Sendable {
  case genericPassword = "genp"
  case key = "keys"
}

/// What makes a keychain item unique: (access group, class, account, service). Apple's primary key of a generic password
/// (fact sheet §1.1): type and generic take no part in it.
public struct KeychainKey: Hashable, Codable, Sendable {
  /// Full access group, with the team prefix: `TEAMID.com.microsoft.adalcache`.
  public var accessGroup: String
  public var itemClass: KeychainClass
  public var account: String
  public var service: String

  public init(
    accessGroup: String, itemClass: KeychainClass = .genericPassword, account: String, service: String
  ) {
    self.accessGroup = accessGroup
    self.itemClass = itemClass
    self.account = account
    self.service = service
  }
}

/// A keychain item with its attributes (fact sheet §1.1).
public struct KeychainItem: Hashable, Sendable {
  /// The store's row; 0 before it is stored.
  public var rowID: Int64
  public var key: KeychainKey
  public var generic: Data?
  /// `kSecAttrType`: 2000 + credential type, 1000 + account type, 3001, 5001.
  public var type: Int?
  public var label: String?
  /// `kSecValueData`.
  public var data: Data
  public var createdAt: Instant
  public var modifiedAt: Instant

  public init(
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

/// A query by any subset of the attributes (`kSecMatchLimitAll`). Several groups: any of them.
public struct KeychainQuery: Hashable, Sendable {
  public var accessGroups: [String]
  public var itemClass: KeychainClass
  public var account: String?
  public var service: String?
  public var generic: Data?
  public var type: Int?
  public var label: String?
  /// `kSecMatchLimit`; nil is `kSecMatchLimitAll`.
  public var limit: Int?

  public init(
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
