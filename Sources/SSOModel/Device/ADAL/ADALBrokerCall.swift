/// An interactive call through the broker, over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
struct ADALBrokerCall: ADALPart {
  let client: ADALClient

  var conversation: BrokerConversation {
    BrokerConversation(context: context, accessGroup: app.sharedAccessGroup, dialect: Protocol2())
  }

  /// Calls the broker over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
  func ask(_ request: ADALRequest) throws -> SDKResult {
    do {
      let reply = try conversation.ask(values(request)) { late in
        do { _ = try result(of: late, request) } catch is SDKError {}
      }
      return try result(of: reply, request)
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    } catch let error as BrokerError {
      throw ADALError.make(.developerInvalidArgument, error.reason)
    }
  }

  /// Returns the request's values; the conversation adds the values that identify the app.
  func values(_ request: ADALRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .resource: request.resource, .correlationID: request.correlationID,
      .usernameType: request.userIDType.rawValue, .force: request.prompt == .force ? "YES" : "NO",
      .skipCache: request.claims == nil ? "NO" : "YES",
    ]
    values[.username] = request.userID
    values[.claims] = request.claims
    return values
  }

  /// Handles a URL that no call waits for; ADAL up to 6 takes it from the app delegate automatically (broker.md §7).
  /// - Returns: The result, or `nil` if the URL is not for ADAL.
  func handle(_ delivery: URLDelivery) throws -> SDKResult? {
    let resume = try context.defaults.resumeState()
    do {
      guard let reply = try conversation.handle(delivery, isAwaited: false) else { return nil }
      let request = ADALRequest(
        resource: resume?.values["resource"] ?? app.resource, userIDType: .optionalDisplayableID,
        correlationID: resume?.correlationID ?? "")
      return try result(of: reply, request)
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    }
  }

  /// Returns the broker's tokens, and saves them if the keychain group is known.
  ///
  /// The user is compared with itself, so no user counts as the wrong one (broker.md §8(10)).
  private func result(of reply: BrokerConversation.Reply, _ request: ADALRequest) throws -> SDKResult {
    let fields = reply.fields
    guard fields["error_description"] == nil else { throw try error(reply, request) }
    let tokens = TokenResponse(broker: fields, at: context.now)
    guard !tokens.accessToken.isEmpty else {
      throw ADALError.make(.unexpected, "Authentication response received without expected accessToken")
    }
    let saving = client.under(fields["authority"], clientID: fields["client_id"]).saving
    var result = saving.result(tokens, request, .broker)
    if reply.keychainGroup != nil {
      try saving.save(tokens, request, source: .broker, withAccessToken: hasValidAccessToken(fields))
    }
    if !hasValidAccessToken(fields) { result = try refreshed(request) }
    result.isAwaited = reply.isAwaited
    return result
  }

  /// Returns whether the access token can be used, because `vt` is present or the tenant is `common`.
  ///
  /// Other tokens from older brokers may be for the wrong tenant (`ADAL/broker/MSIDBrokerResponse+ADAL.m`).
  private func hasValidAccessToken(_ fields: [NameValue]) -> Bool {
    fields["vt"] != nil
      || ADALAuthority(url: fields["authority"] ?? "", version: client.version).path.first == "common"
  }

  /// Discards the access token and redeems the refresh token for another one, verifying its user (broker.md §8(6)).
  private func refreshed(_ request: ADALRequest) throws -> SDKResult {
    switch try client.silentCall.tokenFromCache(
      request, call: "the broker's refresh token", verifiesUser: true)
    {
    case .token(let result): return result
    case .refused(let error): throw error ?? ADALError.credentialsNeeded
    case .miss: throw ADALError.cacheMiss
    }
  }

  /// Returns the broker's plain-text error, with every domain and number passed on unchanged (broker.md §8(8)).
  private func error(_ reply: BrokerConversation.Reply, _ request: ADALRequest) throws -> SDKError {
    let fields = reply.fields
    let number = fields["error_code"] ?? "0"
    let code = number == "0" ? ADALCode.tokenBrokerUnknown.number : Int(number) ?? 0
    let domain = fields["error_domain"] ?? ADALError.Domain.authentication.rawValue
    var error = ADALError.make(domain: domain, code: code, fields["error_description"] ?? "")
    guard domain != ADALError.Domain.http.rawValue else {
      error.userInfo = ADALError.headersEntry(FormEncoding.decode(fields["http_headers"] ?? "") ?? [])
      return error
    }
    error.oauthError = fields["protocol_code"] ?? fields["code"]
    error.suberror = fields["suberror"]
    error.userID = try saveIntuneToken(reply, request) ?? fields["user_id"]
    error.userInfo = fields["x-broker-app-ver"].map { [NameValue("ADBrokerVersionKey", $0)] } ?? []
    return error
  }

  /// Saves the token for Intune that accompanies an error (broker.md §8(9)).
  /// - Returns: The token's user, or `nil` if there is none.
  private func saveIntuneToken(
    _ reply: BrokerConversation.Reply, _ request: ADALRequest
  ) throws -> String? {
    guard let fields = reply.intuneFields, reply.keychainGroup != nil, fields["access_token"] != nil else {
      return nil
    }
    let result = try client.under(fields["authority"], clientID: fields["client_id"]).saving.save(
      TokenResponse(broker: fields, at: context.now), request, source: .broker,
      withAccessToken: hasValidAccessToken(fields))
    return result.username.isEmpty ? nil : result.username
  }
}
