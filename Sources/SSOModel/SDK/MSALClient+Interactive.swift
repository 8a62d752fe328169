import Foundation

extension MSALClient {
  /// `acquireTokenWithParameters:`: broker or web session, by the decision of §4.2.
  func acquireInteractively(
    account: MSALAccount?, loginHint: String?, scopes: [String], prompt: String?, correlationID: String
  ) throws -> MSALResult {
    let busy = around.busyCheck
    guard busy.verdict == .passed else {
      around.trace.add(
        .app, .sdk, actor: app.bundleID, "acquireToken", result: "error -42402", checks: [busy])
      let text = "Only one interactive session is allowed at a time."
      throw MSALError(
        BrokerFault(.interactiveSessionRunning, text, check: busy), correlationID: correlationID)
    }
    let checks = brokerDecision()
    let usesBroker = !checks.contains { $0.verdict == .failed }
    around.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireToken",
      result: usesBroker ? "through the broker" : "web session",
      sent: [
        SentField("scopes", scopes.joined(separator: " ")), SentField("prompt", prompt ?? "default"),
        SentField("account", account?.username ?? loginHint ?? "none"),
        SentField("correlation_id", correlationID),
      ], checks: checks.map(\.asDecision))
    let result =
      usesBroker
      ? try askBroker(account, loginHint, scopes, prompt, correlationID)
      : try webSession(account, loginHint, scopes, prompt, correlationID)
    let declined = scopes.filter { scope in !result.scopes.contains { $0.lowercased() == scope.lowercased() }
    }
    guard declined.isEmpty else {
      throw MSALError(
        code: -50003,
        "Server returned less scopes than requested: \(declined.joined(separator: " ")) declined",
        correlationID: correlationID)
    }
    return result
  }

  /// Every condition for the broker, in order, all recorded (§4.2, §5.1).
  func brokerDecision() -> [Check] {
    let tenant = SilentFlow.tenant(of: app.authority)
    let isEntra =
      tenant != "adfs" && !app.authority.contains("/tfp/") && !app.authority.contains("b2clogin.com")
    var checks = [
      Check(
        "broker availability", expected: "auto", found: app.brokerUse.rawValue, app.brokerUse == .auto,
        source: "fact sheet 4.2"),
      Check(
        "redirect URI is broker-capable", expected: "msauth.\(app.bundleID)://auth", found: app.redirectURI,
        app.isBrokerCapable || app.bypassesRedirectValidation, source: "fact sheet 5.12"),
      Check(
        "authority is Azure AD", expected: "not B2C, not AD FS", found: app.authority, isEntra,
        source: "fact sheet 4.2"),
      Check(
        "platform has a broker called by URL", expected: "not macOS", found: around.device.platform.rawValue,
        around.device.platform.hasURLBroker, source: "claim E7"),
    ]
    for scheme in ["msauthv2", "msauthv3"] {
      checks += around.device.canOpen(scheme: scheme, askedBy: app, installed: around.installed)
    }
    return checks
  }

  /// The system web session with authorization code and PKCE.
  private func webSession(
    _ account: MSALAccount?, _ loginHint: String?, _ scopes: [String], _ prompt: String?,
    _ correlationID: String
  ) throws -> MSALResult {
    let proof = ProofKey(chance: around.chance.bytes(32))
    let state = around.chance.upperUUID()
    let (origin, tenant) = splitAuthority(app.authority)
    let isEmbedded = app.webView == .embedded || around.device.platform == .macOS
    let wanted = (scopes + ["openid", "profile", "offline_access"]).joined(separator: " ")
    let page = HTTPRequest(
      "GET", origin: origin, path: "/\(tenant)/oauth2/v2.0/authorize",
      query: [
        SentField("client_id", app.clientID), SentField("response_type", "code"),
        SentField("redirect_uri", app.redirectURI), SentField("scope", wanted), SentField("state", state),
        SentField("code_challenge", proof.challenge), SentField("code_challenge_method", "S256"),
        SentField("client_info", "1"), SentField("prompt", prompt ?? ""),
        SentField("login_hint", account?.username ?? loginHint ?? ""),
        SentField("claims", app.capabilityClaims ?? ""),
        SentField("haschrome", isEmbedded ? "1" : ""), SentField("client-request-id", correlationID),
      ].filter { !$0.value.isEmpty })
    let url: String
    switch try around.browse(page) {
    case .redirected(let target):
      if let challenge = WebChallenge(target, redirectURI: app.redirectURI) {
        try end(
          with: challenge, brokerValues(account, loginHint, scopes, prompt, correlationID), correlationID)
      }
      url = target
    case .cancelled(let page):
      let shown = page.map { " The page said: \($0)" } ?? ""
      throw MSALError(
        code: -50005, "User cancelled the authorization session." + shown, correlationID: correlationID)
    }
    let answer = URLParts(url)?.fields ?? []
    let stateCheck = Check(
      "state equals", expected: state, found: answer["state"] ?? "none", answer["state"] == state,
      source: "RFC 6749 10.12")
    around.trace.add(
      .system, .sdk, actor: app.bundleID, "web session ends", result: answer["error"] ?? "code",
      checks: [stateCheck])
    guard stateCheck.verdict == .passed else {
      throw MSALError(code: -42501, "State returned is not the one sent", correlationID: correlationID)
    }
    guard let code = answer["code"] else { throw refused(answer, correlationID) }
    let response = try around.send(
      tokenRequest(
        app.authority, correlationID,
        [
          SentField("grant_type", "authorization_code"), SentField("client_id", app.clientID),
          SentField("code", code), SentField("redirect_uri", app.redirectURI),
          SentField("code_verifier", proof.verifier), SentField("scope", wanted),
          SentField("client_info", "1"),
        ]))
    return try wordingOAuthErrors(correlationID) { () throws(OAuthError) in
      try finish(
        try TokenResponse(reading: response), requested: scopes, source: .webSession, correlationID)
    }
  }

  private func refused(_ answer: [SentField], _ correlationID: String) -> MSALError {
    let error = answer["error"] ?? "server_error"
    let code = error == "access_denied" ? -50005 : (MSALError.internalCodes[error] ?? -50000)
    return MSALError(
      code: code, answer["error_description"] ?? error, oauthError: error, suberror: answer["error_subcode"],
      correlationID: correlationID)
  }

  func wordingOAuthErrors<T>(_ correlationID: String, _ body: () throws(OAuthError) -> T) throws -> T {
    do throws(OAuthError) {
      return try body()
    } catch {
      throw MSALError(
        code: MSALError.internalCodes[error.code.rawValue] ?? -50000, error.reason,
        oauthError: error.code.rawValue, suberror: error.suberror, correlationID: correlationID)
    }
  }
}

extension MSALError {
  /// OAuth errors to internal codes (§6.1).
  static let internalCodes = [
    "invalid_request": -42002, "invalid_client": -42003, "invalid_grant": -42004, "invalid_scope": -42005,
    "unauthorized_client": -42006, "interaction_required": -50002, "access_denied": -50005,
    "server_error": -50006,
  ]
}

extension Check {
  /// A condition that chooses between two ways and refuses nothing: not met is not failed.
  var asDecision: Check {
    var check = self
    if verdict == .failed { check.verdict = .skipped }
    return check
  }
}
