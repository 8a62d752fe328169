import SSOCore
import SSOKeychain

/// One of Microsoft's MSAL libraries: its answers to the questions in which the libraries differ.
///
/// The flow of a call is the same for all of them. A platform names its library (``Platform/msal``).
protocol MSALLibrary: Sendable {
  /// The call that creates the application object.
  var creation: String { get }
  /// Returns the authority that the library makes of a URL.
  /// - Throws: The library's error for a URL that is not an authority.
  func authority(_ url: String) throws(SDKError) -> Authority
  /// Returns the authority that the app's code or configuration names.
  func authority(of app: InstalledApp) throws(SDKError) -> Authority
  /// Returns the checks that the library makes when the object is created, up to the first that fails, with its error.
  func applicationChecks(of app: InstalledApp, on platform: Platform) -> (checks: [Check], error: SDKError?)
  /// Returns the conditions for using the broker that concern the app and its authority, whether or not they hold.
  func brokerConditions(of app: InstalledApp, _ authority: Authority?) -> [Check]
  /// Returns the prompt of an interactive call.
  func prompt(of request: SDKRequest) -> PromptBehavior
  /// Whether `getCurrentAccount` returns the first of several accounts instead of failing.
  var takesFirstAccount: Bool { get }
  /// The point at which a silent call asks the broker, if it can be asked silently.
  var silentBroker: SilentBroker { get }
  /// Whether repeated requests are throttled in the app's memory (silent-call.md §4).
  var throttlesRequests: Bool { get }
  /// Whether the cache has metadata of apps and accounts, and items of other generations (msal-cache.md §4, §5).
  var keepsMetadata: Bool { get }
  /// The rules by which a silent call uses a cached access token.
  var cacheRules: CacheRules { get }
  /// Whether a call's scopes, and the kind of its authority, are checked before anything is sent.
  var checksArguments: Bool { get }
  /// Whether the library asks only the public cloud for the list of clouds, and rejects a host that is neither listed
  /// nor in the app's configuration.
  var knowsAuthoritiesByList: Bool { get }
  /// Whether requests for the list of clouds and for an authority's configuration have the headers of a token request;
  /// a library without them does not send any (silent-call.md §3(3)).
  var namesItselfInDiscovery: Bool { get }
  /// Returns the error with which the library refuses to show a page for an authority that it knows, or `nil` if it
  /// shows one.
  func pageRefusal(of authority: Authority) -> SDKError?
  /// Whether the library validates the host of an Azure AD authority before it calls the broker interactively.
  var validatesBeforeBroker: Bool { get }
  /// Returns the fields of an authorization request that not all libraries send.
  func pageFields(of request: SDKRequest, by app: InstalledApp, on device: Device) -> [NameValue]
  /// Returns the headers that name the library and the app, in the requests that name it.
  func headers(of app: InstalledApp, on device: Device, _ correlationID: String) -> [NameValue]
  /// Returns the message of the error after the last refresh token was refused, if a sign-in can resolve that.
  func message(after refusal: OAuthError?) -> String
  /// Whether only the broker stores the tokens of a brokered sign-in.
  var leavesTokensWithBroker: Bool { get }
  /// The error of a silent call without an account.
  func missingAccount(of app: InstalledApp) -> SDKError
  /// Returns the error of a silent call for an account that the cache does not have, or `nil` if the library looks for
  /// tokens first.
  var unknownAccount: SDKError? { get }
  /// Returns the error as the library reports it to the app.
  func reported(_ error: SDKError) -> SDKError
}

/// The conditions under which a silent call returns a cached access token, beside the ones of all libraries.
struct CacheRules: Hashable {
  /// The time for which the token must still be valid, in seconds, unless the app sets another.
  var buffer: Int
  /// Whether the token counts only if the cache also has a refresh token.
  var needRefreshToken: Bool
  /// Whether a token past its `refresh_on` is renewed first.
  var heedRefreshOn: Bool
}

/// The point at which a library's silent call asks the broker.
enum SilentBroker: Hashable {
  /// Before the app's cache is read; the broker's accounts are the app's too.
  case beforeCache
  /// After the cache did not have an access token, in place of the app's refresh tokens.
  case afterAccessToken
}

extension MSALLibrary {
  func pageRefusal(of authority: Authority) -> SDKError? { nil }

  /// Returns the authority of a call: its own, or else the app's.
  func authority(of request: SDKRequest, by app: InstalledApp) throws(SDKError) -> Authority {
    if let own = request.options.authority { return try authority(own) }
    return try authority(of: app)
  }

  func authority(of app: InstalledApp) throws(SDKError) -> Authority { try authority(app.authority) }
}

extension Platform {
  /// MSAL for the platform.
  var msal: any MSALLibrary {
    switch self {
    case .iOS, .macOS: AppleMSAL()
    case .windows: DotNetMSAL()
    case .android: AndroidMSAL()
    }
  }

  /// Whether the broker's accounts are also an app's (docs/behaviour/android.md §4(4)).
  package var listsBrokerAccounts: Bool { msal.silentBroker == .beforeCache }
}

/// MSAL for iOS and macOS.
struct AppleMSAL: MSALLibrary {
  var leavesTokensWithBroker: Bool { false }
  var creation: String { "MSALPublicClientApplication init" }
  var validatesBeforeBroker: Bool { false }
  var throttlesRequests: Bool { true }

  func authority(_ url: String) throws(SDKError) -> Authority { try Authority(withClassOfKind: url) }
  func authority(of app: InstalledApp) throws(SDKError) -> Authority { try Authority(of: app) }

  func applicationChecks(of app: InstalledApp, on platform: Platform) -> (checks: [Check], error: SDKError?) {
    MSALApplication(app: app, platform: platform).checks()
  }

  func brokerConditions(of app: InstalledApp, _ authority: Authority?) -> [Check] {
    let availability = Check(
      "broker availability", expected: "auto", found: app.brokerUse.rawValue, app.brokerUse == .auto,
      source: "interactive-call.md §1", remedy: Remedy(.app, app.bundleID, "brokerUse=auto"),
      failure: "the app sets brokerAvailability to \(app.brokerUse.rawValue)")
    let kind = Check(
      "authority is Azure AD", expected: Authority.Kind.aad.rawValue,
      found: authority?.kind.rawValue ?? "no authority", authority?.supportsBroker ?? false,
      source: "interactive-call.md §1", failure: "its authority is not Azure AD's")
    return [
      availability, app.brokerCapability, kind,
      Check(
        "authority is validated", expected: "not in knownAuthorities",
        found: authority?.url ?? "no authority",
        authority.map { !$0.isKnown(to: app) } ?? false, source: "interactive-call.md §1",
        failure: "its authority is in knownAuthorities, and so not validated"),
    ]
  }

  func prompt(of request: SDKRequest) -> PromptBehavior { request.prompt }
  var takesFirstAccount: Bool { false }
  var silentBroker: SilentBroker { .afterAccessToken }
  var keepsMetadata: Bool { true }
  /// The buffer is `MSALGlobalConfig`'s default (silent-call.md §1(2)).
  var cacheRules: CacheRules { CacheRules(buffer: 300, needRefreshToken: false, heedRefreshOn: true) }
  var checksArguments: Bool { true }
  var knowsAuthoritiesByList: Bool { false }
  var namesItselfInDiscovery: Bool { true }
  func message(after refusal: OAuthError?) -> String { "User interaction is required" }

  /// Whatever shows the page, the request names the library, the device, and the app (interactive-call.md §3(3)).
  func pageFields(of request: SDKRequest, by app: InstalledApp, on device: Device) -> [NameValue] {
    let home = request.account?.identifier.split(separator: ".").map(String.init) ?? []
    return [
      NameValue("client_info", "1"), NameValue("haschrome", "1"),
      NameValue("return-client-request-id", "true"), NameValue("login_req", home.first ?? ""),
      NameValue("domain_req", home.count == 2 ? home[1] : ""),
    ] + Self.names(of: app, on: device)
  }

  func headers(of app: InstalledApp, on device: Device, _ correlationID: String) -> [NameValue] {
    Self.names(of: app, on: device)
      + [
        NameValue("client-request-id", correlationID), NameValue("return-client-request-id", "true"),
        NameValue("x-ms-PkeyAuth+", "1.0"),
      ]
  }

  private static func names(of app: InstalledApp, on device: Device) -> [NameValue] {
    [NameValue("x-client-SKU", app.builtDefaults.sku), NameValue("x-client-Ver", app.sdkVersion)]
      + device.appleNames + [NameValue("x-app-name", app.displayName), NameValue("x-app-ver", app.version)]
  }

  func missingAccount(of app: InstalledApp) -> SDKError {
    MSALError.cacheMiss(
      """
      No account provided for the silent request. Please call interactive acquireToken request to get an \
      account identifier before calling acquireTokenSilent.
      """)
  }
  var unknownAccount: SDKError? { nil }
  func reported(_ error: SDKError) -> SDKError { error }
}
