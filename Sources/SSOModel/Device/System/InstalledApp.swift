import Essentials
import SSOCore
import SSOKeychain

/// The identity library that an app was built with.
package enum SDKKind: String, Codable, CaseIterable, Sendable {
  case msal = "MSAL"
  case adal = "ADAL"

  /// The names of the module that code imports.
  package var modules: [String] { self == .adal ? ["ADAL", "ADALiOS"] : ["MSAL", "MicrosoftQuickAuth"] }
  /// The SDK as a party of a trace.
  package var party: Party { self == .adal ? .adal : .sdk }
  /// The class by which an executable shows that the SDK is in it.
  package var mainClass: String { self == .adal ? "ADAuthenticationContext" : "MSALPublicClientApplication" }
}

/// The app's setting for letting the SDK call the broker (`MSALGlobalConfig.brokerAvailability`).
package enum BrokerUse: String, Codable, CaseIterable, Sendable { case auto, none }

/// The kind of web view in which an app without the broker shows the sign-in page (claims E3, E4; `MSALWebviewType`).
package enum WebViewKind: String, Codable, CaseIterable, Sendable {
  /// ASWebAuthenticationSession, the default, which shares cookies with Safari; iOS asks the user first.
  case systemSession
  /// The same with `prefersEphemeralWebBrowserSession`, without cookies and without a prompt from iOS.
  case ephemeralSession
  /// SFSafariViewController, with separate cookies, stored for the app; it ends with a URL that the system opens.
  case safariView
  /// WKWebView, which shares nothing.
  case embedded
}

/// The delegates of an app that forward a URL to the SDK (claim D6).
package enum URLForwarding: String, Codable, CaseIterable, Sendable {
  case appDelegate, sceneDelegate, both, neither
}

/// An app on a device, as its Info.plist, entitlements, and code specify it.
///
/// It is unique by bundle ID.
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
  /// The full authority URL that the app was configured with.
  package var authority: String
  /// The class of the SDK with which code creates the authority, or `nil` for the class of the URL's kind.
  package var authorityClass: AuthorityClass?
  /// The scopes that the app requests by default.
  package var scopes: [String]
  /// `keychain-access-groups`, as the developer wrote them, including `$(AppIdentifierPrefix)`.
  package var keychainAccessGroups: [String]
  /// `cacheConfig.keychainSharingGroup` without the team prefix, or `nil` for the bundle ID (a private cache,
  /// keychain.md §4(3)).
  package var keychainSharingGroup: String?
  /// `CFBundleURLSchemes`.
  package var urlSchemes: [String]
  /// `LSApplicationQueriesSchemes`.
  package var queriesSchemes: [String]
  package var brokerUse: BrokerUse
  package var webView: WebViewKind
  /// `bypassRedirectURIValidation`: whether the SDK accepts a redirect URI that is not in its format.
  ///
  /// See docs/behaviour/broker.md §12.
  package var bypassesRedirectValidation: Bool
  /// The delegates that forward a URL, or `nil` for both.
  package var urlForwarding: URLForwarding?
  /// Whether the app is built with scenes (Xcode 11 and later), so that the system calls only the scene delegate.
  package var usesScenes: Bool
  /// `clientApplicationCapabilities`, such as `ProtApp`.
  package var clientCapabilities: [String]
  /// `extendedLifetimeEnabled`: whether an expired access token may be used while the server is unavailable.
  ///
  /// See docs/behaviour/silent-call.md §1(2), docs/behaviour/adal.md §8.
  package var extendedLifetimeEnabled = false
  /// ADAL's `ADUserIdentifierType`, or `nil` for RequiredDisplayableId.
  package var userIDType: UserIDType?
  /// `knownAuthorities`: the authorities that are not validated.
  package var knownAuthorities: [String] = []
  /// `tokenExpirationBuffer` in seconds, or `nil` for the SDK's 300.
  package var tokenExpirationBuffer: Int?
  /// The bundle ID of the app with ADAL whose archive the app passes to MSAL on macOS
  /// (`cacheConfig.serializedADALCache`), or `nil` if it does not pass one.
  package var serializedADALCache: String?
  /// The parameter `msalXpcMode` of its calls on macOS, or `nil` for MSAL's default, which is disabled.
  package var xpcMode: XPCMode?
  /// `account_mode` of MSAL's configuration on Android, or `nil` for the default, which is for several accounts.
  package var accountMode: AccountMode?
  /// The kind of application object that its code creates on Android, or `nil` for the kind of the configuration.
  package var createdAs: AccountMode?
  /// `android:exported` of the activity that takes the redirect URI on Android, or `nil` for `true`; with `false`, a
  /// browser cannot open it.
  package var isActivityExported: Bool?
  /// The error with which MSAL refuses the app's configuration on Android for a reason that other fields do not have,
  /// as `<code>: <sentence>`, or `nil` if it accepts the configuration.
  package var configurationError: String?
  /// Whether it is an app extension, whose bundle path ends in `.appex`.
  package var isExtension = false
  /// The platform that it is built for, or `nil` for the platform of the device that it is on.
  package var platform: Platform?
  /// The real project that it was imported from, which does not affect the app's behaviour.
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
  /// The app's own identifier comes last, as on iOS, unless the developer listed it.
  ///
  /// Where apps cannot share a cache, the app's own identifier is all that there is.
  package var entitledGroups: [String] {
    guard builtDefaults.hasSharedCache else { return [teamID + "." + bundleID] }
    let prefix = "$(AppIdentifierPrefix)"
    var groups = keychainAccessGroups.map { group in
      group.hasPrefix(prefix) ? teamID + "." + String(group.dropFirst(prefix.count)) : group
    }
    let own = teamID + "." + bundleID
    if !groups.contains(own) { groups.append(own) }
    if let archive = adalArchiveGroup, !groups.contains(archive) { groups.append(archive) }
    return groups
  }

  /// The group that stands for the archive of ADAL to which the app has access on macOS, or `nil` if it does not have
  /// access to one.
  package var adalArchiveGroup: String? {
    guard sdk == .msal, builtDefaults.platform == .macOS else { return nil }
    return serializedADALCache.map { teamID + "." + $0 }
  }

  /// The group in which MSAL looks for ADAL's items.
  var legacyAccessGroup: String { adalArchiveGroup ?? sharedAccessGroup }
}

/// The input for checking a real app: the paths that the user passed, and the client ID if the files do not contain
/// one.
package struct ProjectSource: Codable, Hashable, Sendable {
  /// The projects, apps, and registrations, in the order in which the user passed them.
  package var paths: [String]
  /// The client ID for apps whose files do not contain one.
  package var clientID: String?

  package init(paths: [String], clientID: String? = nil) {
    self.paths = paths
    self.clientID = clientID
  }

  /// Whether every file belongs to this user, or does not exist.
  ///
  /// A path in a lab comes from anyone who can write the lab, so it is checked each time before it is opened.
  package var isOfThisUser: Bool {
    paths.allSatisfy { path in
      var status = stat()
      return stat(path, &status) != 0 || status.st_uid == getuid()
    }
  }
}

/// The SDK's data in the memory of an app's running process, lost when it ends (docs/behaviour/msal-cache.md §9).
///
/// A process lasts from the app's first call until the app is terminated (`EndApp`) or undo takes the call back.
/// This is SSOTerm's choice, because a lab does not have a system that terminates apps on its own.
package struct AppProcess: Codable, Hashable, Sendable {
  /// The responses of instance discovery, only for the clouds that this process asked about.
  var clouds: [EnvironmentAliases.Cloud] = []
  /// The hosts that instance discovery did not know.
  var invalidHosts: [String] = []
  /// The OpenID configurations that were loaded, by URL.
  var configurations: [String: OpenIDConfiguration] = [:]
  /// The failed requests that are not sent again for a while.
  var throttles: [String: Throttle] = [:]

  package init() {}

  var aliases: EnvironmentAliases { EnvironmentAliases(clouds) }
}

/// The endpoints of an authority (OpenID Connect Discovery §3).
struct OpenIDConfiguration: Codable, Hashable, Sendable {
  var authorizationEndpoint: String
  var tokenEndpoint: String
  var endSessionEndpoint: String?
}

/// A failed request that the SDK itself answers until a given time (`CC/throttling`; docs/behaviour/silent-call.md §4).
struct Throttle: Codable, Hashable, Sendable {
  var createdAt: Instant
  var until: Instant
  var answer: ServerRefusal
}

/// A token endpoint's response that does not contain tokens.
enum ServerRefusal: Codable, Hashable, Sendable {
  case oauth(code: String, reason: String, aadsts: Int?, suberror: String?)
  case status(Int, headers: [NameValue])
}

/// The process of one app while an intent runs, which is read at the start and saved as soon as it changes.
///
/// Throws `StoreError`.
package final class ProcessMemory {
  package private(set) var process: AppProcess
  private let save: (AppProcess) throws -> Void

  package init(_ process: AppProcess, save: @escaping (AppProcess) throws -> Void = { _ in }) {
    self.process = process
    self.save = save
  }

  /// Changes the process, and saves it if it is different afterwards.
  package func change(_ body: (inout AppProcess) -> Void) throws {
    var changed = process
    body(&changed)
    guard changed != process else { return }
    try save(changed)
    process = changed
  }
}
