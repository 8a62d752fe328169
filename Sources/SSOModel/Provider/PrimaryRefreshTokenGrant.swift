import SSOCore

extension Provider {
  /// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with `prt`, `client_id`, `redirect_uri`,
  /// `scope`, `broker_bundle_id` and `caller_bundle_id`: the broker asks on behalf of an app (claim B1).
  ///
  /// Entra takes a request signed with the session key; here the token itself is sent.
  func redeemPrimaryRefreshToken(
    _ request: TokenRequest, _ exchange: inout Exchange
  ) throws -> TokenResponse {
    let form = request.http.form
    let found = try refreshTokens.record(secret: form["prt"] ?? "")
    let isKnown = found?.kind == .primary
    try exchange.checks.require(
      Finding(
        "primary refresh token known", expected: "one that was issued",
        found: isKnown ? "known" : "unknown", isKnown, source: "fact sheet 4.1",
        else: OAuthError(
          .invalidGrant, "The primary refresh token is invalid or malformed.", aadsts: 70000,
          suberror: "bad_token")))
    let redemption = RefreshRedemption(record: found, client: request.client, now: now)
    try exchange.checks.require(redemption.checkNotRevoked("primary refresh token"))
    try exchange.checks.require(redemption.checkNotExpired("primary refresh token"))
    let caller = CallerClaim(
      bundleID: form["caller_bundle_id"] ?? "", brokerBundleID: form["broker_bundle_id"] ?? "",
      redirectURI: form["redirect_uri"] ?? "", client: request.client)
    try exchange.checks.require(CallerClaim.rules, of: caller)
    guard let record = found else { throw OAuthError(.invalidGrant, "Unknown token.", aadsts: 70000) }
    var request = request
    request.grantID = record.grantID
    let situation = AccessSituation(
      deviceID: record.deviceID, isBrokered: true, enrollmentID: form["microsoft_enrollment_id"],
      canProtect: request.claims.canProtect)
    return try issue(
      request, username: record.username, scopes: request.scopes, deviceID: record.deviceID,
      situation: situation, &exchange
    ).response
  }
}
