import SSOCore
import SSOReference

/// `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 §3.4): one poll.
///
/// MSAL sends the device code twice, as `device_code` and as `code`.
struct DeviceCodeGrant {
  let provider: ProviderResources

  func redeem(_ request: TokenRequest, _ context: inout RequestContext) throws -> TokenResponse {
    let form = request.http.form
    let key = DeviceAuthorizations.key(deviceCode: form["device_code"] ?? form["code"] ?? "")
    let found = try provider.deviceAuthorizations.authorization(key: key)
    var authorization = try context.require(found, checkDeviceCodeIsKnown(found, request.tenant))
    let issuer = try AuthorityTenant(authorization.authoritySegment, in: provider.directory)
    let poll = DevicePoll(
      authorization: authorization, client: request.client, issuer: issuer, tenant: request.tenant,
      now: provider.now)
    if authorization.state == .pending {
      if poll.isTooFast { authorization.interval += 5 }
      authorization.polledAt = provider.now
      try provider.deviceAuthorizations.save(authorization, key: key)
    }
    try context.require(DevicePoll.rules, of: poll)
    var request = request
    request.tenant = issuer
    request.grantID = sha256Hex(key)
    request.authenticatedAt = request.claims.asksAuthTime ? authorization.authenticatedAt : nil
    let issuance = TokenIssuance(
      provider: provider, request: request, username: authorization.username ?? "",
      scopes: authorization.scopes,
      // The provider knows nothing about the polling device.
      situation: AccessSituation(
        hasSecondFactor: authorization.hasSecondFactor, authenticatedAt: authorization.authenticatedAt,
        usesDeviceCode: true, hasExternalControl: authorization.hasExternalControl))
    let response = try issuance.issue(&context).response
    authorization.state = .redeemed
    try provider.deviceAuthorizations.save(authorization, key: key)
    return response
  }
}

/// A poll for a known device code, as the input of the rules of the device code grant.
struct DevicePoll {
  var authorization: DeviceAuthorization
  var client: ClientRegistration
  /// The authority that issued the code.
  var issuer: AuthorityTenant
  /// The authority of the poll.
  var tenant: AuthorityTenant
  var now: Instant

  /// The rules that apply after `checkDeviceCodeIsKnown`.
  static var rules: [(DevicePoll) -> RuleResult] {
    [
      checkDeviceCodeClient, checkDeviceCodeTenant, checkDeviceCodeIsUnused, checkDeviceCodeIsNotDeclined,
      checkDeviceCodeIsYoung,
      checkPollIsNotTooFast, checkDeviceCodeIsApproved,
    ]
  }

  /// Whether the poll arrived before the interval since the last poll had passed.
  ///
  /// One second is tolerated, because clients count from the response.
  var isTooFast: Bool {
    // If the clock was set back, do not treat any poll as too early.
    guard let last = authorization.polledAt, last <= now else { return false }
    return now.milliseconds - last.milliseconds < Int64(authorization.interval - 1) * 1000
  }
}

/// Checks that the device code was issued; the personal accounts' service has the same sentence with another number
/// (MicrosoftDocs/microsoft-graph-training#97, microsoftgraph/msgraph-sdk-powershell#459).
private func checkDeviceCodeIsKnown(
  _ authorization: DeviceAuthorization?, _ tenant: AuthorityTenant
) -> RuleResult {
  RuleResult(
    "device code known", expected: "a device code that was issued",
    found: authorization == nil ? "unknown" : "known", authorization != nil, source: "RFC 8628 §3.5",
    failure: "the device code is not known",
    else: OAuthError(
      .invalidGrant, "The provided value for the input parameter 'device_code' is not valid.",
      aadsts: tenant == .consumers ? .grantInvalid : .deviceCodeInvalid))
}

private func checkDeviceCodeClient(_ poll: DevicePoll) -> RuleResult {
  let issuedTo = poll.authorization.clientID
  return RuleResult(
    "device code issued to client", expected: issuedTo, found: poll.client.clientID,
    issuedTo.lowercased() == poll.client.clientID.lowercased(), source: "RFC 8628 §3.4",
    failure: "the device code was issued to another client",
    else: OAuthError(
      .invalidGrant, "The device code was issued to another application.", aadsts: .grantInvalid))
}

/// Checks that the poll goes to the tenant or alias that the device asked (Microsoft Learn, "OAuth 2.0 device authorization
/// grant": `tenant`; KelvinTegelaar/CIPP#231).
///
/// Entra's number is not public: this is the one of a code in the same situation.
private func checkDeviceCodeTenant(_ poll: DevicePoll) -> RuleResult {
  RuleResult(
    "tenant of the device code", expected: poll.issuer.segment, found: poll.tenant.segment,
    poll.issuer == poll.tenant, source: "Entra", else: .codeOfAnotherTenant)
}

private func checkDeviceCodeIsUnused(_ poll: DevicePoll) -> RuleResult {
  let isUsed = poll.authorization.state == .redeemed
  return RuleResult(
    "device code not used", expected: "first redemption", found: isUsed ? "used before" : "first", !isUsed,
    source: "RFC 8628 §3.5",
    failure: "the device code was redeemed before",
    else: OAuthError(
      .invalidGrant, "The device code was already redeemed. Ask for a new one.", aadsts: .codeAlreadyRedeemed)
  )
}

private func checkDeviceCodeIsNotDeclined(_ poll: DevicePoll) -> RuleResult {
  let isDeclined = poll.authorization.state == .declined
  return RuleResult(
    "device code not declined", expected: "not declined", found: isDeclined ? "declined" : "not declined",
    !isDeclined, source: "RFC 8628 §3.5",
    failure: "the device code was declined",
    else: OAuthError(
      .authorizationDeclined, "The end user has declined the authorization request.", aadsts: .consentDeclined
    ))
}

private func checkDeviceCodeIsYoung(_ poll: DevicePoll) -> RuleResult {
  let age = poll.authorization.issuedAt.seconds(until: poll.now)
  return RuleResult(
    "device code not expired", expected: "younger than \(DeviceAuthorization.lifetime) s", found: "\(age) s",
    !poll.authorization.hasExpired(at: poll.now), source: "RFC 8628 §3.5",
    failure: "the device code has expired",
    else: OAuthError(
      .expiredToken,
      "The provided value for the input parameter 'device_code' is not valid. This device code has expired.",
      aadsts: .deviceCodeExpired))
}

private func checkPollIsNotTooFast(_ poll: DevicePoll) -> RuleResult {
  let isTooFast = poll.authorization.state == .pending && poll.isTooFast
  return RuleResult(
    "poll interval", expected: "\(poll.authorization.interval) s between polls",
    found: isTooFast ? "sooner" : "kept", !isTooFast, source: "RFC 8628 §3.5",
    else: OAuthError(
      .slowDown, "The client polls too often: wait 5 seconds longer between polls from now on.",
      aadsts: .authorizationPending
    ))
}

private func checkDeviceCodeIsApproved(_ poll: DevicePoll) -> RuleResult {
  let state = poll.authorization.state
  return RuleResult(
    "device code approved", expected: "approved", found: state.rawValue, state == .approved,
    source: "RFC 8628 §3.5",
    failure: "the device code is not approved yet",
    else: OAuthError(
      .authorizationPending, "OAuth 2.0 device flow error. Authorization is pending. Continue polling.",
      aadsts: .authorizationPending))
}
