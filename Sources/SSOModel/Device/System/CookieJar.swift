extension Device {
  /// Whose cookies the sign-in page of an app sees. The system's session shares the browser's (claim E3); a private web view has its own,
  /// and macOS has only that (claim E4).
  package func cookieJar(of app: InstalledApp) -> String {
    app.webView == .systemSession && platform != .macOS ? browserJar : app.bundleID
  }

  /// The cookies of the browser that the person uses.
  package var browserJar: String {
    switch platform {
    case .iOS, .macOS: "safari"
    case .android: "chrome"
    case .windows: "edge"
    }
  }
}
