import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// The redemption of refresh tokens, and the changes that each response makes to the cache
/// (docs/behaviour/silent-call.md §1(5)–(8)).
struct MSALRedemption: MSALPart {
  let client: MSALClient

  /// Tries each refresh token in order; a rejection that a sign-in could resolve leads to the next one.
  func redeem(_ redemption: Redemption, _ request: SDKRequest) throws -> SDKResult {
    let endpoint = try tokenEndpoint(redemption, request.correlationID)
    var refusal: OAuthError?
    for candidate in redemption.candidates {
      let sent = refreshRequest(candidate.token, endpoint, request)
      let (answer, isThrottled) = try MSALThrottling(client: client).answer(to: sent)
      let hit = isThrottled ? [NameValue("MSALThrottlingCacheHitKey", "1")] : []
      switch answer {
      case .tokens(let tokens):
        let call = TokenCall(
          requested: request.scopes, requestedAuthority: redemption.requestedAuthority,
          aliases: redemption.aliases, correlationID: request.correlationID)
        return try client.saving.finish(tokens, call, source: candidate.source)
      case .refused(let error):
        try updateCache(after: error, of: candidate, redemption)
        guard error.isRecoverableByInteraction else {
          throw MSALError.make(
            error, correlationID: request.correlationID, userInfo: policyInfo(error, redemption) + hit)
        }
        refusal = error
      case .status, .unreachable, .unusable, .unreadable:
        if !isThrottled, let token = try fallback(answer, redemption, request) { return token }
        throw MSALError.make(answer, correlationID: request.correlationID, userInfo: hit)
      }
    }
    throw MSALError.make(
      code: .interactionRequired, app.msal.message(after: refusal), oauthError: refusal?.code.text,
      suberror: refusal?.suberror, correlationID: request.correlationID)
  }

  /// Returns the token endpoint of the authority; a refresh token is never sent to a cloud other than the account's.
  private func tokenEndpoint(_ redemption: Redemption, _ correlationID: String) throws -> String {
    let configuration = try client.authorities.configuration(
      of: redemption.authority, redemption.aliases, correlationID)
    let host = URLParts(configuration.tokenEndpoint)?.authority.lowercased() ?? ""
    let check = Check(
      "token endpoint is of the account's cloud", expected: redemption.environments.joined(separator: ", "),
      found: host, redemption.environments.contains(host), source: "silent-call.md §1(5)",
      failure: "the token endpoint is of another cloud than the account")
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "token endpoint", result: configuration.tokenEndpoint, checks: [check])
    guard check.verdict == .passed else {
      throw MSALError.make(
        code: .interactionRequired,
        "User interaction is required (unable to use token from a different cloud).",
        correlationID: correlationID)
    }
    return configuration.tokenEndpoint
  }

  private func refreshRequest(
    _ token: CredentialItem, _ endpoint: String, _ request: SDKRequest
  ) -> HTTPRequest {
    var form = [
      NameValue("grant_type", "refresh_token"), NameValue("client_id", app.clientID),
      NameValue("scope", (request.scopes + SilentFlow.reservedScopes).joined(separator: " ")),
      NameValue("refresh_token", token.secret), NameValue("redirect_uri", app.redirectURI),
      NameValue("client_info", "1"),
    ]
    let claims = JSONValue.claimsParameter(
      request.hasClaims ? request.options.claims : nil, capabilities: app.clientCapabilities)
    if let claims { form.append(NameValue("claims", claims)) }
    return client.authorities.tokenRequest(endpoint, request.correlationID, form)
  }

  /// Returns a cached token that may be used although the server is unavailable, or `nil` if the cache does not have
  /// one.
  ///
  /// Only a 5xx response of the server counts, and not a response from memory (silent-call.md §2).
  private func fallback(
    _ answer: ServerAnswer, _ redemption: Redemption, _ request: SDKRequest
  ) throws -> SDKResult? {
    guard answer.isServerUnavailable,
      let token = redemption.proactive ?? (app.extendedLifetimeEnabled ? redemption.extended : nil)
    else { return nil }
    var flow = SilentFlow(app: app, cache: cache, now: context.now) { _ in redemption.aliases }
    let isUsable = try flow.hasIdentity(redemption)
    let isExtended = redemption.proactive == nil
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "server unavailable",
      result: isExtended ? "use the long-lived access token" : "use the access token past refresh_on",
      checks: flow.checks)
    guard isUsable else { return nil }
    var result = client.result(of: token, request)
    result.isFallback = true
    result.isExtendedLifetime = isExtended
    if isExtended { result.expiresOn = token.extendedExpiresOn ?? result.expiresOn }
    return result
  }

  /// Returns the entries of -50004 that identify the account that the policy concerns.
  private func policyInfo(_ error: OAuthError, _ redemption: Redemption) -> [NameValue] {
    guard error.suberror == OAuthSuberror.protectionPolicyRequired.text else { return [] }
    return [
      NameValue("MSALDisplayableUserIdKey", redemption.account.username),
      NameValue("MSALHomeAccountIdKey", redemption.account.identifier),
    ]
  }

  /// Updates the cache after a rejection (silent-call.md §5).
  private func updateCache(
    after error: OAuthError, of candidate: Redemption.Candidate, _ redemption: Redemption
  ) throws {
    if candidate.source == .familyRefreshToken, error.suberror == OAuthSuberror.clientMismatch.text {
      try cache.leaveFamily(clientID: app.clientID, environments: redemption.environments)
    }
    guard error.code == .invalidGrant else { return }
    switch error.suberror.flatMap(OAuthSuberror.init(text:)) {
    case .badToken:
      if let legacy = candidate.legacy {
        try client.legacyCache.remove(legacy)
      } else {
        try cache.removeIfUnchanged(candidate.token)
      }
    case .userAccountDeleted:
      // The credentials of the group's other clients remain, as do the account items.
      let (account, environments) = (redemption.account, redemption.environments)
      let id = try account.homeAccountID(in: cache, environments)
      try cache.remove(homeAccountID: id, clientID: app.clientID, environments: environments)
      _ = try client.legacyCache.removeAll(
        userID: account.username, clientID: app.clientID, environments: environments)
      try cache.removeMetadata(homeAccountID: account.identifier)
    default: break
    }
  }
}

/// The throttling of failed requests, which are not sent again immediately (`CC/throttling`;
/// docs/behaviour/silent-call.md §1(7)).
///
/// There are two kinds, both in the memory of the process. Responses 429 and 5xx are throttled for `Retry-After` or
/// else 60 s, by client, refresh token, and scopes. OAuth errors are throttled for 120 s, by all fields of the request
/// except `grant_type`, and only until the user signs in interactively.
struct MSALThrottling: MSALPart {
  let client: MSALClient

  private static let serverDelay = 60
  private static let interactionDelay = 120

  /// Returns the response to a request: the stored one of the last try if the request is throttled, or else the
  /// server's.
  func answer(
    to sent: HTTPRequest
  ) throws -> (ServerAnswer, isThrottled: Bool) {
    guard app.msal.throttlesRequests else {
      return (ServerAnswer(try client.authorities.sendRetrying(sent)), false)
    }
    let strict = thumbprint(sent) { ["client_id", "scope", "refresh_token"].contains($0) }
    let full = thumbprint(sent) { $0 != "grant_type" }
    for key in [strict, full] {
      guard let throttle = context.process.process.throttles[key] else { continue }
      if try holds(throttle) { return (ServerAnswer(throttle.answer), true) }
      try context.process.change { $0.throttles[key] = nil }
    }
    let answer = ServerAnswer(try client.authorities.sendRetrying(sent))
    if let refusal = answer.refusal, let seconds = Self.delay(refusal) {
      let throttle = Throttle(
        createdAt: context.now, until: context.now.adding(seconds: seconds), answer: refusal)
      let key = if case .oauth = refusal { full } else { strict }
      try context.process.change { $0.throttles[key] = throttle }
    }
    return (answer, false)
  }

  private static func delay(_ refusal: ServerRefusal) -> Int? {
    switch refusal {
    case .oauth: interactionDelay
    case .status(let status, let headers):
      retryDelay(headers) ?? (status == 429 || (500...599).contains(status) ? serverDelay : nil)
    }
  }

  /// Returns `Retry-After` in seconds, or `nil` if it is absent or not a positive number.
  ///
  /// A value of more than two hours is reduced to one hour (`CC/throttling/model/MSIDThrottlingModel429.m`, which
  /// compares with a time one hour ahead).
  private static func retryDelay(_ headers: [NameValue]) -> Int? {
    let seconds = headers.first { $0.isHeader("Retry-After") }.flatMap { Int($0.value) }
    return seconds.flatMap { $0 <= 0 ? nil : $0 > 7200 ? 3600 : $0 }
  }

  private func holds(_ throttle: Throttle) throws -> Bool {
    var isLifted = false
    if case .oauth = throttle.answer {
      isLifted = try LastInteraction(of: cache).moment().map { $0 >= throttle.createdAt } ?? false
    }
    let left = context.now.seconds(until: throttle.until)
    let holds = context.now < throttle.until && !isLifted
    context.trace.add(
      .sdk, .sdk, actor: app.bundleID, "throttling",
      result: holds ? "answered from memory" : "no longer throttled",
      checks: [
        Check(
          "request is not throttled", expected: "no recent failure of the same request",
          found: isLifted ? "a sign-in since then" : "\(max(0, left)) s left", !holds,
          source: "silent-call.md §1(7)", failure: "the request is throttled")
      ])
    return holds
  }

  /// Returns the key of a request, which does not include the endpoint.
  ///
  /// The SDK includes only strings, and its endpoint is an `NSURL`
  /// (`CC/throttling/thumbprint_calculation/MSIDThumbprintCalculator.m`). A refresh token is among the fields, so only
  /// a hash is stored.
  private func thumbprint(_ sent: HTTPRequest, _ isCounted: (String) -> Bool) -> String {
    let fields = sent.form.filter { isCounted($0.name) }.map { $0.name + ":" + $0.value }
    return sha256Hex(fields.sorted().joined(separator: "\u{1F}"))
  }
}
