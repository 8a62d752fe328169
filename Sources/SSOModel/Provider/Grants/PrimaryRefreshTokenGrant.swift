/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with `prt`, `client_id`, `redirect_uri`, `scope`, `broker_bundle_id` and
/// `caller_bundle_id`: the broker asks on behalf of an app (claim B1); on Linux with `caller_executable`.
///
/// Entra takes a request signed with the session key; here the token itself is sent.
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
    let caller = CallerClaim(
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
