import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// The decision of a silent ADAL call, before anything is sent (docs/behaviour/adal.md §5, §8).
///
/// It only reads the keychain, so the same code decides the call and predicts it.
struct ADALSilentFlow {
  /// `expirationBuffer` of `ADAuthenticationSettings`, in seconds.
  static let expirationBuffer = 300
  /// The family that is tried if the item does not specify one.
  static let defaultFamily = "1"

  var app: InstalledApp
  var legacy: LegacyCache
  var unified: TokenCache
  var now: Instant

  /// A refresh token to redeem, and its place in the cache.
  struct Candidate: Hashable {
    enum Place: Hashable {
      case legacy(LegacyItem)
      case unified(CredentialItem)
    }

    var place: Place
    var source: SDKResult.Source

    var secret: String {
      switch place {
      case .legacy(let item): item.refreshToken ?? ""
      case .unified(let item): item.secret
      }
    }

    /// The user that the item specifies, or `nil` for a unified item, which does not contain a username.
    var userID: String? {
      if case .legacy(let item) = place { item.user?.userID } else { nil }
    }
  }

  enum Decision {
    case cached(LegacyItem)
    /// The refresh tokens to redeem, in order; `expired` is deleted first, and `extended` is for an outage.
    case redeem([Candidate], expired: LegacyItem?, extended: LegacyItem?)
    case failed(SDKError)
  }

  private var version: ADALVersion { app.adalVersion }
  private var authority: ADALAuthority { app.adalAuthority }

  /// Reads the cache items that are needed, and decides.
  /// - Returns: The decision with every check that led to it, including the first that failed.
  func decide(_ request: ADALRequest) throws -> (Decision, [Check]) {
    var checks: [Check] = []
    do {
      return (try decide(request, &checks), checks)
    } catch LegacyCacheError.multipleUsers(let users) {
      checks.append(
        Check(
          "one user", expected: "a userId, or one user in the cache", found: users.joined(separator: ", "),
          false, source: "adal.md §5",
          failure: "several users are in the cache, and the call does not specify one"))
      return (.failed(ADALError.multipleUsers(version)), checks)
    }
  }

  private func decide(_ request: ADALRequest, _ checks: inout [Check]) throws -> Decision {
    let item = try accessToken(request, &checks)
    if let item, isUsable(item, request, &checks) { return .cached(item) }
    var expired: LegacyItem?
    var extended: LegacyItem?
    if let item {
      if item.refreshToken != nil {
        // The item is not from Azure AD, so ADAL does not look for another token (adal.md §8(3)).
        let candidate = Candidate(place: .legacy(item), source: .singleResourceRefreshToken)
        return .redeem([candidate], expired: nil, extended: nil)
      }
      let isExtended = item.extendedExpiresOn.map { $0 > now } ?? false
      if !isExtended { expired = item }
      // Do not fall back to an old token if the call requested a new one (adal.md §8(3)).
      if isExtended, !request.skipsAccessTokens { extended = item }
      guard item.user != nil else { return .failed(ADALError.credentialsNeeded) }
    }
    let candidates = try candidates(request, &checks)
    guard !candidates.isEmpty else { return .failed(ADALError.credentialsNeeded) }
    return .redeem(candidates, expired: expired, extended: extended)
  }

  // MARK: Access token (adal.md §8(1)–(2))

  private func accessToken(_ request: ADALRequest, _ checks: inout [Check]) throws -> LegacyItem? {
    func item(of user: String?) throws -> LegacyItem? {
      try legacy.item(
        userID: user, authorities: authority.candidates, resource: request.resource, clientID: app.clientID)
    }
    let found = try item(of: request.userID) ?? item(of: "")
    checks.append(
      Check(
        "access token for this resource", expected: "\(request.resource), \(request.userID ?? "any user")",
        found: found?.displayText ?? "none", found != nil, source: "adal.md §8(1)"))
    return found
  }

  private func isUsable(_ item: LegacyItem, _ request: ADALRequest, _ checks: inout [Check]) -> Bool {
    // A token without a date counts as valid (adal.md §2).
    let left = item.expiresOn.map { now.seconds(until: $0) }
    let isOfTheFuture = version.isUnified && item.cachedAt.map { $0 > now } ?? false
    let isFresh =
      !isOfTheFuture && item.expiresOn.map { $0 >= now.adding(seconds: Self.expirationBuffer) } ?? true
    checks.append(
      Check(
        "access token is not expired", expected: "at least \(Self.expirationBuffer) s left",
        found: isOfTheFuture ? "cached_at is in the future" : left.map(timeLeftText) ?? "no expiry date",
        isFresh,
        source: "adal.md §8(2)", failure: "the access token has expired, or is about to"))
    guard isFresh else { return false }
    let neither = "no forceRefresh, no claims"
    checks.append(
      Check(
        "cache may be used", expected: neither,
        found: request.skipsAccessTokens ? "forceRefresh or claims" : neither, !request.skipsAccessTokens,
        source: "adal.md §8(2)", failure: "the call skips cached access tokens"))
    return !request.skipsAccessTokens
  }

  // MARK: Refresh tokens (adal.md §8(4))

  /// Returns the refresh tokens to redeem, in order.
  ///
  /// The family's token comes first if the app's multi-resource token specifies a family, and last if it does not.
  private func candidates(_ request: ADALRequest, _ checks: inout [Check]) throws -> [Candidate] {
    let own = try refreshToken(request, familyID: nil)
    checks.append(
      Check(
        "multi-resource refresh token", expected: "of client \(app.clientID)", found: displayText(own),
        own != nil,
        source: "adal.md §8(4)", failure: "nothing in the cache matches"))
    guard version.knowsFamilies else {
      return own.map { [Candidate(place: $0, source: .appRefreshToken)] } ?? []
    }
    let named = own.flatMap(familyID)
    let family = try refreshToken(request, familyID: named ?? Self.defaultFamily)
    checks.append(
      Check(
        "family refresh token", expected: "of family \(named ?? Self.defaultFamily)",
        found: displayText(family),
        verdict: family != nil ? .passed : own != nil ? .skipped : .failed, source: "adal.md §8(4)",
        failure: "nothing in the cache matches"))
    let mine = own.map { Candidate(place: $0, source: .appRefreshToken) }
    let shared = family.map { Candidate(place: $0, source: .familyRefreshToken) }
    return (named == nil ? [mine, shared] : [shared, mine]).compactMap(\.self)
  }

  /// Returns the refresh token from the legacy cache or, in 2.7 and later, else from the unified cache.
  private func refreshToken(_ request: ADALRequest, familyID: String?) throws -> Candidate.Place? {
    let client = familyID.map(LegacyKey.familyClientID) ?? app.clientID
    let item = try legacy.item(
      userID: request.userID, authorities: authority.candidates, resource: nil, clientID: client)
    if let item { return .legacy(item) }
    guard version.isUnified, !authority.isADFS, let id = try homeAccountID(request.userID) else { return nil }
    let credential =
      try familyID.map {
        try unified.familyRefreshToken(homeAccountID: id, environments: authority.environments, familyID: $0)
      }
      ?? unified.refreshToken(
        homeAccountID: id, environments: authority.environments, clientID: app.clientID)
    return credential.map(Candidate.Place.unified)
  }

  /// Returns the home account ID, the key of the unified cache, from the account items (adal.md §4).
  private func homeAccountID(_ userID: String?) throws -> String? {
    guard let userID, !userID.isEmpty else { return nil }
    return try unified.accounts(username: userID, environments: authority.environments).first?.homeAccountID
  }

  private func familyID(_ place: Candidate.Place) -> String? {
    switch place {
    case .legacy(let item): item.familyID
    case .unified(let item): item.familyID
    }
  }

  private func displayText(_ place: Candidate.Place?) -> String {
    switch place {
    case .legacy(let item): item.displayText
    case .unified: "unified refresh token"
    case nil: "none"
    }
  }
}

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
      .app, .adal, actor: app.bundleID, call, result: Self.displayText(decision),
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

  private static func displayText(_ decision: ADALSilentFlow.Decision) -> String {
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

/// ADAL's own requests: instance discovery and the token endpoint of version 1 (docs/behaviour/adal.md §8).
struct ADALNetwork: ADALPart {
  let client: ADALClient

  private var authority: ADALAuthority { client.authority }

  /// Performs instance discovery before any other step of a call, once for each host in a process; a failure ends the
  /// call.
  ///
  /// AD FS is skipped as if `validateAuthority` were NO, because its discovery is not simulated.
  func validateAuthority(_ correlationID: String) throws {
    let host = authority.host
    let known = context.process.process
    guard !authority.isADFS, known.aliases.cloud(of: host) == nil else { return }
    guard !known.invalidHosts.contains(host) else {
      throw unknownHost(OAuthError.unknownInstance.message)
    }
    let isTrusted = Cloud.trustedHosts.contains(host)
    let response = try send(
      HTTPRequest(
        "GET", origin: isTrusted ? authority.origin : "https://" + PublicCloud.preferredNetwork,
        path: "/common/discovery/instance",
        query: [
          NameValue("api-version", "1.1"),
          NameValue("authorization_endpoint", authority.url.lowercased() + "/oauth2/authorize"),
        ], headers: headers(correlationID)))
    guard response.status == 200 else {
      let refusal = OAuthError(reading: response)
      if refusal.code == .invalidInstance { try context.process.change { $0.invalidHosts.append(host) } }
      throw unknownHost(refusal.message, refusal.code)
    }
    // A host that the response does not list counts as validated, and as an alias of itself only.
    let cloud = MSALAuthorities.clouds(in: response).first { $0.aliases.contains(host) }
    let itself = EnvironmentAliases.Cloud(preferredNetwork: host, preferredCache: host, aliases: [host])
    try context.process.change { $0.clouds.append(cloud ?? itself) }
  }

  /// Returns error 101 (errors.md §4).
  private func unknownHost(_ reason: String, _ code: OAuthErrorCode = .invalidInstance) -> SDKError {
    var error = ADALError.make(.developerAuthorityValidation, reason, protocolCode: code.text)
    error.failedCheck = Check(
      "authority host is known", expected: "a host that instance discovery knows", found: authority.host,
      false, source: "adal.md §8(0)", failure: "the host of its authority is not known")
    return error
  }

  /// Sends `POST {authority}/oauth2/token` and returns the tokens or the OAuth error.
  func tokens(for form: [NameValue], _ request: ADALRequest) throws -> Result<TokenResponse, OAuthError> {
    let response = try send(
      HTTPRequest(
        "POST", origin: authority.origin, path: "/\(authority.tenant)/oauth2/token",
        headers: headers(request.correlationID), form: form))
    do throws(OAuthError) {
      return .success(try TokenResponse(reading: response))
    } catch {
      return .failure(error)
    }
  }

  /// Sends a request; a status other than OAuth's 200, 400, and 401 ends the call with the status as the error code.
  ///
  /// A 5xx request is first sent once more. The SDK waits half a second before that, but no time passes here.
  private func send(_ request: HTTPRequest) throws -> HTTPResponse {
    var response = try context.system.send(request)
    if (500...599).contains(response.status) { response = try context.system.send(request) }
    switch response.status {
    case 200, 400, 401:
      if let problem = response.jsonProblem { throw ADALError.make(problem) }
      return response
    case 0: throw ADALError.offline
    default: throw ADALError.make(http: response)
    }
  }

  private func headers(_ correlationID: String) -> [NameValue] {
    [
      NameValue("x-client-SKU", app.builtDefaults.sku), NameValue("x-client-Ver", app.sdkVersion),
      NameValue("client-request-id", correlationID), NameValue("return-client-request-id", "true"),
      NameValue("x-app-name", app.displayName), NameValue("x-app-ver", app.version),
    ]
  }
}
