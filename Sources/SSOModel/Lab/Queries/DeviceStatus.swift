/// The broker app of the current device.
package struct BrokerStatus: Codable, Hashable, Sendable {
  /// The version, or `nil` if the broker is not installed.
  package var version: String?
  package var isManaged: Bool
  /// The only apps that the broker serves, as the administrator decided, or `nil` for all apps.
  package var apps: [String]?
  /// The usernames, most recently used first.
  package var accounts: [String]
}

/// The places of the broker's credentials (claim A3).
package struct BrokerStorage: Hashable, Sendable {
  /// The usernames of the broker's primary refresh tokens, most recently used first.
  package var accounts: [String]
  /// The access groups with an item that contains one of these tokens.
  ///
  /// According to the claim, there are none.
  package var exposedIn: [String]
}

/// The policies of the directory, and its knowledge of the current device.
package struct ConditionalAccess: Hashable, Sendable {
  package var policies: [Policy]
  package var registrations: [DeviceRegistration]
  /// The compliance, or `nil` if the device is not managed.
  package var isCompliant: Bool?
}
