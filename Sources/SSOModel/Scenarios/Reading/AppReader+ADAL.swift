extension ScenarioTree {
  /// The keys that only an app with ADAL has.
  ///
  /// `resource` sets its `scopes`, and `credentialsType` sets its `brokerUse`.
  static let adalKeys = ["resource", "credentialsType", "userIDType"]
}

extension ScenarioFields {
  /// Applies the keys that only an app with ADAL has; such an app must specify a redirect URI.
  /// - Throws: `ScenarioError` if an app with MSAL has one of them.
  func layADALKeys(over app: inout InstalledApp) throws(ScenarioError) {
    guard app.sdk == .adal else {
      for key in ScenarioTree.adalKeys {
        guard let tree = self[key] else { continue }
        throw tree.place.error(key, "is for apps with sdk: ADAL only")
      }
      return
    }
    app.redirectURI = try requiredText("redirectURI")
    if let resource = try text("resource") { app.scopes = [resource] }
    if let tree = self["credentialsType"] {
      let type = try tree.word("credentialsType", among: ["AD_CREDENTIALS_AUTO", "AD_CREDENTIALS_EMBEDDED"])
      app.brokerUse = type == "AD_CREDENTIALS_AUTO" ? .auto : .none
    }
  }
}
