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
  package func entitlementCheck(_ asked: [String]) -> Check {
    Check(
      app.hasOwnCache ? "token cache of the app itself" : "access group is in the entitlements",
      expected: asked.isEmpty ? "any entitled group" : asked.joined(separator: ", "),
      found: app.entitledGroups.joined(separator: ", "),
      asked.allSatisfy(app.entitledGroups.contains),
      source: app.hasOwnCache ? "real-apps.md §3" : "keychain.md §2")
  }
}
