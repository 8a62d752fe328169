import SSOCore
import SSOReference

/// `grant_type=refresh_token` (RFC 6749 §6).
///
/// It works for any resource and for any tenant that knows the user, and with a family refresh token for any
/// client of the family. Each response contains a new refresh token. The old one stays valid, as at Entra,
/// unless the home tenant detects reuse.
struct RefreshTokenGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let secret = request.http.form["refresh_token"] ?? ""
    let found = try provider.documents.refreshToken(secret: secret)
    let record = try context.require(found, checkRefreshTokenIsKnown(found, secret, request.tenant))
    let redemption = RefreshRedemption(record: record, client: request.client, now: provider.now)
    try context.require(RefreshRedemption.rules, of: redemption)
    if request.tenant.policy != nil {
      try context.require(checkUserFlow(record.userFlow, of: "refresh token", is: request.tenant))
    }
    let service = try checkServiceOfGrant(
      isPersonal: record.homeTenantID == Tenant.personalID, at: request.tenant,
      isGuest: provider.directory.person(username: record.username).map {
        request.tenant.issuingTenantID(for: $0) != nil
      } ?? true)
    try context.require([service].compactMap(\.self))
    var origin = RedeemingOrigin(request)
    origin.isSinglePage = record.kind == .singlePage
    try context.require(RedeemingOrigin.rules, of: origin)
    if !request.http.isVersionOne, request.tenant.policy == nil, !request.tenant.isFederation {
      let resource = try record.scopes?.resources.first.flatMap { try provider.directory.resource(named: $0) }
      try context.require(
        checkNotForItself(request.scopes, record, request.client, resource: resource?.appID))
    }
    let home = try provider.directory.tenant(byNameOrID: record.homeTenantID)
    let detectsReuse = home?.detectsRefreshTokenReuse ?? false
    if detectsReuse {
      if record.redeemedAt != nil, let grantID = record.grantID {
        try provider.refreshTokens.revoke(grantID: grantID)
      }
      try context.require(redemption.checkNotRedeemed())
    }
    var request = request
    request.grantID = record.grantID
    request.singlePageEnd = origin.isSinglePage ? record.expiresAt : nil
    request.redirectURI = record.redirectURI
    var situation = record.situation ?? AccessSituation()
    situation.enrollmentID = request.http.form["microsoft_enrollment_id"] ?? situation.enrollmentID
    situation.authenticatedAt = situation.authenticatedAt ?? record.issuedAt
    let issuance = TokenIssuance(
      provider: provider, request: request, username: record.username,
      scopes: request.scopes.isEmpty ? record.scopes ?? request.scopes : request.scopes,
      deviceID: record.deviceID, situation: situation)
    let response = try issuance.issue(&context).response
    if detectsReuse {
      try provider.refreshTokens.change(key: sha256Hex(secret)) { $0.redeemedAt = provider.now }
    }
    return response
  }
}

/// A redemption of a known refresh token, as the input of its rules.
struct RefreshRedemption {
  var record: RefreshTokenRecord
  var client: ClientRegistration
  var now: Instant

  /// The rules that apply after `checkRefreshTokenIsKnown`.
  static var rules: [(RefreshRedemption) -> RuleResult] {
    [
      { $0.checkNotRevoked("refresh token") }, { $0.checkNotExpired("refresh token") },
      checkRefreshTokenServesClient,
    ]
  }

  func checkNotRevoked(_ name: String) -> RuleResult {
    RuleResult(
      "\(name) not revoked", expected: "not revoked",
      found: record.revokedAt == nil ? "not revoked" : record.revocation?.reason.displayText ?? "revoked",
      record.revokedAt == nil,
      source: "silent-call.md §1", failure: "the \(name) was revoked",
      else: OAuthError(
        .invalidGrant,
        "The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have "
          + "changed or reset their password. The grant was issued on '\(record.issuedAt.ticks)' and the TokensValidFrom "
          + "date (before which tokens are not valid) for this user is '\((record.revokedAt ?? now).ticks)'.",
        aadsts: .grantRevoked, suberror: .badToken))
  }

  func checkNotRedeemed() -> RuleResult {
    RuleResult(
      "refresh token not used", expected: "first redemption",
      found: record.redeemedAt == nil ? "first" : "used before", record.redeemedAt == nil,
      source: "RFC 9700 §4.14.2", failure: "the refresh token was used before",
      else: OAuthError(
        .invalidGrant,
        "The refresh token was used before: another party may have it. All tokens of its sign-in "
          + "are revoked; sign in again.", aadsts: .grantInvalid, suberror: .badToken))
  }

  func checkNotExpired(_ name: String) -> RuleResult {
    RuleResult(
      "\(name) not expired", expected: "time left", found: timeLeftText(now.seconds(until: record.expiresAt)),
      now < record.expiresAt, source: "RFC 6749 §5.2", failure: "the \(name) has expired",
      else: record.kind == .singlePage
        ? OAuthError(
          .invalidGrant,
          "The refresh token was issued to a single page app (SPA), and therefore has a fixed, limited lifetime of "
            + "1.00:00:00, which cannot be extended. It is now expired and a new sign in request must be sent by "
            + "the SPA to the sign in page. The token was issued on \(record.issuedAt.ticks).",
          aadsts: .singlePageTokenExpired, suberror: .badToken)
        : OAuthError(
          .invalidGrant,
          "The refresh token has expired due to inactivity. The token was issued on \(record.issuedAt.ticks) and was "
            + "inactive for \(RefreshTokenRecord.lifetime(of: record.kind) / 86_400).00:00:00.",
          aadsts: .refreshTokenInactive, suberror: .badToken))
  }
}

private func checkRefreshTokenIsKnown(
  _ record: RefreshTokenRecord?, _ secret: String, _ tenant: AuthorityTenant
) -> RuleResult {
  let isKnown = record.map { $0.kind != .primary } ?? false
  return RuleResult(
    "refresh token known", expected: "one that was issued",
    found: isKnown ? "known" : "the provider does not know it", isKnown,
    source: "RFC 6749 §5.2", failure: "the provider does not know the refresh token",
    else: tenant.redeems(personal: secret)
      ? .malformedPersonalGrant(
        "The provided value for the input parameter 'refresh_token' or 'assertion' is not valid.")
      : secret.hasPrefix(RefreshTokens.prefix)
        ? OAuthError(
          .invalidGrant, "Provided grant is invalid or malformed.", aadsts: .grantInvalid, suberror: .badToken
        ) : .malformedGrant)
}

private func checkRefreshTokenServesClient(_ redemption: RefreshRedemption) -> RuleResult {
  let (record, client) = (redemption.record, redemption.client)
  let isForClient = record.clientID.lowercased() == client.clientID.lowercased()
  let isForFamily = record.kind == .family && record.familyID != nil && record.familyID == client.familyID
  return RuleResult(
    "refresh token serves client", expected: record.familyID.map { "family \($0)" } ?? record.clientID,
    found: client.clientID + (client.familyID.map { ", family \($0)" } ?? ", no family"),
    isForClient || isForFamily, source: "silent-call.md §1",
    failure: "the refresh token belongs to another app",
    else: .refreshTokenOfAnotherClient)
}

extension OAuthError {
  /// The error for a refresh token of another client.
  ///
  /// It is an assumption that Entra sends MSAL's suberror with this number.
  static let refreshTokenOfAnotherClient: OAuthError = {
    var error = OAuthError(
      .invalidGrant, "The grant was issued for a different client id.", aadsts: .grantOfAnotherClient)
    error.suberror = OAuthSuberror.clientMismatch.text
    return error
  }()
}

/// Checks that a client that is its own API, and was signed in with its App ID URI, names that scope again.
///
/// Without a scope, Entra treats the refresh as the application's request for a token for itself.
private func checkNotForItself(
  _ scopes: RequestedScopes, _ record: RefreshTokenRecord, _ client: ClientRegistration, resource: String?
) -> RuleResult {
  let name = record.scopes?.resources.first ?? ""
  let isItself =
    scopes.ofResources.isEmpty && resource?.lowercased() == client.clientID.lowercased()
    && name.lowercased() != client.clientID.lowercased()
  return RuleResult(
    "resource of a client that is its own API", expected: isItself ? "a scope of \(name)" : "any",
    found: scopes.isEmpty ? "none" : scopes.all.joined(separator: " "), !isItself, source: "Entra",
    failure: "the refresh does not ask for a scope of the client's own API",
    else: .tokenForItself(client))
}

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with a primary refresh token: the broker requests
/// tokens for an app (claim B1).
///
/// The fields are `prt`, `client_id`, `redirect_uri`, `scope`, `broker_bundle_id` and `caller_bundle_id`; on
/// Linux also `caller_executable`. Entra requires a request that is signed with the session key; here, the
/// request contains the token itself.
struct PrimaryRefreshTokenGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    let found = try provider.documents.refreshToken(secret: form["prt"] ?? "")
    let record = try context.require(found, checkPrimaryRefreshTokenIsKnown(found))
    let redemption = RefreshRedemption(record: record, client: request.client, now: provider.now)
    try context.require([
      redemption.checkNotRevoked("primary refresh token"),
      redemption.checkNotExpired("primary refresh token"),
    ])
    if let refusal = try refusalOfDeletedDevice(record) { try context.require([refusal]) }
    let caller = ReportedCaller(
      bundleID: form["caller_bundle_id"] ?? "", brokerBundleID: form["broker_bundle_id"] ?? "",
      redirectURI: form["redirect_uri"] ?? "", client: request.client,
      executable: form["caller_executable"])
    try context.require(caller.rules, of: caller)
    var request = request
    request.grantID = record.grantID
    let situation = AccessSituation(
      deviceID: record.deviceID, isBrokered: true, enrollmentID: form["microsoft_enrollment_id"],
      canProtect: request.claims.canProtect, hasSecondFactor: record.situation?.hasSecondFactor,
      authenticatedAt: record.situation?.authenticatedAt ?? record.issuedAt)
    return try TokenIssuance(
      provider: provider, request: request, username: record.username, scopes: request.scopes,
      deviceID: record.deviceID, situation: situation
    ).issue(&context).response
  }
}

extension PrimaryRefreshTokenGrant {
  /// Returns the failed check of a token whose device was deleted from the directory, or `nil`.
  private func refusalOfDeletedDevice(_ record: RefreshTokenRecord) throws -> RuleResult? {
    guard try provider.directory.isDeviceDeleted(of: record) else { return nil }
    let error = try provider.directory.errorOfDeletedDevice(tenantID: record.homeTenantID)
    return RuleResult(
      "device of the primary refresh token", expected: "a registered device",
      found: "device \(record.deviceID ?? ""), deleted", false, source: "provider.md §11",
      failure: "the device was deleted from the directory", else: error)
  }
}

private func checkPrimaryRefreshTokenIsKnown(_ record: RefreshTokenRecord?) -> RuleResult {
  let isKnown = record?.kind == .primary
  return RuleResult(
    "primary refresh token known", expected: "one that was issued",
    found: isKnown ? "known" : "the provider does not know it",
    isKnown, source: "provider.md §11",
    failure: "the primary refresh token is not known",
    else: OAuthError(
      .invalidGrant, "The primary refresh token is invalid or malformed.", aadsts: .grantInvalid,
      suberror: .badToken))
}

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
  /// On Linux and Windows, nothing connects a redirect URI to a caller (docs/behaviour/linux-broker.md §4, broker.md §2(8)).
  var rules: [(ReportedCaller) -> RuleResult] {
    let namesApp = executable == nil && brokerBundleID != RedirectOwner.webAccountPlugin
    return [checkBrokerIsNamed] + (namesApp ? [checkCallerMatchesRedirectURI] : [])
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
    failure: "the broker's bundle ID is missing",
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
    failure: "the redirect URI is not registered",
    else: OAuthError(
      .invalidClient,
      "The redirect URI '\(claim.redirectURI)' does not match the redirect URIs configured for the "
        + "application '\(claim.client.clientID)'.",
      aadsts: .redirectURINotRegistered))
}
