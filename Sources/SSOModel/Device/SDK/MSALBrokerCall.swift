/// An interactive call by way of the broker.
package struct MSALBrokerCall: MSALPart {
  let client: MSALClient

  var conversation: BrokerConversation {
    BrokerConversation(context: context, accessGroup: app.sharedAccessGroup, dialect: .msal)
  }

  /// `acquireToken` by way of the broker (docs/behaviour/broker.md §3).
  func ask(_ request: InteractiveRequest, _ authority: Authority) throws -> SDKResult {
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

  /// What is asked; who asks is filled in by the conversation.
  func values(_ request: InteractiveRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .correlationID: request.correlationID, .scope: request.scopes.joined(separator: " "),
      .extraOIDCScopes: SilentFlow.reservedScopes.joined(separator: " "),
    ]
    values[.homeAccountID] = request.account?.identifier.lowercased()
    values[.username] = request.account?.username
    values[.loginHint] = request.loginHint
    values[.prompt] = request.prompt
    values[.authority] = request.authority
    values[.claims] = request.claims
    return values
  }

  /// `handleMSALResponse:sourceApplication:` for a URL that no call waits for: tokens are cached all the same (broker.md §5).
  /// - Returns: nil if the URL is not for MSAL.
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

  /// Step 9 of broker.md §7: success, or the broker's error as it came.
  private func tokens(
    of fields: [NameValue], _ scopes: [String], _ authority: Authority, _ correlationID: String
  ) throws -> SDKResult {
    guard ["1", "true", "YES"].contains(fields["success"] ?? ""),
      (fields["broker_error_domain"] ?? "").isEmpty
    else { throw MSALError.make(broker: fields, correlationID: correlationID) }
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { context.now.seconds(until: Instant($0)) }
    }
    var tokens = TokenResponse(
      accessToken: fields["access_token"] ?? "", scope: fields["scope"] ?? "",
      expiresIn: left("expires_on") ?? 0)
    tokens.refreshToken = fields["refresh_token"]
    tokens.idToken = fields["id_token"]
    tokens.clientInfo = fields["client_info"]
    tokens.familyID = fields["foci"]
    tokens.extExpiresIn = left("ext_expires_on")
    // The SDK makes no discovery of its own here. What the public cloud would answer is taken as known, so that the
    // tokens lie under the preferred host as docs/behaviour/msal-cache.md §9 has it: our choice.
    let known = context.process.process.aliases
    let call = TokenCall(
      requested: scopes, requestedAuthority: authority,
      aliases: known.cloud(of: authority.host) == nil ? .publicCloud : known, correlationID: correlationID,
      keepsSignInStateOnly: fields["device_mode"] == "shared")
    return try client.saving.finish(tokens, call, source: .broker)
  }
}
