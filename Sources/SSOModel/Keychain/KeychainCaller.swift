/// The app that calls the keychain, as the system knows it: it is the entitlements that count, not what the
/// app says about itself.
package struct KeychainCaller: Hashable, Sendable {
  package var bundleID: String
  /// Full access groups in the order of the entitlement; an add without a group goes to the first.
  package var entitledGroups: [String]
  /// Its system has no access groups: what it has is its own cache, filed here under its own group.
  package var hasOwnCache = false

  package init(bundleID: String, entitledGroups: [String]) {
    self.bundleID = bundleID
    self.entitledGroups = entitledGroups
  }
}
