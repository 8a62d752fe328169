/// The app that a redirect URI belongs to, by the rule that the SDK, the broker, and the provider share
/// (docs/behaviour/broker.md §12(4)).
package enum RedirectOwner {
  /// The prefix of the second redirect URI of an app with certificate-based sign-in (docs/behaviour/broker.md §12(10)).
  ///
  /// The first redirect URI follows it, percent-encoded.
  package static let certificatePrefix = "msauth://code/"

  /// Returns the bundle ID (or Android's package name) in a redirect URI, or `nil` if the URI does not have a host.
  ///
  /// It is the bundle ID in the scheme of MSAL's form, `msauth.<bundle ID>://auth`. Otherwise, it is the host, with any
  /// scheme, as in ADAL's form and in Android's. The case is preserved and significant.
  package static func bundleID(in uri: String) -> String? {
    guard let mark = uri.firstRange(of: "://"), mark.lowerBound > uri.startIndex else { return nil }
    let (scheme, rest) = (uri[..<mark.lowerBound], uri[mark.upperBound...])
    let prefix = "msauth."
    if rest == "auth", scheme.hasPrefix(prefix) { return String(scheme.dropFirst(prefix.count)) }
    let host = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
    return host.isEmpty ? nil : String(host)
  }
}

/// The redirect URI of the Web Account Manager on Windows names the client, and not the app (docs/behaviour/broker.md §2(8)).
extension RedirectOwner {
  /// The package of Windows that signs in work and school accounts.
  package static let webAccountPlugin = "Microsoft.AAD.BrokerPlugin"

  /// Returns the redirect URI that a client has to register, although an app does not have to configure it.
  package static func webAccountManager(clientID: String) -> String {
    "ms-appx-web://\(webAccountPlugin.lowercased())/\(clientID)"
  }
}

/// A URL scheme that the broker app registers (docs/behaviour/broker.md §1, §7).
package enum BrokerScheme: String, CaseIterable, Sendable {
  case v1 = "msauth"
  case v2 = "msauthv2"
  /// The scheme that is queried but never opened; a broker that registers it returns the nonce of a request.
  case v3 = "msauthv3"

  package static let names = allCases.map(\.rawValue)
}
