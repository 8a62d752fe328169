import Foundation

/// The rules by which MSAL judges an app's redirect URI when the application object is made (fact sheet §5.12).
extension InstalledApp {
  /// Scheme of the redirect URI, as written; nil if it has none.
  var redirectScheme: String? {
    guard let colon = redirectURI.firstIndex(of: ":") else { return nil }
    return String(redirectURI[..<colon])
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
