/// One sign-in between its first request and the redirect: what the app asked, and how far the person got.
struct SignInFlow: Codable, Hashable {
  var authoritySegment: String
  var clientID: String
  var redirectURI: String
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var codeChallenge: String
  var startedAt: Instant
  var correlationID: String
  /// Whoever is being signed in, once the name is known.
  var username: String?
  /// The password was right; the second factor may be missing.
  var isPasswordRight = false
  /// Number to enter for the second factor.
  var number: String?
  /// All factors given: only consent may be missing.
  var isSignedIn = false

  /// Seconds a sign-in may take.
  static let lifetime = 3600

  init(_ request: AuthorizationRequest, challenge: String, now: Instant, correlationID: String) {
    authoritySegment = request.tenant.segment
    clientID = request.clientID
    redirectURI = request.redirectURI
    responseMode = request.responseMode
    scopes = request.scopes
    state = request.state
    nonce = request.nonce
    prompt = request.prompt
    codeChallenge = challenge
    startedAt = now
    self.correlationID = correlationID
  }
}

/// The sign-ins that are under way, keyed by SHA-256 of their ID.
struct SignInFlows {
  let documents: any DocumentStore
  let now: Instant

  private func key(_ id: String) -> String { "flow/" + sha256Hex(id) }

  func save(_ flow: SignInFlow, id: String) throws {
    try documents.write(flow, .authorizationCode, key(id))
  }

  func end(id: String) throws { try documents.delete(.authorizationCode, key(id)) }

  /// - Throws: `invalid_request` if there is none, or it has taken too long.
  func flow(id: String?) throws -> (id: String, flow: SignInFlow) {
    guard let id, let flow = try documents.read(SignInFlow.self, .authorizationCode, key(id)),
      flow.startedAt.seconds(until: now) < SignInFlow.lifetime
    else {
      throw OAuthError(
        .invalidRequest, "The sign-in has expired or is unknown. Start again from the app.", aadsts: 50089)
    }
    return (id, flow)
  }
}
