import SSOCore

/// The payload `com.apple.extensiblesso` of a configuration profile, by which device management switches on the Enterprise
/// SSO plug-in (docs/behaviour/broker.md §13).
///
/// The coding keys are the payload's. A key that is not there has Microsoft's value for the platform.
package struct SSOProfile: Codable, Hashable, Sendable {
  package var extensionIdentifier: String?
  package var teamIdentifier: String?
  package var urls: [String]?
  /// The bundle IDs of the apps that the system excludes from the extension.
  package var deniedBundleIdentifiers: [String]?
  package var extensionData: ExtensionData?
  /// The settings with which macOS 14 and later sign the user in with the extension at their own login.
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
  ///
  /// Flags are numbers, 1 or 0, as Microsoft documents them.
  package struct ExtensionData: Codable, Hashable, Sendable {
    /// Whether all managed apps without MSAL may use the extension, which are all apps of the device in SSOTerm.
    package var admitsAllManagedApps: Int?
    /// The bundle IDs of apps without MSAL that may use the extension, separated by commas.
    package var appAllowList: String?
    /// The beginnings of such bundle IDs, separated by commas.
    package var appPrefixAllowList: String?
    /// The bundle IDs that may not, whatever the other lists contain.
    package var appBlockList: String?
    /// Whether interactive calls of MSAL on iOS go to the broker by URL: 1 if so.
    package var disablesInAppSignIn: Int?
    /// Whether apps without MSAL that ask for a new sign-in get the account picker instead; Microsoft's default is 1.
    package var disablesPagePrompt: Int?
    /// Whether they get the account of the extension without a picker.
    package var disablesPagePromptAndPicks: Int?
    /// Whether apps with MSAL that ask for a new sign-in get the account picker instead.
    package var disablesPrompt: Int?
    /// Whether they get the account of the extension without a picker.
    package var disablesPromptAndPicks: Int?
    /// Bundle IDs of iOS apps that get the sign-in by cookies, which SSOTerm does not simulate.
    var appCookieAllowList: String?
    /// Whether a page can make the extension's first sign-in, which SSOTerm does not simulate.
    var allowsSignInOnPages: Int?
    /// Whether the extension logs bundle IDs, which SSOTerm does not simulate.
    var isAdminDebugMode: Int?
    /// The registration of the device when it is needed, which SSOTerm does not simulate.
    package var deviceRegistration: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
      case admitsAllManagedApps = "Enable_SSO_On_All_ManagedApps"
      case appAllowList = "AppAllowList"
      case appPrefixAllowList = "AppPrefixAllowList"
      case appBlockList = "AppBlockList"
      case appCookieAllowList = "AppCookieSSOAllowList"
      case allowsSignInOnPages = "browser_sso_interaction_enabled"
      case disablesPagePrompt = "disable_explicit_app_prompt"
      case disablesPagePromptAndPicks = "disable_explicit_app_prompt_and_autologin"
      case disablesPrompt = "disable_explicit_native_app_prompt"
      case disablesPromptAndPicks = "disable_explicit_native_app_prompt_and_autologin"
      case disablesInAppSignIn = "disable_inapp_sso_signin"
      case isAdminDebugMode = "admin_debug_mode_enabled"
      case deviceRegistration = "device_registration"

      /// Whether the lab implements the key.
      package var isSimulated: Bool {
        switch self {
        case .appCookieAllowList, .allowsSignInOnPages, .isAdminDebugMode, .deviceRegistration: false
        case .admitsAllManagedApps, .appAllowList, .appPrefixAllowList, .appBlockList, .disablesPagePrompt,
          .disablesPagePromptAndPicks, .disablesPrompt, .disablesPromptAndPicks, .disablesInAppSignIn:
          true
        }
      }

      /// Whether the value is a list of bundle IDs in one text.
      package var isList: Bool {
        [.appAllowList, .appPrefixAllowList, .appBlockList, .appCookieAllowList].contains(self)
      }
    }

    package init() {}

    /// Returns the prompt of a request after applying the settings for explicit prompts: a new sign-in that the app
    /// asked for becomes a choice of the account, or no prompt.
    package func prompt(_ asked: String?, isOfPage: Bool) -> String? {
      guard asked == PromptBehavior.login.rawValue else { return asked }
      if (isOfPage ? disablesPagePromptAndPicks : disablesPromptAndPicks) == 1 { return nil }
      let becomesChoice = isOfPage ? disablesPagePrompt ?? 1 : disablesPrompt ?? 0
      return becomesChoice == 1 ? PromptBehavior.selectAccount.rawValue : asked
    }
  }

  package init() {}

  /// Keys of Apple's payload that the lab accepts but does not simulate; other parts of a payload begin with `Payload`.
  private static let otherKeys = [
    "Type", "Hosts", "Realm", "ScreenLockedBehavior", "RegistrationToken", "AuthenticationMethod",
  ]

  /// The keys of Apple's payload, without the keys of every payload.
  package static var payloadKeys: [String] {
    [
      CodingKeys.extensionIdentifier, .teamIdentifier, .urls, .deniedBundleIdentifiers, .extensionData,
      .platformSSO,
    ].map(\.rawValue) + otherKeys
  }

  /// The keys of a payload that Apple and Microsoft do not document.
  package static func unknownKeys(in payload: JSONValue) -> [String] {
    let own = (payload.object ?? [:]).keys.filter { !$0.hasPrefix("Payload") && !payloadKeys.contains($0) }
    let known = ExtensionData.CodingKeys.allCases.map(\.rawValue)
    let inner = (payload[CodingKeys.extensionData.rawValue]?.object ?? [:]).keys.filter {
      !known.contains($0)
    }
    return own.sorted() + inner.sorted()
  }

  /// The keys of a payload without an effect in the lab, other than the type, which can only be Redirect.
  package static func keysWithoutEffect(in payload: JSONValue) -> [String] {
    let data = payload[CodingKeys.extensionData.rawValue]?.object ?? [:]
    let method = PlatformSSO.methodKey
    return otherKeys.filter { $0 != "Type" && payload[$0] != nil }
      + (payload[CodingKeys.platformSSO.rawValue]?.object ?? [:]).keys.filter { $0 != method }.sorted()
      + ExtensionData.CodingKeys.allCases.filter { !$0.isSimulated && data[$0.rawValue] != nil }.map(
        \.rawValue)
  }

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
  ///
  /// Safari is admitted unless it is blocked; without a list of prefixes, Microsoft's is used.
  package func admits(_ bundleID: String, on platform: Platform) -> Bool {
    func list(_ text: String?) -> [String] {
      (text ?? "").split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
    }
    let data = extensionData ?? ExtensionData()
    return !(deniedBundleIdentifiers ?? []).contains(bundleID)
      && !list(data.appBlockList).contains(bundleID)
      && (bundleID == platform.browserBundleID || data.admitsAllManagedApps == 1
        || list(data.appAllowList).contains(bundleID)
        || list(data.appPrefixAllowList ?? platform.defaultPrefixes).contains { bundleID.hasPrefix($0) })
  }
}

extension Platform {
  /// The Enterprise SSO plug-in of the platform, or `nil` on platforms without one.
  ///
  /// Only macOS looks at the team.
  package var ssoExtension: (identifier: String, team: String?)? {
    switch self {
    case .iOS: ("com.microsoft.azureauthenticator.ssoextension", nil)
    case .macOS: ("com.microsoft.CompanyPortalMac.ssoextension", "UBF8T346G9")
    case .android, .windows: nil
    }
  }

  /// The team ID of the app that has the broker.
  ///
  /// It differs from every app's, so that they do not share a keychain (docs/behaviour/keychain.md §2). The letters for iOS
  /// are SSOTerm's choice.
  package var brokerTeamID: String { ssoExtension?.team ?? "SGGM6D27TK" }

  /// The bundle ID of the app that has the broker, or its package name on Android.
  package var brokerBundleID: String {
    switch self {
    case .macOS: "com.microsoft.CompanyPortalMac"
    case .android: "com.azure.authenticator"
    case .iOS: SSODevice.brokerBundleID
    case .windows: RedirectOwner.webAccountPlugin
    }
  }

  /// The prefixes of `AppPrefixAllowList` if a profile does not specify them.
  fileprivate var defaultPrefixes: String { self == .macOS ? "com.apple.,com.microsoft." : "com.apple." }

  /// The bundle ID of the system's browser, as the extension's lists name it, or `nil` on platforms without the
  /// extension.
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
  /// The XPC call is only a fallback for the extension.
  case ssoExtCompanion
  /// The XPC call replaces an extension that cannot be asked.
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

  /// Returns whether an app's SDK can ask the SSO extension (`canPerformAuthorization`).
  func hasExtension(for app: InstalledApp) -> Bool {
    let checks = extensionChecks(for: app)
    return !checks.isEmpty && checks.isMet
  }

  /// Returns the mechanism by which an app's SDK calls the broker, or `nil` if it cannot call one.
  ///
  /// On Apple's platforms MSAL looks for the SSO extension before anything else (broker.md §13).
  package func brokerCall(for app: InstalledApp, isSilent: Bool = false) -> BrokerCall? {
    guard app.sdk == .msal, platform.ssoExtension != nil else { return platform.brokerCall }
    let hasExtension = hasExtension(for: app)
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
      && profile.serves(url) && profile.admits(bundleID, on: platform)
  }
}
