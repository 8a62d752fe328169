import SSOCore
import SSOReference

/// `grant_type=authorization_code`.
///
/// If the broker's client redeems the code, the response also contains a primary refresh token (`prt`,
/// `session_key`, `prt_expires_in`).
struct AuthorizationCodeGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    let key = "code/" + sha256Hex(form["code"] ?? "")
    let grantID = sha256Hex(key)
    let issued = try provider.documents.read(AuthorizationCode.self, .authorizationCode, key)
    // AD FS uses the code up with any attempt.
    if request.tenant.isFederation { try markRedeemed(issued, key: key) }
    let code = try context.require(issued, checkCodeIsKnown(issued, form["code"] ?? "", request.tenant))
    let redemption = CodeRedemption(
      code: code, client: request.client, redirectURI: form["redirect_uri"] ?? "",
      // MSAL Go sends an empty one if there is no challenge (RFC 6749 §3.2: a parameter without a value is omitted).
      verifier: form["code_verifier"].flatMap { $0.isEmpty ? nil : $0 }, now: provider.now,
      isAtConsumers: request.tenant == .consumers)
    try context.require(CodeRedemption.rules, of: redemption)
    if !request.http.isVersionOne { try context.require(checkScopeOfCode(code, request.scopes)) }
    // Authorities other than user flows have nothing to compare.
    if request.tenant.policy != nil {
      let flow = code.authoritySegment.split(separator: "/").dropFirst().first.map(String.init)
      try context.require(checkUserFlow(flow, of: "code", is: request.tenant))
    }
    let issuer = try AuthorityTenant(code.authoritySegment, in: provider.directory)
    if issuer != request.tenant, let account = try provider.directory.person(username: code.username) {
      let service = checkServiceOfGrant(
        isPersonal: account.isPersonal, at: request.tenant,
        isGuest: request.tenant.issuingTenantID(for: account) != nil)
      try context.require([service].compactMap(\.self))
    }
    try context.require(checkCodeTenant(issuer, is: request.tenant))
    var origin = RedeemingOrigin(request)
    origin.redirectURI = code.redirectURI
    origin.isSinglePage = isRegistered(code.redirectURI, in: request.client.spaRedirectURIs ?? [])
    origin.hasChallenge = code.codeChallenge != nil
    try context.require(RedeemingOrigin.rules, of: origin)

    var request = request
    if origin.isSinglePage {
      request.singlePageEnd = provider.now.adding(seconds: RefreshTokenRecord.lifetime(of: .singlePage))
    }
    request.sessionID = code.sessionID
    request.redirectURI = code.redirectURI
    request.tenant = try AuthorityTenant(code.authoritySegment, in: provider.directory)
    request.grantID = grantID
    request.authenticatedAt = code.authenticatedAt
    request.claims.asksAuthTime = code.authenticatedAt != nil
    request.claims.contexts = request.claims.contexts ?? code.contexts
    let deviceID = form["device_id"]
    let issuance = TokenIssuance(
      provider: provider, request: request, username: code.username,
      scopes: request.scopes.isEmpty ? code.scopes : request.scopes, nonce: code.nonce,
      deviceID: deviceID ?? code.situation?.deviceID, situation: code.situation ?? AccessSituation())
    var (response, person) = try issuance.issue(&context)
    try markRedeemed(issued, key: key)
    if request.client.clientID.lowercased() == ClientRegistration.brokerClientID {
      try addPrimaryRefreshToken(
        to: &response, for: person, client: request.client, deviceID: deviceID, grantID: grantID,
        code.situation)
    }
    return response
  }

  /// Marks the code as redeemed, because a code is single-use (RFC 6749 §4.1.2).
  ///
  /// Entra keeps the code of an attempt with a wrong verifier; that it keeps it after every other refusal too is assumed.
  /// A second redemption leaves the tokens of the first valid (docs/behaviour/provider.md §9(3)).
  private func markRedeemed(_ issued: AuthorizationCode?, key: String) throws {
    guard var code = issued, code.redeemedAt == nil else { return }
    code.redeemedAt = provider.now
    try provider.documents.write(code, .authorizationCode, key)
  }

  /// Adds a primary refresh token for a user on a device, and its session key (base64url, 32 bytes).
  ///
  /// The broker signs with the session key the cookies that it gives a browser.
  private func addPrimaryRefreshToken(
    to response: inout TokenResponse, for person: DirectoryUser, client: ClientRegistration,
    deviceID: String?,
    grantID: String, _ situation: AccessSituation?
  ) throws {
    let secret = try provider.refreshTokens.issue(
      .primary, for: person, client: client, deviceID: deviceID, grantID: grantID, situation: situation,
      random: provider.random)
    let sessionKey = Base64URL.encode(provider.random.bytes(32))
    try provider.refreshTokens.setSessionKey(sessionKey, of: secret)
    response.primaryRefreshToken = secret
    response.sessionKey = sessionKey
    response.primaryRefreshTokenExpiresIn = RefreshTokenRecord.lifetime(of: .primary)
  }
}

/// A redemption of a known code, as the input of the rules of the code grant.
struct CodeRedemption {
  var code: AuthorizationCode
  var client: ClientRegistration
  var redirectURI: String
  var verifier: String?
  var now: Instant
  /// Whether the personal accounts' service redeems the code.
  var isAtConsumers = false

  /// The rules that apply after `checkCodeIsKnown`.
  static var rules: [(CodeRedemption) -> RuleResult] {
    [
      checkCodeIsFresh, checkCodeIsYoung, checkCodeClient, checkCodeRedirectURIForm,
      checkCodeRedirectURIRegistered, checkCodeRedirectURI, checkCodeVerifier,
    ]
  }
}

extension OAuthError {
  /// The error for a code or refresh token that does not have the format of one.
  static let malformedGrant = malformed(.invalidGrant)

  static let codeOfAnotherTenant = OAuthError(
    .invalidGrant,
    "Provided Authorization Code is intended to use against other tenant, thus rejected. OAuth2 Authorization Code "
      + "must be redeemed against same tenant it was acquired for (/common or /{tenant-ID} as appropriate).",
    aadsts: .codeOfAnotherTenant)

  /// The error for a code or refresh token that does not belong to a personal account.
  static func malformedPersonalGrant(_ sentence: String) -> OAuthError {
    OAuthError(.invalidGrant, sentence, aadsts: .grantInvalid)
  }
}

/// Checks that a user flow of B2C redeems only its own codes and refresh tokens; what Entra's own endpoint issued is for
/// none (AzureAD/microsoft-identity-web#729, chrispadgettlivecom/WebApp-OpenIDConnect-DotNetCore21#6).
func checkUserFlow(_ issuer: String?, of grant: String, is tenant: AuthorityTenant) -> RuleResult {
  let own = tenant.policy ?? ""
  return RuleResult(
    "user flow of the \(grant)", expected: own, found: issuer ?? "none",
    issuer?.lowercased() == own.lowercased(),
    source: "provider.md §19",
    else: OAuthError(
      .invalidGrant, .grantOfAnotherFlow,
      "The provided grant has not been issued for this endpoint. Actual Value : \(issuer ?? "") and Expected Value : "
        + own))
}

/// Checks that a code is redeemed at the tenant that issued it, or without a tenant if none issued it.
///
/// It is an assumption that `common`, `organizations`, and `consumers` redeem each other's codes.
private func checkCodeTenant(_ issuer: AuthorityTenant, is tenant: AuthorityTenant) -> RuleResult {
  RuleResult(
    "tenant of the code", expected: issuer.segment, found: tenant.segment,
    issuer.tenant?.id == tenant.tenant?.id, source: "Entra", else: .codeOfAnotherTenant)
}

/// Checks that the code was issued here.
///
/// Personal accounts have their own form of codes and refresh tokens, `M.…`, and the same response for all wrong ones.
private func checkCodeIsKnown(
  _ code: AuthorizationCode?, _ secret: String, _ tenant: AuthorityTenant
) -> RuleResult {
  RuleResult(
    "code known", expected: "a code that was issued", found: code == nil ? "unknown" : "known",
    code != nil, source: "RFC 6749 §4.1.3",
    failure: "the code is not known",
    else: tenant.redeems(personal: secret)
      ? .malformedPersonalGrant("The provided value for the 'code' parameter is not valid.")
      : secret.hasPrefix(AuthorizationCode.prefix)
        ? OAuthError(
          .invalidGrant, "The provided value for the input parameter 'code' is not valid.",
          aadsts: .grantInvalid) : .malformedGrant)
}

private func checkCodeIsFresh(_ redemption: CodeRedemption) -> RuleResult {
  let redeemedAt = redemption.code.redeemedAt
  return RuleResult(
    "code not used", expected: "first redemption", found: redeemedAt == nil ? "first" : "used before",
    redeemedAt == nil, source: "RFC 6749 §4.1.2",
    failure: "the code was redeemed before",
    else: OAuthError(
      .invalidGrant,
      "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing "
        + "refresh token.",
      aadsts: .codeAlreadyRedeemed))
}

/// Checks the age of a code, for which the personal accounts' service has its own sentence
/// (spencerwooo/onedrive-cf-index#25).
private func checkCodeIsYoung(_ redemption: CodeRedemption) -> RuleResult {
  let age = redemption.code.issuedAt.seconds(until: redemption.now)
  return RuleResult(
    "code not expired", expected: "younger than \(AuthorizationCode.lifetime) s", found: "\(age) s",
    age < AuthorizationCode.lifetime, source: "RFC 6749 §4.1.2",
    failure: "the code has expired",
    else: redemption.isAtConsumers
      ? .malformedPersonalGrant(
        "The provided value for the 'code' parameter is not valid. The code has expired.")
      : OAuthError(
        .invalidGrant,
        "The provided authorization code or refresh token has expired due to inactivity. Send a new interactive "
          + "authorization request for this user and resource.", aadsts: .grantExpired))
}

private func checkCodeClient(_ redemption: CodeRedemption) -> RuleResult {
  let issuedTo = redemption.code.clientID
  return RuleResult(
    "code issued to client", expected: issuedTo, found: redemption.client.clientID,
    issuedTo.lowercased() == redemption.client.clientID.lowercased(), source: "RFC 6749 §4.1.3",
    failure: "the code was issued to another client",
    else: OAuthError(
      .invalidGrant,
      "Request is ambiguous, multiple application identifiers found.", aadsts: .clientAmbiguous
    ))
}

/// Checks that the redirect URI of the redemption, if it is not the one of the sign-in, is a URL.
private func checkCodeRedirectURIForm(_ redemption: CodeRedemption) -> RuleResult {
  let sent = redemption.redirectURI
  return RuleResult(
    "redirect URI absolute", expected: "a URL with its scheme", found: sent.isEmpty ? "none" : sent,
    sent.isEmpty || isAbsoluteURI(sent), source: "Entra",
    failure: "the redirect URI is not absolute",
    else: OAuthError(
      .invalidClient, "The reply uri specified in the request is not a valid URL. Allowed schemes: '*'.",
      aadsts: .redirectURIMalformed))
}

/// Checks that the redirect URI of the redemption, if it is not the one of the sign-in, is registered.
private func checkCodeRedirectURIRegistered(_ redemption: CodeRedemption) -> RuleResult {
  let (sent, client) = (redemption.redirectURI, redemption.client)
  let isAsBefore = sent.isEmpty || sent == redemption.code.redirectURI
  return RuleResult(
    "redirect URI registered",
    expected: ([redemption.code.redirectURI]
      + client.allRedirectURIs.filter { $0 != redemption.code.redirectURI })
      .joined(separator: " or "), found: sent.isEmpty ? "none" : sent,
    isAsBefore || isRegistered(sent, in: client.allRedirectURIs), source: "Entra",
    failure: "the redirect URI is not registered",
    else: .redirectURINotRegistered(.invalidClient, sent, of: client.clientID))
}

/// Checks that the redemption of a code for several resources names one of them.
private func checkScopeOfCode(_ code: AuthorizationCode, _ scopes: RequestedScopes) -> RuleResult {
  let resources = code.scopes.resources
  return RuleResult(
    "scope of a code for several resources",
    expected: resources.count > 1 ? "scopes of one: " + resources.joined(separator: " or ") : "any",
    found: scopes.isEmpty ? "none" : scopes.all.joined(separator: " "),
    !scopes.isEmpty || resources.count <= 1, source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Provided value for the input parameter scope cannot be empty when requesting an access token using the provided "
        + "authorization code. Please specify a valid scope.", aadsts: .codeScopeMissing))
}

private func checkCodeRedirectURI(_ redemption: CodeRedemption) -> RuleResult {
  let sent = redemption.redirectURI
  return RuleResult(
    "redirect URI as before", expected: redemption.code.redirectURI, found: sent.isEmpty ? "none" : sent,
    redemption.code.redirectURI == sent, source: "RFC 6749 §4.1.3, errors.md §4",
    failure: "the redirect URI differs from that of the authorization request",
    else: sent.isEmpty
      ? OAuthError(
        .invalidGrant,
        "Reply address must be provided when presenting an authorization code requested with an explicit reply address.",
        aadsts: .redirectURIOfCodeMissing)
      : OAuthError(
        .invalidClient,
        "The reply address '\(redemption.redirectURI)' does not match the reply address "
          + "'\(redemption.code.redirectURI)' provided when requesting Authorization code.",
        aadsts: .redirectURIDiffers))
}

private func checkCodeVerifier(_ redemption: CodeRedemption) -> RuleResult {
  let challenge = redemption.code.codeChallenge
  let computed = redemption.verifier.map { ProofKey(verifier: $0).challenge }
  return RuleResult(
    "code verifier", expected: challenge ?? "none: no challenge was sent", found: computed ?? "none",
    isSameSecret(computed ?? "", challenge ?? ""), source: "RFC 7636 §4.6",
    else: redemption.isAtConsumers
      ? .malformedPersonalGrant(
        "The provided 'code_verifier' input value does not match the original 'code_challenge'.")
      : OAuthError(
        .invalidGrant,
        computed == nil
          ? "The code_verifier does not match the code_challenge supplied in the authorization request for PKCE."
          : "The Code_Verifier does not match the code_challenge supplied in the authorization request.",
        aadsts: computed == nil ? .codeVerifierMissing : .codeVerifierMismatch))
}

/// The sender of a redemption: a page in a browser, or another program.
///
/// A browser sends the page's origin in `Origin`; other programs do not send this header. Entra lets only
/// pages redeem the codes of SPA redirect URIs, and only programs redeem all others (Entra: OAuth 2.0
/// authorization code flow, "Redirect URIs for single-page apps").
struct RedeemingOrigin {
  /// The origin of the page, or `nil` if it is the provider's own.
  var origin: String?
  var client: ClientRegistration
  /// The redirect URI that received the code, or `nil` if the request does not redeem a code.
  var redirectURI: String?
  /// Whether the redeemed code or token was issued to an SPA redirect URI.
  var isSinglePage = false
  /// Whether the code was requested with PKCE.
  var hasChallenge = true
  /// Whether the request proves the client.
  let provesClient: Bool

  init(_ request: TokenRequest) {
    origin = request.http.foreignOrigin
    client = request.client
    provesClient = request.authenticationClass != "0"
  }

  /// Entra checks PKCE first, so that a server whose redirect URI is of type SPA gets AADSTS9002325
  /// (atinux/nuxt-auth-utils#319, microsoftgraph/msgraph-sdk-php#1057).
  static var rules: [(RedeemingOrigin) -> RuleResult] {
    [checkPageSentChallenge, checkPageMayRedeem, checkPageRedeems]
  }

  /// Whether the page's origin is registered.
  ///
  /// A loopback address may have any port (RFC 8252 §7.3).
  fileprivate var isRegisteredOrigin: Bool {
    guard let origin else { return false }
    let registered = (client.spaRedirectURIs ?? []) + (redirectURI.map { [$0] } ?? [])
    return registered.contains { uri in
      guard let page = URLParts(origin), let known = URLParts(uri) else { return false }
      if page.origin.lowercased() == known.origin.lowercased() { return true }
      return page.scheme == "http" && known.scheme == "http" && isLoopback(page.host)
        && page.host == known.host
    }
  }
}

extension HTTPRequest {
  /// The `Origin` of a page from another origin (Fetch §3.2), or `nil` for the provider's own pages and other
  /// programs.
  var foreignOrigin: String? {
    header("Origin").flatMap { $0.lowercased() == origin.lowercased() ? nil : $0 }
  }
}

/// Checks that a page redeems only its own codes, and without a secret: Entra prevents client credentials in all flows in
/// the presence of an `Origin` (Entra: OAuth 2.0 authorization code flow).
private func checkPageMayRedeem(_ redemption: RedeemingOrigin) -> RuleResult {
  let isAllowed =
    redemption.origin == nil
    || redemption.isSinglePage && redemption.isRegisteredOrigin && !redemption.provesClient
  return RuleResult(
    "redeeming origin is allowed",
    expected: !redemption.isSinglePage
      ? "no page of another origin"
      : redemption.provesClient
        ? "a page without a secret" : "the origin of a redirect URI of type SPA, or no page",
    found: redemption.origin ?? "no page", isAllowed, source: "Entra",
    failure: "the redeeming origin is not allowed",
    else: OAuthError(
      .invalidRequest,
      "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request "
        + "origin: '\(shortened(redemption.origin ?? ""))'.", aadsts: .crossOriginRefused))
}

private func checkPageRedeems(_ redemption: RedeemingOrigin) -> RuleResult {
  RuleResult(
    "redemption by a page",
    expected: redemption.isSinglePage ? "a page, with the header Origin" : "any",
    found: redemption.origin ?? "no page", !redemption.isSinglePage || redemption.origin != nil,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
      aadsts: .crossOriginRequired))
}

private func checkPageSentChallenge(_ redemption: RedeemingOrigin) -> RuleResult {
  RuleResult(
    "PKCE of a page", expected: redemption.isSinglePage ? "code_challenge" : "any",
    found: redemption.hasChallenge ? "sent" : "none", !redemption.isSinglePage || redemption.hasChallenge,
    source: "Entra",
    else: OAuthError(
      .invalidRequest,
      "Proof Key for Code Exchange is required for cross-origin authorization code redemption.",
      aadsts: .pkceRequired))
}
