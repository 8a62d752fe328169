extension GlobalOptions {
  /// Where the store is: as `--store` or `SSOTERM_STORE` names it, else the settings, else the XDG data folder.
  func storePath() throws -> String {
    try store ?? Self.storePathOfEnvironment()
  }

  /// The same without the option.
  static func storePathOfEnvironment() throws -> String {
    try StandardStreams.variable("SSOTERM_STORE") ?? usualStorePath()
  }

  /// The store of a command line that names none.
  static func usualStorePath() throws -> String {
    if let path = try Settings.store(at: settingsPath()) { return path }
    return SSOTermApp.storePath(option: nil) { $0 == "SSOTERM_STORE" ? nil : StandardStreams.variable($0) }
  }
}
