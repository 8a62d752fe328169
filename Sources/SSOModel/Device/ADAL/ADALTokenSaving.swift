/// What becomes of a token response (docs/behaviour/adal.md §3).
struct ADALTokenSaving: ADALPart {
  let client: ADALClient

  private var version: ADALVersion { client.version }

  /// Saves a token response, and checks the user *afterwards*, as the SDK does (adal.md §8): what was cached stays.
  func finish(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, verifiesUser: Bool
  ) throws -> SDKResult {
    let result = try save(tokens, request, source: source)
    if verifiesUser, let user = user(of: tokens), !request.matches(user) {
      throw ADALError.wrongUser(version)
    }
    return result
  }

  /// Writes a token response into the cache; without `withAccessToken` only refresh tokens and the account.
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

  /// The result that the app gets of a response.
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

  /// From 2.7: refresh token (and the family's) and account in the unified format, nothing else (adal.md §4); nil without
  /// `client_info` or ID token.
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

  /// A failure to save is only logged, and the token is still returned (keychain.md §4(8)).
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
  /// Whether the tokens are for the user that was asked for.
  ///
  /// No user was asked for, or as a hint only: any user.
  func matches(_ user: LegacyUser) -> Bool {
    guard let userID, !normalized(userID).isEmpty else { return true }
    switch userIDType {
    case .optionalDisplayableID: return true
    case .requiredDisplayableID: return normalized(userID) == user.userID
    case .uniqueID: return user.uniqueID.map { normalized($0) == normalized(userID) } ?? true
    }
  }
}
