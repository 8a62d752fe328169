import Essentials

extension GlobalOptions {
  /// Returns the location of the store: `--store`, or else `SSOTERM_STORE`, the settings, or the XDG data directory.
  func storePath() throws -> String {
    try store ?? Self.storePathOfEnvironment()
  }

  /// Returns the location of the store without regard to the option.
  static func storePathOfEnvironment() throws -> String {
    try StandardStreams.variable("SSOTERM_STORE") ?? defaultStorePath()
  }

  /// Returns the default location of the store, if the command line does not specify one.
  static func defaultStorePath() throws -> String {
    if let path = try Settings.store(at: settingsPath()) { return path }
    return SSOTermApp.storePath(option: nil) { $0 == "SSOTERM_STORE" ? nil : StandardStreams.variable($0) }
  }
}

/// Returns the `--store` value with which a command finds the lab from any folder, in a shell without SSOTERM_STORE.
///
/// - Returns: `nil` if the command does not need the option, or if no other process can read the lab.
func storeOption(of lab: Lab) -> String? {
  let location = lab.store.location
  guard (try? storeLocation(option: GlobalOptions.defaultStorePath())) != location else { return nil }
  guard case .file(let path) = location else { return lab.store.path }
  return URL(fileURLWithPath: path).standardizedFileURL.path
}
