import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// The parameters of a call that are needed to process its token response.
struct TokenCall {
  /// The scopes that the app requested.
  var requested: [String]
  /// The authority as the app requested it, before it was resolved to a tenant.
  var requestedAuthority: Authority
  var aliases: EnvironmentAliases
  var correlationID: String
  /// `saveSSOStateOnly`: whether neither the access token nor the ID token is cached (broker.md §8(2)).
  var keepsSignInStateOnly = false
  /// Whether only the broker stores the tokens, and nothing is cached.
  var staysWithBroker = false
}

/// The part of MSAL that processes a token response.
struct MSALTokenSaving: MSALPart {
  let client: MSALClient

  /// Saves a token response and checks the scopes *afterwards*, as the SDK does (docs/behaviour/silent-call.md §1(8)).
  func finish(
    _ tokens: TokenResponse, _ call: TokenCall, source: SDKResult.Source
  ) throws -> SDKResult {
    let claims = tokens.idToken.flatMap { try? JSONWebToken(unverified: $0).claims } ?? [:]
    let clientInfo = tokens.clientInfo.flatMap { ClientInfo($0) }
    guard let homeAccountID = clientInfo?.homeAccountID else {
      throw MSALError.make(
        code: .internalError, "Client info was not returned in the server response",
        correlationID: call.correlationID
      )
    }
    let account = accountItem(homeAccountID, clientInfo, tokens, claims, call)
    let expiresOn = context.now.adding(seconds: tokens.expiresIn)
    var response = CachedTokenResponse(
      account: account, clientID: app.clientID, accessToken: tokens.accessToken,
      target: tokens.scope.isEmpty ? call.requested.joined(separator: " ") : tokens.scope,
      expiresOn: expiresOn,
      refreshToken: tokens.refreshToken, familyID: tokens.familyID, idToken: tokens.idToken)
    response.extendedExpiresOn = tokens.extExpiresIn.map { context.now.adding(seconds: $0) }
    response.refreshOn = tokens.refreshIn.map { context.now.adding(seconds: $0) }
    response.requestedAuthority = call.requestedAuthority.url
    response.resolvedAuthority = call.requestedAuthority.with(tenant: account.realm).url
    if call.keepsSignInStateOnly { (response.accessToken, response.idToken) = (nil, nil) }
    if !call.staysWithBroker { try save(response) }
    try requireScopes(tokens, call)
    return SDKResult(
      homeAccountID: homeAccountID, username: account.username, accessToken: tokens.accessToken,
      scopes: tokens.scopes, expiresOn: expiresOn, source: source)
  }

  /// Returns the account of the realm that issued the tokens.
  ///
  /// B2C tokens do not contain a username; their realm is that of `client_info`, or the path if it is not in the form
  /// `tfp` (interactive-call.md §4).
  private func accountItem(
    _ homeAccountID: String, _ clientInfo: ClientInfo?, _ tokens: TokenResponse,
    _ claims: [String: JSONValue], _ call: TokenCall
  ) -> AccountItem {
    let home = clientInfo?.utid ?? ""
    func claim(_ name: String) -> String? { claims[name]?.string }
    let authority = call.requestedAuthority
    let issuer =
      !authority.hasTenant ? authority.realm : authority.kind == .b2c ? home : claim("tid") ?? home
    let username =
      claim("preferred_username")
      ?? (authority.kind == .b2c ? "Missing from the token response" : claim("upn") ?? "")
    var values: [AccountField: String] = [
      .homeAccountID: homeAccountID,
      .environment: call.aliases.preferredCache(for: authority.host), .realm: issuer,
      .localAccountID: claim("oid") ?? "", .username: username, .clientInfo: tokens.clientInfo ?? "",
    ]
    values[.name] = claim("name")
    values[.givenName] = claim("given_name")
    values[.familyName] = claim("family_name")
    return AccountItem(values)
  }

  /// Throws -50003 if fewer scopes were granted than requested.
  ///
  /// A missing `email` alone does not matter; together with another missing scope, it counts as declined too.
  private func requireScopes(_ tokens: TokenResponse, _ call: TokenCall) throws {
    let granted = Set(tokens.scopes.map { $0.lowercased() })
    let openID = Set(SilentFlow.reservedScopes)
    let kept = tokens.scopes.filter { !openID.contains($0.lowercased()) }
    // A response without scopes grants the requested ones.
    let declined = tokens.scope.isEmpty ? [] : call.requested.filter { !granted.contains($0.lowercased()) }
    let check = Check(
      "granted scopes include the requested ones", expected: call.requested.joined(separator: " "),
      found: kept.joined(separator: " "), declined.allSatisfy { $0.lowercased() == "email" },
      source: "silent-call.md §1(8)", failure: "the granted scopes lack a requested one")
    guard check.verdict == .failed else { return }
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "check the granted scopes", result: "the tokens are saved already",
      checks: [check])
    throw MSALError.make(
      code: .serverDeclinedScopes, "Server returned less scopes than requested",
      correlationID: call.correlationID,
      userInfo: [
        NameValue("MSALDeclinedScopesKey", MSALError.list(declined)),
        NameValue("MSALGrantedScopesKey", MSALError.list(kept)),
      ])
  }

  /// Saves a response; a failure is only logged, and the token is still returned (keychain.md §4).
  private func save(_ response: CachedTokenResponse) throws {
    do {
      try cache.save(response)
    } catch let status as KeychainError {
      context.trace.add(
        .sdk, .app, actor: app.bundleID, "log",
        result:
          "Failed to set item into keychain. \(status.name) (\(status.number)); the token is returned all the same"
      )
    }
  }
}
