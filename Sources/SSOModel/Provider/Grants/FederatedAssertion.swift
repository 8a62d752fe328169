/// A token of another issuer that authenticates an app (Microsoft Learn, "Workload identity federation"), as
/// the input of its rules.
///
/// Entra fetches the issuer's keys. The lab fetches nothing, so only its own issuer has keys here.
struct FederatedAssertion {
  let compact: String
  let client: ClientRegistration
  let issuerKey: TokenVerificationKey
  let now: Instant

  static var rules: [(FederatedAssertion) -> RuleResult] {
    [
      { checkAssertionIsToken($0.compact) }, checkFederatedIssuer, checkFederatedSignature,
      checkFederatedTime, checkFederatedAudience,
      checkFederatedSubject,
    ]
  }

  /// Returns whether an assertion is from another issuer, whose `iss` is a URL.
  ///
  /// A client that signs its own assertion is the issuer itself.
  ///
  /// An assertion that is not a JWT counts as the kind that the client is registered with.
  static func isForeign(_ compact: String, for client: ClientRegistration) -> Bool {
    claims(of: compact)["iss"]?.string?.contains("://")
      ?? (client.publicKeys.isEmpty && client.federatedCredentials?.isEmpty == false)
  }

  private static func claims(of compact: String) -> [String: JSONValue] {
    (try? JSONWebToken(unverified: compact))?.claims ?? [:]
  }

  fileprivate var claims: [String: JSONValue] { Self.claims(of: compact) }
  fileprivate func claim(_ name: String) -> String { claims[name]?.string ?? "" }
  fileprivate var audiences: [String] {
    claims["aud"]?.array?.compactMap(\.string) ?? claims["aud"]?.string.map { [$0] } ?? []
  }

  /// The client's credentials for this issuer.
  fileprivate var ofIssuer: [FederatedCredential] {
    (client.federatedCredentials ?? []).filter { $0.issuer == claim("iss") }
  }

  fileprivate var ofAudience: [FederatedCredential] {
    ofIssuer.filter { $0.acceptedAudiences.contains(where: audiences.contains) }
  }
}

private let source = "workloads.md §3"

/// Returns Entra's message for a mismatch of issuer, audience or subject.
private func noMatch(_ what: String, _ found: String, aadsts: AADSTSCode) -> OAuthError {
  OAuthError(
    .invalidClient,
    "No matching federated identity record found for presented assertion \(what) '\(found)'. Please check your "
      + "federated identity credential Subject, Audience and Issuer against the presented assertion. "
      + "https://learn.microsoft.com/entra/workload-id/workload-identity-federation", aadsts: aadsts)
}

private func words(_ texts: [String]) -> String {
  texts.isEmpty ? "no federated credential" : texts.joined(separator: " or ")
}

private func checkFederatedIssuer(_ assertion: FederatedAssertion) -> RuleResult {
  RuleResult(
    "federated credential for the issuer",
    expected: words((assertion.client.federatedCredentials ?? []).map(\.issuer)),
    found: assertion.claim("iss"), !assertion.ofIssuer.isEmpty, source: source,
    else: noMatch("issuer", assertion.claim("iss"), aadsts: .federatedIssuer))
}

private func checkFederatedSignature(_ assertion: FederatedAssertion) -> RuleResult {
  var found = "valid"
  do throws(JSONWebToken.Refusal) {
    _ = try JSONWebToken(verifying: assertion.compact, keys: [assertion.issuerKey])
  } catch {
    found = "\(error)"
  }
  return RuleResult(
    "assertion signed by its issuer", expected: "RS256 by the key of the lab's own issuer",
    found: found, found == "valid", source: source,
    else: OAuthError(
      .invalidClient,
      "Assertion failed signature validation. [Reason - The key was not found.] The lab knows only the keys of its "
        + "own issuer: ssoterm federation token makes a token of it.", aadsts: .assertionInvalid))
}

private func checkFederatedTime(_ assertion: FederatedAssertion) -> RuleResult {
  let now = assertion.now.seconds
  let start = assertion.claims["nbf"]?.numericDate?.seconds ?? now
  let end = assertion.claims["exp"]?.numericDate?.seconds
  return RuleResult(
    "assertion is valid now", expected: "nbf \(start) to exp \(end.map(String.init) ?? "(missing)")",
    found: "now \(now)",
    start <= now + ClientAssertion.skew && end.map { now < $0 + ClientAssertion.skew } ?? false,
    source: source,
    else: OAuthError(
      .invalidClient, "Client assertion is not within its valid time range.", aadsts: .clientAssertionTime))
}

private func checkFederatedAudience(_ assertion: FederatedAssertion) -> RuleResult {
  let found = assertion.audiences.joined(separator: ", ")
  return RuleResult(
    "federated credential for the audience", expected: words(assertion.ofIssuer.flatMap(\.acceptedAudiences)),
    found: found, !assertion.ofAudience.isEmpty, source: source,
    else: noMatch("audience", found, aadsts: .federatedAudience))
}

private func checkFederatedSubject(_ assertion: FederatedAssertion) -> RuleResult {
  let subject = assertion.claim("sub")
  return RuleResult(
    "federated credential for the subject", expected: words(assertion.ofAudience.map(\.subject)),
    found: subject, assertion.ofAudience.contains { $0.subject == subject }, source: source,
    else: noMatch("subject", subject, aadsts: .federatedSubject))
}
