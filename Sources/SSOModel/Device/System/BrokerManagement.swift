/// The settings of a broker that an administrator installed by MDM, for some apps or for the entire device (claim A4).
///
/// `canOpenURL` returns NO for any other app, as for an app outside a managed-open-in boundary. MDM products draw that
/// line in different ways; this is SSOTerm's choice.
package struct BrokerManagement: Codable, Hashable, Sendable {
  /// The bundle IDs of the apps that it serves, or `nil` for every app on the device.
  package var apps: [String]?

  package init(apps: [String]? = nil) { self.apps = apps }

  /// Returns whether the administrator lets the broker serve this app.
  package func serves(_ bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }
}
