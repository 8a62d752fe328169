import Essentials

extension AndroidFacts {
  /// The configuration for the lab's app: the first with a client ID, or else the first.
  private var configuration: Configuration? {
    configurations.first { $0.clientID?.value.isEmpty == false } ?? configurations.first
  }

  /// The base64-encoded SHA-1 hash of the signing certificate, from the APK's signature or else from the redirect URI.
  package var signatureHash: String? {
    let path = configuration?.redirectURI.flatMap { URLParts($0.value)?.path } ?? ""
    let last = path.split(separator: "/", maxSplits: 1).first.map(String.init)
    return signatureHashes.first ?? last.map { FormEncoding.decodeText($0, plusIsSpace: false) ?? $0 }
  }

  /// Returns the app as the lab models it, or `nil` without a package name or an MSAL configuration.
  ///
  /// Android has no keychain access groups: MSAL's cache is private to the app, and the signature hash takes the place
  /// of iOS's team. MSAL's own manifest, which the build merges, declares the queries for the broker's packages.
  package func installedApp(clientID given: String? = nil) -> InstalledApp? {
    guard let packageName = packageName?.value, let configuration else { return nil }
    let own = packageName.split(separator: ".").last.map(String.init) ?? packageName
    let defaults = PlatformDefaults(.android, version: sdkVersion)
    var app = InstalledApp(
      bundleID: packageName, teamID: signatureHash ?? "",
      displayName: name == "app" || name.hasSuffix(".apk") ? own : name, vendor: "",
      sdk: .msal, sdkVersion: defaults.sdkVersion, clientID: configuration.clientID?.value ?? given ?? "",
      redirectURI: configuration.redirectURI?.value ?? "", keychainAccessGroups: defaults.accessGroups,
      keychainSharingGroup: defaults.sharingGroup,
      urlSchemes: filters.compactMap(\.scheme), queriesSchemes: defaults.queriesSchemes,
      brokerUse: configuration.isBrokerRegistered?.value == true ? .auto : .none)
    if let authority = configuration.authority { app.authority = authority }
    app.urlForwarding = activity == nil ? .neither : .both
    app.platform = .android
    if configuration.userAgent == "WEBVIEW" { app.webView = .embedded }
    return app
  }
}

extension AndroidFacts.Configuration {
  /// The URL of the default authority, or else of the first one, or `nil` if the configuration does not specify a URL
  /// or a known audience.
  fileprivate var authority: String? {
    guard let chosen = authorities.first(where: \.isDefault) ?? authorities.first else { return nil }
    if let url = chosen.url { return url }
    let path: String
    switch chosen.audience {
    case "AzureADandPersonalMicrosoftAccount": path = "common"
    case "AzureADMultipleOrgs": path = "organizations"
    case "PersonalMicrosoftAccount": path = "consumers"
    default: return nil
    }
    return "https://\(PublicCloud.preferredNetwork)/" + path
  }
}
