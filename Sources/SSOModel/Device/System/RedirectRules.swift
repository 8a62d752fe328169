import Foundation

/// What stands before the first colon, as written; nil if there is nothing.
func urlScheme(of uri: String) -> String? {
  guard let colon = uri.firstIndex(of: ":"), colon > uri.startIndex else { return nil }
  return String(uri[..<colon])
}

/// The rules by which MSAL judges an app's redirect URI when the application object is made (docs/behaviour/broker.md §12).
extension InstalledApp {
  /// Scheme of the redirect URI, as written; nil if it has none.
  package var redirectScheme: String? { urlScheme(of: redirectURI) }

  /// What the SDK takes if the developer gave no redirect URI, in the order in which it asks for their schemes; only
  /// the first is broker-capable.
  var defaultRedirectURIs: [String] { ["msauth.\(bundleID)://auth", "msal\(clientID)://auth"] }

  /// The app with the redirect URI that it runs with, if it has MSAL and the developer gave none.
  package var withDefaultRedirectURI: InstalledApp {
    var app = self
    if sdk == .msal, redirectURI.isEmpty { app.redirectURI = defaultRedirectURI ?? "" }
    return app
  }

  var defaultRedirectURI: String? {
    defaultRedirectURIs.first { uri in urlScheme(of: uri).map(urlSchemes.contains) ?? false }
  }

  /// `msauth.<bundle ID>://auth`, or any scheme with the bundle ID as host. Case-sensitive.
  static func isBrokerCapable(redirectURI: String, bundleID: String) -> Bool {
    if redirectURI == "msauth.\(bundleID)://auth" { return true }
    guard let range = redirectURI.range(of: "://"), range.lowerBound > redirectURI.startIndex else {
      return false
    }
    let rest = redirectURI[range.upperBound...]
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return host == bundleID
  }

  var isBrokerCapable: Bool { Self.isBrokerCapable(redirectURI: redirectURI, bundleID: bundleID) }
}
