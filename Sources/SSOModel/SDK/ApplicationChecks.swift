/// The checks of `MSALPublicClientApplication` when it is made, in the SDK's order (fact sheet §5.12).
extension InstalledApp {
  /// Every check up to the first that fails, and the error it gives.
  func applicationChecks() -> (checks: [Check], error: MSALError?) {
    var checks: [Check] = []
    let scheme = redirectScheme ?? ""
    checks.append(
      Check(
        "redirect URI has no fragment", expected: "no #", found: redirectURI, !redirectURI.contains("#"),
        source: "fact sheet 5.12"))
    if checks.last?.verdict == .failed {
      return (checks, MSALError(code: -50000, "RedirectUri MUST NOT include a fragment component."))
    }
    let isUniversalLink = scheme == "https"
    checks.append(
      Check(
        "redirect scheme is registered", expected: scheme,
        found: urlSchemes.isEmpty ? "no schemes" : urlSchemes.joined(separator: ", "),
        isUniversalLink || urlSchemes.contains(scheme), source: "fact sheet 5.12"))
    if checks.last?.verdict == .failed { return (checks, Self.schemeMissing(scheme, redirectURI)) }
    checks.append(
      Check(
        "redirect URI is broker-capable", expected: "msauth.\(bundleID)://auth", found: redirectURI,
        isBrokerCapable || bypassesRedirectValidation, source: "fact sheet 5.12"))
    if checks.last?.verdict == .failed { return (checks, redirectInvalid()) }
    guard brokerUse == .auto, isBrokerCapable else { return (checks, nil) }
    let missing = ["msauthv2", "msauthv3"].filter { !queriesSchemes.contains($0) }
    checks.append(
      Check(
        "query schemes are registered", expected: "msauthv2, msauthv3",
        found: queriesSchemes.isEmpty ? "none" : queriesSchemes.joined(separator: ", "), missing.isEmpty,
        source: "fact sheet 5.1"))
    return (checks, missing.isEmpty ? nil : Self.querySchemesMissing)
  }

  private static func schemeMissing(_ scheme: String, _ uri: String) -> MSALError {
    MSALError(
      code: -42001,
      """
      The required app scheme "\(scheme)" is not registered in the app's info.plist file. Please add "\(scheme)" \
      into Info.plist under CFBundleURLSchemes without any whitespaces and make sure that redirectURi "\(uri)" \
      is register in the portal for your app.
      """)
  }

  private static var querySchemesMissing: MSALError {
    MSALError(
      code: -42001,
      """
      The required query schemes "msauthv2" and "msauthv3" are not registered in the app's info.plist file. \
      Please add "msauthv2" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces.
      """)
  }

  private func redirectInvalid() -> MSALError {
    let cause =
      if redirectURI.hasPrefix("msauth.") && redirectURI.hasSuffix("://auth") {
        "uses MSAL format (msauth.<bundle_id>://auth) but the bundle ID does not match the app’s bundle ID"
      } else if redirectURI == "urn:ietf:wg:oauth:2.0:oob" {
        "'urn:ietf:wg:oauth:2.0:oob' is not supported"
      } else if redirectURI.hasPrefix("http://") || redirectURI.hasPrefix("https://") {
        "uses an unsupported scheme (http(s)://host)"
      } else if redirectURI.hasPrefix("msauth.") {
        "uses MSAL scheme but is missing the required host component \"auth\""
      } else {
        "is invalid"
      }
    return MSALError(
      code: -42011,
      """
      The provided redirect URI \(cause). Please ensure the redirect URI follows the valid format: \
      msauth.\(bundleID)://auth
      """)
  }
}
