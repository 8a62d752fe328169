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
    let caller = ReportedCaller(
      bundleID: form["caller_bundle_id"] ?? "", brokerBundleID: form["broker_bundle_id"] ?? "",
      redirectURI: form["redirect_uri"] ?? "", client: request.client,
      executable: form["caller_executable"])
    try context.require(caller.rules, of: caller)
    var request = request
    request.grantID = record.grantID
    let situation = AccessSituation(
      deviceID: record.deviceID, isBrokered: true, enrollmentID: form["microsoft_enrollment_id"],
      canProtect: request.claims.canProtect, hasSecondFactor: record.situation?.hasSecondFactor)
    return try TokenIssuance(
      provider: provider, request: request, username: record.username, scopes: request.scopes,
      deviceID: record.deviceID, situation: situation
    ).issue(&context).response
  }
}

private func checkPrimaryRefreshTokenIsKnown(_ record: RefreshTokenRecord?) -> RuleResult {
  let isKnown = record?.kind == .primary
  return RuleResult(
    "primary refresh token known", expected: "one that was issued",
    found: isKnown ? "known" : "the provider does not know it",
    isKnown, source: "provider.md §11",
    else: OAuthError(
      .invalidGrant, "The primary refresh token is invalid or malformed.", aadsts: .grantInvalid,
      suberror: .badToken))
}
