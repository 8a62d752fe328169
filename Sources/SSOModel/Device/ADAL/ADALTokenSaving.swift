/// The part of ADAL that processes a token response (docs/behaviour/adal.md §3).
struct ADALTokenSaving: ADALPart {
  let client: ADALClient

  private var version: ADALVersion { client.version }

  /// Saves a token response, and checks the user *afterwards*, as the SDK does (adal.md §8), so the tokens stay cached.
  func finish(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, verifiesUser: Bool
  ) throws -> SDKResult {
    let result = try save(tokens, request, source: source)
    if verifiesUser, let user = user(of: tokens), !request.matches(user) {
      throw ADALError.wrongUser(version)
    }
    return result
  }

  /// Writes a token response to the cache, or only its refresh tokens and account if `withAccessToken` is false.
  @discardableResult
  func save(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, withAccessToken: Bool = true
  ) throws -> SDKResult {
    let save = legacySave(tokens, request)
    try logging {
      try client.legacy.save(save, withAccessToken: withAccessToken)
      if version.isUnified, save.isMultiResource, let unified = unifiedSave(tokens, expiresOn: save.expiresOn)
      {
        try client.unified.saveSingleSignOnState(unified)
      }
    }
    return result(tokens, request, source)
  }

  /// Returns the result that the app receives for a response.
  func result(_ tokens: TokenResponse, _ request: ADALRequest, _ source: SDKResult.Source) -> SDKResult {
    SDKResult(
      homeAccountID: clientInfo(of: tokens)?.homeAccountID, username: user(of: tokens)?.userID ?? "",
      accessToken: tokens.accessToken, scopes: [tokens.resource ?? request.resource],
      expiresOn: context.now.adding(seconds: tokens.expiresIn), source: source)
  }

  private func user(of tokens: TokenResponse) -> LegacyUser? {
    tokens.idToken.flatMap(LegacyUser.init(idToken:))
  }

  private func clientInfo(of tokens: TokenResponse) -> ClientInfo? {
    version.isUnified ? tokens.clientInfo.flatMap { ClientInfo($0) } : nil
  }

  private func legacySave(_ tokens: TokenResponse, _ request: ADALRequest) -> LegacySave {
    var save = LegacySave(
      authority: client.authority.stored, clientID: app.clientID, resource: tokens.resource,
      requestedResource: request.resource, accessToken: tokens.accessToken, tokenType: tokens.tokenType,
      refreshToken: tokens.refreshToken, expiresOn: context.now.adding(seconds: tokens.expiresIn),
      cachedAt: context.now, idToken: tokens.idToken, isUnified: version.isUnified)
    save.extendedExpiresOn = tokens.extExpiresIn.map { context.now.adding(seconds: $0) }
    save.familyID = version.knowsFamilies ? tokens.familyID : nil
    save.homeAccountID = clientInfo(of: tokens)?.homeAccountID
    return save
  }

  /// Returns the values for the unified cache, or `nil` without `client_info`, without an ID token, or before 2.7.
  ///
  /// They are the refresh token (and the family's) and the account, and nothing else (adal.md §4).
  private func unifiedSave(_ tokens: TokenResponse, expiresOn: Instant) -> CachedTokenResponse? {
    guard let clientInfo = clientInfo(of: tokens), let user = user(of: tokens) else { return nil }
    let claims = user.claims
    var values: [AccountField: String] = [
      .homeAccountID: clientInfo.homeAccountID, .environment: client.authority.environment,
      .realm: claims["tid"]?.string ?? clientInfo.utid, .localAccountID: claims["oid"]?.string ?? "",
      .username: claims["upn"]?.string ?? user.userID, .clientInfo: tokens.clientInfo ?? "",
    ]
    values[.name] = claims["name"]?.string
    values[.givenName] = claims["given_name"]?.string
    values[.familyName] = claims["family_name"]?.string
    return CachedTokenResponse(
      account: AccountItem(values), clientID: app.clientID,
      accessToken: nil, target: "", expiresOn: expiresOn, refreshToken: tokens.refreshToken,
      familyID: tokens.familyID)
  }

  /// Logs a failure to save and does not throw it; the token is still returned (keychain.md §4(8)).
  private func logging(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let status as KeychainError {
      let error = ADALError.keychain(status, reading: false, version)
      context.trace.add(
        .sdk, .app, actor: app.bundleID, "log",
        result: "\(error.description) \(status.name) (\(status.number)); the token is returned all the same"
      )
    }
  }
}

extension ADALRequest {
  /// Returns whether the tokens are for the requested user.
  ///
  /// Any user matches if none was requested, or if the request was only a hint.
  func matches(_ user: LegacyUser) -> Bool {
    guard let userID, !normalized(userID).isEmpty else { return true }
    switch userIDType {
    case .optionalDisplayableID: return true
    case .requiredDisplayableID: return normalized(userID) == user.userID
    case .uniqueID: return user.uniqueID.map { normalized($0) == normalized(userID) } ?? true
    }
  }
}
