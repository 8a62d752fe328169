extension ScenarioTree {
  /// What only an app with ADAL has.
  ///
  /// `resource` is its `scopes`, `credentialsType` its `brokerUse`.
  static let adalKeys = ["resource", "credentialsType", "userIDType"]
}

extension ScenarioFields {
  /// The defaults of an app with ADAL, as its article tells a developer to do it: the last version, Azure AD Graph, no
  /// broker (claim B4), ADAL's own web view.
  ///
  /// Other keys are laid over them.
  func layADALDefaults(over app: inout InstalledApp) throws(ScenarioError) {
    guard app.sdk == .adal else {
      for key in ScenarioTree.adalKeys {
        guard let tree = self[key] else { continue }
        throw tree.place.error(key, "is for apps with sdk: ADAL only")
      }
      return
    }
    app.redirectURI = try requiredText("redirectURI")
    app.sdkVersion = "6.0.5"
    app.scopes = [try text("resource") ?? "https://graph.windows.net"]
    app.brokerUse = .none
    if let tree = self["credentialsType"] {
      let type = try tree.word("credentialsType", among: ["AD_CREDENTIALS_AUTO", "AD_CREDENTIALS_EMBEDDED"])
      app.brokerUse = type == "AD_CREDENTIALS_AUTO" ? .auto : .none
    }
    app.webView = .embedded
  }
}
