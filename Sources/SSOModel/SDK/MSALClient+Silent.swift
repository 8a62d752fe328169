import Foundation

extension MSALClient {
  /// `acquireTokenSilentWithParameters:` (§4.1).
  func acquireSilently(
    account: MSALAccount?, scopes: [String], forceRefresh: Bool, correlationID: String
  ) throws -> MSALResult {
    let flow = SilentFlow(app: app, cache: cache, now: around.now)
    let (decision, checks) = try wordingKeychainErrors {
      try flow.decide(account: account, scopes: scopes, forceRefresh: forceRefresh)
    }
    around.trace.add(
      .app, .sdk, actor: app.bundleID, "acquireTokenSilent", result: Self.word(decision),
      sent: [
        SentField("account", account?.username ?? "none"), SentField("scopes", scopes.joined(separator: " ")),
        SentField("forceRefresh", forceRefresh ? "YES" : "NO"), SentField("correlation_id", correlationID),
      ], checks: checks)
    switch decision {
    case .failed(var error):
      error.correlationID = correlationID
      throw error
    case .cached(let token):
      return MSALResult(
        homeAccountID: token.homeAccountID, username: account?.username ?? "", accessToken: token.secret,
        scopes: (token.target ?? "").split(separator: " ").map(String.init),
        expiresOn: token.expiresOn ?? around.now, source: .cache)
    case .redeem(let candidates, let authority, let expired):
      for token in expired { try cache.remove(token) }
      return try redeem(candidates, authority: authority, scopes: scopes, account: account, correlationID)
    }
  }

  private static func word(_ decision: SilentFlow.Decision) -> String {
    switch decision {
    case .cached: "cache hit"
    case .redeem(let candidates, _, _): "redeem the \(candidates.first?.source.rawValue ?? "refresh token")"
    case .failed(let error): "error \(error.code)"
    }
  }

  /// Tries each refresh token in order (§4.1(6)–(7)).
  private func redeem(
    _ candidates: [SilentFlow.Candidate], authority: String, scopes: [String], account: MSALAccount?,
    _ correlationID: String
  ) throws -> MSALResult {
    var refusal: OAuthError?
    for candidate in candidates {
      let response = try around.send(
        tokenRequest(
          authority, correlationID,
          [
            SentField("grant_type", "refresh_token"), SentField("client_id", app.clientID),
            SentField("scope", (scopes + ["openid", "profile", "offline_access"]).joined(separator: " ")),
            SentField("refresh_token", candidate.token.secret), SentField("redirect_uri", app.redirectURI),
            SentField("client_info", "1"),
          ]))
      do throws(OAuthError) {
        let tokens = try TokenResponse(reading: response)
        return try finish(tokens, requested: scopes, source: candidate.source, correlationID)
      } catch {
        refusal = error
        try note(error, of: candidate)
        if ["invalid_scope", "invalid_client"].contains(error.code.rawValue) { break }
      }
    }
    throw MSALError(
      code: -50002, "User interaction is required", oauthError: refusal?.code.rawValue,
      suberror: refusal?.suberror, correlationID: correlationID)
  }

  /// What a refusal changes in the cache (§4.1(7)).
  private func note(_ error: OAuthError, of candidate: SilentFlow.Candidate) throws {
    if candidate.source == .familyRefreshToken, error.suberror == "client_mismatch" {
      let host = SilentFlow.host(of: app.authority)
      try cache.write(AppMetadata(clientID: app.clientID, environment: host, familyID: ""))
    }
    if error.code.rawValue == "invalid_grant", error.suberror == "bad_token" {
      try cache.remove(candidate.token)
    }
  }

  func tokenRequest(_ authority: String, _ correlationID: String, _ form: [SentField]) -> HTTPRequest {
    let (origin, tenant) = splitAuthority(authority)
    return HTTPRequest(
      "POST", origin: origin, path: "/\(tenant)/oauth2/v2.0/token",
      headers: [
        SentField("x-client-SKU", "MSAL.iOS"), SentField("x-client-Ver", app.sdkVersion),
        SentField("client-request-id", correlationID), SentField("return-client-request-id", "true"),
        SentField("x-app-name", app.displayName), SentField("x-app-ver", app.version),
        SentField("x-ms-PkeyAuth+", "1.0"),
      ], form: form)
  }

  /// Saves a token response and checks the scopes *afterwards*, as the SDK does (§4.1(8)).
  func finish(
    _ tokens: TokenResponse, requested: [String], source: MSALResult.Source, _ correlationID: String
  ) throws(OAuthError) -> MSALResult {
    guard let clientInfo = tokens.clientInfo.flatMap({ ClientInfo($0) }) else {
      throw OAuthError(.serverError, "Client info was not returned in the server response")
    }
    let claims = tokens.idToken.flatMap { try? JSONWebToken(unverified: $0).claims } ?? [:]
    func claim(_ name: String) -> String? { claims[name]?.string }
    let host = SilentFlow.host(of: app.authority)
    let environment = EnvironmentAliases.publicCloud.preferredCache(for: host)
    var values: [AccountField: String] = [
      .homeAccountID: clientInfo.homeAccountID, .environment: environment,
      .realm: claim("tid") ?? clientInfo.utid,
      .localAccountID: claim("oid") ?? "", .username: claim("preferred_username") ?? "",
      .clientInfo: tokens.clientInfo ?? "",
    ]
    values[.name] = claim("name")
    values[.givenName] = claim("given_name")
    values[.familyName] = claim("family_name")
    let expiresOn = around.now.adding(seconds: tokens.expiresIn)
    var response = TokenSave(
      account: AccountItem(values), clientID: app.clientID, requestEnvironment: host,
      accessToken: tokens.accessToken, target: tokens.scope, expiresOn: expiresOn,
      refreshToken: tokens.refreshToken, familyID: tokens.familyID, idToken: tokens.idToken)
    response.extendedExpiresOn = tokens.extExpiresIn.map { around.now.adding(seconds: $0) }
    response.requestedAuthority = app.authority
    response.resolvedAuthority = "https://\(host)/\(claim("tid") ?? clientInfo.utid)"
    do { try save(response) } catch {
      throw OAuthError(.serverError, "The cache could not be written: \(error)")
    }
    return MSALResult(
      homeAccountID: clientInfo.homeAccountID, username: claim("preferred_username") ?? "",
      accessToken: tokens.accessToken, scopes: tokens.scopes, expiresOn: expiresOn, source: source)
  }
}
