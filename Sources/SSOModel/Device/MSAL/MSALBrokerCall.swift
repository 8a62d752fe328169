/// An interactive call through the broker.
package struct MSALBrokerCall: MSALPart {
  var client: MSALClient

  var conversation: BrokerConversation {
    BrokerConversation(context: context, accessGroup: app.sharedAccessGroup, dialect: Protocol3())
  }

  /// Performs `acquireToken` through the broker (docs/behaviour/broker.md §3).
  func ask(_ request: SDKRequest, _ authority: Authority) throws -> SDKResult {
    let correlationID = request.correlationID
    do {
      let reply = try conversation.ask(values(request)) { _ in }
      var result = try tokens(of: reply.fields, request.scopes, authority, correlationID)
      result.isAwaited = reply.isAwaited
      return result
    } catch let fault as BrokerFault {
      throw MSALError.make(fault, correlationID: correlationID)
    } catch let error as BrokerError {
      throw MSALError.make(code: .invalidParameter, error.reason, correlationID: correlationID)
    }
  }

  /// Returns the request's values; the conversation adds the values that identify the app.
  func values(_ request: SDKRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .correlationID: request.correlationID, .scope: request.scopes.joined(separator: " "),
      .extraOIDCScopes: SilentFlow.reservedScopes.joined(separator: " "),
    ]
    values[.homeAccountID] = request.account?.identifier.lowercased()
    values[.username] = request.account?.username
    values[.loginHint] = request.loginHint
    values[.prompt] = request.prompt.parameter
    values[.authority] = request.options.authority
    values[.claims] = request.options.claims
    return values
  }

  /// Performs `handleMSALResponse:sourceApplication:` for a URL that no call waits for; its tokens are still cached.
  ///
  /// See broker.md §5.
  /// - Returns: The result, or `nil` if the URL is not for MSAL.
  func handle(_ delivery: URLDelivery) throws -> SDKResult? {
    let resume = try context.defaults.resumeState()
    do {
      guard let reply = try conversation.handle(delivery, isAwaited: false) else { return nil }
      var result = try tokens(
        of: reply.fields, resume?.scopes ?? [], try Authority(app.authority), resume?.correlationID ?? "")
      result.isAwaited = false
      return result
    } catch let fault as BrokerFault {
      throw MSALError.make(fault, correlationID: resume?.correlationID)
    }
  }

  /// Performs step 9 of broker.md §7: saves and returns the tokens, or throws the broker's error.
  private func tokens(
    of fields: [NameValue], _ scopes: [String], _ authority: Authority, _ correlationID: String
  ) throws -> SDKResult {
    try saveAdditionalTokens(of: fields, correlationID)
    guard ["1", "true", "YES"].contains(fields["success"] ?? ""),
      (fields["broker_error_domain"] ?? "").isEmpty
    else { throw MSALError.make(broker: fields, correlationID: correlationID) }
    // The SDK does not perform instance discovery here. Treat the public cloud's response as known, so that the tokens
    // are stored under the preferred host, as described in docs/behaviour/msal-cache.md §9; this is SSOTerm's choice.
    let known = context.process.process.aliases
    let call = TokenCall(
      requested: scopes, requestedAuthority: authority,
      aliases: known.cloud(of: authority.host) == nil ? .publicCloud : known, correlationID: correlationID,
      keepsSignInStateOnly: fields["device_mode"] == "shared")
    return try client.saving.finish(TokenResponse(broker: fields, at: context.now), call, source: .broker)
  }

  /// Saves the additional tokens of a response, even of a failed one; an error in them is only logged (broker.md
  /// §7(8)).
  private func saveAdditionalTokens(of fields: [NameValue], _ correlationID: String) throws {
    guard let object = fields["additional_tokens"].flatMap({ JSONValue(bounded: Array($0.utf8))?.object })
    else {
      return
    }
    var beside = object.compactMap { name, value in value.string.map { NameValue(name, $0) } }
    beside.append(NameValue("success", "1"))
    guard let authority = try? Authority(beside["authority"] ?? "") else { return }
    var call = self
    call.client.context.app.clientID = beside["client_id"] ?? app.clientID
    do {
      _ = try call.tokens(of: beside, [], authority, correlationID)
    } catch let error as SDKError {
      context.trace.add(
        .sdk, .app, actor: app.bundleID, "log", result: "additional tokens: \(error.description)")
    }
  }
}

extension TokenResponse {
  /// Creates a response from the broker's fields, which have times where the endpoint has lifetimes.
  ///
  /// See docs/behaviour/broker.md §8.
  init(broker fields: [NameValue], at now: Instant) {
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { now.seconds(until: Instant($0)) }
    }
    self.init(
      accessToken: fields["access_token"] ?? "", scope: fields["scope"] ?? "",
      expiresIn: left("expires_on") ?? fields["expires_in"].flatMap { Int($0) } ?? 0)
    refreshToken = fields["refresh_token"]
    idToken = fields["id_token"]
    clientInfo = fields["client_info"]
    familyID = fields["foci"]
    extExpiresIn = left("ext_expires_on")
    resource = fields["resource"]
  }
}
