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
  package let trace: TraceRecorder
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
  /// - Throws: `itemNotFound` if there is no such item, even if only the type differs.
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
    do {
      try update(item, what: what)
    } catch KeychainError.itemNotFound {
      try add(item, what: what)
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
  default: "\(count) items"
  }
}
