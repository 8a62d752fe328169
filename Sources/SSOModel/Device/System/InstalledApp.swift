/// The identity library an app was built with.
package enum SDKKind: String, Codable, CaseIterable, Sendable {
  case msal = "MSAL"
  case adal = "ADAL"
}

/// Whether the app lets the SDK call the broker (`MSALGlobalConfig.brokerAvailability`).
package enum BrokerUse: String, Codable, CaseIterable, Sendable { case auto, none }

/// How an app without the broker shows the sign-in page (claims E3, E4; `MSALWebviewType`).
package enum WebViewKind: String, Codable, CaseIterable, Sendable {
  /// ASWebAuthenticationSession, the default: shares cookies with Safari, and iOS asks the person before.
  case systemSession
  /// The same with `prefersEphemeralWebBrowserSession`: no cookies, no question.
  case ephemeralSession
  /// SFSafariViewController: cookies of its own, kept for the app. It ends by a URL that the system opens.
  case safariView
  /// WKWebView: shares nothing.
  case embedded
}

/// Which of an app's delegates hand a URL on to the SDK (claim D6).
package enum URLForwarding: String, Codable, CaseIterable, Sendable {
  case appDelegate, sceneDelegate, both, neither
}

/// An app on a device: what its Info.plist, entitlements and code say.
///
/// Unique by bundle ID.
package struct InstalledApp: Codable, Hashable, Sendable {
  package var bundleID: String
  package var teamID: String
  package var displayName: String
  package var vendor: String
  package var version: String
  package var sdk: SDKKind
  package var sdkVersion: String
  package var clientID: String
  package var redirectURI: String
  /// Full authority URL the app was configured with.
  package var authority: String
  /// Scopes it asks for by default.
  package var scopes: [String]
  /// `keychain-access-groups`, as the developer wrote them, `$(AppIdentifierPrefix)` included.
  package var keychainAccessGroups: [String]
  /// `cacheConfig.keychainSharingGroup`, without team prefix; nil means the bundle ID (a private cache, keychain.md §4(3)).
  package var keychainSharingGroup: String?
  /// `CFBundleURLSchemes`.
  package var urlSchemes: [String]
  /// `LSApplicationQueriesSchemes`.
  package var queriesSchemes: [String]
  package var brokerUse: BrokerUse
  package var webView: WebViewKind
  /// `bypassRedirectURIValidation`: the SDK then takes a redirect URI that is not its own (docs/behaviour/broker.md §12).
  package var bypassesRedirectValidation: Bool
  /// nil: both delegates do.
  package var urlForwarding: URLForwarding?
  /// Built with scenes (Xcode 11 and later): the system then calls the scene delegate, and never the app delegate.
  package var usesScenes: Bool
  /// `clientApplicationCapabilities`, such as `ProtApp`.
  package var clientCapabilities: [String]
  /// `extendedLifetimeEnabled`: an expired access token may be used while the server is down (docs/behaviour/silent-call.md §1(2), docs/behaviour/adal.md §8).
  package var extendedLifetimeEnabled = false
  /// ADAL's `ADUserIdentifierType`; nil: RequiredDisplayableId.
  package var userIDType: UserIDType?
  /// `knownAuthorities`: authorities that are not validated.
  package var knownAuthorities: [String] = []
  /// `tokenExpirationBuffer` in seconds; nil is the SDK's 300.
  package var tokenExpirationBuffer: Int?
  /// It is an app extension: its bundle path ends in `.appex`.
  package var isExtension = false
  /// What it is built for; nil: the system of the device that it is on.
  package var platform: Platform?
  /// The real project that it was imported from, which does not change what the app does.
  package var project: ProjectSource?

  package init(
    bundleID: String, teamID: String, displayName: String, vendor: String, version: String = "1.0",
    sdk: SDKKind = .msal, sdkVersion: String = PlatformDefaults(.iOS).sdkVersion, clientID: String,
    redirectURI: String,
    authority: String = PublicCloud.commonAuthority, scopes: [String] = ["User.Read"],
    keychainAccessGroups: [String], keychainSharingGroup: String?, urlSchemes: [String],
    queriesSchemes: [String], brokerUse: BrokerUse = .auto, webView: WebViewKind = .systemSession,
    bypassesRedirectValidation: Bool = false, urlForwarding: URLForwarding? = nil, usesScenes: Bool = false,
    clientCapabilities: [String] = []
  ) {
    self.bundleID = bundleID
    self.teamID = teamID
    self.displayName = displayName
    self.vendor = vendor
    self.version = version
    self.sdk = sdk
    self.sdkVersion = sdkVersion
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.authority = authority
    self.scopes = scopes
    self.keychainAccessGroups = keychainAccessGroups
    self.keychainSharingGroup = keychainSharingGroup
    self.urlSchemes = urlSchemes
    self.queriesSchemes = queriesSchemes
    self.brokerUse = brokerUse
    self.webView = webView
    self.bypassesRedirectValidation = bypassesRedirectValidation
    self.urlForwarding = urlForwarding
    self.usesScenes = usesScenes
    self.clientCapabilities = clientCapabilities
  }

  /// The defaults of the platform that the app was built for, which is iOS for an app that runs on any.
  package var builtDefaults: PlatformDefaults { PlatformDefaults(of: self, on: .iOS) }

  /// Entitled access groups with the team prefix in place, in order; the first is where an add without a group goes.
  ///
  /// As on iOS, the app's own identifier is entitled last, whatever the developer wrote.
  package var entitledGroups: [String] {
    let prefix = "$(AppIdentifierPrefix)"
    var groups = keychainAccessGroups.map { group in
      group.hasPrefix(prefix) ? teamID + "." + String(group.dropFirst(prefix.count)) : group
    }
    let own = teamID + "." + bundleID
    if !groups.contains(own) { groups.append(own) }
    return groups
  }
}
