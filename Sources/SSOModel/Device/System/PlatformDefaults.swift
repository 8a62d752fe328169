import SSOCore
import SSOKeychain

/// The values of an app whose developer follows the SDK's article and changes nothing, by platform and SDK.
///
/// The SDKs, `app add`, scenarios, imports, and doctor all use these values.
package struct PlatformDefaults: Hashable, Sendable {
  package let platform: Platform
  package let sdk: SDKKind
  /// The version that the lab follows, unless another was specified.
  package let sdkVersion: String

  package init(_ platform: Platform, _ sdk: SDKKind = .msal, version: String? = nil) {
    (self.platform, self.sdk) = (platform, sdk)
    sdkVersion = version ?? Self.version(platform, sdk)
  }

  /// Creates the defaults of an app, for its own platform or else the device's.
  package init(of app: InstalledApp, on device: Platform) {
    self.init(app.platform ?? device, app.sdk, version: app.sdkVersion)
  }

  private var isADAL: Bool { sdk == .adal }

  private static func version(_ platform: Platform, _ sdk: SDKKind) -> String {
    switch (sdk, platform) {
    case (.adal, _): "6.0.5"
    case (.msal, .android): "5.0.0"
    case (.msal, .windows): "4.87.0"
    case (.msal, _): "2.13.0"
    }
  }

  /// The team ID, or on Android the signature hash, of an app whose developer is not known.
  ///
  /// The hash is that of Microsoft's public samples for Android, which doctor can read as one.
  package var teamID: String { platform == .android ? "ga0RGNYHvNM5d0SLGQfpQWAPGJ8=" : "A1B2C3D4E5" }

  // MARK: Redirect URI (docs/behaviour/broker.md §12, docs/behaviour/real-apps.md §2)

  /// `msauth.<bundle ID>://auth`, the only broker-capable redirect URI of MSAL on Apple's platforms.
  package static func redirectURI(bundleID: String) -> String {
    redirectScheme(bundleID: bundleID) + "://auth"
  }

  /// `msauth.<bundle ID>`.
  package static func redirectScheme(bundleID: String) -> String { "msauth." + bundleID }

  /// `msal<client ID>://auth`, MSAL's redirect URI from before the broker.
  package static func oldRedirectURI(clientID: String) -> String { "msal\(clientID)://auth" }

  /// `msauth://<package name>/<signature hash>`: the hash is base64 of the signing certificate's SHA-1, percent-encoded.
  package static func androidRedirectURI(package name: String, signatureHash: String) -> String {
    let encoded = signatureHash.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing(
      "=", with: "%3D")
    return "msauth://\(name)/\(encoded)"
  }

  /// Returns the package name and the decoded signature hash of Android's redirect URI, or `nil` for any other URI.
  package static func parts(ofAndroid uri: String) -> (package: String, signatureHash: String)? {
    let parts = uri.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
    guard parts.count == 3, parts[0].lowercased() == "msauth:" else { return nil }
    let hash = ["%2B": "+", "%2b": "+", "%2F": "/", "%2f": "/", "%3D": "=", "%3d": "="].reduce(parts[2]) {
      $0.replacing($1.key, with: $1.value)
    }
    return (parts[1], hash)
  }

  /// Returns whether a redirect URI is Android's; the SDK compares without regard to case.
  ///
  /// A hash that is not percent-encoded is different text.
  package static func isAndroid(_ uri: String, package name: String, signatureHash: String) -> Bool {
    uri.lowercased() == androidRedirectURI(package: name, signatureHash: signatureHash).lowercased()
  }

  /// The redirect URIs that the SDK derives if the developer does not configure one, in the order in which it tries
  /// them.
  ///
  /// ADAL derives nothing. MSAL for Android derives one to compare the configured one with it
  /// (``derivesRedirectURI``).
  package func redirectURIs(bundleID: String, clientID: String, signatureHash: String) -> [String] {
    switch (sdk, platform) {
    case (.adal, _): []
    case (.msal, .android): [Self.androidRedirectURI(package: bundleID, signatureHash: signatureHash)]
    case (.msal, .windows): [RedirectOwner.webAccountManager(clientID: clientID)]
    case (.msal, _): [Self.redirectURI(bundleID: bundleID), Self.oldRedirectURI(clientID: clientID)]
    }
  }

  /// Returns the redirect URI that a developer registers who follows the SDK's article.
  ///
  /// For ADAL on Apple's platforms it is `<scheme>://<bundle ID>` with a scheme of the developer's choice, here with the
  /// bundle ID in it (ADAL's README, "Brokered authentication"; docs/behaviour/broker.md §12(9)).
  package func redirectURI(bundleID: String, clientID: String, signatureHash: String) -> String {
    switch (sdk, platform) {
    case (.adal, .android): Self.androidRedirectURI(package: bundleID, signatureHash: signatureHash)
    case (.adal, _): "x-msauth-\(bundleID.replacing(".", with: "-").lowercased())://\(bundleID)"
    case (.msal, _):
      redirectURIs(bundleID: bundleID, clientID: clientID, signatureHash: signatureHash).first ?? ""
    }
  }

  /// Whether an app without a redirect URI runs with a derived one.
  var derivesRedirectURI: Bool { !isADAL && platform != .android }

  // MARK: Info.plist (docs/behaviour/broker.md §1)

  /// The URL schemes to register for a redirect URI; Android has intent filters in place of them, and Windows nothing.
  package func urlSchemes(for redirectURI: String) -> [String] {
    platform.isApple ? urlScheme(of: redirectURI).map { [$0] } ?? [] : []
  }

  /// The broker's schemes that the SDK queries, and therefore requires in `LSApplicationQueriesSchemes`.
  ///
  /// On Android, the SDK's own manifest, which the build merges, queries the broker's packages; Windows has its broker.
  var brokerSchemes: [BrokerScheme] {
    guard platform.isApple else { return [] }
    guard isADAL else { return [.v2, .v3] }
    // ADAL requires `msauthv3` only when it is compiled for iOS (`ADALAuthenticationRequest+Broker.m`).
    let demandsNonce = platform != .macOS && ADALVersion(sdkVersion).asksForNonceCapableBroker
    return demandsNonce ? [.v1, .v3] : [.v1]
  }

  package var queriesSchemes: [String] { brokerSchemes.map(\.rawValue) }

  // MARK: Keychain (docs/behaviour/keychain.md §4, docs/behaviour/real-apps.md §3)

  /// Whether apps can share a token cache: Android does not have keychain groups, and ADAL for macOS has an archive for
  /// each app (docs/behaviour/keychain.md §8(4)).
  package var hasSharedCache: Bool { storage == .keychain }

  /// The storage of an app's token cache.
  package var storage: CacheStorage {
    switch platform {
    case .android: .preferences
    case .macOS where isADAL: .archive
    case .iOS, .macOS, .windows: .keychain
    }
  }

  /// The keychain group that the SDK uses, without the team prefix, or `nil` if the platform does not have groups.
  package var sharingGroup: String? {
    switch platform {
    case .android: nil
    case .macOS: "com.microsoft.identity.universalstorage"
    case .iOS, .windows: "com.microsoft.adalcache"
    }
  }

  /// The entitled groups, as a developer writes them.
  package var accessGroups: [String] { sharingGroup.map { ["$(AppIdentifierPrefix)" + $0] } ?? [] }

  // MARK: Code

  /// ADAL calls the broker only if the developer requests it (claim B4).
  package var brokerUse: BrokerUse { isADAL ? .none : .auto }
  package var webView: WebViewKind { isADAL ? .embedded : .systemSession }
  package var scopes: [String] { isADAL ? ["https://graph.windows.net"] : ["User.Read"] }

  /// Whether the SDK replaces the app delegate's method that receives URLs, as ADAL does (broker.md §7(1)).
  var replacesAppDelegate: Bool { isADAL }
  /// Whether the SDK has a function that a scene delegate can call.
  package var supportsScenes: Bool { !isADAL || ADALVersion(sdkVersion).supportsScenes }

  /// The name that the SDK sends to the broker and the provider as `x-client-SKU` (silent-call.md §3(3)); ADAL's is that of
  /// its platform (`ADAL/MSIDVersion.m`).
  package var sku: String {
    switch platform {
    case .iOS: isADAL ? "iOS" : "MSAL.iOS"
    case .android: "MSAL.Android"
    case .windows: "MSAL.NetCore"
    case .macOS: isADAL ? "OSX" : "MSAL.OSX"
    }
  }

  /// Whether the platform has the system's web session for this version of the SDK; on macOS, MSAL has had it since
  /// 1.1.0, and ADAL never has (interactive-call.md §3).
  var hasSystemWebSession: Bool {
    platform != .macOS || !isADAL && SDKVersion(sdkVersion) >= SDKVersion("1.1.0")
  }

  /// The library's name for display.
  var libraryName: String { platform == .windows && !isADAL ? "MSAL.NET" : sdk.rawValue }

  /// Whether MSAL refuses a redirect URI that is not broker-capable, as it does since 2.0.0 (broker.md §12(5)).
  var requiresBrokerCapableRedirectURI: Bool { SDKVersion(sdkVersion) >= SDKVersion("2.0.0") }

  /// Returns the app with these defaults in place of each value that is a default of another platform or of the app's
  /// previous SDK.
  ///
  /// Values that the developer chose are kept.
  package func moving(_ app: InstalledApp, from old: SDKKind? = nil) -> InstalledApp {
    func made(by defaults: PlatformDefaults, _ teamID: String) -> InstalledApp {
      defaults.app(bundleID: app.bundleID, teamID: teamID, clientID: app.clientID, vendor: app.vendor)
    }
    let replaced = Platform.allCases.map { PlatformDefaults($0, old ?? sdk) }.filter { $0 != self }
    let others = replaced.map { made(by: $0, app.teamID) }
    var moved = app
    if replaced.contains(where: { $0.teamID == app.teamID }) { moved.teamID = teamID }
    let new = made(by: self, moved.teamID)
    func move<Value: Equatable>(_ path: WritableKeyPath<InstalledApp, Value>) {
      if others.contains(where: { $0[keyPath: path] == app[keyPath: path] }) {
        moved[keyPath: path] = new[keyPath: path]
      }
    }
    move(\.sdkVersion)
    move(\.keychainAccessGroups)
    move(\.keychainSharingGroup)
    move(\.queriesSchemes)
    if let old, old != sdk {
      move(\.brokerUse)
      move(\.webView)
      move(\.scopes)
    }
    let schemes = PlatformDefaults(.iOS, old ?? sdk).urlSchemes(for: app.redirectURI)
    // An empty redirect URI is MSAL's own choice.
    if !app.redirectURI.isEmpty { move(\.redirectURI) }
    if moved.redirectURI != app.redirectURI || app.urlSchemes == schemes {
      moved.urlSchemes = urlSchemes(for: moved.redirectURI)
    }
    return moved
  }

  /// Creates an app with these defaults; `teamID` is the signature hash on Android.
  package func app(bundleID: String, teamID: String, clientID: String, vendor: String) -> InstalledApp {
    let uri = redirectURI(bundleID: bundleID, clientID: clientID, signatureHash: teamID)
    var app = InstalledApp(
      bundleID: bundleID, teamID: teamID, displayName: bundleID, vendor: vendor, sdk: sdk,
      sdkVersion: sdkVersion, clientID: clientID, redirectURI: uri, scopes: scopes,
      keychainAccessGroups: accessGroups, keychainSharingGroup: sharingGroup,
      urlSchemes: urlSchemes(for: uri),
      queriesSchemes: queriesSchemes, brokerUse: brokerUse, webView: webView)
    // An app for Apple's platforms or Windows is built for the device that it is on.
    if platform == .android { app.platform = .android }
    return app
  }
}

/// The version of an SDK, compared number by number.
struct SDKVersion: Hashable, Comparable {
  /// The version as it was written.
  let text: String
  private let parts: [Int]

  /// Creates a version from text such as `2.6.6`; a part that is not a number counts as 0.
  init(_ text: String) {
    self.text = text
    parts = text.split(separator: ".").prefix(4).map { Int($0) ?? 0 }
  }

  static func < (a: Self, b: Self) -> Bool {
    for index in 0..<max(a.parts.count, b.parts.count) {
      let (left, right) = (a.part(index), b.part(index))
      if left != right { return left < right }
    }
    return false
  }

  private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }
}

/// Returns the text before the first colon, as written, or `nil` without a colon.
package func urlScheme(of uri: String) -> String? {
  guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), colon > uri.startIndex else { return nil }
  return String(uri[..<colon])
}

/// MSAL's rules for an app's redirect URI, which apply when the application object is created.
///
/// See docs/behaviour/broker.md §12.
extension InstalledApp {
  /// The scheme of the redirect URI, as written, or `nil` if it does not have one.
  package var redirectScheme: String? { urlScheme(of: redirectURI) }

  /// The redirect URIs that the SDK tries if the developer did not specify one, in the order in which it queries their
  /// schemes.
  ///
  /// Only the first is broker-capable.
  var defaultRedirectURIs: [String] {
    builtDefaults.redirectURIs(bundleID: bundleID, clientID: clientID, signatureHash: teamID)
  }

  /// Returns the app as it runs on a device: its platform is the device's unless it is built for another, and its
  /// redirect URI is derived if the developer did not specify one.
  ///
  /// A record without a platform belongs to an app for the platform of its device.
  package func asInstalled(on platform: Platform) -> InstalledApp {
    var app = self
    app.platform = app.platform ?? platform
    return app.withDefaultRedirectURI(on: platform)
  }

  /// Returns the redirect URI that the SDK derives if the developer did not specify one, or `nil` if it does not derive
  /// one.
  ///
  /// It is the first default whose scheme is registered; macOS and app extensions do not require that
  /// (`CC/util/mac/MSIDRedirectUriVerifier.m`, `CC/util/ios/MSIDRedirectUriVerifier.m`).
  func derivedRedirectURI(on platform: Platform) -> String? {
    guard redirectURI.isEmpty, builtDefaults.derivesRedirectURI else { return nil }
    return defaultRedirectURIs.first { uri in
      !platform.requiresRegisteredScheme || isExtension
        || urlScheme(of: uri).map(urlSchemes.contains) ?? false
    }
  }

  /// Returns the app with the redirect URI that the SDK derives, whether or not the SDK then accepts it.
  package func withDerivedRedirectURI(on platform: Platform) -> InstalledApp {
    guard let derived = derivedRedirectURI(on: platform) else { return self }
    var app = self
    app.redirectURI = derived
    return app
  }

  /// Returns the app with the redirect URI that it runs with, if it has MSAL and the developer did not specify one.
  ///
  /// An app that the SDK refuses because of the derived redirect URI does not have one.
  package func withDefaultRedirectURI(on platform: Platform) -> InstalledApp {
    let app = withDerivedRedirectURI(on: platform)
    // The rules below are only for a derived redirect URI, and this runs for each app of each request.
    guard app.redirectURI != redirectURI else { return self }
    return app.needsBrokerCapableRedirectURI && app.brokerCapability.verdict == .failed ? self : app
  }

  /// Whether the SDK refuses a redirect URI that is not broker-capable: since MSAL 2.0.0, for Azure AD authorities other
  /// than `consumers` (broker.md §12(5)).
  var needsBrokerCapableRedirectURI: Bool {
    let defaults = builtDefaults
    guard defaults.platform.isApple, defaults.requiresBrokerCapableRedirectURI,
      let authority = msalAuthority
    else {
      return false
    }
    return authority.kind == .aad && authority.realm != "consumers"
  }

  /// The check that MSAL considers the redirect URI broker-capable, which it never is if validation is bypassed.
  ///
  /// See broker.md §12(7). There is only one form on Android (docs/behaviour/real-apps.md §2(5)).
  package var brokerCapability: Check {
    guard builtDefaults.platform != .android else {
      let wanted = PlatformDefaults.androidRedirectURI(package: bundleID, signatureHash: teamID)
      return Check(
        "redirect URI is package name and signature hash", expected: wanted, found: redirectURI,
        PlatformDefaults.isAndroid(redirectURI, package: bundleID, signatureHash: teamID),
        source: "real-apps.md §2",
        remedy: Remedy(.app, bundleID, "redirectURI=\(wanted)"),
        failure: "its redirect URI \(redirectURI) is not made of package name and signature hash")
    }
    let wanted = PlatformDefaults.redirectURI(bundleID: bundleID)
    return Check(
      "redirect URI is broker-capable", expected: wanted,
      found: bypassesRedirectValidation ? "bypassRedirectURIValidation" : redirectURI,
      !bypassesRedirectValidation
        && RedirectOwner.bundleID(in: redirectURI) == bundleID,
      source: "broker.md §12",
      remedy: Remedy(
        .app, bundleID,
        bypassesRedirectValidation
          ? "bypassesRedirectValidation=no" : "redirectURI=\(wanted)"),
      failure: bypassesRedirectValidation
        ? "it bypasses the validation of its redirect URI"
        : "its redirect URI \(redirectURI) is not broker-capable")
  }
}
