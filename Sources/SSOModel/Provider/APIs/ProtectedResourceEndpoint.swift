import Essentials
import SSOCore
import SSOReference

/// `/resource`: the lab's API, which reports the checks of the bearer token (docs/behaviour/graph.md §3).
///
/// The query parameters `audience`, `scope` and `role` specify its requirements for the token.
///
/// `/resource/<client ID>` is the API of an app registration, which only accepts tokens for itself and has a metadata
/// document (RFC 9728). It is also a server of the Model Context Protocol (`ToolServer`).
struct ProtectedResourceEndpoint {
  let provider: ProviderResources

  /// Responds to a request for `/resource`, or for the API of a client.
  func respond(_ clientID: String?, _ context: inout RequestContext) throws -> ProviderResponse {
    let api = try clientID.flatMap { try provider.directory.registration(clientID: $0) }
    guard clientID == nil || api != nil else { return ProviderResponse(HTTPResponse(404)) }
    var bearer = BearerAuthentication(provider: provider)
    bearer.metadata = api.map { "\(context.request.origin)/\(Self.wellKnown)/resource/\($0.clientID)" }
    let results = try rules(of: bearer, api, context)
    // After a failed check, the results of the others are meaningless.
    let failed = results.firstIndex { $0.check.verdict == .failed } ?? results.count
    let checks = results.enumerated().map { index, result in
      var check = result.check
      if index > failed { check = check.skipped }
      return check
    }
    context.checks += checks
    let reading = try bearer.reading(of: context)
    var body: [String: JSONValue] = [
      "accepted": .bool(failed == results.count), "checks": .array(checks.map(\.json)),
    ]
    guard failed < results.count else {
      if let api, context.request.method.uppercased() == "POST",
        let answer = ToolServer(claims: reading.claims, name: api.displayName).respond(
          to: context.request.body)
      {
        return ProviderResponse(answer)
      }
      body["claims"] = .object(reading.claims)
      return ProviderResponse(.json(200, .object(body)))
    }
    let error = results[failed].refusal
    body["error"] = .string(error.code.text)
    body["error_description"] = .string(error.reason)
    return bearer.refuse(error, body: .object(body), &context)
  }

  /// The path of metadata documents, before the path of the resource (RFC 9728 §3.1).
  static let wellKnown = ".well-known/oauth-protected-resource"

  /// Returns the metadata of a client's API (RFC 9728 §2).
  ///
  /// Its scopes begin with the API's first App ID URI. Only if this is the resource itself, its byte-for-byte URL, does
  /// Entra accept the scopes together with the `resource` that clients send.
  func metadata(of clientID: String, _ context: inout RequestContext) throws -> ProviderResponse {
    let directory = provider.directory
    guard let api = try directory.registration(clientID: clientID) else {
      return ProviderResponse(HTTPResponse(404))
    }
    let origin = context.request.origin
    let tenantID =
      try api.homeTenantID ?? directory.tenants().first { $0.id != Tenant.personalID }?.id
      ?? Tenant.personalID
    let issuer = TokenIssuer.issuer(
      at: TokenIssuer.origin(for: context.request), tenantID: tenantID, policy: nil)
    let identifier = api.identifierURIs?.first ?? "api://\(api.clientID)"
    let scopes = api.exposedScopes ?? ["user_impersonation"]
    return ProviderResponse(
      .json(
        200,
        [
          "resource": .string("\(origin)/resource/\(api.clientID)"),
          "authorization_servers": [.string(issuer)],
          "scopes_supported": .array(scopes.map { .string("\(identifier)/\($0)") }),
          "bearer_methods_supported": ["header"], "resource_name": .string(api.displayName),
        ]))
  }

  private func rules(
    of bearer: BearerAuthentication, _ api: ClientRegistration?, _ context: RequestContext
  ) throws -> [RuleResult] {
    let (reading, query) = (try bearer.reading(of: context), context.request.query)
    let wanted = api?.clientID ?? query["audience"]
    let claims = reading.claims
    let person = try provider.directory.person(of: claims, evenDisabled: true)
    let resource = try provider.directory.resource(named: claims["aud"]?.string ?? "")
    var results = [checkBearerIsPresent(bearer.token(of: context))] + checkBearer(reading)
    results += [
      checkIssuer(claims, try provider.directory.tenants(), TokenIssuer.origin(for: context.request)),
      checkAudience(
        claims, wanted, resource, try wanted.flatMap { try provider.directory.resource(named: $0) }),
    ]
    if let scope = query["scope"] { results.append(checkScope(scope, reading)) }
    if let role = query["role"] { results.append(checkRole(role, claims)) }
    let isForApp = claims["scp"] == nil && claims["sub"] == claims["oid"]
    if !isForApp { results.append(checkAccount(person)) }
    results.append(checkNotRevoked(try provider.documents.revocation(ofAccessToken: claims)))
    return results
  }
}

extension Check {
  /// The check, marked as skipped because an earlier check failed.
  fileprivate var skipped: Check {
    Check(name, expected: expected, found: "not checked", verdict: .skipped, source: source)
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "expected": .string(expected), "found": .string(found),
      "verdict": .string(verdict.rawValue), "source": .string(source),
    ]
  }
}

private let source = "graph.md §3"

private func refusal(_ reason: String) -> OAuthError { OAuthError(.invalidToken, reason) }

private func checkBearerIsPresent(_ token: String) -> RuleResult {
  RuleResult(
    "bearer token", expected: "Authorization: Bearer TOKEN", found: token.isEmpty ? "none" : "one",
    !token.isEmpty, source: "RFC 6750 §2.1", else: refusal("An access token is needed."))
}

/// Checks format, algorithm, key, signature, and time, in this order.
private func checkBearer(_ reading: AccessTokenReading) -> [RuleResult] {
  let steps = AccessTokenReading.Step.allCases
  let failed = reading.failedStep.flatMap(steps.firstIndex) ?? steps.count
  return steps.enumerated().map { index, step in
    RuleResult(
      step.rawValue, expected: step.expected, found: index == failed ? reading.fault ?? "" : "as expected",
      index != failed, source: step.source,
      else: refusal("The access token is refused: \(reading.fault ?? "")."))
  }
}

/// Checks the issuer: `https://sts.windows.net/<tenant ID>/` in version 1, `<origin>/<tenant ID>/v2.0` in
/// version 2.
private func checkIssuer(
  _ claims: [String: JSONValue], _ tenants: [Tenant], _ origin: String
) -> RuleResult {
  let issuer = claims["iss"]?.string ?? "none"
  let known = tenants.flatMap { tenant in
    claims["ver"]?.string == "1.0"
      ? [issuerOfVersionOne(tenantID: tenant.id)]
      : [
        TokenIssuer.issuer(
          at: origin, tenantID: tenant.id, policy: nil, isExternal: tenant.isExternal)
      ]
  }
  return RuleResult(
    "issuer", expected: "a tenant of this provider: \(known.first ?? "")", found: issuer,
    known.contains(issuer), source: source,
    else: refusal("The access token was issued by '\(issuer)'."))
}

/// Checks the audience, which is the API's client ID (`aud` of version 2) or one of its App ID URIs.
private func checkAudience(
  _ claims: [String: JSONValue], _ wanted: String?, _ resource: ProtectedResource?,
  _ wantedResource: ProtectedResource?
) -> RuleResult {
  let audience = claims["aud"]?.string ?? "none"
  let isSameAPI = resource != nil && resource?.appID.lowercased() == wantedResource?.appID.lowercased()
  let isRight =
    wanted.map { isSameAPI || ProtectedResource.identity(of: $0) == ProtectedResource.identity(of: audience) }
    ?? (resource != nil)
  return RuleResult(
    "audience", expected: wanted ?? "an API of this lab", found: audience, isRight, source: source,
    else: refusal("The access token is for '\(audience)', not for '\(wanted ?? "an API of this lab")'."))
}

private func checkScope(_ scope: String, _ reading: AccessTokenReading) -> RuleResult {
  RuleResult(
    "scope", expected: scope, found: reading.claims["scp"]?.string ?? "none",
    reading.hasScope(scope.lowercased()), source: "RFC 6750 §3.1",
    else: OAuthError(.insufficientScope, "The access token lacks the scope \(scope)."))
}

private func checkRole(_ role: String, _ claims: [String: JSONValue]) -> RuleResult {
  let roles = claims["roles"]?.array?.compactMap(\.string) ?? []
  return RuleResult(
    "role", expected: role, found: roles.isEmpty ? "none" : roles.joined(separator: " "),
    roles.contains(role), source: source,
    else: OAuthError(.insufficientScope, "The access token lacks the role \(role)."))
}

/// Checks that the account exists.
///
/// A disabled account passes: an API learns of it only through continuous access evaluation.
private func checkAccount(_ person: DirectoryUser?) -> RuleResult {
  RuleResult(
    "account", expected: "an account of this directory", found: person?.username ?? "none", person != nil,
    source: source, else: refusal("The account of the access token no longer exists."))
}

/// The authentication of an API request by its access token (RFC 6750).
struct BearerAuthentication {
  let provider: ProviderResources
  /// The address of the resource's metadata, or `nil` if it has no metadata (RFC 9728 §5.1).
  var metadata: String?

  /// Returns the claims of the request's bearer token (RFC 6750 §2.1).
  ///
  /// - Throws: `invalid_token` if the token is missing, if it cannot be trusted, or if it is for another API.
  func verify(for audiences: [String], _ context: inout RequestContext) throws -> AccessTokenReading {
    let reading = try reading(of: context)
    try context.require(checkBearerToken(reading, isPresent: !token(of: context).isEmpty))
    try context.require(checkBearerAudience(reading, isOneOf: audiences))
    try context.require(checkNotRevoked(try provider.documents.revocation(ofAccessToken: reading.claims)))
    return reading
  }

  /// Returns the bearer token of the request, or an empty string if it does not contain one.
  func token(of context: RequestContext) -> String {
    let words = context.request.header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
    let header = words.count == 2 && words[0].lowercased() == "bearer" ? words[1].trimmed : nil
    return header ?? context.request.form["access_token"] ?? ""
  }

  func reading(of context: RequestContext) throws -> AccessTokenReading {
    AccessTokenReading(
      compact: PersonalTicket.compact(in: token(of: context)), keys: try provider.keys.published(),
      now: provider.now)
  }

  /// Rejects the request with 401 and a challenge, or with 403 if the token is valid but insufficient (RFC
  /// 6750 §3).
  func refuse(_ error: OAuthError, body: JSONValue, _ context: inout RequestContext) -> ProviderResponse {
    context.refusal = error
    let isNone =
      context.request.header("Authorization") == nil && context.request.form["access_token"] == nil
    if let claims = error.claims { return challenge(error, claims, body, context) }
    let reason = error.reason.replacing("\"", with: "'").replacing("\n", with: " ")
    var response = HTTPResponse.json(error.code == .insufficientScope ? 403 : 401, body)
    var challenge = isNone ? [] : ["error=\"\(error.code.text)\"", "error_description=\"\(reason)\""]
    if let metadata {
      challenge.append("resource_metadata=\"\(metadata)\"")
    } else if isNone {
      challenge.append("authorization_uri=\"\(context.request.origin)/common/oauth2/authorize\"")
    }
    response.headers.append(
      NameValue("WWW-Authenticate", "Bearer " + challenge.joined(separator: ", ")))
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
    "not revoked", expected: "no revocation", found: revocation?.reason.displayText ?? "none",
    revocation == nil, source: "graph.md §4",
    failure: "the token was revoked",
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
    failure: "the bearer token is not valid",
    else: OAuthError(
      .invalidToken,
      isPresent ? sentence(of: reading) : "Access token is empty."))
}

/// Returns Graph's sentence about a token that it does not accept, where one is public.
private func sentence(of reading: AccessTokenReading) -> String {
  switch reading.failedStep {
  case .time where reading.fault?.hasPrefix("it expired") == true:
    "Lifetime validation failed, the token is expired."
  case .kind: invalidAudience
  // MaikuB/flutter_appauth#575
  case .form:
    "IDX14100: JWT is not well formed, there are no dots (.).\nThe token needs to be in JWS or JWE Compact Serialization "
      + "Format. (JWS): 'EncodedHeader.EncodedPayload.EncodedSignature'. (JWE): "
      + "'EncodedProtectedHeader.EncodedEncryptedKey.EncodedInitializationVector.EncodedCiphertext.EncodedAuthenticationTag'."
  default: "The access token is refused: \(reading.fault ?? "")."
  }
}

/// The sentence about a token for another API (salvoravida/react-adal#91).
private let invalidAudience = "Access token validation failure. Invalid audience."

private func checkBearerAudience(
  _ reading: AccessTokenReading, isOneOf audiences: [String]
) -> RuleResult {
  let audience = reading.claims["aud"]?.string ?? ""
  return RuleResult(
    "bearer token is for this API", expected: audiences.joined(separator: " or "), found: audience,
    audiences.contains { $0 == (audience.hasSuffix("/") ? String(audience.dropLast()) : audience) },
    source: "RFC 6750 §3.1",
    failure: "the bearer token is for another API", else: OAuthError(.invalidToken, invalidAudience))
}
