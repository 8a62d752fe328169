extension ADALClient {
  /// Saves a token response, and checks the user *afterwards*, as the SDK does (adal.md §8): what was cached stays.
  func finish(
    _ tokens: TokenResponse, _ request: ADALRequest, source: SDKResult.Source, verifiesUser: Bool
  ) throws -> SDKResult {
    let clientInfo = version.isUnified ? tokens.clientInfo.flatMap { ClientInfo($0) } : nil
    let expiresOn = context.now.adding(seconds: tokens.expiresIn)
    var save = LegacySave(
      authority: authority.stored, clientID: app.clientID, resource: tokens.resource,
      requestedResource: request.resource, accessToken: tokens.accessToken, tokenType: tokens.tokenType,
      refreshToken: tokens.refreshToken, expiresOn: expiresOn, cachedAt: context.now, idToken: tokens.idToken,
      isUnified: version.isUnified)
    save.extendedExpiresOn = tokens.extExpiresIn.map { context.now.adding(seconds: $0) }
    save.familyID = version.knowsFamilies ? tokens.familyID : nil
    save.homeAccountID = clientInfo?.homeAccountID
    let user = tokens.idToken.flatMap { LegacyUser(idToken: $0) }
    try logging {
      try legacy.save(save)
      if save.isMultiResource, let clientInfo, let user {
        try unified.saveSingleSignOnState(unifiedSave(tokens, clientInfo, user, expiresOn: expiresOn))
      }
    }
    if verifiesUser, let user, !request.matches(user) { throw ADALError.wrongUser }
    return SDKResult(
      homeAccountID: clientInfo?.homeAccountID, username: user?.userID ?? "", accessToken: tokens.accessToken,
      scopes: [tokens.resource ?? request.resource], expiresOn: expiresOn, source: source)
  }

  /// From 2.7: refresh token (and the family's) and account in the unified format, nothing else (adal.md §4).
  private func unifiedSave(
    _ tokens: TokenResponse, _ clientInfo: ClientInfo, _ user: LegacyUser, expiresOn: Instant
  ) -> CachedTokenResponse {
    let claims = user.claims
    var values: [AccountField: String] = [
      .homeAccountID: clientInfo.homeAccountID, .environment: authority.environment,
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
  /// Whether the tokens are for the user that was asked for. Nobody was asked for, or as a hint only: anybody.
  func matches(_ user: LegacyUser) -> Bool {
    guard let userID, !normalized(userID).isEmpty else { return true }
    switch userIDType {
    case .optionalDisplayableID: return true
    case .requiredDisplayableID: return normalized(userID) == user.userID
    case .uniqueID: return user.uniqueID.map { normalized($0) == normalized(userID) } ?? true
    }
  }
}
