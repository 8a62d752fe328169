/// What ended tokens before their time: all that a person was given before, or what a policy now judges otherwise
/// (docs/behaviour/graph.md §4).
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
  /// The policy that was changed; nil: it is about a person.
  var policy: Policy?

  /// An account that is disabled, and a policy, are looked at anew with each redemption.
  var endsRefreshTokens: Bool { reason == .signedOutEverywhere || reason == .passwordChanged }

  /// The first second whose tokens it does not end: `nbf` of the claims challenge.
  var firstValidSecond: Int { at.seconds + 1 }

  fileprivate static func key(_ username: String) -> String { "person/" + username.lowercased() }
  fileprivate static let policies = "policy/"
}

extension DocumentReader {
  /// The last one of a person.
  package func revocation(of username: String) throws -> Revocation? {
    try read(Revocation.self, .revocation, Revocation.key(username))
  }

  /// Whether there is any.
  package func hasRevocations() throws -> Bool {
    try !documents(.revocation, after: "", limit: 1).isEmpty
  }

  /// The last one that touches this person's tokens for an app.
  func lastRevocation(of person: Person, tenantID: String, clientID: String) throws -> Revocation? {
    let ofPolicies = try readAll(Revocation.self, .revocation, keyPrefix: Revocation.policies).filter {
      $0.policy?.covers(person, tenantID: tenantID, clientID: clientID) ?? false
    }
    return try ([revocation(of: person.username)].compactMap(\.self) + ofPolicies).max { $0.at < $1.at }
  }

  /// What ended an access token; nil: nothing did, or it has no effect, as its client cannot be challenged.
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
  /// The moment that tokens are dated to.
  ///
  /// Seconds are all that a token has: in the second of a revocation it is the next one.
  func issueTime(for person: Person, tenantID: String, clientID: String) throws -> Instant {
    let last = try documents.lastRevocation(of: person, tenantID: tenantID, clientID: clientID)
    return max(now, last.map { Instant($0.firstValidSecond) } ?? now)
  }
}

extension [String: JSONValue] {
  /// The client said that it knows what to do with a claims challenge.
  var canBeChallenged: Bool {
    self["xms_cc"]?.array?.contains { $0.string?.lowercased() == RequestedClaims.challengeCapability }
      ?? false
  }
}

extension DocumentStore {
  /// Ends what a person was given so far.
  package func revoke(_ username: String, _ reason: Revocation.Reason, at now: Instant) throws {
    try write(Revocation(reason: reason, at: now), .revocation, Revocation.key(username))
  }

  /// The tokens that a policy covers are to be asked for anew.
  package func noteChange(of policy: Policy, at now: Instant) throws {
    try write(
      Revocation(reason: .policyChanged, at: now, policy: policy), .revocation,
      Revocation.policies + policy.name.lowercased())
  }
}
