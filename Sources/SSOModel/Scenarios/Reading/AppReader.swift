import Essentials

extension ScenarioTree {
  static let appKeys = InstalledApp.fieldNames + ["resource", "credentialsType", "project"]

  /// Reads an installed app.
  ///
  /// Omitted keys have the platform's defaults: MSAL's redirect URI with its scheme registered, the broker's schemes
  /// declared, and Microsoft's keychain access group entitled and configured (claim C5).
  func installedApp(on platform: Platform) throws(ScenarioError) -> InstalledApp {
    let keys = try ScenarioFields(self, named: "apps", allowed: Self.appKeys)
    let bundleID = try keys.requiredText("bundleID")
    let sdk = try keys.choice("sdk") ?? SDKKind.msal
    let version = try keys.text("sdkVersion")
    let defaults = PlatformDefaults(try keys.choice("platform") ?? platform, sdk, version: version)
    var app = defaults.app(
      bundleID: bundleID, teamID: try keys.requiredText("teamID"),
      clientID: try keys.requiredText("clientID"),
      vendor: try keys.requiredText("vendor"))
    try keys.layADALKeys(over: &app)
    try keys.lay(over: &app)
    if let files = try keys.texts("project") {
      let folder = URL(filePath: place.file).deletingLastPathComponent()
      app.project = ProjectSource(
        paths: files.map {
          // A sample project is part of the program.
          $0.hasPrefix("sample:") ? $0 : folder.appending(path: $0).standardizedFileURL.path
        })
    }
    if keys["urlSchemes"] == nil { app.urlSchemes = defaults.urlSchemes(for: app.redirectURI) }
    return app
  }
}
