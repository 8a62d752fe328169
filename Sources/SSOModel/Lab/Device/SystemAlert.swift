/// The alert that iOS shows before each web session that shares the browser's cookies (claim E3; Apple:
/// ASWebAuthenticationSession).
package struct SystemAlert: Hashable, Sendable {
  package var appName: String
  /// The registered domain of the page, such as `microsoftonline.com`.
  package var site: String
  package static let message = "This allows the app and website to share information about you."
}

extension SystemAlert {
  /// Creates the alert for an app that opens a system web session.
  ///
  /// `authority` is the host of the page, optionally with a port. The last two labels are used as the domain,
  /// which is wrong only below domains such as `co.uk`.
  init(of app: InstalledApp, for authority: String) {
    let host = authority.prefix { $0 != ":" }
    self.init(
      appName: app.displayName, site: host.split(separator: ".").suffix(2).joined(separator: "."))
  }

  package var title: String { "“\(appName)” Wants to Use “\(site)” to Sign In" }
}
