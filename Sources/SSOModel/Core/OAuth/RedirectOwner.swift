/// Which app a redirect URI belongs to: the one rule of SDK, broker and provider (docs/behaviour/broker.md §12(4)).
package enum RedirectOwner {
  /// What begins the second redirect URI of an app with certificate-based sign-in; the first follows, percent-encoded
  /// (docs/behaviour/broker.md §12(10)).
  package static let certificatePrefix = "msauth://code/"

  /// Bundle ID, or Android's package name, that a redirect URI carries; nil if it has no host.
  ///
  /// That of `msauth.<bundle ID>://auth`, MSAL's form, else the host, with any scheme: ADAL's form and Android's. As it is
  /// written: case counts.
  package static func bundleID(in uri: String) -> String? {
    guard let mark = uri.firstRange(of: "://"), mark.lowerBound > uri.startIndex else { return nil }
    let (scheme, rest) = (uri[..<mark.lowerBound], uri[mark.upperBound...])
    let prefix = "msauth."
    if rest == "auth", scheme.hasPrefix(prefix) { return String(scheme.dropFirst(prefix.count)) }
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return host.isEmpty ? nil : String(host)
  }
}
