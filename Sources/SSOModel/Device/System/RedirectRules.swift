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

  /// The redirect URIs that the SDK uses if the developer specified none, in the order in which it checks their
  /// schemes.
  ///
  /// Only the first is broker-capable.
  package var defaultRedirectURIs: [String] { ["msauth.\(bundleID)://auth", "msal\(clientID)://auth"] }

  /// Returns the app with the redirect URI that it runs with, if it has MSAL and the developer specified none.
  ///
  /// It is the first default whose scheme is registered; macOS does not require that
  /// (`CC/util/mac/MSIDRedirectUriVerifier.m`).
  package func withDefaultRedirectURI(on platform: Platform) -> InstalledApp {
    guard sdk == .msal, redirectURI.isEmpty, self.platform != .android else { return self }
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
      let wanted = RedirectRules.androidURI(package: bundleID, signatureHash: teamID)
      return Check(
        "redirect URI is package name and signature hash", expected: wanted, found: redirectURI,
        RedirectRules.isAndroid(redirectURI, package: bundleID, signatureHash: teamID),
        source: "real-apps.md §2",
        remedy: Remedy(.app, bundleID, "redirectURI=\(wanted)"),
        failure: "its redirect URI \(redirectURI) is not made of package name and signature hash")
    }
    return Check(
      "redirect URI is broker-capable", expected: "msauth.\(bundleID)://auth",
      found: bypassesRedirectValidation ? "bypassRedirectURIValidation" : redirectURI,
      !bypassesRedirectValidation
        && RedirectOwner.bundleID(in: redirectURI) == bundleID,
      source: "broker.md §12",
      remedy: Remedy(
        .app, bundleID,
        bypassesRedirectValidation
          ? "bypassesRedirectValidation=no" : "redirectURI=msauth.\(bundleID)://auth"),
      failure: bypassesRedirectValidation
        ? "it bypasses the validation of its redirect URI"
        : "its redirect URI \(redirectURI) is not broker-capable")
  }
}

/// The rules for the form of redirect URI that MSAL for Android accepts.
package enum RedirectRules {
  /// Returns an Android app's redirect URI: the package name, and base64 of the signing certificate's SHA-1.
  package static func androidURI(package name: String, signatureHash: String) -> String {
    "msauth://\(name)/\(percentEncoded(signatureHash: signatureHash))"
  }

  /// Returns whether a redirect URI is that of an Android app.
  ///
  /// The SDK composes the redirect URI from both values and compares it ignoring case, so a hash that is not
  /// percent-encoded does not match.
  package static func isAndroid(_ uri: String, package name: String, signatureHash: String) -> Bool {
    uri.lowercased() == androidURI(package: name, signatureHash: signatureHash).lowercased()
  }

  /// Returns the base64 hash in the form in which it follows the slash in a redirect URI.
  private static func percentEncoded(signatureHash: String) -> String {
    signatureHash.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
  }
}
