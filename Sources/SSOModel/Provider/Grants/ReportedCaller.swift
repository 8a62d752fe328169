/// The calling app as the broker reports it: its identity according to the operating system, and the values
/// that the app sent (claims B1, B2).
struct ReportedCaller {
  var bundleID: String
  var brokerBundleID: String
  var redirectURI: String
  var client: ClientRegistration
  /// The executable of the caller, which the broker on Linux reports instead, or `nil` on other systems.
  var executable: String?

  /// The rules of the caller.
  ///
  /// On Linux, nothing connects a redirect URI to a caller (docs/behaviour/linux-broker.md §4).
  var rules: [(ReportedCaller) -> RuleResult] {
    [checkBrokerIsNamed] + (executable == nil ? [checkCallerMatchesRedirectURI] : [])
      + [checkCallerRedirectURIIsRegistered]
  }

  /// Returns the bundle ID in a redirect URI, or `nil` for a web URI, whose host is not an app.
  static func bundleID(in redirectURI: String) -> String? {
    guard let parts = URLParts(redirectURI), parts.scheme != "http", parts.scheme != "https" else {
      return nil
    }
    return RedirectOwner.bundleID(in: redirectURI)
  }
}

private func checkBrokerIsNamed(_ claim: ReportedCaller) -> RuleResult {
  RuleResult(
    "broker's bundle ID is given", expected: "broker_bundle_id", found: claim.brokerBundleID,
    !claim.brokerBundleID.isEmpty, source: "claim B1",
    else: OAuthError(
      .invalidRequest, "The request body must contain the following parameter: 'broker_bundle_id'.",
      aadsts: .bodyParameterMissing))
}

private func checkCallerMatchesRedirectURI(_ claim: ReportedCaller) -> RuleResult {
  let named = ReportedCaller.bundleID(in: claim.redirectURI)
  return RuleResult(
    "caller's bundle ID in redirect URI", expected: claim.bundleID, found: named ?? claim.redirectURI,
    !claim.bundleID.isEmpty && named == claim.bundleID, source: "claim B1",
    else: OAuthError(
      .invalidClient,
      "The app '\(claim.bundleID)' sent the redirect URI '\(claim.redirectURI)', which belongs to "
        + "another app. No token is issued.",
      aadsts: .redirectURINotRegistered))
}

private func checkCallerRedirectURIIsRegistered(_ claim: ReportedCaller) -> RuleResult {
  RuleResult(
    "redirect URI registered", expected: claim.client.redirectURIs.joined(separator: " or "),
    found: claim.redirectURI, claim.client.redirectURIs.contains(claim.redirectURI),
    source: "claims B1, C3",
    remedy: Remedy(.registration, claim.client.clientID, "redirectURIs+=\(claim.redirectURI)"),
    else: OAuthError(
      .invalidClient,
      "The redirect URI '\(claim.redirectURI)' does not match the redirect URIs configured for the "
        + "application '\(claim.client.clientID)'.",
      aadsts: .redirectURINotRegistered))
}
