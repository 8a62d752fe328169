import Essentials

/// The authentication of an API request by its access token (RFC 6750).
struct BearerAuthentication {
  let provider: ProviderResources

  /// Returns the claims of the request's bearer token (RFC 6750 §2.1).
  ///
  /// - Throws: `invalid_token` if there is no token, if it cannot be trusted, or if it is for another API.
  func verify(for audiences: [String], _ context: inout RequestContext) throws -> AccessTokenReading {
    let reading = try reading(of: context)
    try context.require(checkBearerToken(reading, isPresent: !token(of: context).isEmpty))
    try context.require(checkBearerAudience(reading, isOneOf: audiences))
    try context.require(checkNotRevoked(try provider.documents.revocation(ofAccessToken: reading.claims)))
    return reading
  }

  /// Returns the bearer token of the request, or an empty string if it has none.
  func token(of context: RequestContext) -> String {
    let words = context.request.header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
    let header = words.count == 2 && words[0].lowercased() == "bearer" ? words[1].trimmed : nil
    return header ?? context.request.form["access_token"] ?? ""
  }

  func reading(of context: RequestContext) throws -> AccessTokenReading {
    AccessTokenReading(
      compact: token(of: context), keys: try provider.keys.published(), now: provider.now)
  }

  /// Rejects the request with 401 and a challenge, or with 403 if the token is valid but insufficient (RFC
  /// 6750 §3).
  func refuse(_ error: OAuthError, body: JSONValue, _ context: inout RequestContext) -> ProviderResponse {
    context.refusal = error
    let isNone =
      context.request.header("Authorization") == nil && context.request.form["access_token"] == nil
    if let claims = error.claims { return challenge(error, claims, body, context) }
    let reason = error.reason.replacing("\"", with: "'")
    var response = HTTPResponse.json(error.code == .insufficientScope ? 403 : 401, body)
    response.headers.append(
      NameValue(
        "WWW-Authenticate",
        isNone
          ? "Bearer authorization_uri=\"\(context.request.origin)/common/oauth2/authorize\""
          : "Bearer error=\"\(error.code.text)\", error_description=\"\(reason)\""))
    return ProviderResponse(response)
  }

  /// Returns a claims challenge with the wording of Microsoft Graph.
  private func challenge(
    _ error: OAuthError, _ claims: String, _ body: JSONValue, _ context: RequestContext
  ) -> ProviderResponse {
    var response = HTTPResponse.json(401, body)
    let encoded = Data(claims.utf8).base64EncodedString()
    response.headers.append(
      NameValue(
        "WWW-Authenticate",
        "Bearer realm=\"\", authorization_uri=\"\(context.request.origin)/common/oauth2/authorize\", "
          + "client_id=\"\(ProtectedResource.graphAppID)\", error_description=\"\(error.reason)\", "
          + "error=\"\(error.code.text)\", claims=\"\(encoded)\""))
    return ProviderResponse(response)
  }
}

/// Checks that nothing revoked the token after it was issued.
func checkNotRevoked(_ revocation: Revocation?) -> RuleResult {
  RuleResult(
    "not revoked", expected: "no revocation", found: revocation?.reason.words ?? "none",
    revocation == nil, source: "graph.md §4",
    else: OAuthError(
      .insufficientClaims,
      "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: "
        + "TokenIssuedBeforeRevocationTimestamp",
      claims:
        "{\"access_token\":{\"nbf\":{\"essential\":true, \"value\":\"\(revocation?.firstValidSecond ?? 0)\"}}}"
    ))
}

private func checkBearerToken(_ reading: AccessTokenReading, isPresent: Bool) -> RuleResult {
  RuleResult(
    "bearer token valid", expected: "an access token of this provider",
    found: isPresent ? reading.fault ?? "valid" : "none", reading.fault == nil, source: "RFC 6750 §3.1",
    else: OAuthError(
      .invalidToken,
      isPresent ? "The access token is refused: \(reading.fault ?? "")." : "An access token is needed."))
}

private func checkBearerAudience(
  _ reading: AccessTokenReading, isOneOf audiences: [String]
) -> RuleResult {
  let audience = reading.claims["aud"]?.string ?? ""
  return RuleResult(
    "bearer token is for this API", expected: audiences.joined(separator: " or "), found: audience,
    audiences.contains { $0 == (audience.hasSuffix("/") ? String(audience.dropLast()) : audience) },
    source: "RFC 6750 §3.1",
    else: OAuthError(.invalidToken, "The access token is for '\(audience)', not for '\(audiences[0])'."))
}
