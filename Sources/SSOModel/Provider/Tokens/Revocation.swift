/// An event that invalidates tokens before they expire: all tokens of a user, or the tokens that a changed
/// policy covers (docs/behaviour/graph.md §4).
package struct Revocation: Codable, Hashable, Sendable {
  package enum Reason: String, Codable, Sendable {
    case signedOutEverywhere, passwordChanged, accountDisabled, policyChanged

    package var words: String {
      switch self {
      case .signedOutEverywhere: "the person was signed out everywhere"
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
  func lastRevocation(of person: Person, tenantID: String, clientID: String) throws -> Revocation? {
    let ofPolicies = try readAll(Revocation.self, .revocation, keyPrefix: Revocation.policies).filter {
      $0.policy?.covers(person, tenantID: tenantID, clientID: clientID) ?? false
    }
    return try ([revocation(of: person.username)].compactMap(\.self) + ofPolicies).max { $0.at < $1.at }
  }

  /// Returns the revocation of an access token, or `nil` if it is not revoked or its client cannot be
  /// challenged.
  package func revocation(ofAccessToken claims: [String: JSONValue]) throws -> Revocation? {
    guard claims.canBeChallenged, let issuedAt = claims["iat"]?.integer,
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
  func issueTime(for person: Person, tenantID: String, clientID: String) throws -> Instant {
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
