import SSOCore
import SSOKeychain

/// The platform of a device.
///
/// It determines how the broker appears (claims A5, E7).
package enum Platform: String, Codable, CaseIterable, Sendable {
  case iOS
  case android = "Android"
  case windows = "Windows"
  case macOS

  /// The mechanism for calling the broker, or `nil` if apps cannot call a broker (claim E7).
  package var brokerCall: BrokerCall? {
    switch self {
    case .iOS: .url
    case .android: .boundService
    case .windows: .webAccountManager
    case .macOS: nil
    }
  }

  /// Whether it is one of Apple's, whose apps have an Info.plist and a keychain.
  package var isApple: Bool { self == .iOS || self == .macOS }

  /// The default name of a device.
  package var deviceName: String {
    switch self {
    case .iOS: "Ada's iPhone"
    case .macOS: "Ada's Mac"
    case .android: "Ada's Android phone"
    case .windows: "Ada's PC"
    }
  }

  /// The web views of the platform: SFSafariViewController is iOS's, and a session without cookies Apple's.
  package var webViews: [WebViewKind] {
    switch self {
    case .iOS: WebViewKind.allCases
    case .macOS: [.systemSession, .ephemeralSession, .embedded]
    case .android, .windows: [.systemSession, .embedded]
    }
  }

  /// Whether a redirect URI works only if the app registers its scheme; macOS requires any scheme, registered or not, and
  /// Windows registers none.
  ///
  /// See `CC/util/mac/MSIDRedirectUriVerifier.m`.
  package var requiresRegisteredScheme: Bool { self == .iOS || self == .android }

  /// The storage of MSAL's token cache, as a party of a trace; Windows does not have a keychain.
  package var storage: Party { self == .windows ? .cache : PlatformDefaults(self).storage.party }

  /// Whether the broker is part of the system (claim A5).
  package var hasOwnBroker: Bool { self == .windows }
}

/// The mechanism that an app uses to call the broker (claim A5; docs/behaviour/broker.md §2).
package enum BrokerCall: String, Hashable, Sendable {
  /// The app opens a URL and goes to the background; the response is a URL that opens the app.
  case url = "URL"
  /// Android: the app binds a service of the broker app, which responds to the call.
  case boundService = "bound service"
  /// Windows: the app calls the system, whose broker responds to the call.
  case webAccountManager = "Web Account Manager"
  /// iOS and macOS: the app calls the system, which asks the extension that a profile names.
  case ssoExtension = "SSO extension"
  /// macOS: the app calls the broker's process.
  case xpc = "XPC"

  /// The system's term for the caller that it reports to the broker.
  var callerName: String {
    switch self {
    case .url: "source application"
    case .boundService: "calling package"
    case .webAccountManager: "calling application"
    case .ssoExtension: "caller of the request"
    case .xpc: "calling process"
    }
  }

  /// Whether the SDK can call the broker without showing anything.
  var canBeSilent: Bool { self != .url }

  /// The presentation of the account picker, which replaces the app only if the app opens a URL.
  package var presentation: AccountPicker.Presentation { self == .url ? .transition : .overlay }

  /// Returns the SDK's action to send a request, and what the user sees then.
  func words(_ dialect: any BrokerDialect) -> (action: String, result: String) {
    switch self {
    case .url: ("openURL \(dialect.scheme)://broker", "the app goes to the background")
    case .boundService:
      ("bind MicrosoftAuthService", "the app stays visible, the broker's activity lies over it")
    case .webAccountManager:
      ("RequestTokenAsync", "the app stays visible, the system's dialog lies over it")
    case .ssoExtension:
      ("performRequests login", "the app stays visible, the extension's window lies over it")
    case .xpc: ("call the broker by XPC", "the app stays visible, the broker's window lies over it")
    }
  }

  /// The SDK's action to send a request that must not show anything.
  var silentAction: String {
    switch self {
    case .ssoExtension: "performRequests refresh"
    case .xpc: "call the broker by XPC"
    case .url, .boundService, .webAccountManager: "acquireTokenSilent"
    }
  }
}

/// A simulated device of the lab.
///
/// It is unique by `id`.
package struct Device: Codable, Hashable, Sendable {
  package var id: String
  package var name: String
  package var platform: Platform
  /// The installed version of the broker app, or `nil` if it is not installed.
  package var brokerVersion: String?
  /// Whether the device has been locked since boot, so that the keychain returns -25308.
  package var isLocked = false
  /// The settings of a broker that an administrator installed (claim A4), or `nil` if the user installed it.
  package var brokerManagement: BrokerManagement?
  /// The version of the system, such as `17.5`, or `nil` for a current one.
  package var systemVersion: String?
  /// The certificates that an administrator installed; only the system browser can present one (claim D4).
  package var certificates: [DeviceCertificate]
  /// Whether the device is in shared device mode, in which one user at a time is signed in everywhere.
  package var isShared = false
  /// The profile with which device management switched on the SSO extension, or `nil` without one.
  package var ssoProfile: SSOProfile?
  /// The registration for Platform SSO, or `nil` if the user has not registered.
  package var platformSSORegistration: PlatformSSORegistration?
  /// The running apps by bundle ID, with the SDK's data in their memory.
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

  /// Returns whether an app learns which app opened a URL; since iOS 13, only if both belong to one team.
  ///
  /// See docs/behaviour/broker.md §7(2).
  package func reportsSource(team: String, to receiver: String) -> Bool {
    let major = systemVersion?.split(separator: ".").first.flatMap { Int($0) } ?? Int.max
    return platform != .iOS || major < 13 || team == receiver
  }

  /// The presentation of the account picker, which replaces the app on iOS and overlays it elsewhere (claim A5).
  package var pickerPresentation: AccountPicker.Presentation { (platform.brokerCall ?? .xpc).presentation }
}

/// A user's certificate on a device, identified by the thumbprint that the directory knows.
package struct DeviceCertificate: Codable, Hashable, Sendable {
  package var username: String
  package var thumbprint: String

  package init(username: String, thumbprint: String) {
    self.username = username
    self.thumbprint = thumbprint
  }
}

extension Device {
  /// Installs the broker if it is part of the system.
  package mutating func addOwnBroker() {
    if platform.hasOwnBroker { brokerVersion = brokerVersion ?? Self.currentBrokerVersion }
  }

  /// Returns the platform that an app is built for, which is the device's if the app does not specify one.
  package func platform(of app: InstalledApp) -> Platform { app.platform ?? platform }

  /// Returns whether the device runs the platform that the app is built for.
  package func runs(_ app: InstalledApp) -> Bool { platform(of: app) == platform }

  /// The failed check for a silent call and a cache on a platform on which SSOTerm does not simulate them, or `nil` for
  /// every other platform.
  ///
  /// See docs/behaviour/broker.md §2(8).
  package var simulationCheck: Check? {
    guard platform == .windows else { return nil }
    return Check(
      "SSOTerm simulates the cache of the platform", expected: "iOS, macOS, or Android",
      found: platform.rawValue, false, source: "broker.md §2",
      failure:
        "SSOTerm simulates only the account picker of Windows, not MSAL.NET with its caches and silent calls")
  }

  /// The failed check for an app whose SDK the lab does not simulate on its platform, or `nil` for any other app.
  ///
  /// ADAL for Android has its own caches, broker protocol, and errors (docs/behaviour/android.md §6), and so has ADAL.NET
  /// (docs/behaviour/broker.md §2(8)).
  package func sdkCheck(of app: InstalledApp) -> Check? {
    let platform = platform(of: app)
    guard app.sdk == .adal, !platform.isApple else { return nil }
    let isAndroid = platform == .android
    return Check(
      "SSOTerm simulates the SDK of the platform", expected: "MSAL", found: app.sdk.rawValue, false,
      source: isAndroid ? "android.md §6" : "broker.md §2(8)",
      remedy: Remedy(.app, app.bundleID, "sdk=MSAL"),
      failure: "SSOTerm does not simulate \(isAndroid ? "ADAL for Android" : "ADAL.NET"), only MSAL")
  }

  /// Returns the failed check for an app that the device does not run, or `nil` for any other app.
  package func platformCheck(of app: InstalledApp) -> Check? {
    guard !runs(app), let wanted = app.platform else { return nil }
    return Check(
      "the device runs what the app is built for", expected: wanted.rawValue, found: platform.rawValue, false,
      source: "real-apps.md §3", remedy: Remedy(.device, id, "platform=\(wanted.rawValue)"),
      failure: "\(app.displayName) is built for \(wanted.rawValue), and the device runs \(platform.rawValue)")
  }

  /// Returns the failed check for an app whose silent calls cannot be made in the lab, or `nil` for any other app.
  package func silentCallCheck(of app: InstalledApp) -> Check? {
    platformCheck(of: app) ?? sdkCheck(of: app) ?? simulationCheck
  }

  /// Returns the failed check for an app whose sign-in cannot be made in the lab, or `nil` for any other app.
  ///
  /// On Windows that is one without the broker, whose tokens would go to a cache of MSAL.NET. `authority` is the call's
  /// own, or `nil` for the app's.
  package func interactiveCallCheck(of app: InstalledApp, authority: String? = nil) -> Check? {
    let kind = authority.map { try? app.msal.authority($0) } ?? app.msalAuthority
    let asksBroker =
      brokerVersion != nil && app.sdk == .msal && app.brokerUse == .auto && kind?.supportsBroker ?? true
    return platformCheck(of: app) ?? sdkCheck(of: app) ?? (asksBroker ? nil : simulationCheck)
  }

  /// Returns the web view in which an app shows its page; on macOS, old versions of MSAL have only the embedded one
  /// (claim E4).
  ///
  /// In place of a web view that the platform does not have, the system's session is shown.
  package func webView(of app: InstalledApp) -> WebViewKind {
    guard PlatformDefaults(of: app, on: platform).hasSystemWebSession else { return .embedded }
    return platform.webViews.contains(app.webView) ? app.webView : .systemSession
  }

  /// Whether the keychain is unavailable to apps because the device is locked; Android does not have a keychain.
  package var locksKeychain: Bool { isLocked && platform.isApple }

  /// Returns the cookie jar of an app's sign-in page, or `nil` if the page begins without cookies and stores none.
  package func cookieJar(of app: InstalledApp) -> String? {
    switch webView(of: app) {
    case .systemSession: browserJar
    case .ephemeralSession: nil
    case .safariView: app.bundleID + "/safari view"
    case .embedded: app.bundleID
    }
  }

  /// Returns whether the system asks the user before it shows an app's page.
  ///
  /// iOS does so before a session that shares the browser's cookies.
  package func asksBeforePage(of app: InstalledApp) -> Bool {
    platform == .iOS && webView(of: app) == .systemSession
  }

  /// The version of Apple's system; SSOTerm's choice if the device does not specify one.
  private var appleSystemVersion: String { systemVersion ?? (platform == .macOS ? "15.5" : "18.5") }

  /// The system, processor, and model that an SDK of Apple's platforms names (`deviceId` in `CC/MSIDDeviceId.m`), or none
  /// on other platforms.
  var appleNames: [NameValue] {
    guard platform.isApple else { return [] }
    let parts = (appleSystemVersion + ".0.0").split(separator: ".").prefix(3).joined(separator: ".")
    return [
      NameValue("x-client-OS", platform == .macOS ? parts : appleSystemVersion),
      NameValue("x-client-CPU", "64"),
    ] + (platform == .iOS ? [NameValue("x-client-DM", "iPhone")] : [])
  }

  /// Returns the `User-Agent` of a page in the browser, or in an app's own web view.
  package func userAgent(inOwnView isEmbedded: Bool) -> String {
    let system =
      switch platform {
      case .iOS:
        "iPhone; CPU iPhone OS \(appleSystemVersion.split(separator: ".").joined(separator: "_")) like Mac OS X"
      case .macOS: "Macintosh; Intel Mac OS X 10_15_7"
      case .android: "Linux; Android 10; K"
      case .windows: "Windows NT 10.0; Win64; x64"
      }
    return "Mozilla/5.0 (\(system))" + (isEmbedded ? " " + HTTPRequest.embeddedViewMark : "")
  }

  /// The cookie jar of the user's browser.
  package var browserJar: String {
    switch platform {
    case .iOS, .macOS: "safari"
    case .android: "chrome"
    case .windows: "edge"
    }
  }
}

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
