import SSOCore

/// The identity provider: a function from HTTP request to answer, over the store. A value made for each
/// intent.
///
/// What it answers is listed in `Route`. Its base URL is the request's `origin`, so that it is the same provider
/// in a simulation and on a socket. Refusals are part of the answer; what `respond` throws comes from the store.
package struct Provider {
  let documents: any DocumentStore
  var now: Instant
  let chance: Chance
  let trace: TraceRecorder
  let caller: Party
  let actor: String
  let keys: SigningKeys
  /// Set by a fault, for one request.
  var tokenFlaw: Fault.Kind.TokenFlaw?
  var requirement: Fault.Kind.Requirement?
  var refusal: OAuthError?

  /// - Parameters:
  ///   - caller: who asks in the trace: `.sdk`, `.broker`, or `.system` for a browser.
  ///   - actor: bundle ID of the asking app, for the trace only.
  package init(
    documents: any DocumentStore, now: Instant, chance: Chance, trace: TraceRecorder, caller: Party = .sdk,
    actor: String = "", keyReader: SigningKeyReader = SigningKeyReader()
  ) {
    self.documents = documents
    self.now = now
    self.chance = chance
    self.trace = trace
    self.caller = caller
    self.actor = actor
    keys = SigningKeys(documents: documents, chance: chance, reader: keyReader)
  }

  var directory: Directory { Directory(documents: documents) }
  var sessions: SSOSessions { SSOSessions(documents: documents, now: now) }
  var flows: SignInFlows { SignInFlows(documents: documents, now: now) }
  var consents: ConsentGrants { ConsentGrants(documents: documents) }
  var refreshTokens: RefreshTokens { RefreshTokens(documents: documents, now: now) }

  /// Answers one request. `cookies` are those the browser holds for the request's origin.
  package func respond(to request: HTTPRequest, cookies: [NameValue] = []) throws -> ProviderResponse {
    var exchange = Exchange(request: request, cookies: cookies, correlationID: correlationID(of: request))
    var provider = self
    var answer: ProviderResponse
    do {
      answer = try provider.meetFault(&exchange) ?? provider.route(&exchange)
    } catch let error as OAuthError {
      answer = try provider.refuse(error, &exchange)
    }
    answer.delivery = exchange.delivery
    trace.add(
      caller, .provider, actor: actor, "\(request.method) \(shortened(request.path))",
      result: resultWords(answer, error: exchange.refusal), sent: tracedFields(request),
      checks: exchange.checks)
    return answer
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
  let cookies: [NameValue]
  let correlationID: String
  var checks: [Check] = []
  /// While a client is being authenticated: whether by the `Authorization` header.
  var authenticatesByHeader: Bool?
  /// Set once the request was refused, whatever form the answer takes.
  var refusal: OAuthError?
  var delivery = Delivery.whole
}
