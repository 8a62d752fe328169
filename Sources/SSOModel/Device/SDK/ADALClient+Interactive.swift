import SSOCore
import SSOReference

extension ADALClient {
  /// `acquireTokenWithResource:…` (§4.3): the cache first, unless the prompt behaviour forbids it; then broker or web
  /// view.
  package func acquireToken(_ request: ADALRequest) throws -> ADALResult {
    if let error = request.argumentError(app) { throw error }
    let (setUp, error) = app.adalChecks()
    let busy = around.busyCheck
    let checks = [busy] + setUp + [authority.validation]
    let isBusy = busy.verdict == .failed ? ADALError.anotherCallRuns(busy) : nil
    let refusal = isBusy ?? error ?? (authority.validation.verdict == .failed ? .authorityInvalid : nil)
    around.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenWithResource",
      result: refusal.map { "error \($0.code)" } ?? "",
      sent: [
        NameValue("resource", request.resource), NameValue("userId", request.userID ?? "nil"),
        NameValue("userIdType", request.userIDType.rawValue), NameValue("prompt", request.prompt.rawValue),
        NameValue("credentialsType", app.credentialsType), NameValue("correlation_id", request.correlationID),
      ], checks: checks)
    if let refusal { throw refusal }
    if request.prompt == .auto,
      case .token(let result) = try tokenFromCache(request, call: "token from the cache", verifiesUser: true)
    {
      return result
    }
    let decision = app.adalBrokerDecision(on: around.device, installed: around.installed)
    let usesBroker = !decision.contains { $0.verdict == .failed }
    around.trace.add(
      .sdk, .sdk, actor: app.bundleID, "broker or web view", result: usesBroker ? "broker" : "web view",
      checks: decision.map { check in
        var check = check
        // A condition that chooses between two ways and refuses nothing: not met is not failed.
        if check.verdict == .failed { check.verdict = .skipped }
        return check
      })
    guard usesBroker || !app.isExtension else {
      throw ADALError(.uiNotSupportedInAppExtension, "Interaction is not supported in an app extension.")
    }
    return usesBroker ? try askBroker(request) : try webView(request)
  }

  /// The authorization code of version 1, without PKCE, in ADAL's own web view.
  private func webView(_ request: ADALRequest) throws -> ADALResult {
    let state = around.chance.upperUUID()
    let url: String
    switch try around.browse(authorizeRequest(request, state: state)) {
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
    around.trace.add(
      .system, .sdk, actor: app.bundleID, "web view ends", result: answer["error"] ?? "code", checks: [check])
    guard check.verdict == .passed else {
      throw ADALError(
        .serverOAuth, "State returned from the server does not match", domain: .oauthServer,
        protocolCode: "invalid_state")
    }
    guard let code = answer["code"] else { throw refusal(answer) }
    var form = [
      NameValue("grant_type", "authorization_code"), NameValue("code", code),
      NameValue("client_id", app.clientID), NameValue("redirect_uri", app.redirectURI),
    ]
    if version.isUnified { form.append(NameValue("client_info", "1")) }
    switch try tokens(for: form, request) {
    case .success(let tokens): return try finish(tokens, request, source: .webSession, verifiesUser: true)
    case .failure(let error): throw ADALError(error)
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
    if version.isUnified { query.append(NameValue("client_info", "1")) }
    if let user = request.userID, request.userIDType != .uniqueID {
      query.append(NameValue("login_hint", user))
    }
    if let prompt = request.prompt.parameter { query.append(NameValue("prompt", prompt)) }
    if let claims = request.claims { query.append(NameValue("claims", claims)) }
    return HTTPRequest(
      "GET", origin: authority.origin, path: "/\(authority.tenant)/oauth2/authorize", query: query)
  }

  /// A person who closes the page is 403; any other refusal of the authorization endpoint is 211.
  private func refusal(_ answer: [NameValue]) -> ADALError {
    if answer["error_subcode"] == "cancel" { return .cancelled }
    return ADALError(
      .serverAuthorizationCode, answer["error_description"] ?? answer["error"] ?? "", domain: .oauthServer,
      protocolCode: answer["error"] ?? "server_error", suberror: answer["error_subcode"])
  }
}
