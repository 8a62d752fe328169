extension Device {
  /// Whether it runs what the app is built for; nothing is known of an app that says no system.
  package func runs(_ app: InstalledApp) -> Bool { app.platform.map { $0 == platform } ?? true }

  /// The failed check of an app that it does not run; nil for all others.
  package func platformCheck(of app: InstalledApp) -> Check? {
    guard !runs(app), let wanted = app.platform else { return nil }
    return Check(
      "the device runs what the app is built for", expected: wanted.rawValue, found: platform.rawValue, false,
      source: "real-apps.md §3", remedy: Remedy(.device, id, "platform=\(wanted.rawValue)"),
      failure: "\(app.displayName) is built for \(wanted.rawValue), and the device runs \(platform.rawValue)")
  }
}
