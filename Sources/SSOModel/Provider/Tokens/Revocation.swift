import SSOCore
import SSOReference

/// An event that invalidates tokens before they expire: all tokens of a user, or the tokens that a changed
/// policy covers (docs/behaviour/graph.md §4).
package struct Revocation: Codable, Hashable, Sendable {
  package enum Reason: String, Codable, Sendable {
    case signedOutEverywhere, passwordChanged, accountDisabled, policyChanged

    package var displayText: String {
      switch self {
      case .signedOutEverywhere: "the user was signed out everywhere"
      case .passwordChanged: "the password was changed"
      case .accountDisabled: "the account was disabled"
      case .policyChanged: "a policy was changed"
      }
    }
  }

  package var reason: Reason
  package var at: Instant
  /// The changed policy, or `nil` if the event concerns a user.
  var policy: Policy?

  /// Whether the event revokes refresh tokens.
  ///
  /// Disabled accounts and policies are checked again at each redemption instead.
  var endsRefreshTokens: Bool { reason == .signedOutEverywhere || reason == .passwordChanged }

  /// The first second whose tokens stay valid: `nbf` of the claims challenge.
  var firstValidSecond: Int { at.seconds + 1 }

  fileprivate static func key(_ username: String) -> String { "person/" + username.lowercased() }
  fileprivate static let policies = "policy/"
}

extension DocumentReader {
  /// Returns the last revocation of a user.
  package func revocation(of username: String) throws -> Revocation? {
    try read(Revocation.self, .revocation, Revocation.key(username))
  }

  /// Returns whether there is any revocation.
  package func hasRevocations() throws -> Bool {
    try !documents(.revocation, after: "", limit: 1).isEmpty
  }

  /// Returns the last revocation that affects the user's tokens for an app.
  func lastRevocation(of person: DirectoryUser, tenantID: String, clientID: String) throws -> Revocation? {
    let ofPolicies = try readAll(Revocation.self, .revocation, keyPrefix: Revocation.policies).filter {
      $0.policy?.covers(person, tenantID: tenantID, clientID: clientID) ?? false
    }
    return try ([revocation(of: person.username)].compactMap(\.self) + ofPolicies).max { $0.at < $1.at }
  }

  /// Returns the revocation of an access token, or `nil` if it is not revoked or its client cannot be
  /// challenged.
  package func revocation(ofAccessToken claims: [String: JSONValue]) throws -> Revocation? {
    guard claims.canBeChallenged, let issuedAt = claims.issueSecond,
      let person = try Directory(documents: self).person(of: claims, evenDisabled: true)
    else { return nil }
    let clientID = (claims["appid"] ?? claims["azp"])?.string ?? ""
    let last = try lastRevocation(of: person, tenantID: claims["tid"]?.string ?? "", clientID: clientID)
    return last.flatMap { issuedAt < $0.firstValidSecond ? $0 : nil }
  }
}

extension ProviderResources {
  /// Returns the issue time for tokens.
  ///
  /// Tokens have a resolution of seconds, so a token issued in the second of a revocation is dated to the
  /// next second.
  func issueTime(for person: DirectoryUser, tenantID: String, clientID: String) throws -> Instant {
    let last = try documents.lastRevocation(of: person, tenantID: tenantID, clientID: clientID)
    return max(now, last.map { Instant($0.firstValidSecond) } ?? now)
  }
}

extension [String: JSONValue] {
  /// Whether the client declared that it can handle a claims challenge.
  var canBeChallenged: Bool {
    self["xms_cc"]?.array?.contains { $0.string?.lowercased() == RequestedClaims.challengeCapability }
      ?? false
  }
}

extension DocumentStore {
  /// Revokes everything that has been issued to a user so far.
  package func revoke(_ username: String, _ reason: Revocation.Reason, at now: Instant) throws {
    try write(Revocation(reason: reason, at: now), .revocation, Revocation.key(username))
  }

  /// Records a policy change, after which the tokens that the policy covers must be requested again.
  package func noteChange(of policy: Policy, at now: Instant) throws {
    try write(
      Revocation(reason: .policyChanged, at: now, policy: policy), .revocation,
      Revocation.policies + policy.name.lowercased())
  }
}

/// `POST /{tenant}/oauth2/v2.0/revoke` (RFC 7009): revokes a refresh token and everything else from the same
/// sign-in.
///
/// An access token cannot be revoked, because APIs verify it without the provider. Entra does not have this
/// endpoint.
struct RevocationEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let client = try ClientAuthentication(provider: provider).authenticate(tenant, &context).registration
    let token = context.request.form["token"] ?? ""
    try context.require(checkPresent("token", token))
    if let record = try provider.documents.refreshToken(secret: token) {
      try context.require(checkOwner(record, client))
      try provider.refreshTokens.change(key: sha256Hex(token)) { $0.revokedAt = $0.revokedAt ?? provider.now }
      if let grantID = record.grantID { try provider.refreshTokens.revoke(grantID: grantID) }
    } else {
      let isAccessToken =
        AccessTokenReading(compact: token, keys: try provider.keys.published(), now: provider.now).fault
        == nil
      try context.require(checkCanBeRevoked(isAccessToken: isAccessToken))
    }
    return ProviderResponse(HTTPResponse(200, headers: [NameValue("Cache-Control", "no-store")]))
  }
}

private func checkOwner(_ record: RefreshTokenRecord, _ client: ClientRegistration) -> RuleResult {
  RuleResult(
    "refresh token of this client", expected: record.clientID, found: client.clientID,
    record.clientID.lowercased() == client.clientID.lowercased(), source: "RFC 7009 §2.1",
    else: OAuthError(.unauthorizedClient, "The token was issued to another client.", aadsts: .grantInvalid))
}

private func checkCanBeRevoked(isAccessToken: Bool) -> RuleResult {
  RuleResult(
    "token can be revoked", expected: "a refresh token", found: isAccessToken ? "an access token" : "unknown",
    !isAccessToken, source: "RFC 7009 §2.2.1",
    failure: "a token of this kind cannot be revoked",
    else: OAuthError(
      .unsupportedTokenType, "An access token cannot be revoked: it expires. Revoke the refresh token."
    ))
}

/// `POST /{tenant}/oauth2/v2.0/introspect` (RFC 7662): returns the state of a token.
///
/// A client sees only its own tokens, and an API only tokens for it. Other tokens are reported as not active.
/// Entra does not have this endpoint.
struct IntrospectionEndpoint {
  let provider: ProviderResources

  func respond(_ tenant: AuthorityTenant, _ context: inout RequestContext) throws -> ProviderResponse {
    let client = try ClientAuthentication(provider: provider).authenticate(tenant, &context).registration
    let token = context.request.form["token"] ?? ""
    try context.require(checkPresent("token", token))
    let found = try introspected(token, for: client.clientID.lowercased())
    return ProviderResponse(.json(200, .object(found ?? ["active": .bool(false)])))
  }

  private func introspected(_ token: String, for clientID: String) throws -> [String: JSONValue]? {
    if let record = try provider.documents.refreshToken(secret: token) {
      guard record.clientID.lowercased() == clientID, record.revokedAt == nil, provider.now < record.expiresAt
      else {
        return nil
      }
      return [
        "active": .bool(true), "client_id": .string(record.clientID), "username": .string(record.username),
        "token_type": "refresh_token", "iat": .integer(Int64(record.issuedAt.seconds)),
        "exp": .integer(Int64(record.expiresAt.seconds)), "scope": .string(record.scopes?.granted ?? ""),
      ]
    }
    var claims = AccessTokenReading(compact: token, keys: try provider.keys.published(), now: provider.now)
      .claims
    let owners = [claims["appid"] ?? claims["azp"], claims["aud"]].compactMap { $0?.string?.lowercased() }
    guard owners.contains(clientID) || owners.contains("api://" + clientID) else { return nil }
    claims["active"] = .bool(true)
    claims["client_id"] = claims["appid"] ?? claims["azp"]
    claims["username"] = claims["preferred_username"] ?? claims["unique_name"]
    claims["scope"] = claims["scp"]
    claims["token_type"] = "Bearer"
    return claims
  }
}
