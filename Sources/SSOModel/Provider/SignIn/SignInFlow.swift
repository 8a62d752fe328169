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
  var codeChallenge: String?
  var startedAt: Instant
  /// Who signs in, once the name is known.
  var username: String?
  /// The password was right; the second factor may be missing.
  var isPasswordRight = false
  /// Number to enter for the second factor.
  var number: String?
  /// SHA-256 of the secret of the browser in which it takes place; nil until it is saved.
  var browser: String?
  /// The number of the second factor was right; nil: not asked for yet.
  var hasSecondFactor: Bool?
  /// All factors given: only consent may be missing.
  var isSignedIn = false
  /// Seconds since the person signed in, at most.
  var maxAge: Int?
  /// When the person signed in: with this sign-in, or before in the same browser.
  var authenticatedAt: Instant?
  var claims: RequestedClaims?
  /// The answer carries `client_info`; nil in a flow of an older version: it does.
  var wantsClientInfo: Bool?
  /// The device code that this sign-in is for; then there is no redirect.
  var deviceKey: String?
  /// Intune's ID of the app's enrolment, as policies look at it.
  var enrollmentID: String?
  /// Shown in a private web view: its own redirects go to `msauth://` (docs/behaviour/broker.md §10(1)).
  var isEmbedded: Bool?
  /// Nil in a flow of an older version: a code.
  var responseType: ResponseType?
  /// Version 1 of the endpoint was asked.
  var isVersionOne: Bool?
  /// What a fault asks of this sign-in besides.
  var requirement: Fault.Kind.Requirement?

  /// Seconds a sign-in may take.
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

  /// A sign-in for another device.
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

/// The sign-ins that are under way, keyed by SHA-256 of their ID.
struct SignInFlows {
  let documents: any DocumentStore
  let now: Instant

  private func key(_ id: String) -> String { "flow/" + sha256Hex(id) }

  func save(_ flow: SignInFlow, id: String) throws {
    try documents.write(flow, .authorizationCode, key(id))
    try ExpiryPurge(documents: documents, now: now).purge(after: key(id), in: .authorizationCode)
  }

  func end(id: String) throws { try documents.delete(.authorizationCode, key(id)) }

  /// The one that the field `flow` names, with its ID; nil if there is none, or it has taken too long.
  func flow(of request: HTTPRequest) throws -> (id: String, flow: SignInFlow)? {
    guard let id = request.field("flow"),
      let flow = try documents.read(SignInFlow.self, .authorizationCode, key(id)),
      flow.startedAt.seconds(until: now) < SignInFlow.lifetime
    else { return nil }
    return (id, flow)
  }
}
