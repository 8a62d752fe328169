/// The app that calls the keychain, as the system knows it.
///
/// The entitlements count, not what the app says about itself.
package struct KeychainCaller: Hashable, Sendable {
  package var bundleID: String
  /// The full access groups in the order of the entitlement; an item added without a group goes to the first.
  package var entitledGroups: [String]
  /// Whether the app's platform has no access groups.
  ///
  /// Its private cache is stored here in a separate group.
  package var hasOwnCache = false

  package init(bundleID: String, entitledGroups: [String]) {
    self.bundleID = bundleID
    self.entitledGroups = entitledGroups
  }
}
