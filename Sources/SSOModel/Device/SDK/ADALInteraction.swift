/// `acquireTokenWithResource:…` (docs/behaviour/adal.md §8).
struct ADALInteraction: ADALPart {
  let client: ADALClient

  /// `acquireTokenWithResource:…` (adal.md §8): the cache first, unless the prompt behaviour forbids it; then broker or web
  /// view.
  func acquireToken(_ request: ADALRequest) throws -> SDKResult {
    if let error = request.argumentError(app) { throw error }
    let (setUp, error) = ADALApplication(app: app).checks()
    let busy = context.busyCheck
    let checks = [busy] + setUp + [client.authority.validation]
    let isBusy = busy.verdict == .failed ? ADALError.anotherCallRuns(busy) : nil
    let refusal =
      isBusy ?? error ?? (client.authority.validation.verdict == .failed ? ADALError.authorityInvalid : nil)
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenWithResource",
      result: refusal.map { "error \($0.code)" } ?? "",
      sent: [
        NameValue("resource", request.resource), NameValue("userId", request.userID ?? "nil"),
        NameValue("userIdType", request.userIDType.rawValue), NameValue("prompt", request.prompt.rawValue),
        NameValue("credentialsType", ADALApplication(app: app).credentialsType),
        NameValue("correlation_id", request.correlationID),
      ], checks: checks)
    if let refusal { throw refusal }
    if request.prompt == .auto,
      case .token(let result) = try client.tokenFromCache(
        request, call: "token from the cache", verifiesUser: true)
    {
      return result
    }
    let decision = client.brokerDecision()
    let usesBroker = !decision.contains { $0.verdict == .failed }
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "broker or web view", result: usesBroker ? "broker" : "web view",
      checks: decision.map(\.asDecision))
    guard usesBroker || !app.isExtension else {
      throw ADALError.make(.uiNotSupportedInAppExtension, "Interaction is not supported in an app extension.")
    }
    return usesBroker ? try client.brokerCall.ask(request) : try webView(request)
  }

  /// The authorization code of version 1, without PKCE, in ADAL's own web view.
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
      source: "RFC 6749 10.12")
    context.trace.add(
      .system, .sdk, actor: app.bundleID, "web view ends", result: answer["error"] ?? "code", checks: [check])
    guard check.verdict == .passed else {
      throw ADALError.make(
        .serverOAuth, "State returned from the server does not match", domain: .oauthServer,
        protocolCode: "invalid_state")
    }
    guard let code = answer["code"] else { throw refusal(answer) }
    var form = [
      NameValue("grant_type", "authorization_code"), NameValue("code", code),
      NameValue("client_id", app.clientID), NameValue("redirect_uri", app.redirectURI),
    ]
    if client.version.isUnified { form.append(NameValue("client_info", "1")) }
    switch try client.tokens(for: form, request) {
    case .success(let tokens):
      return try client.finish(tokens, request, source: .webSession, verifiesUser: true)
    case .failure(let error): throw ADALError.make(error)
    }
  }

  /// `GET {authority}/oauth2/authorize?response_type=code&resource=…`.
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
    if let claims = request.claims { query.append(NameValue("claims", claims)) }
    return HTTPRequest(
      "GET", origin: client.authority.origin, path: "/\(client.authority.tenant)/oauth2/authorize",
      query: query)
  }

  /// A person who closes the page is 403; any other refusal of the authorization endpoint is 211.
  private func refusal(_ answer: [NameValue]) -> SDKError {
    if answer["error_subcode"] == "cancel" { return ADALError.cancelled }
    return ADALError.make(
      .serverAuthorizationCode, answer["error_description"] ?? answer["error"] ?? "", domain: .oauthServer,
      protocolCode: answer["error"] ?? "server_error", suberror: answer["error_subcode"])
  }

  /// A challenge of the sign-in page ends the call (broker.md §10).
  func end(with challenge: WebChallenge, _ request: ADALRequest) throws -> Never {
    switch challenge {
    case .externalBrowser(let url):
      context.trace.add(
        .sdk, .system, actor: app.bundleID, "openURL https://\(url.authority)", result: "the web view closes")
      throw ADALError.cancelled
    case .joinWorkplace(let username, let link):
      let mayWait =
        app.brokerUse == .auto && context.device.platform.brokerCall != nil && !client.authority.isADFS
      context.trace.add(
        .provider, .sdk, actor: app.bundleID, "wpj", result: "a registered device is asked for",
        sent: [NameValue("username", username), NameValue("app_link", link ?? "none")])
      guard let link, mayWait else {
        throw ADALError.make(.serverWPJRequired, "Work place join is required to proceed.", userID: username)
      }
      do {
        try client.brokerCall.conversation.leaveOnPasteboard(client.brokerCall.values(request), appLink: link)
      } catch let fault as BrokerFault {
        throw ADALError.make(fault)
      }
      throw WaitingForBroker(appLink: link)
    }
  }
}
