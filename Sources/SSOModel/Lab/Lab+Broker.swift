/// The broker app of the current device.
public struct BrokerStatus: Codable, Hashable, Sendable {
  /// nil: not installed.
  public var version: String?
  public var isManaged: Bool
  /// The only apps it serves, as the administrator decided; nil: all.
  public var apps: [String]?
  /// Usernames, last used first.
  public var accounts: [String]
}

extension Lab {
  public func broker() throws -> BrokerStatus {
    try view { stage in
      BrokerStatus(
        version: stage.device.brokerVersion, isManaged: stage.device.brokerManagement != nil,
        apps: stage.device.brokerManagement?.apps, accounts: try stage.brokerAccounts().map(\.username))
    }
  }
}

/// What the directory demands, and what it knows of the current device.
public struct ConditionalAccess: Hashable, Sendable {
  public var policies: [Policy]
  public var registrations: [DeviceRegistration]
  /// nil: nobody manages the device.
  public var isCompliant: Bool?
}

extension Lab {
  public func conditionalAccess() throws -> ConditionalAccess {
    try view { stage in
      let directory = Directory(documents: stage.transaction)
      return ConditionalAccess(
        policies: try directory.policies(),
        registrations: try directory.deviceRegistrations().filter { $0.serial == stage.device.id },
        isCompliant: try directory.managedDevice(serial: stage.device.id)?.isCompliant)
    }
  }
}
