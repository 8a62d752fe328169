/// The broker app of the current device.
package struct BrokerStatus: Codable, Hashable, Sendable {
  /// nil: not installed.
  package var version: String?
  package var isManaged: Bool
  /// The only apps it serves, as the administrator decided; nil: all.
  package var apps: [String]?
  /// Usernames, last used first.
  package var accounts: [String]
}

/// Where the broker's credentials are (claim A3).
package struct BrokerStorage: Hashable, Sendable {
  /// Usernames of the primary refresh tokens that the broker keeps, last used first.
  package var accounts: [String]
  /// Access groups of the keychain with an item that has one of these tokens in it; the claim says that there is no such group.
  package var exposedIn: [String]
}

/// What the directory demands, and what it knows of the current device.
package struct ConditionalAccess: Hashable, Sendable {
  package var policies: [Policy]
  package var registrations: [DeviceRegistration]
  /// nil: the device is not managed.
  package var isCompliant: Bool?
}
