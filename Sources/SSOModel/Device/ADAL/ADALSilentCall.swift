/// `acquireTokenSilentWithResource:…`, and the cache lookup that both calls perform (docs/behaviour/adal.md §8).
struct ADALSilentCall: ADALPart {
  let client: ADALClient

  func acquireToken(_ request: ADALRequest) throws -> SDKResult {
    if let error = request.argumentError(app) { throw error }
    try client.network.validateAuthority(request.correlationID)
    switch try tokenFromCache(request, call: "acquireTokenSilentWithResource", verifiesUser: false) {
    case .token(let result): return result
    // A protection policy error is passed on, because the app can act on it (adal.md §8(6)).
    case .refused(let error?) where error.code == ADALCode.serverProtectionPolicyRequired.number:
      throw error
    case .refused(let error): throw ADALError.credentialsNeeded(after: error)
    case .miss: throw ADALError.cacheMiss
    }
  }

  enum CacheAnswer {
    case token(SDKResult)
    /// Every attempt failed. The error is the rejection of the app's own refresh token, if there was one.
    case refused(SDKError?)
    /// There was nothing to try.
    case miss
  }

  /// - Throws: An error that ends the call, whatever its kind (adal.md §8(5)).
  func tokenFromCache(_ request: ADALRequest, call: String, verifiesUser: Bool) throws -> CacheAnswer {
    let (decision, checks) = try client.wordingKeychainErrors { try client.flow.decide(request) }
    context.trace.add(
      .app, .sdk, actor: app.bundleID, call, result: Self.words(decision),
      sent: [
        NameValue("resource", request.resource), NameValue("userId", request.userID ?? "nil"),
        NameValue("userIdType", request.userIDType.rawValue), NameValue("prompt", request.prompt.rawValue),
        NameValue("correlation_id", request.correlationID),
      ], checks: checks)
    switch decision {
    case .failed(let error) where error.code == ADALCode.serverUserInputNeeded.number:
      return .miss
    case .failed(let error): throw error
    case .cached(let item): return .token(result(of: item, expiresOn: item.expiresOn))
    case .redeem(let candidates, let expired, let extended):
      if let expired { try client.wordingKeychainErrors { _ = try client.legacy.remove(expired) } }
      do {
        return try redeem(candidates, request, verifiesUser: verifiesUser)
      } catch let error as SDKError
        where error.domain == ADALError.Domain.http.rawValue && (500...599).contains(error.code)
      {
        guard let extended, app.extendedLifetimeEnabled else { throw error }
        var result = result(of: extended, expiresOn: extended.extendedExpiresOn)
        (result.isFallback, result.isExtendedLifetime) = (true, true)
        return .token(result)
      }
    }
  }

  private static func words(_ decision: ADALSilentFlow.Decision) -> String {
    switch decision {
    case .cached: "cache hit"
    case .redeem(let candidates, _, _): "redeem the \(candidates.first?.source.rawValue ?? "refresh token")"
    case .failed(let error): "error \(error.code)"
    }
  }

  private func result(of item: LegacyItem, expiresOn: Instant?) -> SDKResult {
    SDKResult(
      homeAccountID: item.homeAccountID, username: item.user?.userID ?? "",
      accessToken: item.accessToken ?? "",
      scopes: [item.resource ?? ""], expiresOn: expiresOn ?? context.now, source: .cache)
  }

  /// Tries each refresh token in order; an OAuth error leads to the next (adal.md §8(4)–(5)).
  private func redeem(
    _ candidates: [ADALSilentFlow.Candidate], _ request: ADALRequest, verifiesUser: Bool
  ) throws -> CacheAnswer {
    var refusal: SDKError?
    for candidate in candidates {
      var form = [
        NameValue("grant_type", "refresh_token"), NameValue("refresh_token", candidate.secret),
        NameValue("client_id", app.clientID),
      ]
      if client.version.isUnified { form.append(NameValue("client_info", "1")) }
      form += [NameValue("resource", request.resource), NameValue("scope", "openid")]
      if let claims = JSONValue.claimsParameter(request.claims, capabilities: app.clientCapabilities) {
        form.append(NameValue("claims", claims))
      }
      switch try client.network.tokens(for: form, request) {
      case .success(let tokens):
        return .token(
          try client.saving.finish(tokens, request, source: candidate.source, verifiesUser: verifiesUser))
      case .failure(let error):
        if error.code == .invalidGrant, error.suberror != OAuthErrorCode.consentRequired.text {
          try remove(candidate)
        }
        // Report the rejection of the app's own token, but not that of the family's token.
        guard candidate.source != .familyRefreshToken else { continue }
        var refused = ADALError.make(error, ofRefreshToken: true)
        if refused.code == ADALCode.serverProtectionPolicyRequired.number {
          refused.userID = candidate.userID ?? request.userID
        }
        refusal = refused
      }
    }
    return .refused(refusal)
  }

  /// Removes a rejected refresh token from the cache (adal.md §8(5)).
  private func remove(_ candidate: ADALSilentFlow.Candidate) throws {
    try client.wordingKeychainErrors {
      switch candidate.place {
      case .legacy(let item): _ = try client.legacy.remove(item)
      case .unified(let item): try client.unified.remove(item)
      }
    }
  }
}
