import Essentials
import SSOCore
import SSOReference

/// A registered client that has authenticated as far as the request requires.
struct AuthenticatedClient {
  var registration: ClientRegistration
  /// `azpacr`: `0` for a public client, `1` for a secret, `2` for a key.
  var authenticationClass: String
}

/// The client authentication at the token endpoint and similar endpoints (RFC 6749 §2.3).
struct ClientAuthentication {
  let provider: ProviderResources

  /// Authenticates the client of a request and returns it.
  ///
  /// The device endpoint does not require proof from a confidential client; the client's first poll is rejected
  /// (docs/wrong-requests.md).
  func authenticate(
    _ tenant: AuthorityTenant, _ context: inout RequestContext,
    at endpoint: ClientAtAuthority.Endpoint = .token
  ) throws -> AuthenticatedClient {
    let request = context.request
    try context.require([
      checkTenantExists(tenant, code: .invalidRequest), checkNothingIsRepeated(request.repeatedField),
    ])
    context.authenticatesByHeader = request.header("Authorization") != nil
    let presented = try PresentedClient(request)
    let found = try provider.directory.registration(
      clientID: presented.clientID, at: URLParts(request.origin)?.authority ?? "")
    let atAuthority = ClientAtAuthority(
      registration: found, clientID: presented.clientID, tenant: tenant, endpoint: endpoint)
    let client = try context.require(found, checkClientIsKnown(atAuthority))
    if let failure = atAuthority.firstFailure { try context.require(failure) }
    if endpoint == .deviceCode, tenant == .consumers {
      try context.require(checkIsForMobile(client))
    }
    let origin = try GrantOrigin(of: request, client, in: provider.documents)
    if presented.proof != .none, origin.type == .native, !tenant.isFederation {
      try context.require(checkMayProve(client, origin))
    }
    switch presented.proof {
    case .none:
      if endpoint != .deviceCode {
        try context.require(checkMayProveNothing(client, GrantType(request), origin, tenant))
      }
    case .secret(let secret):
      try context.require(checkSecret(secret, of: client))
      if let end = client.secretsExpireAt {
        try context.require(checkSecretIsValid(client, until: end, at: provider.now))
      }
    case .assertion(let compact) where FederatedAssertion.isForeign(compact, for: client):
      let issuer = ForeignIssuer(documents: provider.documents, random: provider.random)
      let assertion = FederatedAssertion(
        compact, of: client, issuerKey: try issuer.publicKey(),
        ownKeys: try provider.keys.published(), now: provider.now)
      try context.require(FederatedAssertion.rules, of: assertion)
    case .assertion(let compact):
      let assertion = ClientAssertion(
        compact: compact, client: client, audiences: ClientAssertion.audiences(request, tenant),
        now: provider.now)
      try context.require(ClientAssertion.rules, of: assertion)
    }
    context.authenticatesByHeader = nil
    return AuthenticatedClient(registration: client, authenticationClass: presented.authenticationClass)
  }
}

extension RequestContext {
  /// Requires client authentication, for grants that only a confidential client may use.
  mutating func requireProof(_ request: TokenRequest) throws(OAuthError) {
    try requireOfClient(checkProof(isGiven: request.authenticationClass != "0"))
  }

  /// Requires a result whose error has the status of a client that fails to authenticate.
  mutating func requireOfClient(
    _ result: @autoclosure () throws(OAuthError) -> RuleResult
  ) throws(OAuthError) {
    authenticatesByHeader = request.header("Authorization") != nil
    try require(result())
    authenticatesByHeader = nil
  }
}

/// Checks that a request for an app-only token has a proof.
///
/// Entra requires it before it looks up the client and its tenant (Azure/azure-sdk-for-js, a recording of
/// `/undefined/oauth2/v2.0/token` without a client ID).
func checkAppProves(_ request: HTTPRequest) throws(OAuthError) -> RuleResult {
  let isGiven = try PresentedClient(request).proof != .none
  return RuleResult(
    "client authentication", expected: "client_secret or client_assertion",
    found: isGiven ? "given" : "none", isGiven, source: "RFC 6749 §4.4.2",
    else: OAuthError(
      .invalidClient,
      "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.",
      aadsts: .appProofMissing))
}

/// Checks that a client may ask the personal accounts for a device code, for which Entra rejects the request itself and
/// not the first poll.
private func checkIsForMobile(_ client: ClientRegistration) -> RuleResult {
  let need = client.needOfProof(.deviceCode, GrantOrigin())
  return RuleResult(
    "public client flows", expected: "allowed", found: need == nil ? "allowed" : "not allowed", need == nil,
    source: "Entra", remedy: Remedy(.registration, client.clientID, "allowsPublicClient=yes"),
    else: OAuthError(
      .invalidClient,
      "The provided client is not supported for this feature. The client application must be marked as 'mobile.'",
      aadsts: .clientInvalid))
}

private func checkMayProveNothing(
  _ client: ClientRegistration, _ grant: GrantType?, _ origin: GrantOrigin, _ tenant: AuthorityTenant
) -> RuleResult {
  let need = client.needOfProof(grant, origin)
  guard let need else {
    return checkProof(isGiven: true, expected: "none", found: "none")
  }
  var result = checkProof(isGiven: false, expected: need.reason, remedy: need.remedy)
  if tenant == .consumers {
    // The sentence of the personal accounts' service (AzureADQuickStarts/AppModelv2-NativeClient-DotNet#20).
    result.refusal = OAuthError(
      .invalidClient, "The provided request must include a 'client_secret' input parameter.",
      aadsts: .clientInvalid)
  }
  return result
}

/// The sign-in from which a code or refresh token descends, as far as it decides whether the client authenticates.
///
/// One registration may have redirect URIs of several types (Softeria/ms-365-mcp-server#664 and #667, apache/opendal#5733).
struct GrantOrigin {
  /// The redirect URI, or `nil` if it is not known or the sign-in did not have one.
  var redirectURI: String?
  /// The type of the redirect URI, or `nil` if the registration does not say it.
  var type: ClientRegistration.RedirectURIType?

  init() {}

  fileprivate init(
    of request: HTTPRequest, _ client: ClientRegistration, in documents: any DocumentStore
  ) throws {
    guard client.hasTypesOfApps else { return }
    let clientID = client.clientID.lowercased()
    switch GrantType(request) {
    case .authorizationCode:
      let key = "code/" + sha256Hex(request.form["code"] ?? "")
      let code = try documents.read(AuthorizationCode.self, .authorizationCode, key)
      let isOwn = code?.clientID.lowercased() == clientID
      redirectURI = isOwn ? code?.redirectURI : request.form["redirect_uri"]
    case .refreshToken:
      let key = sha256Hex(request.form["refresh_token"] ?? "")
      let token = try documents.read(RefreshTokenRecord.self, .refreshToken, key)
      guard let token, token.clientID.lowercased() == clientID else { return }
      redirectURI = token.redirectURI
      // Public client flows are allowed, and one of them began the sign-in (canonical/authd#1005).
      if client.allowsPublicClient == true, token.situation?.usesDeviceCode == true { type = .native }
    case .deviceCode, .password, .primaryRefreshToken, .clientCredentials, nil: return
    }
    type = redirectURI.flatMap(client.redirectURIType) ?? type
  }
}

extension ClientRegistration {
  /// The type of a redirect URI.
  enum RedirectURIType { case web, singlePage, native }

  /// Whether the registration is for apps of several types, which authenticate in different ways.
  fileprivate var hasTypesOfApps: Bool {
    webRedirectURIs != nil || spaRedirectURIs != nil || allowsPublicClient == true
  }

  /// Returns the type of a redirect URI, or `nil` if the registration does not say it.
  ///
  /// `redirectURIs` are those of mobile and desktop apps if the registration has a list of those of type Web; otherwise,
  /// they are those of the only app, whose secret decides.
  fileprivate func redirectURIType(_ uri: String) -> RedirectURIType? {
    if isRegistered(uri, in: spaRedirectURIs ?? []) { return .singlePage }
    if isRegistered(uri, in: webRedirectURIs ?? []) { return .web }
    return webRedirectURIs != nil && isRegistered(uri, in: redirectURIs) ? .native : nil
  }

  /// Returns why this request must contain a proof of the client, with the change that makes it unnecessary, or `nil`
  /// if the client need not prove anything.
  ///
  /// The type of the redirect URI decides for a code or refresh token, and `allowsPublicClient` for a grant without one; if
  /// it is not set, public client flows are allowed to a client with the platform of mobile and desktop apps
  /// (docs/behaviour/provider.md §7).
  fileprivate func needOfProof(
    _ grant: GrantType?, _ origin: GrantOrigin
  ) -> (reason: String, remedy: Remedy?)? {
    let proof = "client_secret or client_assertion"
    switch grant {
    case .authorizationCode, .refreshToken:
      switch origin.type {
      case .web:
        return (
          proof + ": the redirect URI is of type Web",
          Remedy(.registration, clientID, "webRedirectURIs-=\(origin.redirectURI ?? "")")
        )
      case .singlePage, .native: return nil
      case nil: break
      }
    case .deviceCode, .password:
      if allowsPublicClient == true { return nil }
      if allowsPublicClient == false || redirectURIs.isEmpty && !isConfidential {
        return (
          proof + ": public client flows are not allowed",
          Remedy(.registration, clientID, "allowsPublicClient=yes")
        )
      }
    case .primaryRefreshToken, .clientCredentials, nil: break
    }
    let hasPublicPlatform = webRedirectURIs != nil && !(redirectURIs + (spaRedirectURIs ?? [])).isEmpty
    return isConfidential && !hasPublicPlatform ? (proof, nil) : nil
  }
}

private func checkProof(
  isGiven: Bool, expected: String = "client_secret or client_assertion", found: String? = nil,
  remedy: Remedy? = nil
) -> RuleResult {
  RuleResult(
    "client authentication", expected: expected, found: found ?? (isGiven ? "given" : "none"), isGiven,
    source: "RFC 6749 §2.3", remedy: remedy,
    else: OAuthError(
      .invalidClient,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      aadsts: .clientProofMissing))
}

/// The refusal of a proof for the code or refresh token of a mobile or desktop app, although the registration has a secret
/// for another app (Softeria/ms-365-mcp-server#664).
private func checkMayProve(_ client: ClientRegistration, _ origin: GrantOrigin) -> RuleResult {
  RuleResult(
    "client authentication", expected: "none: the app is a mobile or desktop app", found: "a proof",
    false, source: "Entra",
    remedy: origin.redirectURI.map { Remedy(.registration, client.clientID, "webRedirectURIs+=\($0)") },
    else: .clientIsPublic)
}

extension OAuthError {
  fileprivate static let clientIsPublic = OAuthError(
    .invalidClient,
    "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
    aadsts: .clientIsPublic)
}

func checkIsConfidential(_ client: ClientRegistration) -> RuleResult {
  RuleResult(
    "client authentication", expected: client.isConfidential ? "a proof" : "none: the client is public",
    found: "a proof", client.isConfidential, source: "RFC 6749 §2.3", else: .clientIsPublic)
}

private func checkSecret(_ secret: String, of client: ClientRegistration) -> RuleResult {
  guard client.isConfidential else { return checkIsConfidential(client) }
  let isRight = client.secrets.contains { isSameSecret($0, secret) }
  return RuleResult(
    "client authentication", expected: "a secret of the client", found: isRight ? "the same" : "another",
    isRight,
    source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, "
        + "not the client secret ID, for a secret added to app '\(client.clientID)'.",
      aadsts: .clientSecretWrong))
}

private func checkSecretIsValid(
  _ client: ClientRegistration, until end: Instant, at now: Instant
) -> RuleResult {
  RuleResult(
    "secret not expired", expected: "time left", found: "valid until \(end.displayText)", now < end,
    source: "Entra", remedy: Remedy(.registration, client.clientID, "secretsExpireAt="),
    failure: "the secret has expired",
    else: OAuthError(
      .invalidClient,
      "The provided client secret keys for app '\(client.clientID)' are expired. Visit the Azure portal to create "
        + "new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for "
        + "added security: https://aka.ms/certCreds.",
      aadsts: .clientSecretExpired))
}

/// The client ID and the authentication that a client sent (RFC 6749 §2.3, OpenID Connect Core §9).
package struct PresentedClient {
  enum Proof: Hashable {
    case none
    case secret(String)
    case assertion(String)
  }

  package var clientID: String
  var proof: Proof

  /// Reads the `Authorization` header, or else the body.
  ///
  /// oidc-agent sends `client_id:` in the header for a public client, so an empty secret counts as none.
  ///
  /// - Throws: `invalid_client` for a header that is not valid or that contains a different client than the
  ///   body; `invalid_request` for two kinds of authentication (RFC 6749 §2.3).
  package init(_ request: HTTPRequest) throws(OAuthError) {
    let named = request.field("client_id") ?? ""
    let basic = try Self.basic(request.header("Authorization") ?? "")
    let proofs =
      [basic?.secret, request.form["client_secret"], request.form["client_assertion"]]
      .filter { $0?.isEmpty == false }
    guard proofs.count <= 1 else {
      throw OAuthError(
        .invalidRequest,
        "The client authenticates in more than one way: send only one of the Authorization header, 'client_secret' or "
          + "'client_assertion'.", aadsts: .clientProvesTwice)
    }
    if let basic {
      guard named.isEmpty || named.lowercased() == basic.clientID.lowercased() else {
        throw OAuthError(
          .invalidClient,
          "Request is ambiguous, multiple application identifiers found. The Authorization header names the client "
            + "'\(basic.clientID)', the body '\(named)'.", aadsts: .clientAmbiguous)
      }
      clientID = basic.clientID
      proof = basic.secret.isEmpty ? .none : .secret(basic.secret)
    } else if let assertion = request.form["client_assertion"], !assertion.isEmpty {
      let type = request.form["client_assertion_type"] ?? ""
      if type.isEmpty { throw checkPresent("client_assertion_type", nil).refusal }
      guard type == ClientAssertion.type else {
        throw OAuthError(
          .invalidRequest, "The 'client_assertion_type' must be '\(ClientAssertion.type)'.",
          aadsts: .parameterInvalid)
      }
      clientID = named.isEmpty ? ClientAssertion.subject(of: assertion) ?? "" : named
      proof = .assertion(assertion)
    } else {
      let secret = request.form["client_secret"] ?? ""
      clientID = named
      proof = secret.isEmpty ? .none : .secret(secret)
    }
  }

  /// Parses a Basic header (RFC 7617 §2), or returns `nil` for another scheme.
  ///
  /// Both halves are form-encoded (RFC 6749 §2.3.1), or raw if they cannot be decoded.
  private static func basic(_ header: String) throws(OAuthError) -> (clientID: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic" else { return nil }
    let bytes = Data(base64Encoded: words[1].trimmed)
    let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
    let pair = text?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard pair.count == 2 else {
      throw OAuthError(
        .invalidClient, "The Authorization header is not base64 of client ID, colon, secret.",
        aadsts: .clientSecretWrong)
    }
    let halves = pair.map { FormEncoding.decodeText($0) ?? String($0) }
    return (halves[0], halves[1])
  }

  /// `azpacr` of an access token: the kind of client authentication.
  var authenticationClass: String {
    switch proof {
    case .none: "0"
    case .secret: "1"
    case .assertion: "2"
    }
  }
}

/// `POST /{tenant}/oauth2/token` with `grant_type=srv_challenge`: issues a nonce for one signed request of a
/// broker.
///
/// See [MS-OAPXBC] and docs/behaviour/linux-broker.md §6.
struct ChallengeNonces {
  static let grantType = "srv_challenge"
  /// The lifetime in seconds: five minutes.
  static let lifetime = 300

  let documents: any DocumentStore
  let now: Instant

  /// The stored record, whose key is the hash of the nonce.
  struct Record: Codable {
    var issuedAt: Instant
  }

  /// Issues a nonce.
  ///
  /// The client need not be identified, because the nonce alone is worthless.
  func response(_ random: RandomSource) throws -> ProviderResponse {
    let nonce = Base64URL.encode(random.bytes(32))
    let key = Self.key(nonce)
    try documents.write(Record(issuedAt: now), .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
    return ProviderResponse(.json(200, ["Nonce": .string(nonce)]))
  }

  /// Consumes a nonce and returns the time at which it was issued, or `nil` if it is unknown or already used.
  func take(_ nonce: String) throws -> Instant? {
    guard let record = try documents.read(Record.self, .authorizationCode, Self.key(nonce)) else {
      return nil
    }
    try documents.delete(.authorizationCode, Self.key(nonce))
    return record.issuedAt
  }

  private static func key(_ nonce: String) -> String { "nonce/" + sha256Hex(nonce) }
}
