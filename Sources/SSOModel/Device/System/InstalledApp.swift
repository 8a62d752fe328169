/// The identity library an app was built with.
public enum SDKKind: String, Codable, CaseIterable, Sendable {
  case msal = "MSAL"
  case adal = "ADAL"
}

/// Whether the app lets the SDK call the broker (`MSALGlobalConfig.brokerAvailability`).
public enum BrokerUse: String, Codable, CaseIterable, Sendable { case auto, none }

/// How an app without the broker shows the sign-in page (claims E3, E4).
public enum WebViewKind: String, Codable, CaseIterable, Sendable {
  /// ASWebAuthenticationSession: shares cookies with Safari.
  case systemSession
  /// WKWebView: shares nothing.
  case embedded
}

/// Which of an app's delegates hand a URL on to the SDK (claim D6).
public enum URLForwarding: String, Codable, CaseIterable, Sendable {
  case appDelegate, sceneDelegate, both, neither
}

/// An app as it lies on a device: what its Info.plist, entitlements and code say. Unique by bundle ID.
public struct InstalledApp: Codable, Hashable, Sendable {
  public var bundleID: String
  public var teamID: String
  public var displayName: String
  public var vendor: String
  public var version: String
  public var sdk: SDKKind
  public var sdkVersion: String
  public var clientID: String
  public var redirectURI: String
  /// Full authority URL the app was configured with.
  public var authority: String
  /// Scopes it asks for unless told otherwise.
  public var scopes: [String]
  /// `keychain-access-groups`, as the developer wrote them, `$(AppIdentifierPrefix)` included.
  public var keychainAccessGroups: [String]
  /// `cacheConfig.keychainSharingGroup`, without team prefix; nil means the bundle ID (a private cache, §1.7).
  public var keychainSharingGroup: String?
  /// `CFBundleURLSchemes`.
  public var urlSchemes: [String]
  /// `LSApplicationQueriesSchemes`.
  public var queriesSchemes: [String]
  public var brokerUse: BrokerUse
  public var webView: WebViewKind
  /// `bypassRedirectURIValidation`: the SDK then takes a redirect URI that is not its own (fact sheet §5.12).
  public var bypassesRedirectValidation: Bool
  /// nil: both delegates do.
  public var urlForwarding: URLForwarding?
  /// Built with scenes (Xcode 11 and later): the system then calls the scene delegate, and never the app delegate.
  public var usesScenes: Bool?
  /// `clientApplicationCapabilities`, such as `ProtApp`.
  public var clientCapabilities: [String]?
  /// `extendedLifetimeEnabled`: an expired access token may be used while the server is down (fact sheet §4.1(2), §4.3).
  public var extendedLifetimeEnabled: Bool?
  /// ADAL's `ADUserIdentifierType`; nil: RequiredDisplayableId.
  public var userIDType: UserIDType?
  /// `knownAuthorities`: authorities that are not validated.
  public var knownAuthorities: [String]?
  /// `tokenExpirationBuffer` in seconds; nil is the SDK's 300.
  public var tokenExpirationBuffer: Int?
  /// `shouldValidateResultAccount`: an interactive call fails if another account comes back than the one it was for.
  public var validatesResultAccount: Bool?
  /// It is an app extension: its bundle path ends in `.appex`.
  public var isExtension: Bool?

  public init(
    bundleID: String, teamID: String, displayName: String, vendor: String, version: String = "1.0",
    sdk: SDKKind = .msal, sdkVersion: String = "2.13.0", clientID: String, redirectURI: String,
    authority: String = "https://login.microsoftonline.com/common", scopes: [String] = ["User.Read"],
    keychainAccessGroups: [String], keychainSharingGroup: String?, urlSchemes: [String],
    queriesSchemes: [String], brokerUse: BrokerUse = .auto, webView: WebViewKind = .systemSession,
    bypassesRedirectValidation: Bool = false, urlForwarding: URLForwarding? = nil, usesScenes: Bool? = nil,
    clientCapabilities: [String]? = nil
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

  var runsAsExtension: Bool { isExtension ?? false }

  /// Entitled access groups with the team prefix in place, in order; the first is where an add without a group goes.
  /// As on iOS, the app's own identifier is entitled last, whatever the developer wrote.
  public var entitledGroups: [String] {
    let prefix = "$(AppIdentifierPrefix)"
    var groups = keychainAccessGroups.map { group in
      group.hasPrefix(prefix) ? teamID + "." + String(group.dropFirst(prefix.count)) : group
    }
    let own = teamID + "." + bundleID
    if !groups.contains(own) { groups.append(own) }
    return groups
  }
}
