import SSOCore
import SSOKeychain
import SSOReference

/// `acquireTokenWithResource:…` (docs/behaviour/adal.md §8).
struct ADALInteraction: ADALPart {
  let client: ADALClient

  /// Acquires a token from the cache, unless the prompt behaviour forbids it, or else from the broker or the web view.
  func acquireToken(_ request: ADALRequest) throws -> SDKResult {
    if let error = request.argumentError(app) { throw error }
    let application = ADALApplication(app: app)
    let (checks, error) = application.checks()
    context.trace.add(
      .app, .adal, actor: app.bundleID, "acquireTokenWithResource",
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
      .adal, .adal, actor: app.bundleID, "broker or web view", result: usesBroker ? "broker" : "web view",
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
    let check = context.checkState(state, in: answer)
    context.trace.add(
      .system, .adal, actor: app.bundleID, "web view ends", result: answer["error"] ?? "code", checks: [check]
    )
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
      NameValue("x-client-SKU", app.builtDefaults.sku), NameValue("x-client-Ver", app.sdkVersion),
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
    if answer["error_subcode"] == OAuthSuberror.leftPage { return ADALError.cancelled }
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
        .adal, .system, actor: app.bundleID, "openURL https://\(url.authority)", result: "the web view closes"
      )
      throw ADALError.cancelled
    case .joinWorkplace(let username, let link):
      let (checks, error) = ADALApplication(app: app).redirectChecks
      context.trace.add(
        .provider, .adal, actor: app.bundleID, "wpj", result: "the page asks for a registered device",
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

/// An interactive call through the broker, over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
struct ADALBrokerCall: ADALPart {
  let client: ADALClient

  var conversation: BrokerConversation {
    BrokerConversation(
      context: context, accessGroup: app.sharedAccessGroup, dialect: Protocol2(),
      call: context.device.platform.brokerCall ?? .url)
  }

  /// Calls the broker over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
  func ask(_ request: ADALRequest) throws -> SDKResult {
    do {
      let reply = try conversation.ask(values(request)) { late in
        do { _ = try result(of: late, request) } catch is SDKError {}
      }
      return try result(of: reply, request)
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    } catch let error as BrokerError {
      throw ADALError.make(.developerInvalidArgument, error.reason)
    }
  }

  /// Returns the request's values; the conversation adds the values that identify the app.
  func values(_ request: ADALRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .resource: request.resource, .correlationID: request.correlationID,
      .usernameType: request.userIDType.rawValue, .force: request.prompt == .force ? "YES" : "NO",
      .skipCache: request.claims == nil ? "NO" : "YES",
    ]
    values[.username] = request.userID
    values[.claims] = request.claims
    return values
  }

  /// Handles a URL that no call waits for; ADAL up to 6 takes it from the app delegate automatically (broker.md §7).
  /// - Returns: The result, or `nil` if the URL is not for ADAL.
  func handle(_ delivery: URLDelivery) throws -> SDKResult? {
    let resume = try context.defaults.resumeState()
    do {
      guard let reply = try conversation.handle(delivery, isAwaited: false) else { return nil }
      let request = ADALRequest(
        resource: resume?.values["resource"] ?? app.resource, userIDType: .optionalDisplayableID,
        correlationID: resume?.correlationID ?? "")
      return try result(of: reply, request)
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    }
  }

  /// Returns the broker's tokens, and saves them if the keychain group is known.
  ///
  /// The user is compared with itself, so it never counts as the wrong user (broker.md §8(10)).
  private func result(of reply: BrokerConversation.Reply, _ request: ADALRequest) throws -> SDKResult {
    let fields = reply.fields
    guard fields["error_description"] == nil else { throw try error(reply, request) }
    let tokens = TokenResponse(broker: fields, at: context.now)
    guard !tokens.accessToken.isEmpty else {
      throw ADALError.make(.unexpected, "Authentication response received without expected accessToken")
    }
    let saving = client.under(fields["authority"], clientID: fields["client_id"]).saving
    var result = saving.result(tokens, request, .broker)
    if reply.keychainGroup != nil {
      try saving.save(tokens, request, source: .broker, withAccessToken: hasValidAccessToken(fields))
    }
    if !hasValidAccessToken(fields) { result = try refreshed(request) }
    result.isAwaited = reply.isAwaited
    return result
  }

  /// Returns whether the access token can be used, because `vt` is present or the tenant is `common`.
  ///
  /// Other tokens from older brokers may be for the wrong tenant (`ADAL/broker/MSIDBrokerResponse+ADAL.m`).
  private func hasValidAccessToken(_ fields: [NameValue]) -> Bool {
    fields["vt"] != nil
      || ADALAuthority(url: fields["authority"] ?? "", version: client.version).path.first == "common"
  }

  /// Discards the access token and redeems the refresh token for another one, verifying its user (broker.md §8(6)).
  private func refreshed(_ request: ADALRequest) throws -> SDKResult {
    switch try client.silentCall.tokenFromCache(
      request, call: "the broker's refresh token", verifiesUser: true)
    {
    case .token(let result): return result
    case .refused(let error): throw error ?? ADALError.credentialsNeeded
    case .miss: throw ADALError.cacheMiss
    }
  }

  /// Returns the broker's plain-text error, with every domain and number passed on unchanged (broker.md §8(8)).
  private func error(_ reply: BrokerConversation.Reply, _ request: ADALRequest) throws -> SDKError {
    let fields = reply.fields
    let number = fields["error_code"] ?? "0"
    let code = number == "0" ? ADALCode.tokenBrokerUnknown.number : Int(number) ?? 0
    let domain = fields["error_domain"] ?? ADALError.Domain.authentication.rawValue
    var error = ADALError.make(domain: domain, code: code, fields["error_description"] ?? "")
    guard domain != ADALError.Domain.http.rawValue else {
      error.userInfo = ADALError.headersEntry(FormEncoding.decode(fields["http_headers"] ?? "") ?? [])
      return error
    }
    error.oauthError = fields["protocol_code"] ?? fields["code"]
    error.suberror = fields["suberror"]
    error.userID = try saveIntuneToken(reply, request) ?? fields["user_id"]
    error.userInfo = fields["x-broker-app-ver"].map { [NameValue("ADBrokerVersionKey", $0)] } ?? []
    return error
  }

  /// Saves the token for Intune that accompanies an error (broker.md §8(9)).
  /// - Returns: The token's user, or `nil` if the error has no token.
  private func saveIntuneToken(
    _ reply: BrokerConversation.Reply, _ request: ADALRequest
  ) throws -> String? {
    guard let fields = reply.intuneFields, reply.keychainGroup != nil, fields["access_token"] != nil else {
      return nil
    }
    let result = try client.under(fields["authority"], clientID: fields["client_id"]).saving.save(
      TokenResponse(broker: fields, at: context.now), request, source: .broker,
      withAccessToken: hasValidAccessToken(fields))
    return result.username.isEmpty ? nil : result.username
  }
}
