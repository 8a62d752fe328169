extension Device {
  /// Returns the web view in which an app shows its page; macOS has only the embedded one (claim E4).
  package func webView(of app: InstalledApp) -> WebViewKind { platform == .macOS ? .embedded : app.webView }

  /// Returns the cookie jar of an app's sign-in page, or `nil` if the page begins without cookies and stores none.
  package func cookieJar(of app: InstalledApp) -> String? {
    switch webView(of: app) {
    case .systemSession: browserJar
    case .ephemeralSession: nil
    case .safariView: app.bundleID + "/safari view"
    case .embedded: app.bundleID
    }
  }

  /// Returns whether the system asks the user before it shows an app's page.
  ///
  /// iOS does so before a session that shares the browser's cookies.
  package func asksBeforePage(of app: InstalledApp) -> Bool {
    platform == .iOS && webView(of: app) == .systemSession
  }

  /// The cookie jar of the user's browser.
  package var browserJar: String {
    switch platform {
    case .iOS, .macOS: "safari"
    case .android: "chrome"
    case .windows: "edge"
    }
  }
}
