import SSOCore
import SSOReference

/// The identity provider: a function from HTTP requests and the store to responses.
///
/// A value is created for each intent. `Route` lists the endpoints. The base URL is the request's `origin`,
/// so that the simulation and the server use the same provider. Errors are part of the response.
///
/// Throws `StoreError`.
package struct Provider {
  /// The cookie that represents the certificate of a TLS handshake, by its thumbprint.
  ///
  /// In reality, the certificate is presented below HTTP.
  package static let certificateCookie = "x-client-certificate-thumbprint"

  let resources: ProviderResources
  private let trace: TraceRecorder
  private let caller: Party
  private let actor: String

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - documents: The directory, the tokens, and the sessions.
  ///   - now: The lab's time.
  ///   - random: The source of codes, tokens, and IDs.
  ///   - trace: The recorder of the checks of each request.
  ///   - caller: The sender in the trace: the SDK, `.broker`, or `.system` for a browser.
  ///   - actor: The bundle ID of the calling app, for the trace only.
  ///   - keyReader: The cache of signing keys.
  ///   - isServed: Whether the request is from an external client, whose tokens and consent survive undo.
  ///   - isGeneric: Whether discovery also lists endpoints and methods that Entra lacks, for clients that
  ///     require them.
  ///   - machine: The machine with managed identities whose endpoint received the request.
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

  /// Responds to a request.
  ///
  /// `cookies` are the browser's cookies for the request's origin.
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
      if resources.isServed { response.http.headers += requestIDs(of: request, response.http) }
    }
    trace.add(
      caller, .provider, actor: actor, action, result: response.traceText(error: context.refusal),
      sent: request.tracedFields, checks: context.checks,
      refusal: context.refusal?.traced(request.route, response))
    return response
  }

  /// Returns the error for which the authorization endpoint shows an error page instead of prompting, or `nil` if it
  /// may prompt.
  package func errorBeforeAsking(_ request: HTTPRequest) throws -> (check: Check, error: OAuthError)? {
    let tenant = try AuthorityTenant(AuthorityPath(request).authority, in: resources.directory)
    let asked = try AuthorizationRequest(request, tenant: tenant, directory: resources.directory)
    return AuthorizationRequest.rulesBeforeRedirect.lazy.map { $0(asked) }
      .first { $0.check.verdict == .failed }.map { ($0.check, $0.refusal) }
  }

  /// Returns the headers by which a client names a request to Microsoft: `x-ms-request-id`, and `client-request-id` if it
  /// asked for that with `return-client-request-id`.
  private func requestIDs(of request: HTTPRequest, _ response: HTTPResponse) -> [NameValue] {
    var headers: [NameValue] = []
    if !response.headers.contains(where: { $0.name == "x-ms-request-id" }) {
      headers.append(NameValue("x-ms-request-id", resources.random.uuid()))
    }
    if request.header("return-client-request-id")?.lowercased() == "true",
      let sent = request.header("client-request-id"), sent.utf8.count == 36
    {
      headers.append(NameValue("client-request-id", sent))
    }
    return headers
  }

  /// Returns the client's correlation ID if it has the form of a GUID, or else a new one.
  private func correlationID(of request: HTTPRequest) -> String {
    let drawn = resources.random.uuid()
    let sent = request.header("client-request-id") ?? request.query["client-request-id"]
    guard let sent, sent.utf8.count == 36 else { return drawn }
    return sent.utf8.allSatisfy { $0 == 0x2D || Character(Unicode.Scalar($0)).isHexDigit } ? sent : drawn
  }
}

/// The operations of an administrator, which do not use HTTP.
extension Provider {
  private var faultList: Faults { Faults(documents: resources.documents) }

  package func faults() throws -> [Fault] { try resources.documents.faults() }
  package func addFault(_ fault: Fault) throws { try faultList.add(fault) }
  /// Removes a fault, or returns `false` if it is not set.
  package func removeFault(_ fault: Fault) throws -> Bool { try faultList.remove(fault) }
  /// Returns the fault for a call of the broker on Linux, or `nil` if none is set.
  ///
  /// Decrements the count of a limited fault.
  package func takeFault(ofBroker method: String, clientID: String) throws -> Fault? {
    try faultList.take(forBrokerMethod: method, from: clientID)
  }
  package func clearFaults() throws { try faultList.clear() }

  /// Expires a refresh token, which may be a primary one, at once.
  ///
  /// Returns `false` if the provider does not know it.
  @discardableResult
  package func expireRefreshToken(secret: String) throws -> Bool {
    try resources.refreshTokens.change(key: sha256Hex(secret)) { $0.expiresAt = resources.now }
  }

  /// Revokes one refresh token, as an administrator can.
  ///
  /// Returns `false` if the provider does not know it.
  @discardableResult
  package func revokeRefreshToken(secret: String) throws -> Bool {
    try resources.refreshTokens.change(key: sha256Hex(secret)) {
      $0.revokedAt = $0.revokedAt ?? resources.now
    }
  }

  /// Registers a device in the user's tenant.
  ///
  /// Returns the existing registration if there is one.
  @discardableResult
  package func registerDevice(
    serial: String, displayName: String, platform: String, person: DirectoryUser, primaryRefreshToken: String
  ) throws -> DeviceRegistration {
    try DeviceEnrollmentEndpoint(provider: resources).register(
      serial: serial, displayName: displayName, platform: platform, person: person,
      primaryRefreshToken: primaryRefreshToken)
  }
}

/// The resources of the endpoints for one request: records, clock, random source, keys, and the changes that
/// a fault makes.
struct ProviderResources {
  let documents: any DocumentStore
  var now: Instant
  let random: RandomSource
  let keys: SigningKeys
  /// Whether the request is from an external client.
  let isServed: Bool
  /// Whether discovery also lists endpoints and methods that Entra lacks, for clients that require them.
  var isGeneric = false
  /// The machine whose own endpoint received the request, or `nil` for the provider's endpoints.
  var machine: ManagedIdentityHost?
  /// The flaw of every token, set by a fault.
  var tokenFlaw: Fault.Kind.TokenFlaw?
  /// The additional requirement for the user, set by a fault.
  var requirement: Fault.Kind.Requirement?
  /// The error of the authorization endpoint after it has checked the redirect URI, set by a fault.
  var authorizationRefusal: OAuthError?

  var directory: Directory { Directory(documents: documents) }
  var sessions: SSOSessions { SSOSessions(documents: documents, now: now) }
  var flows: SignInFlows { SignInFlows(documents: documents, now: now) }
  var consents: ConsentGrants { ConsentGrants(documents: documents, isServed: isServed) }
  var refreshTokens: RefreshTokens { RefreshTokens(documents: documents, now: now) }
  var deviceAuthorizations: DeviceAuthorizations { DeviceAuthorizations(documents: documents) }

  /// Returns an error as Entra's JSON body with status 400.
  func refuse(_ error: OAuthError, _ context: inout RequestContext) -> ProviderResponse {
    let path = AuthorityPath(context.request)
    let error = error.asAnsweredAt(path, to: context.request)
    context.refusal = error
    let body = OAuthErrorBody(
      error, traceID: random.uuid(), correlationID: context.correlationID, now: now,
      origin: context.request.origin)
    var response = body.response()
    // An app in the simulation prints all headers, and the trace ID in one of them would add nothing.
    if isServed { response.headers.append(NameValue("x-ms-request-id", body.traceID)) }
    // A device that can prove itself would answer a challenge (Azure/azure-powershell#9427).
    if error.aadsts == AADSTSCode.deviceAuthenticationNeeded.number { response.status = 401 }
    // User flows and AD FS were seen to return 400 where Entra returns 401.
    guard error.code == .invalidClient, !path.isPolicy, !path.isFederation,
      let usedHeader = context.authenticatesByHeader
    else {
      return ProviderResponse(response)
    }
    // RFC 6749 §5.2: a client that used the Authorization header gets 401 and the supported scheme.
    response.status = 401
    if usedHeader {
      response.headers.append(NameValue("WWW-Authenticate", "Basic realm=\"\(context.request.origin)\""))
    }
    return ProviderResponse(response)
  }
}

/// The state of one request: its input and the checks that have been made.
struct RequestContext {
  let request: HTTPRequest
  /// The browser's cookies for the request's origin.
  ///
  /// Once a browser's signed credential is verified, it replaces the bare token.
  var cookies: [NameValue]
  let correlationID: String
  var checks: [Check] = []
  /// During client authentication, whether the client used the `Authorization` header.
  var authenticatesByHeader: Bool?
  /// The error, if the request was rejected, whatever form the response has.
  var refusal: OAuthError?
  var delivery = Delivery.whole
  /// The cookies that the response sets in addition to its own.
  var setCookies: [NameValue] = []
}

extension RequestContext {
  /// Records the check.
  ///
  /// - Throws: The rule's error if the check failed.
  mutating func require(_ result: RuleResult) throws(OAuthError) {
    checks.append(result.check)
    if result.check.verdict == .failed { throw result.refusal }
  }

  /// Records the results in order, up to and including the first failed one.
  mutating func require(_ results: [RuleResult]) throws(OAuthError) {
    for result in results { try require(result) }
  }

  /// Applies the rules in order, up to and including the first that fails.
  mutating func require<Subject>(_ rules: [(Subject) -> RuleResult], of subject: Subject) throws(OAuthError) {
    for rule in rules { try require(rule(subject)) }
  }

  /// Returns the value that a rule is about if the rule holds.
  mutating func require<Value>(_ value: Value?, _ result: RuleResult) throws(OAuthError) -> Value {
    try require(result)
    guard let value else { throw result.refusal }
    return value
  }

  /// Adds a check for an error that was not produced by a rule, such as a malformed request, because every error needs
  /// a check.
  ///
  /// A 401 without an error is exempt: it requests a proof that the client cannot have sent yet
  /// (docs/behaviour/workloads.md §1(3)).
  mutating func noteRefusal(in response: ProviderResponse) {
    let status = response.http.status
    guard refusal != nil || status >= 400 && status != 401, refusal?.isCancellation != true,
      !checks.contains(where: { $0.verdict == .failed })
    else { return }
    checks.append(
      Check(
        "request is valid", expected: "a request that this endpoint accepts",
        found: shortened(refusal?.reason ?? "refused with status \(status)"), false, source: "RFC 6749 §5.2",
        failure: "the endpoint does not accept the request"))
  }

  /// Shows an error page, because a redirect for this request cannot be trusted.
  ///
  /// `path` is the authority of the sign-in; if it is `nil`, that of the request.
  mutating func errorPage(
    _ error: OAuthError, at path: AuthorityPath? = nil, setCookies: [NameValue] = []
  ) -> ProviderResponse {
    let error = error.asAnsweredAt(path ?? AuthorityPath(request), to: request)
    refusal = error
    let page = ErrorPage(error, correlationID: correlationID)
    return ProviderResponse(.page(400, cookies: setCookies), page: .error(page), setCookies: setCookies)
  }
}

/// The check of one rule, and the error if it failed.
struct RuleResult {
  var check: Check
  var refusal: OAuthError

  init(
    _ name: String, expected: String, found: String, _ holds: Bool, source: String, remedy: Remedy? = nil,
    failure: String? = nil, else refusal: OAuthError
  ) {
    check = Check(
      name, expected: expected, found: shortened(found), holds, source: source, remedy: remedy,
      failure: failure)
    self.refusal = refusal
  }
}
