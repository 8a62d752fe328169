/// The keychain of one device as one app sees it: every call is made by an app and is checked against its
/// entitlements first (docs/behaviour/keychain.md §1, §2).
///
/// Each call adds one hop to the trace: attributes only, never data. Throws `KeychainError` for Apple's
/// codes, and `StoreError`.
package struct Keychain {
  package let store: any CredentialStore
  package let app: KeychainCaller
  package let now: Instant
  package let trace: TraceRecorder
  /// True before the first unlock after a restart: every call then fails with -25308.
  package let isLocked: Bool
  /// Who calls on behalf of the app: the SDK, or the broker.
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

  /// Every item that matches (`kSecMatchLimitAll`), in keychain order.
  ///
  /// No match is `[]`, as the SDK takes -25300 for an empty answer.
  /// - Parameters:
  ///   - query: without access groups it searches all entitled groups.
  ///   - what: a word for the trace: `refreshtoken`.
  /// - Returns: the items in full, with their data.
  /// - Throws: `missingEntitlement` if any group asked for is not entitled, `interactionNotAllowed` if
  ///   locked.
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
  /// With an empty access group it goes to the first entitled group.
  ///
  /// - Returns: the item as stored, with its group and dates.
  /// - Throws: `duplicateItem` if group, class, account and service are taken, whatever the type.
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

  /// Replaces data and generic attribute of the item with this key and, if one is given, this type
  /// (`SecItemUpdate`, keychain.md §1).
  ///
  /// - Throws: `itemNotFound` if there is none, also if only the type differs.
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

  /// The SDK's write: update, and on -25300 add (keychain.md §1).
  ///
  /// An item with the same key but another type therefore fails with `duplicateItem`.
  package func set(_ item: KeychainItem, what: String = "item") throws {
    do {
      try update(item, what: what)
    } catch KeychainError.itemNotFound {
      try add(item, what: what)
    }
  }

  /// Deletes every item that matches; a query of groups only deletes the whole group, as in life.
  ///
  /// - Returns: how many went; none is no error.
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
