/// The identity provider: a function from HTTP request to answer, over the store. A value made for each
/// intent.
///
/// Routes, below `/{tenant}` (a GUID, a verified domain, `common`, `organizations` or `consumers`):
/// authorize, login, consent, token, logout, discovery.
/// Refusals are part of the answer; what `respond` throws comes from the store.
public struct Provider {
  let documents: any DocumentStore
  let now: Instant
  let chance: Chance
  let trace: TraceRecorder
  let caller: Party
  let actor: String
  let keys: SigningKeys

  /// - Parameters:
  ///   - caller: who asks in the trace: `.sdk`, `.broker`, or `.system` for a browser.
  ///   - actor: bundle ID of the asking app, for the trace only.
  public init(
    documents: any DocumentStore, now: Instant, chance: Chance, trace: TraceRecorder, caller: Party = .sdk,
    actor: String = ""
  ) {
    self.documents = documents
    self.now = now
    self.chance = chance
    self.trace = trace
    self.caller = caller
    self.actor = actor
    keys = SigningKeys(documents: documents, chance: chance)
  }

  var directory: Directory { Directory(documents: documents) }
  var sessions: SSOSessions { SSOSessions(documents: documents, now: now) }
  var flows: SignInFlows { SignInFlows(documents: documents, now: now) }
  var consents: ConsentGrants { ConsentGrants(documents: documents) }
  var refreshTokens: RefreshTokens { RefreshTokens(documents: documents, now: now) }

  /// Answers one request. `cookies` are those the browser holds for the request's origin.
  public func respond(to request: HTTPRequest, cookies: [SentField] = []) throws -> ProviderAnswer {
    var exchange = Exchange(request: request, cookies: cookies, correlationID: correlationID(of: request))
    let answer: ProviderAnswer
    do {
      answer = try faultyAnswer(&exchange) ?? route(&exchange)
    } catch let error as OAuthError {
      answer = try refuse(error, &exchange)
    }
    trace.add(
      caller, .provider, actor: actor, "\(request.method) \(request.path)",
      result: resultWords(answer, error: exchange.refusal), sent: tracedFields(request),
      checks: exchange.checks)
    return answer
  }

  private func route(_ exchange: inout Exchange) throws -> ProviderAnswer {
    let request = exchange.request
    let segments = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    let tenant = try AuthorityTenant(segments.first ?? "common", in: directory)
    let method = request.method.uppercased()
    switch (method, segments.dropFirst().joined(separator: "/")) {
    case ("GET", "oauth2/v2.0/authorize"), ("POST", "oauth2/v2.0/authorize"), ("GET", "oauth2/authorize"):
      return try authorize(tenant, &exchange)
    case ("POST", "login"): return try login(&exchange)
    case ("POST", "consent"): return try consent(&exchange)
    case ("POST", "oauth2/v2.0/token"), ("POST", "oauth2/token"): return try token(tenant, &exchange)
    case ("GET", "oauth2/v2.0/logout"): return try logout(exchange)
    case ("GET", "discovery/instance"): return try instanceDiscovery(&exchange)
    case ("GET", "v2.0/.well-known/openid-configuration"): return try configuration(tenant, &exchange)
    case ("GET", "discovery/v2.0/keys"), ("GET", "discovery/keys"): return try publishedKeys()
    default: return ProviderAnswer(HTTPResponse(404))
    }
  }

  /// The client's own correlation ID if it sent one that looks like one, otherwise a new one.
  private func correlationID(of request: HTTPRequest) -> String {
    let drawn = chance.uuid()
    let header = request.headers.first { $0.name.lowercased() == "client-request-id" }?.value
    let sent = header ?? request.query["client-request-id"]
    guard let sent, sent.utf8.count == 36 else { return drawn }
    return sent.utf8.allSatisfy { $0 == 0x2D || Character(Unicode.Scalar($0)).isHexDigit } ? sent : drawn
  }
}

/// One request on its way through the provider, with the checks made so far.
struct Exchange {
  let request: HTTPRequest
  let cookies: [SentField]
  let correlationID: String
  var checks: [Check] = []
  /// Set once the request was refused, whatever form the answer takes.
  var refusal: OAuthError?
}
