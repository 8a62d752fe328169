import Essentials
import SSOCore
import SSOReference

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
  var wantedAccounts: [String]?
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

/// Read access to the keychain items of one device.
///
/// It does not know about apps or entitlements; `Keychain` checks these first.
///
/// Throws `StoreError`; an in-memory store does not throw.
package protocol CredentialReader: AnyObject {
  /// Returns the matching items in the order of their row IDs; an empty `accessGroups` matches nothing.
  func items(matching query: KeychainQuery) throws -> [KeychainItem]
}

/// The storage of one device's keychain items: the store (SQLite), `MemoryCredentialStore`, or a scratch copy over one
/// of these.
///
/// Throws `StoreError`, and `KeychainError.duplicateItem` from `insert`.
package protocol CredentialStore: CredentialReader {
  /// Adds an item, whose key must be new.
  func insert(_ item: KeychainItem) throws
  /// Replaces the data, generic, label, type, and modification date of the item with this key.
  ///
  /// Returns false if the item does not exist.
  func update(_ item: KeychainItem) throws -> Bool
  func delete(_ key: KeychainKey) throws
}

/// An in-memory store of keychain items, for tests and temporary demos.
///
/// It is indexed like the database: by key, by (group, account), by (group, generic), and by group.
package final class MemoryCredentialStore: CredentialStore {
  private struct Attribute: Hashable {
    var group: String
    var text: String?
    var bytes: Data?
  }

  private var rows: [Int64: KeychainItem] = [:]
  private var rowIDs: [KeychainKey: Int64] = [:]
  private var byAttribute: [Attribute: Set<Int64>] = [:]
  private var lastRowID: Int64 = 0

  package init() {}

  package func items(matching query: KeychainQuery) throws -> [KeychainItem] {
    var found: [KeychainItem] = []
    for group in Set(query.accessGroups) {
      for rowID in candidates(query, in: group) {
        guard let item = rows[rowID], item.matches(query) else { continue }
        found.append(item)
      }
    }
    return found.sorted { $0.rowID < $1.rowID }
  }

  /// - Throws: `KeychainError.duplicateItem`.
  package func insert(_ item: KeychainItem) throws {
    guard rowIDs[item.key] == nil else { throw KeychainError.duplicateItem }
    lastRowID += 1
    var item = item
    item.rowID = lastRowID
    rowIDs[item.key] = lastRowID
    put(item)
  }

  package func update(_ item: KeychainItem) throws -> Bool {
    guard let rowID = rowIDs[item.key], let old = rows[rowID] else { return false }
    unlink(old)
    var item = item
    item.rowID = rowID
    item.createdAt = old.createdAt
    put(item)
    return true
  }

  package func delete(_ key: KeychainKey) throws {
    guard let rowID = rowIDs.removeValue(forKey: key) else { return }
    if let old = rows.removeValue(forKey: rowID) { unlink(old) }
  }

  private func candidates(_ query: KeychainQuery, in group: String) -> Set<Int64> {
    if let account = query.account, let service = query.service {
      let key = KeychainKey(
        accessGroup: group, itemClass: query.itemClass, account: account, service: service)
      return rowIDs[key].map { [$0] } ?? []
    }
    let attribute =
      if let account = query.account {
        Attribute(group: group, text: account)
      } else if let generic = query.generic {
        Attribute(group: group, bytes: generic)
      } else {
        Attribute(group: group)
      }
    return byAttribute[attribute] ?? []
  }

  private func put(_ item: KeychainItem) {
    rows[item.rowID] = item
    for attribute in attributes(of: item) { byAttribute[attribute, default: []].insert(item.rowID) }
  }

  private func unlink(_ item: KeychainItem) {
    for attribute in attributes(of: item) { byAttribute[attribute]?.remove(item.rowID) }
  }

  private func attributes(of item: KeychainItem) -> [Attribute] {
    let group = item.key.accessGroup
    var all = [Attribute(group: group), Attribute(group: group, text: item.key.account)]
    if let generic = item.generic { all.append(Attribute(group: group, bytes: generic)) }
    return all
  }
}

extension KeychainItem {
  /// Returns whether the item has every attribute that the query specifies.
  package func matches(_ query: KeychainQuery) -> Bool {
    query.accessGroups.contains(key.accessGroup) && key.itemClass == query.itemClass
      && (query.account.map { $0 == key.account } ?? true)
      && (query.accountPrefix.map { key.account.hasPrefix($0) } ?? true)
      && (query.service.map { $0 == key.service } ?? true)
      && (query.generic.map { $0 == generic } ?? true)
      && (query.type.map { $0 == type } ?? true)
      && (query.label.map { $0 == label } ?? true)
  }
}
