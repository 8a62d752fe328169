extension Device {
  /// The web view that an app gets for its page: macOS has only the private one (claim E4).
  package func webView(of app: InstalledApp) -> WebViewKind { platform == .macOS ? .embedded : app.webView }

  /// Whose cookies the sign-in page of an app sees; nil: it begins without any and keeps none.
  package func cookieJar(of app: InstalledApp) -> String? {
    switch webView(of: app) {
    case .systemSession: browserJar
    case .ephemeralSession: nil
    case .safariView: app.bundleID + "/safari view"
    case .embedded: app.bundleID
    }
  }

  /// Whether the system asks the person before an app's page comes on: iOS does so before a session that shares the browser's cookies.
  package func asksBeforePage(of app: InstalledApp) -> Bool {
    platform == .iOS && webView(of: app) == .systemSession
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
