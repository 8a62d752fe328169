import SSOCore
import SSOReference

/// The keychain of one device as one app sees it (docs/behaviour/keychain.md §1, §2).
///
/// Every call is made by an app and is first checked against its entitlements. Each call adds one hop to the trace,
/// with attributes only and never data.
///
/// Throws `KeychainError` for Apple's codes, and `StoreError`.
package struct Keychain {
  package let store: any CredentialStore
  package let app: KeychainCaller
  package let now: Instant
  package var trace: TraceRecorder
  /// Whether the device has not been unlocked since its last restart, in which case every call fails with -25308.
  package let isLocked: Bool
  /// The party that makes the call on behalf of the app: the SDK or the broker.
  package let party: Party

  package init(
    store: any CredentialStore, app: KeychainCaller, now: Instant, trace: TraceRecorder,
    isLocked: Bool = false, party: Party = .sdk
  ) {
    self.store = store
    self.app = app
    self.now = now
    self.trace = trace
    self.isLocked = isLocked
    self.party = party
  }

  /// Returns every matching item (`kSecMatchLimitAll`), in keychain order.
  ///
  /// If nothing matches, the result is `[]`, because the SDK treats -25300 as an empty result.
  /// - Parameters:
  ///   - query: A query; without access groups, it searches all entitled groups.
  ///   - what: A word for the trace, such as `refreshtoken`.
  /// - Returns: The complete items, with their data.
  /// - Throws: `missingEntitlement` if the app is not entitled to one of the requested groups, `interactionNotAllowed`
  ///   if the keychain is locked.
  package func items(matching query: KeychainQuery, what: String = "items") throws -> [KeychainItem] {
    let call = KeychainCall(verb: "read", what: what, query)
    return try recorded(call) {
      try entitled(query).lookups.flatMap { try store.items(matching: $0) }
    } result: {
      countText($0.count)
    }
  }

  /// Adds an item (`SecItemAdd`).
  ///
  /// An item without an access group goes to the first entitled group.
  ///
  /// - Returns: The item as stored, with its group and dates.
  /// - Throws: `duplicateItem` if the group, class, account, and service are taken, regardless of the type.
  @discardableResult
  package func add(_ item: KeychainItem, what: String = "item") throws -> KeychainItem {
    var item = item
    if item.key.accessGroup.isEmpty { item.key.accessGroup = app.entitledGroups.first ?? "" }
    item.createdAt = now
    item.modifiedAt = now
    let added = item
    return try recorded(KeychainCall(verb: "add", what: what, KeychainQuery(added))) {
      _ = try entitled(KeychainQuery(added))
      try store.insert(added)
      return added
    } result: { _ in
      "added"
    }
  }

  /// Updates the item with this key and, if one is given, this type (`SecItemUpdate`, keychain.md §1).
  ///
  /// It replaces the data, the generic attribute, and, if a new one is given, the label.
  ///
  /// - Throws: `itemNotFound` if the item does not exist, even if only the type differs.
  package func update(_ item: KeychainItem, what: String = "item") throws {
    try recorded(KeychainCall(verb: "update", what: what, KeychainQuery(item))) {
      let query = try entitled(KeychainQuery(item))
      guard var found = try store.items(matching: query).first else { throw KeychainError.itemNotFound }
      found.data = item.data
      found.generic = item.generic
      found.label = item.label ?? found.label
      found.modifiedAt = now
      guard try store.update(found) else { throw KeychainError.itemNotFound }
    } result: {
      "updated"
    }
  }

  /// Writes an item as the SDK does: updates it and, on -25300, adds it (keychain.md §1).
  ///
  /// Therefore, it fails with `duplicateItem` if an item has the same key but another type.
  package func set(_ item: KeychainItem, what: String = "item") throws {
    guard app.storage != .preferences else { return try write(item, what: what) }
    do {
      try update(item, what: what)
    } catch KeychainError.itemNotFound {
      try add(item, what: what)
    }
  }

  /// Writes the value of a key that may exist already, as SharedPreferences does (android.md §3).
  private func write(_ item: KeychainItem, what: String) throws {
    try recorded(KeychainCall(verb: "write", what: what, KeychainQuery(item))) {
      var item = item
      item.modifiedAt = now
      if let known = try store.items(matching: entitled(KeychainQuery(item))).first {
        item.createdAt = known.createdAt
        _ = try store.update(item)
      } else {
        item.createdAt = now
        try store.insert(item)
      }
    } result: {
      "written"
    }
  }

  /// Deletes every matching item.
  ///
  /// A query that specifies only groups deletes everything of its class in them, as on a real device.
  ///
  /// - Returns: The number of deleted items; 0 is not an error.
  @discardableResult
  package func delete(matching query: KeychainQuery, what: String = "items") throws -> Int {
    try recorded(KeychainCall(verb: "delete", what: what, query)) {
      let found = try store.items(matching: entitled(query))
      for item in found { try store.delete(item.key) }
      return found.count
    } result: {
      countText($0)
    }
  }
}

private func countText(_ count: Int) -> String {
  switch count {
  case 0: "no item"
  case 1: "1 item"
  default: counted(count, "item")
  }
}

extension Keychain {
  /// Returns the query with its access groups filled in, or throws if the app is not entitled to all of them.
  func entitled(_ query: KeychainQuery) throws(KeychainError) -> KeychainQuery {
    if isLocked { throw .interactionNotAllowed }
    guard query.accessGroups.allSatisfy(app.entitledGroups.contains) else { throw .missingEntitlement }
    var query = query
    if query.accessGroups.isEmpty { query.accessGroups = app.entitledGroups }
    return query
  }

  /// Returns the entitlement check for a call that specifies these groups; an empty array means any entitled group.
  func entitlementCheck(_ asked: [String]) -> Check {
    let isOwn = app.storage != .keychain
    return Check(
      isOwn ? "token cache of the app itself" : "access group is in the entitlements",
      expected: asked.isEmpty ? "any entitled group" : asked.joined(separator: ", "),
      found: app.entitledGroups.joined(separator: ", "),
      asked.allSatisfy(app.entitledGroups.contains),
      source: app.storage.source,
      failure: isOwn ? "the cache is another app's" : "its entitlements lack the access group")
  }
}

/// A call to the keychain, as the trace describes it.
struct KeychainCall {
  var verb: String
  var what: String
  var query: KeychainQuery

  init(verb: String, what: String, _ query: KeychainQuery) {
    self.verb = verb
    self.what = what
    self.query = query
  }

  /// The action in the trace, such as `read access token`.
  var action: String { "\(verb) \(what)" }

  /// The attributes that the query specifies: groups, account, service, generic, and type.
  ///
  /// They never include data.
  func sent(to storage: CacheStorage) -> [NameValue] {
    guard storage != .preferences else {
      return [NameValue("file", CacheStorage.preferencesFile)] + preferencesFields
    }
    let place = storage == .archive ? "archive" : "group"
    var fields = query.accessGroups.map { NameValue(place, $0) }
    if let account = query.account { fields.append(NameValue("account", account)) }
    if let service = query.service { fields.append(NameValue("service", service)) }
    if let generic = query.generic {
      fields.append(NameValue("generic", String(decoding: generic, as: UTF8.self)))
    }
    if let type = query.type { fields.append(NameValue("type", String(type))) }
    return fields
  }

  /// The key in SharedPreferences, whose parts iOS stores in two attributes, or the text that the library looks for in
  /// all values.
  private var preferencesFields: [NameValue] {
    if let account = query.account, let service = query.service {
      return [NameValue("key", account + "-" + service)]
    }
    let parts = [
      query.account, query.service, query.generic.map { String(decoding: $0, as: UTF8.self) },
    ].compactMap(\.self)
    return parts.isEmpty ? [] : [NameValue("values with", parts.joined(separator: ", "))]
  }
}

extension KeychainQuery {
  /// Creates a query for exactly this item: by its key and, if it has one, by its type.
  init(_ item: KeychainItem) {
    let group = item.key.accessGroup
    self.init(
      accessGroups: group.isEmpty ? [] : [group], itemClass: item.key.itemClass, account: item.key.account,
      service: item.key.service, type: item.type)
  }
}

extension KeychainQuery {
  /// The query split into one query for each wanted account.
  var lookups: [KeychainQuery] {
    guard let wantedAccounts else { return [self] }
    return wantedAccounts.map { account in
      var query = self
      (query.account, query.wantedAccounts) = (account, nil)
      return query
    }
  }
}

extension Keychain {
  /// Runs the call and adds its hop, whether or not the call succeeds.
  func recorded<T>(
    _ call: KeychainCall, _ body: () throws -> T, result: (T) -> String
  ) throws -> T {
    if trace.isDisabled { return try body() }
    trace.begin(party, app.storage.tracedAs, actor: app.bundleID, call.action)
    do {
      let value = try body()
      add(call, result: result(value))
      return value
    } catch let error as KeychainError {
      add(call, result: "\(error.name) (\(error.number))")
      throw error
    } catch {
      add(call, result: "store failed")
      throw error
    }
  }

  private func add(_ call: KeychainCall, result: String) {
    trace.add(
      party, app.storage.tracedAs, actor: app.bundleID, call.action, result: result,
      sent: call.sent(to: app.storage),
      checks: [entitlementCheck(call.query.accessGroups)])
  }
}

/// The storage of a token cache, as a trace names it.
///
/// A cache without access groups is stored in the keychain of the lab, in its own group.
package enum CacheStorage: Hashable, Sendable {
  case keychain
  /// An archive for each app (docs/behaviour/keychain.md §8(4)).
  case archive
  /// The SharedPreferences of an app on Android (docs/behaviour/android.md §3).
  case preferences

  /// The name of the file with MSAL's cache (`SharedPreferencesAccountCredentialCache.java`).
  static let preferencesFile = "com.microsoft.identity.client.account_credential_cache"

  /// The storage as the lab lists it: the archives are groups of the keychain.
  package var party: Party { self == .preferences ? .cache : .keychain }

  /// The storage as a party of a trace; an archive is a file of the app's own.
  fileprivate var tracedAs: Party { self == .keychain ? .keychain : .cache }

  /// The document that describes it.
  fileprivate var source: String {
    switch self {
    case .keychain: "keychain.md §2"
    case .archive: "keychain.md §8"
    case .preferences: "android.md §3"
    }
  }
}

/// The app that calls the keychain, as the system knows it.
///
/// The entitlements count, not what the app says about itself.
package struct KeychainCaller: Hashable, Sendable {
  package var bundleID: String
  /// The full access groups in the order of the entitlement; an item added without a group goes to the first.
  package var entitledGroups: [String]
  /// The storage of the app's token cache.
  package var storage = CacheStorage.keychain

  package init(bundleID: String, entitledGroups: [String]) {
    self.bundleID = bundleID
    self.entitledGroups = entitledGroups
  }
}

/// Returns the access group that the keychain sees, given the developer's setting (docs/behaviour/keychain.md §4).
/// - Parameters:
///   - group: `cacheConfig.keychainSharingGroup` without the team prefix, or `nil` for the bundle ID, a private cache.
///   - teamID: Ten characters for real teams, such as `ABCDE12345`.
///   - bundleID: The app's bundle ID.
/// - Returns: `<teamID>.<group>`. Like the SDK, it omits the prefix only if the string already *starts with* the text
///   of the team ID, with or without a dot after it.
package func fullAccessGroup(_ group: String?, teamID: String, bundleID: String) -> String {
  let group = group ?? bundleID
  return group.hasPrefix(teamID) ? group : teamID + "." + group
}
