import SSODevice
import SSOProvider

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

extension Lab {
  package func broker() throws -> BrokerStatus {
    try view { stage in
      BrokerStatus(
        version: stage.device.brokerVersion, isManaged: stage.device.brokerManagement != nil,
        apps: stage.device.brokerManagement?.apps, accounts: try stage.brokerAccounts().map(\.username))
    }
  }
}

/// What the directory demands, and what it knows of the current device.
package struct ConditionalAccess: Hashable, Sendable {
  package var policies: [Policy]
  package var registrations: [DeviceRegistration]
  /// nil: nobody manages the device.
  package var isCompliant: Bool?
}

extension Lab {
  package func conditionalAccess() throws -> ConditionalAccess {
    try view { stage in
      let directory = Directory(documents: stage.transaction)
      return ConditionalAccess(
        policies: try directory.policies(),
        registrations: try directory.deviceRegistrations().filter { $0.serial == stage.device.id },
        isCompliant: try directory.managedDevice(serial: stage.device.id)?.isCompliant)
    }
  }
}
