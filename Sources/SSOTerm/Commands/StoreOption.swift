import Essentials

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

/// `--store` of a command line that finds the lab from any folder, in a shell that has no SSOTERM_STORE.
///
/// - Returns: nil if it needs none, or if no other process can read the lab.
func storeOption(of lab: Lab) -> String? {
  let location = lab.store.location
  guard (try? storeLocation(option: GlobalOptions.usualStorePath())) != location else { return nil }
  guard case .file(let path) = location else { return lab.store.path }
  return URL(fileURLWithPath: path).standardizedFileURL.path
}
