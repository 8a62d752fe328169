extension ScenarioTree {
  /// What only an app with ADAL has. `resource` is its `scopes`, `credentialsType` its `brokerUse`.
  static let adalKeys = ["resource", "credentialsType", "userIDType"]
}

extension InstalledApp {
  /// The defaults of an app with ADAL, as its article tells a developer to do it: the last version, Azure AD Graph,
  /// no broker (claim B4), ADAL's own web view. Other keys are laid over them.
  mutating func takeADALDefaults(_ keys: ScenarioFields) throws(ScenarioError) {
    guard sdk == .adal else {
      for key in ScenarioTree.adalKeys {
        guard let tree = keys[key] else { continue }
        throw ScenarioError(
          file: tree.place.file, line: tree.place.line, key: key, "is for apps with sdk: ADAL only")
      }
      return
    }
    redirectURI = try keys.requiredText("redirectURI")
    sdkVersion = "6.0.5"
    scopes = [try keys.text("resource") ?? "https://graph.windows.net"]
    brokerUse = .none
    if let tree = keys["credentialsType"] {
      let type = try tree.word("credentialsType", among: ["AD_CREDENTIALS_AUTO", "AD_CREDENTIALS_EMBEDDED"])
      brokerUse = type == "AD_CREDENTIALS_AUTO" ? .auto : .none
    }
    webView = .embedded
  }
}
