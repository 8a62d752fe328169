/// The identity provider: a function from HTTP request to response, over the store.
///
/// A value made for each intent.
///
/// What it answers is listed in `Route`. Its base URL is the request's `origin`, so that it is the same provider
/// in a simulation and on a socket. Refusals are part of the response.
///
/// Throws `StoreError`.
package struct Provider {
  /// Stands for the certificate of a TLS handshake, by its thumbprint.
  ///
  /// A real one comes below HTTP.
  package static let certificateCookie = "x-client-certificate-thumbprint"

  let resources: ProviderResources
  private let trace: TraceRecorder
  private let caller: Party
  private let actor: String

  /// - Parameters:
  ///   - documents: the directory, the tokens and the sessions.
  ///   - now: the lab's time.
  ///   - random: the source of codes, tokens and IDs.
  ///   - trace: takes the checks of each request.
  ///   - caller: who asks in the trace: `.sdk`, `.broker`, or `.system` for a browser.
  ///   - actor: bundle ID of the asking app, for the trace only.
  ///   - keyReader: keeps signing keys that were read before.
  ///   - isServed: an external client asks, and keeps what it is given whatever is undone.
  ///   - isGeneric: discovery also names what Entra lacks, for clients that cannot do without.
  ///   - machine: the request came to the endpoint of a machine with managed identities.
  package init(
    documents: any DocumentStore, now: Instant, random: RandomSource, trace: TraceRecorder,
    caller: Party = .sdk,
    actor: String = "", keyReader: SigningKeyReader = SigningKeyReader(), isServed: Bool = false,
    isGeneric: Bool = false, machine: ManagedIdentityHost? = nil
  ) {
    resources = ProviderResources(
      documents: documents, now: now, random: random,
      keys: SigningKeys(documents: documents, now: now, random: random, reader: keyReader),
      isServed: isServed, isGeneric: isGeneric, machine: machine)
    self.trace = trace
    self.caller = caller
    self.actor = actor
  }

  /// Answers one request.
  ///
  /// `cookies` are those the browser holds for the request's origin.
  package func respond(to request: HTTPRequest, cookies: [NameValue] = []) throws -> ProviderResponse {
    let action = "\(request.method) \(shortened(request.path))"
    trace.begin(caller, .provider, actor: actor, action)
    var context = RequestContext(
      request: request, cookies: cookies, correlationID: correlationID(of: request))
    var resources = resources
    var response: ProviderResponse
    do {
      response = try resources.applyFault(to: &context) ?? resources.route(&context)
    } catch let error as OAuthError {
      response = resources.refuse(error, &context)
    }
    context.noteRefusal(in: response)
    response.delivery = context.delivery
    response.set(context.setCookies)
    if response.http.status != 0 {
      response.http.headers += request.route?.crossOriginHeaders(to: request) ?? []
    }
    trace.add(
      caller, .provider, actor: actor, action, result: response.traceText(error: context.refusal),
      sent: request.tracedFields, checks: context.checks)
    return response
  }

  /// Why the authorization endpoint shows an error page for a request and does not ask; nil if it goes on.
  package func errorBeforeAsking(_ request: HTTPRequest) throws -> (check: Check, error: OAuthError)? {
    let tenant = try AuthorityTenant(AuthorityPath(request).authority, in: resources.directory)
    let asked = try AuthorizationRequest(request, tenant: tenant, directory: resources.directory)
    return AuthorizationRequest.rulesBeforeRedirect.lazy.map { $0(asked) }
      .first { $0.check.verdict == .failed }.map { ($0.check, $0.refusal) }
  }

  /// The client's own correlation ID if it sent one that looks like one, otherwise a new one.
  private func correlationID(of request: HTTPRequest) -> String {
    let drawn = resources.random.uuid()
    let header = request.headers.first { $0.name.lowercased() == "client-request-id" }?.value
    let sent = header ?? request.query["client-request-id"]
    guard let sent, sent.utf8.count == 36 else { return drawn }
    return sent.utf8.allSatisfy { $0 == 0x2D || Character(Unicode.Scalar($0)).isHexDigit } ? sent : drawn
  }
}

/// What an administrator does at the provider, not by HTTP.
extension Provider {
  private var faultList: Faults { Faults(documents: resources.documents) }

  package func faults() throws -> [Fault] { try resources.documents.faults() }
  package func addFault(_ fault: Fault) throws { try faultList.add(fault) }
  /// False if there is no such fault.
  package func removeFault(_ fault: Fault) throws -> Bool { try faultList.remove(fault) }
  /// The status that a fault makes the broker on Linux answer; nil: none is set for this call.
  package func takeFault(ofBroker method: String, clientID: String) throws -> Fault? {
    try faultList.take(forBrokerMethod: method, from: clientID)
  }
  package func clearFaults() throws { try faultList.clear() }

  /// Lets a refresh token, primary ones included, expire now.
  ///
  /// False if the provider does not know it.
  @discardableResult
  package func expireRefreshToken(secret: String) throws -> Bool {
    try resources.refreshTokens.change(key: sha256Hex(secret)) { $0.expiresAt = resources.now }
  }

  /// Revokes one refresh token, as an administrator does.
  ///
  /// False if the provider does not know it.
  @discardableResult
  package func revokeRefreshToken(secret: String) throws -> Bool {
    try resources.refreshTokens.change(key: sha256Hex(secret)) {
      $0.revokedAt = $0.revokedAt ?? resources.now
    }
  }

  /// The device in the person's tenant; a second registration gives the first one back.
  @discardableResult
  package func registerDevice(
    serial: String, displayName: String, platform: String, person: Person, primaryRefreshToken: String
  ) throws -> DeviceRegistration {
    try DeviceEnrollmentEndpoint(provider: resources).register(
      serial: serial, displayName: displayName, platform: platform, person: person,
      primaryRefreshToken: primaryRefreshToken)
  }
}
