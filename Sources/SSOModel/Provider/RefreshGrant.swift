import SSOCore

extension Provider {
  /// `grant_type=refresh_token` (RFC 6749 §6): any resource, any tenant that knows the person, and with a
  /// family refresh token any client of the family. A new token comes with each answer; the old one stays valid
  /// as at Entra, unless the home tenant says otherwise.
  func redeemRefreshToken(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    let secret = request.http.form["refresh_token"] ?? ""
    let found = try refreshTokens.record(secret: secret)
    let redemption = RefreshRedemption(record: found, client: request.client, now: now)
    try exchange.checks.require(RefreshRedemption.rules, of: redemption)
    guard let record = found else { throw OAuthError(.invalidGrant, "Unknown token.", aadsts: 70000) }
    let detectsReuse =
      try directory.tenant(byNameOrID: record.homeTenantID)?.detectsRefreshTokenReuse ?? false
    if detectsReuse {
      if record.redeemedAt != nil, let grantID = record.grantID { try refreshTokens.revoke(grantID: grantID) }
      try exchange.checks.require(redemption.checkNotRedeemed())
    }
    var request = request
    request.grantID = record.grantID
    let scopes = request.scopes.isEmpty ? record.scopes ?? request.scopes : request.scopes
    var situation = record.situation ?? AccessSituation()
    situation.enrollmentID = request.http.form["microsoft_enrollment_id"] ?? situation.enrollmentID
    let response = try issue(
      request, username: record.username, scopes: scopes, deviceID: record.deviceID,
      situation: situation, &exchange
    ).response
    if detectsReuse { try refreshTokens.change(key: sha256Hex(secret)) { $0.redeemedAt = now } }
    return response
  }
}

/// A refresh token as it came: what the rules look at.
struct RefreshRedemption {
  var record: RefreshTokenRecord?
  var client: ClientRegistration
  var now: Instant

  static var rules: [(RefreshRedemption) -> Finding] {
    [
      checkRefreshTokenIsKnown, { $0.checkNotRevoked("refresh token") },
      { $0.checkNotExpired("refresh token") }, checkRefreshTokenServesClient,
    ]
  }

  func checkNotRevoked(_ name: String) -> Finding {
    Finding(
      "\(name) not revoked", expected: "not revoked",
      found: record?.revokedAt == nil ? "not revoked" : "revoked", record?.revokedAt == nil,
      source: "fact sheet 4.1",
      else: OAuthError(
        .invalidGrant, "The provided grant has been revoked. Sign in again.", aadsts: 50173,
        suberror: "bad_token"))
  }

  func checkNotRedeemed() -> Finding {
    Finding(
      "refresh token not used", expected: "first redemption",
      found: record?.redeemedAt == nil ? "first" : "used before", record?.redeemedAt == nil,
      source: "RFC 9700 §4.14.2",
      else: OAuthError(
        .invalidGrant,
        "The refresh token was used before: somebody else may have it. All tokens of its sign-in "
          + "are revoked; sign in again.", aadsts: 70000, suberror: "bad_token"))
  }

  func checkNotExpired(_ name: String) -> Finding {
    let left = record.map { now.seconds(until: $0.expiresAt) } ?? 0
    return Finding(
      "\(name) not expired", expected: "time left", found: "\(left) s left",
      record.map { now < $0.expiresAt } ?? false, source: "RFC 6749 §5.2",
      else: OAuthError(
        .invalidGrant, "The refresh token has expired. Sign in again.", aadsts: 700082,
        suberror: "bad_token"))
  }
}

private func checkRefreshTokenIsKnown(_ redemption: RefreshRedemption) -> Finding {
  let isKnown = redemption.record.map { $0.kind != .primary } ?? false
  return Finding(
    "refresh token known", expected: "one that was issued", found: isKnown ? "known" : "unknown", isKnown,
    source: "RFC 6749 §5.2",
    else: OAuthError(
      .invalidGrant, "Provided grant is invalid or malformed.", aadsts: 70000, suberror: "bad_token"))
}

private func checkRefreshTokenServesClient(_ redemption: RefreshRedemption) -> Finding {
  let (record, client) = (redemption.record, redemption.client)
  let isOwn = record?.clientID.lowercased() == client.clientID.lowercased()
  let isFamily = record?.kind == .family && record?.familyID != nil && record?.familyID == client.familyID
  return Finding(
    "refresh token serves client",
    expected: record?.familyID.map { "family \($0)" } ?? record?.clientID ?? "",
    found: client.clientID + (client.familyID.map { ", family \($0)" } ?? ", no family"),
    isOwn || isFamily, source: "fact sheet 4.1",
    else: OAuthError(
      .invalidGrant,
      "The refresh token was issued to another application, and not to a family of this one.",
      aadsts: 70000, suberror: "client_mismatch"))
}
