import Essentials

extension MSALClient {
  /// Performs `acquireTokenSilentWithParameters:` (docs/behaviour/silent-call.md §1).
  func acquireSilently(_ request: SilentRequest) throws -> SDKResult {
    let typed = try? Authority(request.authority ?? app.authority)
    let isKnown = typed.map { $0.isKnown(to: app) } ?? false
    var flow = SilentFlow(app: app, cache: cache, now: context.now) { [self] authority in
      try authorities.discover(authority, isKnown: isKnown, request.correlationID)
    }
    flow.enrollmentID = { [self] in try context.defaults.enrollmentID(homeAccountID: $0.identifier) }
    let decision = try wordingKeychainErrors { try flow.decide(request) }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenSilent", result: decision.shown,
      sent: request.shown, checks: flow.checks)
    switch decision {
    case .failed(var error):
      error.correlationID = request.correlationID
      throw error
    case .cached(let token):
      return result(of: token, request)
    case .redeem(let redemption):
      return try wordingKeychainErrors {
        if let useless = redemption.useless { try cache.remove(useless) }
        return try MSALRedemption(client: self).redeem(redemption, request)
      }
    }
  }

  func result(of token: CredentialItem, _ request: SilentRequest) -> SDKResult {
    SDKResult(
      homeAccountID: token.homeAccountID, username: request.account?.username ?? "",
      accessToken: token.secret, scopes: (token.target ?? "").split(separator: " ").map(String.init),
      expiresOn: token.expiresOn ?? context.now, source: .cache)
  }
}

extension SilentFlow.Decision {
  fileprivate var shown: String {
    switch self {
    case .cached: "cache hit"
    case .redeem(let redemption):
      "redeem the \(redemption.candidates.first?.source.rawValue ?? "refresh token")"
    case .failed(let error): "error \(error.code)"
    }
  }
}

extension SilentRequest {
  fileprivate var shown: [NameValue] {
    var fields = [
      NameValue("account", account?.username ?? "none"), NameValue("scopes", scopes.joined(separator: " ")),
      NameValue("forceRefresh", forceRefresh ? "YES" : "NO"),
    ]
    if let authority { fields.append(NameValue("authority", authority)) }
    if let claims { fields.append(NameValue("claims", claims)) }
    return fields + [NameValue("correlation_id", correlationID)]
  }
}
