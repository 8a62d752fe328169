import Essentials

/// What the files of one app for iOS or macOS say: a target of an Xcode project, or a built app.
///
/// What is nil was not read; the rules that need it are not asked.
package struct AppleFacts: Hashable, Sendable {
  /// What is known of an app's entitlements.
  package enum Entitlements: Hashable, Sendable {
    /// Not looked for: an Info.plist alone.
    case unread
    /// The app has none: no build setting names a file, or nothing is in the signature. Or one is there, unused.
    case none(FilePlace, unused: String?)
    /// `keychain-access-groups`; nil: the file has no such key.
    case groups(FoundList?, FilePlace)
  }

  /// `IntuneMAMSettings` of the Info.plist.
  package struct Intune: Hashable, Sendable {
    package var clientID: Found<String>?
    package var redirectURI: Found<String>?
    package var redirectScheme: Found<String>?
  }

  package var name: String
  /// The target in its project, or the built app.
  package var origin: FilePlace
  /// `Debug` besides the default configuration; nil: that one.
  package var configuration: String?
  package var platform = Platform.iOS
  package var isExtension = false
  package var sdkVersion: String?
  package var bundleID: Found<String>?
  package var teamID: Found<String>?
  package var displayName: String?
  /// `CFBundleURLSchemes`.
  package var urlSchemes: FoundList?
  /// `LSApplicationQueriesSchemes`.
  package var querySchemes: FoundList?
  package var usesScenes: FilePlace?
  package var entitlements = Entitlements.unread
  package var intune: Intune?
  package var source: SourceFacts?
  /// Through which it uses MSAL from code that is not read: `msal_auth` of Flutter, MSAL.NET.
  package var library: Found<String>?
  /// What a built app, or property lists without source, let know of the SDK.
  package var impliedSDK: SDKKind?
  /// What the names in a built app's executable say of its delegates.
  package var builtForwarding: Found<URLForwarding>?
  /// The redirect URI of unsigned apps, if a built app for macOS names it.
  package var builtRedirectURI: Found<String>?
  /// An `.app` or `.ipa`: what code sets cannot be seen.
  package var isBuilt = false
}

extension AppleFacts {
  /// What an Info.plist without its project has for the bundle ID.
  static let bundleIDVariable = "$(PRODUCT_BUNDLE_IDENTIFIER)"

  /// How checks name it: `Mail`, `Mail (Debug)`.
  package var subject: String { configuration.map { "\(name) (\($0))" } ?? name }

  package var sdk: SDKKind? { source?.sdk?.value ?? impliedSDK }

  /// Whether nothing can be known about the redirect URI: the source sets it to what cannot be seen, or none of what was
  /// read makes the application object.
  var hasUnknownRedirect: Bool {
    // Of a library's app it is the SDK's default, where its scheme is registered or native code has a part in it.
    if library != nil {
      let isDefault =
        bundleID.map {
          urlSchemes?.values.contains(PlatformDefaults.redirectScheme(bundleID: $0.value)) ?? false
        } ?? false
      return !isDefault && source == nil
    }
    guard let source else { return false }
    if case .unknown = source.redirectURI { return true }
    return source.redirectURI == .absent && source.clientID == .absent
  }

  package var clientID: Found<String>? {
    source?.clientID.found ?? intune?.clientID ?? (isBuilt ? clientIDOfScheme : nil)
  }

  /// Nil: the SDK's default.
  var givenRedirectURI: String? { (source?.redirectURI.found ?? builtRedirectURI)?.value }

  /// Of a scheme `msal<client ID>`.
  private var clientIDOfScheme: Found<String>? {
    urlSchemes?.items.lazy.compactMap { scheme in
      guard scheme.value.hasPrefix("msal"), let id = UUID(uuidString: String(scheme.value.dropFirst(4)))
      else {
        return nil
      }
      return Found(id.uuidString.lowercased(), scheme.place)
    }.first
  }

  /// The group that the SDK uses, without team prefix (docs/behaviour/keychain.md §4).
  package var sharingGroup: String? {
    if case .unknown = source?.keychainGroup { return nil }
    return source?.keychainGroup.found?.value ?? PlatformDefaults(platform).sharingGroup
  }

  /// The app as the lab would have it; what is not known is empty.
  package func installedApp(clientID given: String? = nil) -> InstalledApp? {
    guard let sdk, let bundleID else { return nil }
    let defaults = PlatformDefaults(platform, sdk, version: sdkVersion)
    var groups: [String] = []
    if case .groups(let list?, _) = entitlements { groups = list.values.map(Self.withPrefix) }
    var app = InstalledApp(
      bundleID: bundleID.value, teamID: teamID?.value ?? "", displayName: displayName ?? name, vendor: "",
      sdk: sdk, sdkVersion: defaults.sdkVersion,
      clientID: clientID?.value ?? given ?? "",
      redirectURI: givenRedirectURI ?? "", scopes: defaults.scopes,
      keychainAccessGroups: groups, keychainSharingGroup: sharingGroup ?? defaults.sharingGroup,
      urlSchemes: urlSchemes?.values ?? [], queriesSchemes: querySchemes?.values ?? [])
    if let authority = source?.authority.found?.value { app.authority = authority }
    app.brokerUse = source?.brokerUse?.value ?? defaults.brokerUse
    app.webView = defaults.webView
    app.bypassesRedirectValidation = source?.bypass != nil
    app.usesScenes = usesScenes != nil
    app.urlForwarding = forwarding
    app.knownAuthorities = source?.knownAuthorities ?? []
    app.isExtension = isExtension
    app.platform = platform
    return app
  }

  /// Which delegates call the SDK, as far as the source shows.
  private var forwarding: URLForwarding? {
    guard let source else { return builtForwarding?.value }
    let callers = Set(source.callbacks.map(\.value))
    return switch (callers.contains(.appDelegate), callers.contains(.sceneDelegate)) {
    case (true, true): .both
    case (true, false): .appDelegate
    case (false, true): .sceneDelegate
    case (false, false): URLForwarding.neither
    }
  }

  /// Xcode's two names of the prefix are one here: both end in a dot.
  private static func withPrefix(_ group: String) -> String {
    let prefix = "$(TeamIdentifierPrefix)"
    return group.hasPrefix(prefix) ? "$(AppIdentifierPrefix)" + group.dropFirst(prefix.count) : group
  }
}
