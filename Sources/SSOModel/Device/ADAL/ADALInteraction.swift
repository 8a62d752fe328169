/// `acquireTokenWithResource:…` (docs/behaviour/adal.md §8).
struct ADALInteraction: ADALPart {
  let client: ADALClient

  /// Acquires a token from the cache, unless the prompt behaviour forbids it, or else from the broker or the web view.
  func acquireToken(_ request: ADALRequest) throws -> SDKResult {
    if let error = request.argumentError(app) { throw error }
    let application = ADALApplication(app: app)
    let (checks, error) = application.checks()
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenWithResource",
      result: error.map { "error \($0.code)" } ?? "",
      sent: [
        NameValue("resource", request.resource), NameValue("userId", request.userID ?? "nil"),
        NameValue("userIdType", request.userIDType.rawValue), NameValue("prompt", request.prompt.rawValue),
        NameValue("credentialsType", application.credentialsType),
        NameValue("correlation_id", request.correlationID),
      ], checks: checks)
    if let error { throw error }
    try client.network.validateAuthority(request.correlationID)
    if request.prompt == .auto,
      case .token(let result) = try client.silentCall.tokenFromCache(
        request, call: "token from the cache", verifiesUser: true)
    {
      return result
    }
    let decision = client.brokerDecision()
    let usesBroker = !decision.contains { $0.verdict == .failed }
    let busy = context.busyCheck
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "broker or web view", result: usesBroker ? "broker" : "web view",
      checks: decision.map(\.asDecision) + (app.isExtension ? [] : [busy]))
    guard !app.isExtension else {
      throw ADALError.make(.uiNotSupportedInAppExtension, "Interaction is not supported in an app extension.")
    }
    guard busy.verdict != .failed else { throw ADALError.anotherCallRuns(busy) }
    return usesBroker ? try client.brokerCall.ask(request) : try webView(request)
  }

  /// Signs the user in in ADAL's own web view, with an authorization code of version 1 and without PKCE.
  private func webView(_ request: ADALRequest) throws -> SDKResult {
    let state = context.random.upperUUID()
    let url: String
    switch try context.system.browse(authorizeRequest(request, state: state), in: .ofApp) {
    case .redirected(let target):
      if let challenge = WebChallenge(target, redirectURI: app.redirectURI) {
        try end(with: challenge, request)
      }
      url = target
    case .cancelled: throw ADALError.cancelled
    }
    let answer = URLParts(url)?.fields ?? []
    let check = Check(
      "state equals", expected: state, found: answer["state"] ?? "none", answer["state"] == state,
      source: "RFC 6749 §10.12")
    context.trace.add(
      .system, .sdk, actor: app.bundleID, "web view ends", result: answer["error"] ?? "code", checks: [check])
    if let error = refusal(answer, hasState: check.verdict == .passed) { throw error }
    let code = answer["code"] ?? ""
    var form = [
      NameValue("grant_type", "authorization_code"), NameValue("code", code),
      NameValue("client_id", app.clientID), NameValue("redirect_uri", app.redirectURI),
    ]
    if client.version.isUnified { form.append(NameValue("client_info", "1")) }
    if let claims = JSONValue.claimsParameter(request.claims, capabilities: app.clientCapabilities) {
      form.append(NameValue("claims", claims))
    }
    switch try client.network.tokens(for: form, request) {
    case .success(let tokens):
      return try client.saving.finish(tokens, request, source: .webSession, verifiesUser: true)
    case .failure(let error): throw ADALError.make(error)
    }
  }

  /// Returns the request `GET {authority}/oauth2/authorize?response_type=code&resource=…`.
  private func authorizeRequest(_ request: ADALRequest, state: String) -> HTTPRequest {
    var query = [
      NameValue("response_type", "code"), NameValue("client_id", app.clientID),
      NameValue("resource", request.resource), NameValue("redirect_uri", app.redirectURI),
      NameValue("state", state), NameValue("haschrome", "1"),
      NameValue("client-request-id", request.correlationID),
    ]
    if client.version.isUnified { query.append(NameValue("client_info", "1")) }
    if let user = request.userID, request.userIDType != .uniqueID {
      query.append(NameValue("login_hint", user))
    }
    if let prompt = request.prompt.parameter { query.append(NameValue("prompt", prompt)) }
    if let claims = JSONValue.claimsParameter(request.claims, capabilities: app.clientCapabilities) {
      query.append(NameValue("claims", claims))
    }
    return HTTPRequest(
      "GET", origin: client.authority.origin, path: "/\(client.authority.tenant)/oauth2/authorize",
      query: query)
  }

  /// Returns the error if the page's response does not contain a code, or `nil` if it does.
  ///
  /// Before 2.7, a wrong state is only logged. An error takes precedence over a missing code.
  private func refusal(_ answer: [NameValue], hasState: Bool) -> SDKError? {
    let isUnified = client.version.isUnified
    guard hasState || !isUnified else {
      return ADALError.make(
        .serverOAuth, "Missing or invalid state returned state: \(answer["state"] ?? "(null)")",
        domain: .oauthServer)
    }
    // Esc on a page is the page's own Cancel here, and stands for closing the web view.
    if answer["error_subcode"] == "cancel" { return ADALError.cancelled }
    if let error = answer["error"] {
      return ADALError.make(
        authorization: error, answer["error_description"] ?? "", suberror: answer["suberror"], client.version)
    }
    guard normalized(answer["code"]).isEmpty else { return nil }
    let missing = "Unexpected error has occured. There is no auth code nor an error"
    if isUnified { return ADALError.make(.serverInvalidResponse, missing, domain: .oauthServer) }
    return ADALError.make(
      .serverAuthorizationCode, "The authorization server did not return a valid authorization code.")
  }

  /// Ends the call after a challenge from the sign-in page (broker.md §10).
  func end(with challenge: WebChallenge, _ request: ADALRequest) throws -> Never {
    switch challenge {
    case .externalBrowser(let url):
      context.trace.add(
        .sdk, .system, actor: app.bundleID, "openURL https://\(url.authority)", result: "the web view closes")
      throw ADALError.cancelled
    case .joinWorkplace(let username, let link):
      let (checks, error) = ADALApplication(app: app).redirectChecks
      context.trace.add(
        .provider, .sdk, actor: app.bundleID, "wpj", result: "the page asks for a registered device",
        sent: [NameValue("username", username), NameValue("app_link", link ?? "none")], checks: checks)
      if let error { throw error }
      guard context.device.platform.brokerCall != nil else {
        throw ADALError.make(.unexpected, "Received invalid response")
      }
      guard let link else { throw ADALError.make(.unexpected, "appInstallLink is not valid - (null)") }
      do {
        try client.brokerCall.conversation.leaveOnPasteboard(client.brokerCall.values(request), appLink: link)
      } catch let fault as BrokerFault {
        throw ADALError.make(fault)
      }
      throw WaitingForBroker(appLink: link)
    }
  }
}
