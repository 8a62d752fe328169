/// What is before the first colon, as written; nil if there is nothing.
package func urlScheme(of uri: String) -> String? {
  guard let colon = uri.firstIndex(of: ":"), colon > uri.startIndex else { return nil }
  return String(uri[..<colon])
}

/// The rules by which MSAL judges an app's redirect URI when the application object is made (docs/behaviour/broker.md §12).
extension InstalledApp {
  /// Scheme of the redirect URI, as written; nil if it has none.
  package var redirectScheme: String? { urlScheme(of: redirectURI) }

  /// What the SDK takes if the developer gave no redirect URI, in the order in which it asks for their schemes; only
  /// the first is broker-capable.
  package var defaultRedirectURIs: [String] {
    builtDefaults.redirectURIs(bundleID: bundleID, clientID: clientID, signatureHash: teamID)
  }

  /// The app with the redirect URI that it runs with, if it has MSAL and the developer gave none.
  ///
  /// It is the first default whose scheme is registered; macOS asks for none (`CC/util/mac/MSIDRedirectUriVerifier.m`).
  package func withDefaultRedirectURI(on platform: Platform) -> InstalledApp {
    guard redirectURI.isEmpty, builtDefaults.derivesRedirectURI else { return self }
    var app = self
    app.redirectURI =
      defaultRedirectURIs.first { uri in
        platform == .macOS || urlScheme(of: uri).map(urlSchemes.contains) ?? false
      } ?? ""
    return app
  }

  /// What MSAL takes the redirect URI for: an unchecked one is never broker-capable, whatever it says (broker.md §12(7)).
  ///
  /// On Android there is one form only (docs/behaviour/real-apps.md §2(5)).
  package var brokerCapability: Check {
    guard platform != .android else {
      let wanted = PlatformDefaults.androidRedirectURI(package: bundleID, signatureHash: teamID)
      return Check(
        "redirect URI is package name and signature hash", expected: wanted, found: redirectURI,
        PlatformDefaults.isAndroid(redirectURI, package: bundleID, signatureHash: teamID),
        source: "real-apps.md §2",
        remedy: Remedy(.app, bundleID, "redirectURI=\(wanted)"),
        failure: "its redirect URI \(redirectURI) is not made of package name and signature hash")
    }
    let wanted = PlatformDefaults.redirectURI(bundleID: bundleID)
    return Check(
      "redirect URI is broker-capable", expected: wanted,
      found: bypassesRedirectValidation ? "bypassRedirectURIValidation" : redirectURI,
      !bypassesRedirectValidation
        && RedirectOwner.bundleID(in: redirectURI) == bundleID,
      source: "broker.md §12",
      remedy: Remedy(
        .app, bundleID,
        bypassesRedirectValidation
          ? "bypassesRedirectValidation=no" : "redirectURI=\(wanted)"),
      failure: bypassesRedirectValidation
        ? "it bypasses the validation of its redirect URI"
        : "its redirect URI \(redirectURI) is not broker-capable")
  }
}
