import Essentials

extension AndroidFacts {
  /// The configuration that the lab's app follows: the first with a client ID.
  private var configuration: Configuration? {
    configurations.first { $0.clientID?.value.isEmpty == false } ?? configurations.first
  }

  /// Base64 of the SHA-1 of the signing certificate: of the APK's signature, else the one in the redirect URI.
  package var signatureHash: String? {
    let path = configuration?.redirectURI.flatMap { URLParts($0.value)?.path } ?? ""
    let last = path.split(separator: "/", maxSplits: 1).first.map(String.init)
    return signatureHashes.first ?? last.map { FormEncoding.decodeText($0, plusIsSpace: false) ?? $0 }
  }

  /// The app as the lab would have it; nil without a package name or a configuration of MSAL.
  ///
  /// Android has no keychain groups: MSAL's cache is the app's own, and the signature hash takes the place of iOS's team.
  /// MSAL's own manifest, which the build merges, asks for the broker's packages.
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
  /// The URL of the default authority, or of the only one; nil: none is written.
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
