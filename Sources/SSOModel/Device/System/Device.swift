/// What a device runs.
///
/// It decides how the broker comes on (claims A5, E7).
package enum Platform: String, Codable, CaseIterable, Sendable {
  case iOS
  case android = "Android"
  case windows = "Windows"
  case macOS

  /// Nil: apps cannot call a broker (claim E7).
  package var brokerCall: BrokerCall? {
    switch self {
    case .iOS: .url
    case .android: .boundService
    case .windows: .webAccountManager
    case .macOS: nil
    }
  }
}

/// How an app reaches the broker (claim A5; docs/behaviour/broker.md §2).
package enum BrokerCall: String, Hashable, Sendable {
  /// The app opens a URL and goes to the background; the answer is a URL that opens the app.
  case url = "URL"
  /// Android: the app binds a service of the broker app, which answers the call.
  case boundService = "bound service"
  /// Windows: the app calls the system, whose broker answers the call.
  case webAccountManager = "Web Account Manager"

  /// What the system calls the caller that it names to the broker.
  var callerName: String {
    switch self {
    case .url: "source application"
    case .boundService: "calling package"
    case .webAccountManager: "calling application"
    }
  }

  /// What the SDK does to ask, and what the person sees then.
  func words(_ dialect: BrokerDialect) -> (action: String, result: String) {
    switch self {
    case .url: ("openURL \(dialect.scheme)://broker", "the app goes to the background")
    case .boundService:
      ("bind MicrosoftAuthService", "the app stays visible, the broker's activity lies over it")
    case .webAccountManager:
      ("RequestTokenAsync", "the app stays visible, the system's dialog lies over it")
    }
  }
}

/// One simulated device of the lab.
///
/// Unique by `id`.
package struct Device: Codable, Hashable, Sendable {
  package var id: String
  package var name: String
  package var platform: Platform
  /// Installed version of the broker app, nil if it is not installed.
  package var brokerVersion: String?
  /// Locked since boot: the keychain answers -25308.
  package var isLocked = false
  /// Set if an administrator pushed the broker (claim A4); nil: the person installed it.
  package var brokerManagement: BrokerManagement?
  /// `17.5`; nil: a current one.
  package var systemVersion: String?
  /// Put there by an administrator; only the system's own browser can show one (claim D4).
  package var certificates: [DeviceCertificate]
  /// Shared device mode: one person at a time is signed in, everywhere.
  package var isShared = false
  /// The apps that run, by bundle ID, with what the SDK holds in their memory.
  package var processes: [String: AppProcess]?

  package init(
    id: String, name: String, platform: Platform, brokerVersion: String? = nil,
    brokerManagement: BrokerManagement? = nil,
    certificates: [DeviceCertificate] = []
  ) {
    self.id = id
    self.name = name
    self.platform = platform
    self.brokerVersion = brokerVersion
    self.brokerManagement = brokerManagement
    self.certificates = certificates
  }

  /// Whether an app is told which app opened a URL: from iOS 13 on only if both are of one team (docs/behaviour/broker.md §7(2)).
  package func reportsSource(team: String, to receiver: String) -> Bool {
    let major = systemVersion?.split(separator: ".").first.flatMap { Int($0) } ?? Int.max
    return platform != .iOS || major < 13 || team == receiver
  }

  /// The picker takes the app's place on iOS, and is shown over it elsewhere (claim A5).
  package var pickerPresentation: AccountPicker.Presentation { platform == .iOS ? .transition : .overlay }
}

/// A person's certificate on a device, by the thumbprint that the directory knows.
package struct DeviceCertificate: Codable, Hashable, Sendable {
  package var username: String
  package var thumbprint: String

  package init(username: String, thumbprint: String) {
    self.username = username
    self.thumbprint = thumbprint
  }
}
