import Essentials
import SSOCore
import SSOKeychain
import SSOReference

struct MSALInteraction: MSALPart {
  let client: MSALClient

  /// Performs `acquireTokenWithParameters:` with the broker or a web session, as interactive-call.md §1 decides.
  func acquireToken(_ request: SDKRequest) throws -> SDKResult {
    let authority = try app.msal.authority(of: request, by: app)
    try client.authorities.requireKind(of: authority)
    if app.msal.checksArguments, let error = SilentFlow.scopeError(request.scopes, app.clientID, authority) {
      throw error
    }
    let checks = client.brokerDecision(authority)
    let usesBroker = !checks.contains { $0.verdict == .failed }
    if usesBroker { try requireNoOtherCall(request, "Broker authentication already in progress") }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireToken",
      result: usesBroker ? "through the broker" : "web session",
      sent: [
        NameValue("scopes", request.scopes.joined(separator: " ")),
        NameValue("prompt", request.prompt.rawValue),
        NameValue("account", request.account?.username ?? request.loginHint ?? "none"),
        NameValue("correlation_id", request.correlationID),
      ], checks: checks.map(\.asDecision))
    if usesBroker { try validate(authority, request) }
    let result = try usesBroker ? askBroker(request, authority) : webSession(request, authority)
    try noteInteraction()
    return result
  }

  /// Validates the authority's host if the library does so before it calls the broker.
  ///
  /// Only the answer that the host is unknown ends the call (`FetchNetworkMetadataOrFallbackAsync` in MSAL.NET's
  /// `InstanceDiscoveryManager.cs`).
  private func validate(_ authority: Authority, _ request: SDKRequest) throws {
    guard app.msal.validatesBeforeBroker, authority.hasInstanceDiscovery else { return }
    do {
      _ = try client.authorities.discover(
        authority, isKnown: authority.isKnown(to: app), request.correlationID)
    } catch let error as SDKError where error.oauthError != OAuthErrorCode.invalidInstance.text {}
  }

  /// Asks the broker, and goes on without the SSO extension if that does not handle the request (broker.md §13).
  private func askBroker(_ request: SDKRequest, _ authority: Authority) throws -> SDKResult {
    do { return try client.brokerCall.ask(request, authority) } catch is ExtensionNotHandled {
      let fallback = context.device.callWithoutExtension(of: app, installed: context.installed)
      let isMacOS = context.device.platform == .macOS
      context.trace.add(
        .system, .sdk, actor: app.bundleID, "ASAuthorizationError \(ExtensionNotHandled.code)",
        result: fallback.map { "MSAL falls back to the broker by \($0.rawValue)" }
          ?? (isMacOS ? "MSAL falls back to a web session" : "MSAL has nothing to fall back to"))
      if let fallback { return try client.brokerCall.ask(request, authority, by: fallback) }
      if isMacOS { return try webSession(request, authority) }
      throw MSALError.notHandled(request.correlationID)
    }
  }

  /// Throws the text with which the broker's call, or a web session, refuses a second one.
  private func requireNoOtherCall(_ request: SDKRequest, _ text: String) throws {
    let busy = context.busyCheck
    guard busy.verdict == .failed else { return }
    let code = IdentityCoreCode.interactiveSessionAlreadyRunning
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireToken", result: "error \(code.msal.number)", checks: [busy])
    throw MSALError.make(BrokerFault(code, text, check: busy), correlationID: request.correlationID)
  }

  /// Throws for an app extension of iOS, which cannot show a sign-in without its own web view.
  ///
  /// No app here has one. macOS does not refuse it (`#if TARGET_OS_IPHONE` in
  /// `CC/controllers/MSIDRequestControllerFactory.m`).
  private func requireUserInterface(_ request: SDKRequest) throws {
    guard app.isExtension, context.device.platform == .iOS else { return }
    var error = MSALError.make(
      code: IdentityCoreCode.uiNotSupportedInExtension.msal,
      "Interaction is not supported in an app extension.",
      correlationID: request.correlationID)
    error.failedCheck = Check(
      "not an app extension", expected: "an app", found: "an app extension", false, source: "errors.md §4",
      failure: "it is an app extension")
    throw error
  }

  /// Lifts the throttling of the group's apps (keychain.md §6); a failure is only logged.
  private func noteInteraction() throws {
    // If only the broker stores the tokens, the app does not cache them.
    guard cache.keepsMetadata, !app.msal.leavesTokensWithBroker else { return }
    do { try LastInteraction(of: cache).save() } catch is KeychainError {}
  }

  /// Signs the user in in the system web session, with an authorization code and PKCE.
  private func webSession(_ request: SDKRequest, _ authority: Authority) throws -> SDKResult {
    try requireUserInterface(request)
    let aliases = try client.authorities.discover(
      authority, isKnown: authority.isKnown(to: app), request.correlationID)
    if let refusal = app.msal.pageRefusal(of: authority) { throw refusal }
    let configuration = try client.authorities.configuration(of: authority, aliases, request.correlationID)
    try requireNoOtherCall(request, "Only one interactive session is allowed at a time.")
    let proof = ProofKey(random: context.random.bytes(32))
    let state = context.random.upperUUID()
    let wanted = (request.scopes + SilentFlow.reservedScopes).joined(separator: " ")
    let parts = URLParts(configuration.authorizationEndpoint)
    let page = HTTPRequest(
      "GET", origin: parts?.origin ?? "", path: parts?.path ?? "/",
      query: [
        NameValue("client_id", app.clientID), NameValue("response_type", "code"),
        NameValue("redirect_uri", app.redirectURI), NameValue("scope", wanted), NameValue("state", state),
        NameValue("code_challenge", proof.challenge), NameValue("code_challenge_method", "S256"),
        NameValue("prompt", request.prompt.parameter ?? ""),
        NameValue("login_hint", request.account?.username ?? request.loginHint ?? ""),
        NameValue(
          "claims",
          JSONValue.claimsParameter(request.options.claims, capabilities: app.clientCapabilities) ?? ""),
        NameValue("client-request-id", request.correlationID),
      ].filter { !$0.value.isEmpty }
        + app.msal.pageFields(of: request, by: app, on: context.device).filter { !$0.value.isEmpty })
    let answer = try endOfSession(page, state, request)
    guard let code = answer["code"] else { throw refused(answer, request.correlationID) }
    let response = try client.authorities.sendRetrying(
      client.authorities.tokenRequest(
        configuration.tokenEndpoint, request.correlationID,
        [
          NameValue("grant_type", "authorization_code"), NameValue("client_id", app.clientID),
          NameValue("code", code), NameValue("redirect_uri", app.redirectURI),
          NameValue("code_verifier", proof.verifier), NameValue("scope", wanted),
          NameValue("client_info", "1"),
        ]))
    switch ServerAnswer(response) {
    case .tokens(let tokens):
      let call = TokenCall(
        requested: request.scopes, requestedAuthority: authority, aliases: aliases,
        correlationID: request.correlationID)
      return try client.saving.finish(tokens, call, source: .webSession)
    case let answer: throw MSALError.make(answer, correlationID: request.correlationID)
    }
  }

  /// Returns the fields of the redirect URL at which the session ended.
  private func endOfSession(
    _ page: HTTPRequest, _ state: String, _ request: SDKRequest
  ) throws -> [NameValue] {
    let correlationID = request.correlationID
    let url: String
    switch try context.system.browse(page, in: .ofApp) {
    case .redirected(let target):
      if let challenge = WebChallenge(target, redirectURI: app.redirectURI) {
        try end(with: challenge, client.brokerCall.values(request), correlationID)
      }
      url = target
    case .cancelled:
      throw MSALError.make(
        code: .userCanceled, "User cancelled the authorization session.", correlationID: correlationID)
    }
    let answer = URLParts(url)?.fields ?? []
    let stateCheck = context.checkState(state, in: answer)
    context.trace.add(
      .system, .sdk, actor: app.bundleID, "web session ends", result: answer["error"] ?? "code",
      checks: [stateCheck])
    guard stateCheck.verdict == .passed else {
      throw MSALError.make(
        code: .invalidState, "Missing or invalid state returned state: \(answer["state"] ?? "(null)")",
        correlationID: correlationID)
    }
    return answer
  }

  private func refused(_ answer: [NameValue], _ correlationID: String) -> SDKError {
    let error = answer["error"] ?? "server_error"
    return MSALError.make(
      code: OAuthErrorCode(text: error)?.msal ?? .authorizationFailed, answer["error_description"] ?? error,
      oauthError: error,
      suberror: answer["error_subcode"], correlationID: correlationID)
  }
}

extension Check {
  /// The check as a condition for a choice, which rejects nothing: if it does not hold, it counts as skipped, not
  /// failed.
  var asDecision: Check {
    var check = self
    if verdict == .failed { check.verdict = .skipped }
    return check
  }
}

/// An interactive call through the broker.
package struct MSALBrokerCall: MSALPart {
  var client: MSALClient

  var conversation: BrokerConversation { conversation(isSilent: false) }

  private func conversation(isSilent: Bool, by call: BrokerCall? = nil) -> BrokerConversation {
    BrokerConversation(
      context: context, accessGroup: app.sharedAccessGroup, dialect: Protocol3(),
      call: call ?? context.device.brokerCall(for: app, isSilent: isSilent) ?? .url)
  }

  /// Performs `acquireToken` through the broker (docs/behaviour/broker.md §3), by the device's mechanism unless another is
  /// given.
  /// - Throws: `SDKError`, and `ExtensionNotHandled`.
  func ask(
    _ request: SDKRequest, _ authority: Authority, by call: BrokerCall? = nil
  ) throws -> SDKResult {
    let correlationID = request.correlationID
    do {
      let reply = try conversation(isSilent: false, by: call).ask(values(request)) { _ in }
      var result = try tokens(of: reply.fields, request.scopes, authority, correlationID)
      result.isAwaited = reply.isAwaited
      return result
    } catch let fault as BrokerFault {
      throw MSALError.make(fault, correlationID: correlationID)
    } catch let error as BrokerError {
      throw MSALError.make(code: .invalidParameter, error.reason, correlationID: correlationID)
    }
  }

  /// Performs a silent call through the broker, which the system relays (android.md §4, broker.md §13).
  func askSilently(_ request: SDKRequest, _ authority: Authority) throws -> SDKResult {
    do {
      return try tokens(
        of: conversation(isSilent: true).askSilently(values(request)), request.scopes, authority,
        request.correlationID)
    } catch let fault as BrokerFault {
      throw MSALError.make(fault, correlationID: request.correlationID)
    } catch let error as BrokerError {
      throw MSALError.make(code: .invalidParameter, error.reason, correlationID: request.correlationID)
    }
  }

  /// Returns the request's values; the conversation adds the values that identify the app.
  func values(_ request: SDKRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .correlationID: request.correlationID, .scope: request.scopes.joined(separator: " "),
      .extraOIDCScopes: SilentFlow.reservedScopes.joined(separator: " "),
    ]
    values[.homeAccountID] = request.account?.identifier.lowercased()
    values[.username] = request.account?.username
    values[.loginHint] = request.loginHint
    values[.prompt] = request.prompt.parameter
    values[.authority] = request.options.authority
    values[.claims] = request.options.claims
    if request.forceRefresh { values[.forceRefresh] = "true" }
    return values
  }

  /// Performs `handleMSALResponse:sourceApplication:` for a URL that no call waits for; its tokens are still cached.
  ///
  /// See broker.md §5.
  /// - Returns: The result, or `nil` if the URL is not for MSAL.
  func handle(_ delivery: URLDelivery) throws -> SDKResult? {
    let resume = try context.defaults.resumeState()
    do {
      guard let reply = try conversation.handle(delivery, isAwaited: false) else { return nil }
      var result = try tokens(
        of: reply.fields, resume?.scopes ?? [], try app.msal.authority(of: app), resume?.correlationID ?? "")
      result.isAwaited = false
      return result
    } catch let fault as BrokerFault {
      throw MSALError.make(fault, correlationID: resume?.correlationID)
    }
  }

  /// Performs step 9 of broker.md §7: saves and returns the tokens, or throws the broker's error.
  private func tokens(
    of fields: [NameValue], _ scopes: [String], _ authority: Authority, _ correlationID: String
  ) throws -> SDKResult {
    try saveAdditionalTokens(of: fields, correlationID)
    guard ["1", "true", "YES"].contains(fields["success"] ?? ""),
      (fields["broker_error_domain"] ?? "").isEmpty
    else { throw MSALError.make(broker: fields, correlationID: correlationID) }
    // The SDK does not perform instance discovery here. Treat the public cloud's response as known, so that the tokens
    // are stored under the preferred host, as described in docs/behaviour/msal-cache.md §9; this is SSOTerm's choice.
    let known = context.process.process.aliases
    var call = TokenCall(
      requested: scopes, requestedAuthority: authority,
      aliases: known.cloud(of: authority.host) == nil ? .publicCloud : known, correlationID: correlationID,
      keepsSignInStateOnly: fields["device_mode"] == "shared")
    call.staysWithBroker = app.msal.leavesTokensWithBroker
    return try client.saving.finish(TokenResponse(broker: fields, at: context.now), call, source: .broker)
  }

  /// Saves the additional tokens of a response, even of a failed one; an error in them is only logged (broker.md
  /// §7(8)).
  private func saveAdditionalTokens(of fields: [NameValue], _ correlationID: String) throws {
    guard let object = fields["additional_tokens"].flatMap({ JSONValue(bounded: Array($0.utf8))?.object })
    else {
      return
    }
    var beside = object.compactMap { name, value in value.string.map { NameValue(name, $0) } }
    beside.append(NameValue("success", "1"))
    guard let authority = try? Authority(beside["authority"] ?? "") else { return }
    var call = self
    call.client.context.app.clientID = beside["client_id"] ?? app.clientID
    do {
      _ = try call.tokens(of: beside, [], authority, correlationID)
    } catch let error as SDKError {
      context.trace.add(
        .sdk, .app, actor: app.bundleID, "log", result: "additional tokens: \(error.description)")
    }
  }
}

extension TokenResponse {
  /// Creates a response from the broker's fields, which have times where the endpoint has lifetimes.
  ///
  /// See docs/behaviour/broker.md §8.
  init(broker fields: [NameValue], at now: Instant) {
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { now.seconds(until: Instant($0)) }
    }
    self.init(
      accessToken: fields["access_token"] ?? "", scope: fields["scope"] ?? "",
      expiresIn: left("expires_on") ?? fields["expires_in"].flatMap { Int($0) } ?? 0)
    refreshToken = fields["refresh_token"]
    idToken = fields["id_token"]
    clientInfo = fields["client_info"]
    familyID = fields["foci"]
    extExpiresIn = left("ext_expires_on")
    resource = fields["resource"]
  }
}
