extension Keychain {
  /// The query with its groups filled in, if the app is entitled to every one of them.
  func entitled(_ query: KeychainQuery) throws(KeychainError) -> KeychainQuery {
    if isLocked { throw .interactionNotAllowed }
    guard query.accessGroups.allSatisfy(app.entitledGroups.contains) else { throw .missingEntitlement }
    var query = query
    if query.accessGroups.isEmpty { query.accessGroups = app.entitledGroups }
    return query
  }

  /// The check that a call for these groups is made with; none means any entitled group.
  package func entitlementCheck(_ asked: [String]) -> Check {
    Check(
      app.hasOwnCache ? "token cache of the app itself" : "access group is in the entitlements",
      expected: asked.isEmpty ? "any entitled group" : asked.joined(separator: ", "),
      found: app.entitledGroups.joined(separator: ", "),
      asked.allSatisfy(app.entitledGroups.contains),
      source: app.hasOwnCache ? "real-apps.md §3" : "keychain.md §2")
  }
}
