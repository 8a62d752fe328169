/// A sign-in between its first request and the redirect: the app's parameters and the user's progress.
struct SignInFlow: Codable, Hashable {
  var authoritySegment: String
  var clientID: String
  var redirectURI: String
  var responseMode: String
  var scopes: RequestedScopes
  var state: String?
  var nonce: String?
  var prompt: String?
  var codeChallenge: String?
  var startedAt: Instant
  /// The user, once the username is known.
  var username: String?
  /// Whether the password was right.
  ///
  /// The second factor may be missing.
  var isPasswordRight = false
  /// The number to enter for the second factor.
  var number: String?
  /// The SHA-256 of the browser's secret, or `nil` until the sign-in is saved.
  var browser: String?
  /// Whether the user completed MFA in this sign-in, or `nil` if it was not required yet.
  var hasSecondFactor: Bool?
  /// Whether all factors are complete.
  ///
  /// Only consent may be missing.
  var isSignedIn = false
  /// The maximum number of seconds since the last sign-in.
  var maxAge: Int?
  /// The time at which the user signed in, now or earlier in the same browser.
  var authenticatedAt: Instant?
  var claims: RequestedClaims?
  /// Whether the response contains `client_info`.
  ///
  /// `nil` in a flow of an older version means yes.
  var wantsClientInfo: Bool?
  /// The key of the device authorization that this sign-in is for, in which case there is no redirect.
  var deviceKey: String?
  /// Intune's ID of the app's enrollment, for policies.
  var enrollmentID: String?
  /// Whether the page is shown in an embedded web view, whose own redirects use `msauth://`
  /// (docs/behaviour/broker.md §10(1)).
  var isEmbedded: Bool?
  /// The response type.
  ///
  /// `nil` in a flow of an older version means a code.
  var responseType: ResponseType?
  /// Whether the request used version 1 of the endpoint.
  var isVersionOne: Bool?
  /// The additional requirement of a fault.
  var requirement: Fault.Kind.Requirement?

  /// The seconds after which a sign-in times out.
  static let lifetime = 3600

  init(_ request: AuthorizationRequest, now: Instant) {
    authoritySegment = request.tenant.segment
    clientID = request.clientID
    redirectURI = request.redirectURI
    responseMode = request.responseMode
    scopes = request.scopes
    state = request.state
    nonce = request.nonce
    prompt = request.prompt
    codeChallenge = request.hashedChallenge
    startedAt = now
    maxAge = request.maxAge.flatMap { Int($0) }
    wantsClientInfo = request.wantsClientInfo
    responseType = request.responseType
    isVersionOne = request.isVersionOne
  }

  /// Creates a sign-in for another device.
  init(_ device: DeviceAuthorization, key: String, now: Instant) {
    authoritySegment = device.authoritySegment
    clientID = device.clientID
    redirectURI = ""
    responseMode = "query"
    scopes = device.scopes
    startedAt = now
    deviceKey = key
  }
}

/// The sign-ins in progress, keyed by the SHA-256 of their ID.
struct SignInFlows {
  let documents: any DocumentStore
  let now: Instant

  private func key(_ id: String) -> String { "flow/" + sha256Hex(id) }

  func save(_ flow: SignInFlow, id: String) throws {
    try documents.write(flow, .authorizationCode, key(id))
    try ExpiryPurge(documents: documents, now: now).purge(after: key(id), in: .authorizationCode)
  }

  func end(id: String) throws { try documents.delete(.authorizationCode, key(id)) }

  /// Returns the sign-in of the field `flow` with its ID, or `nil` if it does not exist or has timed out.
  func flow(of request: HTTPRequest) throws -> (id: String, flow: SignInFlow)? {
    guard let id = request.field("flow"),
      let flow = try documents.read(SignInFlow.self, .authorizationCode, key(id)),
      flow.startedAt.seconds(until: now) < SignInFlow.lifetime
    else { return nil }
    return (id, flow)
  }
}
