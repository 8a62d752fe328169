import SSODevice

extension ScenarioTree {
  static let appKeys =
    [
      "bundleID", "teamID", "displayName", "vendor", "version", "sdk", "sdkVersion", "clientID",
      "redirectURI",
      "authority", "scopes", "keychainAccessGroups", "keychainSharingGroup", "urlSchemes", "queriesSchemes",
      "brokerUse", "webView", "bypassesRedirectValidation", "urlForwarding", "usesScenes",
      "clientCapabilities", "knownAuthorities", "tokenExpirationBuffer", "extendedLifetimeEnabled",
      "isExtension", "validatesResultAccount",
    ] + adalKeys

  /// An installed app. What is left out is as the articles tell a developer to do it: MSAL's redirect URI,
  /// its scheme registered, the broker's schemes declared, Microsoft's group entitled and configured (claim C5).
  func installedApp(on platform: Platform) throws(ScenarioError) -> InstalledApp {
    let keys = try ScenarioFields(self, named: "apps", allowed: Self.appKeys)
    let bundleID = try keys.requiredText("bundleID")
    let vendor = try keys.requiredText("vendor")
    let group = platform == .macOS ? "com.microsoft.identity.universalstorage" : "com.microsoft.adalcache"
    var app = InstalledApp(
      bundleID: bundleID, teamID: try keys.requiredText("teamID"),
      displayName: try keys.text("displayName") ?? bundleID, vendor: vendor,
      clientID: try keys.requiredText("clientID"),
      redirectURI: try keys.text("redirectURI") ?? "msauth.\(bundleID)://auth",
      keychainAccessGroups: try keys.texts("keychainAccessGroups")
        ?? ["$(AppIdentifierPrefix)" + group],
      // Nothing behind the key is what nil is in code: the app's own, private group (fact sheet §1.7).
      keychainSharingGroup: try keys.text("keychainSharingGroup")
        ?? (keys.isNull("keychainSharingGroup") ? nil : group),
      urlSchemes: try keys.texts("urlSchemes") ?? [],
      queriesSchemes: try keys.texts("queriesSchemes") ?? ["msauthv2", "msauthv3"])
    if keys["urlSchemes"] == nil, let scheme = app.redirectScheme { app.urlSchemes = [scheme] }
    try app.readADAL(keys)
    app.version = try keys.text("version") ?? app.version
    app.sdkVersion = try keys.text("sdkVersion") ?? app.sdkVersion
    app.authority = try keys.text("authority") ?? app.authority
    app.scopes = try keys.texts("scopes") ?? app.scopes
    app.brokerUse = try keys.choice("brokerUse") ?? app.brokerUse
    app.webView = try keys.choice("webView") ?? app.webView
    app.bypassesRedirectValidation =
      try keys.flag("bypassesRedirectValidation") ?? app.bypassesRedirectValidation
    app.urlForwarding = try keys.choice("urlForwarding")
    app.usesScenes = try keys.flag("usesScenes")
    app.clientCapabilities = try keys.texts("clientCapabilities")
    app.knownAuthorities = try keys.texts("knownAuthorities")
    app.tokenExpirationBuffer = try keys.number("tokenExpirationBuffer")
    app.extendedLifetimeEnabled = try keys.flag("extendedLifetimeEnabled")
    app.isExtension = try keys.flag("isExtension")
    app.validatesResultAccount = try keys.flag("validatesResultAccount")
    return app
  }
}
