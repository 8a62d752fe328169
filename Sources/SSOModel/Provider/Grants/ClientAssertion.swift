import SSOCore
import SSOReference

/// A client assertion (RFC 7523 §2.2, `private_key_jwt`), as the input of its rules.
///
/// An assertion may be used until it expires. RFC 7523 §3 (7) leaves this to the server, and OpenID Connect
/// Core §9 to an agreement. Entra is not known to reject a repeated `jti`, and MSAL Python signs one
/// assertion for ten minutes and sends it with each request of nine. Rejecting the second use would break it.
package struct ClientAssertion {
  package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  /// The tolerated difference between two clocks, in seconds.
  static let skew = 300

  var compact: String
  var client: ClientRegistration
  /// The accepted values of `aud`: the token endpoint and the issuer, with the tenant's ID or the name in the
  /// request.
  var audiences: [String]
  var now: Instant

  static var rules: [(ClientAssertion) -> RuleResult] {
    [
      { checkIsConfidential($0.client) }, checkAssertionHasKey, { checkAssertionIsToken($0.compact) },
      checkAssertionAlgorithm, checkAssertionNamesKey, { checkAssertionHas("iss", $0) },
      { checkAssertionHas("aud", $0) }, checkAssertionAudienceCount, checkAssertionSignature,
      checkAssertionSubject, checkAssertionAudience, checkAssertionTime,
    ]
  }

  /// Returns the client that the assertion identifies, or `nil` if it is not a JWT.
  static func subject(of compact: String) -> String? {
    (try? JSONWebToken(unverified: compact))?.claims["sub"]?.string
  }

  private var token: JSONWebToken? { try? JSONWebToken(unverified: compact) }
  fileprivate var claims: [String: JSONValue] { token?.claims ?? [:] }
  fileprivate var header: [String: JSONValue] { token?.header ?? [:] }

  static func audiences(_ request: HTTPRequest, _ tenant: AuthorityTenant) -> [String] {
    let asked = request.path.split(separator: "/").first.map(String.init) ?? ""
    return [tenant.segment, asked].flatMap { segment in
      let base = "\(request.origin)/\(segment)"
      return ["\(base)/oauth2/v2.0/token", "\(base)/oauth2/token", "\(base)/v2.0"]
    } + [request.origin + request.path]
  }
}

private func checkAssertionHasKey(_ assertion: ClientAssertion) -> RuleResult {
  let count = assertion.client.publicKeys.count
  return RuleResult(
    "client has a key", expected: "at least one registered key", found: "\(count)", count > 0,
    source: "RFC 7523 §3",
    failure: "the client does not have a key",
    else: OAuthError(.invalidClient, "Client application has no configured keys.", aadsts: .clientHasNoKey))
}

func checkAssertionIsToken(_ compact: String) -> RuleResult {
  let token = try? JSONWebToken(unverified: compact)
  return RuleResult(
    "client assertion is a token", expected: "a JSON web token",
    found: token == nil ? "not a JSON web token" : "one",
    token != nil, source: "RFC 7523 §3",
    failure: "the client assertion is not a token",
    else: OAuthError(
      .invalidRequest, "JWT token is invalid or malformed.",
      aadsts: .clientAssertionMalformed))
}

private func checkAssertionAlgorithm(_ assertion: ClientAssertion) -> RuleResult {
  let found = assertion.header["alg"]?.string ?? ""
  return RuleResult(
    "algorithm of the client assertion", expected: algorithms, found: found.isEmpty ? "none" : found,
    TokenAlgorithm(rawValue: found) != nil, source: "Entra",
    else: OAuthError(
      .invalidClient,
      "Invalid JWT token. '\(shortened(found))' is not a supported signature algorithm. Supported signing algorithms "
        + "are: 'RS256,RS384,RS512'", aadsts: .clientAssertionAlgorithm))
}

private let algorithms = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")

private func checkAssertionNamesKey(_ assertion: ClientAssertion) -> RuleResult {
  let names = ["x5t", "x5t#S256", "kid"]
  let found = names.filter { assertion.header[$0] != nil }
  return RuleResult(
    "client assertion names its key", expected: names.joined(separator: ", or "),
    found: found.isEmpty ? "none" : found.joined(separator: ", "), !found.isEmpty, source: "Entra",
    failure: "the client assertion does not name a key",
    else: OAuthError(
      .invalidClient,
      "Invalid JWT token. No certificate SHA-1 thumbprint, certificate SHA-256 thumbprint, nor keyId specified in token "
        + "header.", aadsts: .clientAssertionKeyNotNamed))
}

private func checkAssertionHas(_ name: String, _ assertion: ClientAssertion) -> RuleResult {
  let isSent = assertion.claims[name] ?? .null != .null
  return RuleResult(
    "\(name) of the client assertion", expected: "a value", found: isSent ? "sent" : "none", isSent,
    source: "RFC 7523 §3", else: .fieldMissingFromCredential(name))
}

extension OAuthError {
  static func fieldMissingFromCredential(_ name: String) -> OAuthError {
    OAuthError(
      .invalidRequest,
      "The required field '\(name)' is missing from the credential. Ensure that you have all the necessary parameters "
        + "for the login request.", aadsts: .fieldMissing)
  }
}

private func checkAssertionSignature(_ assertion: ClientAssertion) -> RuleResult {
  var found = "valid"
  do throws(JSONWebToken.Refusal) {
    // Entra finds the key by thumbprint (`x5t`, `x5t#S256`) and not by `kid`, so accept any registered key.
    _ = try JSONWebToken(
      verifying: assertion.compact, keys: assertion.client.publicKeys,
      allowing: Set(TokenAlgorithm.allCases), anyKeyID: true)
  } catch {
    found = "\(error)"
  }
  return RuleResult(
    "client assertion signed by a registered key", expected: "a signature by a registered key",
    found: found,
    found == "valid", source: "RFC 7523 §3",
    failure: "no registered key signed the client assertion", else: .clientAssertionSignature(assertion))
}

extension OAuthError {
  /// The error for a client assertion whose signature no registered key verifies, with the thumbprint by which the
  /// assertion names its key (keycloak/keycloak#19425, AzureAD/microsoft-authentication-library-for-js#8339).
  fileprivate static func clientAssertionSignature(_ assertion: ClientAssertion) -> OAuthError {
    let named = assertion.header["x5t"]?.string.flatMap(Base64URL.decode)
    let thumbprint = named.flatMap { $0.count == 20 ? hexadecimal(bytes: Array($0)).uppercased() : nil }
    let clientID = assertion.client.clientID
    return OAuthError(
      .invalidClient,
      "The certificate with identifier used to sign the client assertion is not registered on application. [Reason - "
        + "The key was not found., "
        + (thumbprint.map { "Thumbprint of key used by client: '\($0)', " } ?? "")
        + "Please visit the Azure Portal, Graph Explorer or directly use MS Graph to see configured keys for app Id "
        + "'\(clientID)'. Review the documentation at https://docs.microsoft.com/en-us/graph/deployments to determine "
        + "the corresponding service endpoint and "
        + "https://docs.microsoft.com/en-us/graph/api/application-get?view=graph-rest-1.0&tabs=http to build a query "
        + "request URL, such as 'https://graph.microsoft.com/beta/applications/\(clientID)'].",
      aadsts: .clientAssertionSignature)
  }
}

private func checkAssertionSubject(_ assertion: ClientAssertion) -> RuleResult {
  let (issuer, subject) = (assertion.claims["iss"]?.string ?? "", assertion.claims["sub"]?.string ?? "")
  let clientID = assertion.client.clientID.lowercased()
  let isIssuer = issuer.lowercased() == clientID
  return RuleResult(
    "client assertion names the client", expected: "iss and sub \(clientID)",
    found: "iss \(issuer), sub \(subject)", isIssuer && subject.lowercased() == clientID,
    source: "RFC 7523 §3",
    failure: "the client assertion does not name the client",
    else: isIssuer
      ? OAuthError(
        .invalidClient, "Subject must match the issuer claim in the client assertion.",
        aadsts: .clientAssertionSubjectDiffers)
      : OAuthError(
        .invalidClient, "Client assertion application identifier doesn't match 'client_id' parameter.",
        aadsts: .clientAssertionSubject))
}

/// Checks that the assertion has one audience.
///
/// Whether Entra counts before it verifies the signature is not known (zitadel/oidc#887).
private func checkAssertionAudienceCount(_ assertion: ClientAssertion) -> RuleResult {
  let count = assertion.claims["aud"]?.array?.count ?? 1
  return RuleResult(
    "client assertion has one audience", expected: "1", found: "\(count)", count <= 1, source: "Entra",
    failure: "the client assertion has several audiences",
    else: OAuthError(
      .invalidClient,
      "Number of audience values in the provided client credential exceed maximum allowed. \(count) audience values "
        + "provided, maximum allowed is 1.",
      aadsts: .clientAssertionAudiences))
}

private func checkAssertionAudience(_ assertion: ClientAssertion) -> RuleResult {
  let claim = assertion.claims["aud"]
  let found = claim?.array?.compactMap(\.string) ?? claim?.string.map { [$0] } ?? []
  return RuleResult(
    "client assertion is for this provider", expected: assertion.audiences.joined(separator: " or "),
    found: found.joined(separator: ", "), found.contains { assertion.audiences.contains($0) },
    source: "RFC 7523 §3",
    failure: "the client assertion is for another audience",
    else: OAuthError(
      .invalidClient,
      "Client assertion audience claim does not match Realm issuer. Review the documentation at "
        + "https://docs.microsoft.com/azure/active-directory/develop/active-directory-certificate-credentials .",
      aadsts: .clientAssertionAudience))
}

private func checkAssertionTime(_ assertion: ClientAssertion) -> RuleResult {
  let now = assertion.now.seconds
  func seconds(_ name: String) -> Int? { assertion.claims[name]?.numericDate?.seconds }
  let start = seconds("nbf") ?? seconds("iat") ?? now
  let end = seconds("exp")
  return RuleResult(
    "client assertion is valid now", expected: "nbf \(start) to exp \(end.map(String.init) ?? "(missing)")",
    found: "now \(now)",
    start <= now + ClientAssertion.skew && end.map { now < $0 + ClientAssertion.skew } ?? false,
    source: "RFC 7523 §3",
    failure: "the client assertion is not valid now", else: .clientAssertionTime(start, end, assertion.now))
}

extension OAuthError {
  /// The error for a client assertion that is not valid at this time, or that does not say until when it is
  /// (kata-containers/kata-containers#11758).
  fileprivate static func clientAssertionTime(_ start: Int, _ end: Int?, _ now: Instant) -> OAuthError {
    OAuthError(
      .invalidClient,
      "Client assertion is not within its valid time range. Current time: \(now.ticks), assertion valid from "
        + "\(Instant(start).ticks), expiry time of assertion \((end.map { Instant($0) } ?? now).ticks). Review the "
        + "documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .",
      aadsts: .clientAssertionTime)
  }
}

/// A token of another issuer that authenticates an app (Microsoft Learn, "Workload identity federation"), as
/// the input of its rules.
///
/// Entra fetches the issuer's keys. The lab fetches nothing, so only its own issuer and the provider have keys here.
struct FederatedAssertion {
  let compact: String
  let client: ClientRegistration
  /// The key of the lab's own issuer.
  let issuerKey: TokenVerificationKey
  /// The keys of the provider, which sign the tokens of managed identities.
  let ownKeys: [TokenVerificationKey]
  let now: Instant
  /// Whether Entra issued the token, or this provider in its place.
  let isOfEntra: Bool

  init(
    _ compact: String, of client: ClientRegistration, issuerKey: TokenVerificationKey,
    ownKeys: [TokenVerificationKey], now: Instant
  ) {
    (self.compact, self.client, self.issuerKey, self.ownKeys) = (compact, client, issuerKey, ownKeys)
    self.now = now
    let issuer = Self.claims(of: compact)["iss"]?.string.flatMap { URLParts($0) }
    let host = issuer?.host.lowercased() ?? ""
    isOfEntra =
      host == "sts.windows.net" || Cloud(host: host) != nil && issuer?.path.hasSuffix("/v2.0") == true
      || (try? JSONWebToken(verifying: compact, keys: ownKeys)) != nil
  }

  static var rules: [(FederatedAssertion) -> RuleResult] {
    [
      { checkAssertionIsToken($0.compact) }, checkHasFederatedCredential, checkFederatedIssuer,
      checkFederatedIsOfMachine, checkFederatedSignature,
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

  /// The key that the token names, or an empty text.
  fileprivate var keyID: String {
    shortened((try? JSONWebToken(unverified: compact))?.header["kid"]?.string ?? "")
  }

  fileprivate var claims: [String: JSONValue] { Self.claims(of: compact) }
  fileprivate func claim(_ name: String) -> String { claims[name]?.string ?? "" }
  fileprivate var audiences: [String] {
    let names = claims["aud"]?.array?.compactMap(\.string) ?? claims["aud"]?.string.map { [$0] } ?? []
    return names.map {
      $0 == FederatedCredential.usualAudienceAppID ? FederatedCredential.usualAudience : $0
    }
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

private let documentation = "https://learn.microsoft.com/entra/workload-id/workload-identity-federation"

/// Returns Entra's message for a mismatch of issuer, audience or subject (Azure/login#482 and #515, dotnet/maui#31978).
private func noMatch(
  _ what: String, _ found: String, because reason: String = "", see page: String = documentation,
  aadsts: AADSTSCode
) -> OAuthError {
  OAuthError(
    .invalidClient,
    "No matching federated identity record found for presented assertion \(what) '\(found)'. \(reason)Check your "
      + "federated identity credential Subject, Audience and Issuer against the presented assertion. \(page)",
    aadsts: aadsts)
}

private func displayText(_ texts: [String]) -> String {
  texts.isEmpty ? "no federated credential" : texts.joined(separator: " or ")
}

private func checkHasFederatedCredential(_ assertion: FederatedAssertion) -> RuleResult {
  let count = assertion.client.federatedCredentials?.count ?? 0
  return RuleResult(
    "federated credentials", expected: "at least one", found: "\(count)", count > 0, source: source,
    else: OAuthError(
      .invalidClient,
      "Client application has no configured federated identity credentials.",
      aadsts: .clientHasNoFederatedCredential))
}

private func checkFederatedIssuer(_ assertion: FederatedAssertion) -> RuleResult {
  RuleResult(
    "federated credential for the issuer",
    expected: displayText((assertion.client.federatedCredentials ?? []).map(\.issuer)),
    found: assertion.claim("iss"), !assertion.ofIssuer.isEmpty, source: source,
    else: noMatch("issuer", assertion.claim("iss"), aadsts: .federatedIssuer))
}

/// Checks that a token that Entra issued is a managed identity's, and not another app's (GitHub code search:
/// “AADSTS700226”).
private func checkFederatedIsOfMachine(_ assertion: FederatedAssertion) -> RuleResult {
  let isOfMachine = !assertion.claim("xms_mirid").isEmpty
  return RuleResult(
    "token of a managed identity, if it is Entra's", expected: "another issuer, or a managed identity",
    found: assertion.isOfEntra
      ? isOfMachine ? "a managed identity" : "an app's token of Entra" : "another issuer",
    !assertion.isOfEntra || isOfMachine, source: source,
    else: OAuthError(
      .invalidClient, "Only MSI tokens may be used as Federated Identity Credentials for AAD issuer.",
      aadsts: .federatedNotMachine))
}

/// Checks the signature of another issuer's token (Azure/azure-workload-identity#1232).
///
/// Entra fetches the issuer's keys, so it does not find any keys where the lab does not know the issuer.
private func checkFederatedSignature(_ assertion: FederatedAssertion) -> RuleResult {
  var found = "valid"
  do throws(JSONWebToken.Refusal) {
    _ = try JSONWebToken(
      verifying: assertion.compact, keys: assertion.isOfEntra ? assertion.ownKeys : [assertion.issuerKey])
  } catch {
    found = "\(error)"
  }
  return RuleResult(
    "assertion signed by its issuer",
    expected: "RS256 by the key of the lab's own issuer, or of the provider",
    found: found, found == "valid", source: source,
    failure: "its issuer did not sign the assertion",
    else: OAuthError(
      .invalidClient,
      "The certificate with identifier \(assertion.keyID) used to sign the federated credential could not be found in the "
        + "metadata of identity provider \(assertion.claim("iss")). Please validate that your Identity Provider's metadata "
        + "exposes the key used to sign the incoming token.", aadsts: .federatedKeyUnknown))
}

private func checkFederatedTime(_ assertion: FederatedAssertion) -> RuleResult {
  let now = assertion.now.seconds
  let start = assertion.claims["nbf"]?.numericDate?.seconds ?? now
  let end = assertion.claims["exp"]?.numericDate?.seconds
  return RuleResult(
    "assertion is valid now", expected: "nbf \(start) to exp \(end.map(String.init) ?? "(missing)")",
    found: "now \(now)",
    start <= now + ClientAssertion.skew && end.map { now < $0 + ClientAssertion.skew } ?? false,
    source: source, failure: "the assertion is not valid now",
    else: .clientAssertionTime(start, end, assertion.now))
}

private func checkFederatedAudience(_ assertion: FederatedAssertion) -> RuleResult {
  let found = assertion.audiences.joined(separator: ", ")
  return RuleResult(
    "federated credential for the audience",
    expected: displayText(assertion.ofIssuer.flatMap(\.acceptedAudiences)),
    found: found, !assertion.ofAudience.isEmpty, source: source,
    else: noMatch("audience", found, aadsts: .federatedAudience))
}

private func checkFederatedSubject(_ assertion: FederatedAssertion) -> RuleResult {
  let subject = assertion.claim("sub")
  let differsInCase = assertion.ofAudience.contains { $0.subject.lowercased() == subject.lowercased() }
  return RuleResult(
    "federated credential for the subject", expected: displayText(assertion.ofAudience.map(\.subject)),
    found: subject, assertion.ofAudience.contains { $0.subject == subject }, source: source,
    else: differsInCase
      ? noMatch(
        "subject", subject,
        because:
          "The subject matches with case-insensitive comparison, but not with case-sensitive comparison. ",
        see: "See documentation at: \(documentation). See breaking change notification and remediation at: "
          + "https://learn.microsoft.com/en-us/entra/identity-platform/reference-breaking-changes#august-2024.",
        aadsts: .federatedSubjectCase)
      : noMatch("subject", subject, aadsts: .federatedSubject))
}
