/// An administrator pushed the broker to the device by MDM, for some apps or for the whole device (claim A4).
///
/// For an app that is not among them `canOpenURL` says no, as for an app outside a managed-open-in boundary. How
/// MDM products draw that line differs; this is our choice.
package struct BrokerManagement: Codable, Hashable, Sendable {
  /// Bundle IDs of the apps that it serves; nil: every app of the device.
  package var apps: [String]?

  package init(apps: [String]? = nil) { self.apps = apps }

  /// Whether the administrator lets the broker serve this app.
  package func serves(_ bundleID: String) -> Bool { apps?.contains(bundleID) ?? true }
}
