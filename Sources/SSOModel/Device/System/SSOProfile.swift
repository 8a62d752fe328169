import SSOCore

/// The payload `com.apple.extensiblesso` of a configuration profile, by which device management switches on the Enterprise
/// SSO plug-in (docs/behaviour/broker.md §13).
///
/// The coding keys are the payload's. A key that is not there has Microsoft's value for the platform.
package struct SSOProfile: Codable, Hashable, Sendable {
  package var extensionIdentifier: String?
  package var teamIdentifier: String?
  package var urls: [String]?
  /// The bundle IDs of the apps that the system keeps from the extension.
  package var deniedBundleIdentifiers: [String]?
  package var extensionData: ExtensionData?
  /// The settings by which macOS 14 and later signs the person in with the extension at its own login.
  package var platformSSO: PlatformSSO?

  private enum CodingKeys: String, CodingKey {
    case extensionIdentifier = "ExtensionIdentifier"
    case teamIdentifier = "TeamIdentifier"
    case urls = "URLs"
    case deniedBundleIdentifiers = "DeniedBundleIdentifiers"
    case extensionData = "ExtensionData"
    case platformSSO = "PlatformSSO"
  }

  /// The part of the payload that the system passes on to the extension.
  package struct ExtensionData: Codable, Hashable, Sendable {
    /// The bundle IDs of apps without MSAL that may use the extension, separated by commas.
    package var appAllowList: String?
    /// The beginnings of such bundle IDs, separated by commas.
    package var appPrefixAllowList: String?
    /// The bundle IDs that may not, whatever the other lists contain.
    package var appBlockList: String?
    /// Whether interactive calls of MSAL on iOS go to the broker by URL: 1 if so.
    package var disablesInAppSignIn: Int?

    private enum CodingKeys: String, CodingKey {
      case appAllowList = "AppAllowList"
      case appPrefixAllowList = "AppPrefixAllowList"
      case appBlockList = "AppBlockList"
      case disablesInAppSignIn = "disable_inapp_sso_signin"
    }

    package init() {}
  }

  package init() {}

  /// The URL prefixes of Microsoft's documentation, which belong to the clouds that the extension serves.
  package static let documentedURLs = [
    "https://login.microsoftonline.com", "https://login.microsoft.com", "https://sts.windows.net",
    "https://login.partner.microsoftonline.cn", "https://login.chinacloudapi.cn",
    "https://login.microsoftonline.us", "https://login-us.microsoftonline.com",
  ]

  /// Returns whether the extension serves an address; the system compares scheme and host without regard to case.
  package func serves(_ url: String) -> Bool {
    (urls ?? Self.documentedURLs).contains { url.lowercased().hasPrefix($0.lowercased()) }
  }

  /// Returns whether the extension signs in the pages of an app that does not use MSAL, such as a browser.
  package func admits(_ bundleID: String) -> Bool {
    func list(_ text: String?) -> [String] {
      (text ?? "").split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    }
    let data = extensionData ?? ExtensionData()
    return !(deniedBundleIdentifiers ?? []).contains(bundleID)
      && !list(data.appBlockList).contains(bundleID)
      && (list(data.appAllowList).contains(bundleID)
        || list(data.appPrefixAllowList).contains { bundleID.hasPrefix($0) })
  }
}

extension Platform {
  /// The Enterprise SSO plug-in of the platform, or `nil` where there is none.
  ///
  /// Only macOS looks at the team.
  package var ssoExtension: (identifier: String, team: String?)? {
    switch self {
    case .iOS: ("com.microsoft.azureauthenticator.ssoextension", nil)
    case .macOS: ("com.microsoft.CompanyPortalMac.ssoextension", "UBF8T346G9")
    case .android, .windows: nil
    }
  }

  /// The bundle ID of the app that has the broker.
  package var brokerBundleID: String {
    self == .macOS ? "com.microsoft.CompanyPortalMac" : SSODevice.brokerBundleID
  }

  /// The bundle ID of the system's browser, as the extension's lists name it, or `nil` where there is no extension.
  package var browserBundleID: String? {
    switch self {
    case .iOS: "com.apple.mobilesafari"
    case .macOS: "com.apple.Safari"
    case .android, .windows: nil
    }
  }
}

/// The parameter `msalXpcMode`, by which an app on macOS lets MSAL reach the broker without the SSO extension.
package enum XPCMode: String, Codable, CaseIterable, Sendable {
  case disabled
  /// The call by XPC is only a fallback of the extension.
  case ssoExtCompanion
  /// The call by XPC replaces an extension that cannot be asked.
  case ssoExtBackup
  /// The call by XPC replaces the extension, for development.
  case primary
}

extension Device {
  /// The check that the app that contains the extension is installed.
  var extensionAppCheck: Check {
    Check(
      "the app with the SSO extension is installed", expected: platform.brokerBundleID,
      found: brokerVersion ?? "none", brokerVersion != nil, source: "broker.md §13",
      remedy: Remedy(.device, id, "brokerVersion=\(Self.currentBrokerVersion)"),
      failure: "the app with the SSO extension is not installed")
  }

  /// Returns the checks of `canPerformAuthorization` for an app, in order, or none without a profile.
  func extensionChecks(for app: InstalledApp) -> [Check] {
    guard let profile = ssoProfile, let own = platform.ssoExtension else { return [] }
    let wanted = [own.identifier, own.team].compactMap(\.self)
    let named = [
      profile.extensionIdentifier ?? own.identifier, own.team.map { profile.teamIdentifier ?? $0 },
    ]
    .compactMap(\.self)
    let urls = profile.urls ?? SSOProfile.documentedURLs
    let denied = profile.deniedBundleIdentifiers ?? []
    return [
      Check(
        "MSAL asks an SSO extension", expected: "MSAL 1.1.0 or later",
        found: "\(app.sdk.rawValue) \(app.sdkVersion)",
        app.sdk == .msal && SDKVersion(app.sdkVersion) >= SDKVersion("1.1.0"), source: "broker.md §13",
        failure: "only MSAL 1.1.0 and later ask an SSO extension"),
      extensionAppCheck,
      Check(
        "the profile names the extension", expected: wanted.joined(separator: ", "),
        found: named.joined(separator: ", "), named == wanted, source: "broker.md §13",
        failure: "the profile names another extension than Microsoft's"),
      Check(
        "the profile's URLs contain the provider", expected: "https://\(PublicCloud.preferredNetwork)",
        found: urls.isEmpty ? "none" : urls.joined(separator: ", "),
        profile.serves(PublicCloud.commonAuthority), source: "broker.md §13",
        failure: "the profile's URLs do not contain https://\(PublicCloud.preferredNetwork)"),
      Check(
        "the profile does not deny the app", expected: "no \(app.bundleID)",
        found: denied.isEmpty ? "no app" : denied.joined(separator: ", "), !denied.contains(app.bundleID),
        source: "broker.md §13", failure: "DeniedBundleIdentifiers of the profile has the app"),
    ]
  }

  /// Returns the mechanism by which an app's SDK calls the broker, or `nil` if it cannot call one.
  ///
  /// On Apple's platforms MSAL looks for the SSO extension before anything else (broker.md §13).
  package func brokerCall(for app: InstalledApp, isSilent: Bool = false) -> BrokerCall? {
    guard app.sdk == .msal, platform.ssoExtension != nil else { return platform.brokerCall }
    let checks = extensionChecks(for: app)
    let hasExtension = !checks.isEmpty && !checks.contains { $0.verdict == .failed }
    guard platform == .macOS else {
      let staysInApp = isSilent || ssoProfile?.extensionData?.disablesInAppSignIn != 1
      return hasExtension && staysInApp ? .ssoExtension : platform.brokerCall
    }
    let byXPC: BrokerCall? = brokerVersion == nil ? nil : .xpc
    return switch app.xpcMode ?? .disabled {
    case .disabled, .ssoExtCompanion: hasExtension ? .ssoExtension : nil
    case .ssoExtBackup: hasExtension ? .ssoExtension : byXPC
    case .primary: byXPC
    }
  }

  /// Returns the mechanism by which MSAL calls the broker after the SSO extension did not handle a request, or `nil` if it
  /// cannot call it otherwise (broker.md §13).
  func callWithoutExtension(of app: InstalledApp, installed: [InstalledApp]) -> BrokerCall? {
    guard platform == .macOS else {
      let schemes = PlatformDefaults(of: app, on: platform).brokerSchemes
      return platformReach(schemes, of: app, installed: installed).isMet ? platform.brokerCall : nil
    }
    let mode = app.xpcMode ?? .disabled
    return brokerVersion != nil && [.ssoExtCompanion, .ssoExtBackup].contains(mode) ? .xpc : nil
  }

  /// Returns whether the SSO extension signs in the pages that a program shows, with the host of a page's address.
  package func signsInPages(of bundleID: String, at url: String) -> Bool {
    guard let profile = ssoProfile, brokerVersion != nil, let own = platform.ssoExtension else {
      return false
    }
    return (profile.extensionIdentifier ?? own.identifier) == own.identifier
      && profile.serves(url) && profile.admits(bundleID)
  }
}
