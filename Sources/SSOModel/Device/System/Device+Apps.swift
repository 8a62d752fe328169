extension Device {
  /// Returns whether the device runs the platform that the app is built for, or true if the app does not specify one.
  package func runs(_ app: InstalledApp) -> Bool { app.platform.map { $0 == platform } ?? true }

  /// Returns the failed check for an app that the device does not run, or `nil` for any other app.
  package func platformCheck(of app: InstalledApp) -> Check? {
    guard !runs(app), let wanted = app.platform else { return nil }
    return Check(
      "the device runs what the app is built for", expected: wanted.rawValue, found: platform.rawValue, false,
      source: "real-apps.md §3", remedy: Remedy(.device, id, "platform=\(wanted.rawValue)"),
      failure: "\(app.displayName) is built for \(wanted.rawValue), and the device runs \(platform.rawValue)")
  }
}
