/// What a device runs. It decides how the broker comes on (claims A5, E7).
public enum Platform: String, Codable, CaseIterable, Sendable {
  case iOS
  case android = "Android"
  case windows = "Windows"
  case macOS

  /// macOS has no broker that is called by a URL (claim E7).
  public var hasURLBroker: Bool { self != .macOS }
}

/// One simulated device of the lab. Unique by `id`.
public struct Device: Codable, Hashable, Sendable {
  public var id: String
  public var name: String
  public var platform: Platform
  /// Installed version of the broker app, nil if it is not installed.
  public var brokerVersion: String?
  /// Locked since boot: the keychain answers -25308.
  public var isLocked: Bool

  public init(
    id: String, name: String, platform: Platform, brokerVersion: String? = nil, isLocked: Bool = false
  ) {
    self.id = id
    self.name = name
    self.platform = platform
    self.brokerVersion = brokerVersion
    self.isLocked = isLocked
  }
}
