/// Returns the text before the first colon, as written, or `nil` if there is none.
package func urlScheme(of uri: String) -> String? {
  guard let colon = uri.firstIndex(of: ":"), colon > uri.startIndex else { return nil }
  return String(uri[..<colon])
}

/// MSAL's rules for an app's redirect URI, which apply when the application object is created.
///
/// See docs/behaviour/broker.md §12.
extension InstalledApp {
  /// The scheme of the redirect URI, as written, or `nil` if it has none.
  package var redirectScheme: String? { urlScheme(of: redirectURI) }

  /// What the SDK takes if the developer gave no redirect URI, in the order in which it asks for their schemes; only
  /// the first is broker-capable.
  package var defaultRedirectURIs: [String] {
    builtDefaults.redirectURIs(bundleID: bundleID, clientID: clientID, signatureHash: teamID)
  }

  /// Returns the app with the redirect URI that it runs with, if it has MSAL and the developer specified none.
  ///
  /// It is the first default whose scheme is registered; macOS does not require that
  /// (`CC/util/mac/MSIDRedirectUriVerifier.m`).
  package func withDefaultRedirectURI(on platform: Platform) -> InstalledApp {
    guard redirectURI.isEmpty, builtDefaults.derivesRedirectURI else { return self }
    var app = self
    app.redirectURI =
      defaultRedirectURIs.first { uri in
        platform == .macOS || urlScheme(of: uri).map(urlSchemes.contains) ?? false
      } ?? ""
    return app
  }

  /// The check that MSAL considers the redirect URI broker-capable, which it never is if validation is bypassed.
  ///
  /// See broker.md §12(7). There is only one form on Android (docs/behaviour/real-apps.md §2(5)).
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
