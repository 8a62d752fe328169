import SSOCore

extension Provider {
  /// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with `assertion` and
  /// `requested_token_use=on_behalf_of`: an API that was called calls another one for the same person.
  func redeemOnBehalfOf(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    try requireProof(request, &exchange)
    let use = request.http.form["requested_token_use"]
    try exchange.checks.require(
      Finding(
        "requested token use", expected: "on_behalf_of", found: use ?? "none", use == "on_behalf_of",
        source: "Entra",
        else: OAuthError(
          .invalidRequest, "The request body must contain the following parameter: 'requested_token_use'.",
          aadsts: 900_144)))
    let reading = AccessTokenReading(
      compact: request.http.form["assertion"] ?? "", keys: try keys.published(), now: now)
    try exchange.checks.require(checkAssertion(reading))
    let claims = reading.claims
    let clientID = request.client.clientID
    try exchange.checks.require(checkAudience(of: claims, isClient: clientID))
    let username = (claims["preferred_username"] ?? claims["unique_name"] ?? claims["upn"])?.string
    try exchange.checks.require(
      Finding(
        "assertion speaks for a person", expected: "a person", found: username ?? "an app",
        username != nil, source: "Entra",
        else: OAuthError(
          .invalidGrant, "Application '\(clientID)' is not allowed to make application on-behalf-of calls.",
          aadsts: 7_000_114)))
    let person = try person(of: claims, evenDisabled: true)
    try exchange.checks.require(
      checkUserExists(person, username: username ?? "", tenant: request.tenant))
    try exchange.checks.require(checkTenant(of: claims, is: request.tenant))
    var request = request
    request.tenant = try AuthorityTenant(claims["tid"]?.string ?? "", in: directory)
    return try issue(
      request, username: person?.username ?? "", scopes: request.scopes, deviceID: nil, &exchange
    ).response
  }

  /// The person of an access token that was verified; nil if it is an app's, or the account is gone.
  func person(of claims: [String: JSONValue], evenDisabled: Bool = false) throws -> Person? {
    // A token of AD FS knows no IDs.
    if let upn = claims["upn"]?.string, claims["tid"] == nil { return try directory.person(username: upn) }
    // `unique_name` in a token of version 1.
    guard let username = (claims["preferred_username"] ?? claims["unique_name"])?.string,
      let tenantID = claims["tid"]?.string,
      let person = try directory.person(username: username), evenDisabled || !person.isDisabled
    else { return nil }
    return person.objectID(in: tenantID) == claims["oid"]?.string ? person : nil
  }
}

private func checkAssertion(_ reading: AccessTokenReading) -> Finding {
  Finding(
    "assertion valid", expected: "an access token of this provider", found: reading.fault ?? "valid",
    reading.fault == nil, source: "RFC 7523 §3",
    else: reading.isOutOfTime
      ? OAuthError(
        .invalidGrant, "Assertion is not within its valid time range: \(reading.fault ?? "").",
        aadsts: 500_133)
      : OAuthError(
        .invalidGrant, "Assertion failed signature validation. [Reason - \(reading.fault ?? "").]",
        aadsts: 50013))
}

private func checkAudience(of claims: [String: JSONValue], isClient clientID: String) -> Finding {
  let audience = claims["aud"]?.string ?? ""
  let own = [clientID, "api://" + clientID].map { $0.lowercased() }
  return Finding(
    "assertion is for this client", expected: own.joined(separator: " or "), found: audience,
    own.contains(audience.lowercased()), source: "RFC 7523 §3",
    else: OAuthError(
      .invalidGrant,
      "Assertion audience does not match the Client app presenting the assertion. The audience in the assertion "
        + "was '\(audience)' and the expected audience is 'api://\(clientID)'.",
      aadsts: 500_131))
}

private func checkTenant(of claims: [String: JSONValue], is tenant: AuthorityTenant) -> Finding {
  let issuing = claims["tid"]?.string ?? ""
  var isSame = true
  if let named = tenant.tenant { isSame = named.id == issuing }
  return Finding(
    "assertion's tenant", expected: tenant.segment, found: issuing, isSame, source: "Entra",
    else: OAuthError(
      .invalidGrant, "The assertion was issued by the tenant '\(issuing)', not by '\(tenant.segment)'.",
      aadsts: 50013))
}
