extension Device {
  /// Whose cookies the sign-in page of an app sees. The system's session shares the browser's (claim E3); a private web view has
  /// its own, and macOS has only that (claim E4).
  func cookieJar(of app: InstalledApp) -> String {
    guard app.webView == .systemSession else { return app.bundleID }
    return switch platform {
    case .iOS: "safari"
    case .android: "chrome"
    case .windows: "edge"
    case .macOS: app.bundleID
    }
  }
}
