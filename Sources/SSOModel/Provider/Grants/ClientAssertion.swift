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
      { checkAssertionHas("aud", $0) }, checkAssertionAudienceCount, checkAssertionKey,
      checkAssertionKeyIsValid, checkAssertionSignature,
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

/// Checks that the client has the key that the assertion names by the thumbprint of a certificate.
private func checkAssertionKey(_ assertion: ClientAssertion) -> RuleResult {
  let certificates = assertion.client.publicKeys.compactMap(\.certificate?.displayText)
  return RuleResult(
    "key of the client assertion",
    expected: certificates.isEmpty ? "any key" : certificates.joined(separator: " or "),
    found: assertion.thumbprint ?? "no thumbprint", !assertion.namedKeys.isEmpty, source: "Entra",
    failure: "the client does not have the certificate that the client assertion names",
    else: .clientAssertionKey(assertion, "The key was not found."))
}

/// Checks that the certificate of the key has not expired.
///
/// The sentence is the same if it is not valid yet.
private func checkAssertionKeyIsValid(_ assertion: ClientAssertion) -> RuleResult {
  let isValid = assertion.namedKeys.contains { $0.certificate?.isValid(at: assertion.now) ?? true }
  let certificate = assertion.namedKeys.compactMap(\.certificate).first
  return RuleResult(
    "certificate of the client assertion valid now", expected: certificate?.validity ?? "any time",
    found: assertion.now.displayText, isValid, source: "Entra",
    failure: "the certificate has expired",
    else: .clientAssertionKey(assertion, "The key used is expired.", found: certificate))
}

private func checkAssertionSignature(_ assertion: ClientAssertion) -> RuleResult {
  var found = "valid"
  do throws(JSONWebToken.Refusal) {
    // Entra finds the key by thumbprint (`x5t`, `x5t#S256`) and not by `kid`.
    _ = try JSONWebToken(
      verifying: assertion.compact, keys: assertion.namedKeys,
      allowing: Set(TokenAlgorithm.allCases), anyKeyID: true)
  } catch {
    found = "\(error)"
  }
  return RuleResult(
    "client assertion signed by a registered key", expected: "a signature by a registered key",
    found: found,
    found == "valid", source: "RFC 7523 §3",
    failure: "no registered key signed the client assertion",
    else: .clientAssertionKey(assertion, "The key was not found."))
}

extension ClientAssertion {
  /// The members of the header that name a certificate, with the sizes of their hashes.
  private static let names = [("x5t", 20), ("x5t#S256", 32)]

  /// The registered keys that the assertion may mean.
  ///
  /// A bare public key has no thumbprint, so it may have any.
  fileprivate var namedKeys: [TokenVerificationKey] {
    let (short, long) = (header["x5t"]?.string, header["x5t#S256"]?.string)
    guard short != nil || long != nil else { return client.publicKeys }
    return client.publicKeys.filter { key in
      guard let certificate = key.certificate else { return true }
      return certificate.thumbprint == short || certificate.thumbprint256 == long
    }
  }

  /// The thumbprint that the assertion contains, in hexadecimal, or `nil` if it does not have one of the right size.
  fileprivate var thumbprint: String? {
    for (name, size) in Self.names {
      let bytes = header[name]?.string.flatMap(Base64URL.decode)
      if let bytes, bytes.count == size { return hexadecimal(bytes: Array(bytes)).uppercased() }
    }
    return nil
  }
}

extension OAuthError {
  /// Returns the error for a key of a client assertion that is not registered, or is no longer valid
  /// (keycloak/keycloak#19425, AzureAD/microsoft-authentication-library-for-js#8339).
  fileprivate static func clientAssertionKey(
    _ assertion: ClientAssertion, _ reason: String, found certificate: KeyCertificate? = nil
  ) -> OAuthError {
    OAuthError(
      .invalidClient,
      "The certificate with identifier used to sign the client assertion is "
        + "\(certificate == nil ? "not registered" : "expired") on application. [Reason - \(reason), "
        + (assertion.thumbprint.map { "Thumbprint of key used by client: '\($0)', " } ?? "")
        + (certificate.map { "Found key '\($0.validity)', " } ?? "")
        + keysOfApp(assertion.client.clientID) + "].",
      aadsts: .clientAssertionSignature)
  }

  /// Returns the advice at the end of Entra's sentences about a key.
  static func keysOfApp(_ clientID: String) -> String {
    "Please visit the Azure Portal, Graph Explorer or directly use MS Graph to see configured keys for app Id "
      + "'\(clientID)'. Review the documentation at https://docs.microsoft.com/en-us/graph/deployments to determine "
      + "the corresponding service endpoint and "
      + "https://docs.microsoft.com/en-us/graph/api/application-get?view=graph-rest-1.0&tabs=http to build a query "
      + "request URL, such as 'https://graph.microsoft.com/beta/applications/\(clientID)'"
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
        .invalidClient,
        "Client assertion application identifier doesn't match 'client_id' parameter. Review the documentation at "
          + "https://docs.microsoft.com/azure/active-directory/develop/active-directory-certificate-credentials .",
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
