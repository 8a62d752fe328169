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
