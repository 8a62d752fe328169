import Essentials

extension ScenarioTree {
  static let appKeys = InstalledApp.fieldNames + ["resource", "credentialsType", "project"]

  /// An installed app.
  ///
  /// What is left out is as the articles tell a developer to do it: MSAL's redirect URI, its scheme registered, the broker's
  /// schemes declared, Microsoft's group entitled and configured (claim C5).
  func installedApp(on platform: Platform) throws(ScenarioError) -> InstalledApp {
    let keys = try ScenarioFields(self, named: "apps", allowed: Self.appKeys)
    let bundleID = try keys.requiredText("bundleID")
    let group = platform == .macOS ? "com.microsoft.identity.universalstorage" : "com.microsoft.adalcache"
    var app = InstalledApp(
      bundleID: bundleID, teamID: try keys.requiredText("teamID"), displayName: bundleID,
      vendor: try keys.requiredText("vendor"), clientID: try keys.requiredText("clientID"),
      redirectURI: "msauth.\(bundleID)://auth", keychainAccessGroups: ["$(AppIdentifierPrefix)" + group],
      // Nothing behind the key is what nil is in code: the app's own, private group (docs/behaviour/keychain.md §4(3)).
      keychainSharingGroup: group, urlSchemes: [], queriesSchemes: ["msauthv2", "msauthv3"])
    app.sdk = try keys.choice("sdk") ?? app.sdk
    try keys.layADALDefaults(over: &app)
    try keys.lay(over: &app)
    if let files = try keys.texts("project") {
      let folder = URL(filePath: place.file).deletingLastPathComponent()
      app.project = ProjectSource(
        paths: files.map {
          // A sample project is part of the program.
          $0.hasPrefix("sample:") ? $0 : folder.appending(path: $0).standardizedFileURL.path
        })
    }
    if keys["urlSchemes"] == nil { app.urlSchemes = app.redirectScheme.map { [$0] } ?? [] }
    if app.sdk == .adal, keys["queriesSchemes"] == nil {
      app.queriesSchemes = app.adalVersion.asksForNonceCapableBroker ? ["msauth", "msauthv3"] : ["msauth"]
    }
    return app
  }
}
