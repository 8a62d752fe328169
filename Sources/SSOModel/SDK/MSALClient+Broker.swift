extension MSALClient {
  var conversation: BrokerConversation {
    BrokerConversation(around: around, accessGroup: app.sharedAccessGroup, dialect: .msal)
  }

  /// `acquireToken` by way of the broker (fact sheet §5.3).
  func askBroker(
    _ account: MSALAccount?, _ loginHint: String?, _ scopes: [String], _ prompt: String?,
    _ correlationID: String
  ) throws -> MSALResult {
    let values = brokerValues(account, loginHint, scopes, prompt, correlationID)
    do {
      let reply = try conversation.ask(values)
      var result = try tokens(of: reply.fields, scopes, correlationID)
      result.isAwaited = reply.isAwaited
      return result
    } catch let fault as BrokerFault {
      throw MSALError(fault, correlationID: correlationID)
    } catch let error as BrokerError {
      throw MSALError(code: -42000, error.reason, correlationID: correlationID)
    }
  }

  /// What is asked; who asks is filled in by the conversation.
  func brokerValues(
    _ account: MSALAccount?, _ loginHint: String?, _ scopes: [String], _ prompt: String?,
    _ correlationID: String
  ) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .correlationID: correlationID, .scope: scopes.joined(separator: " "),
      .extraOIDCScopes: ["openid", "profile", "offline_access"].filter { !scopes.contains($0) }
        .joined(separator: " "),
    ]
    values[.homeAccountID] = account?.identifier.lowercased()
    values[.username] = account?.username
    values[.loginHint] = loginHint
    values[.prompt] = prompt
    return values
  }

  /// `handleMSALResponse:sourceApplication:` for a URL that no call waits for: tokens are cached all the same (§5.5).
  /// - Returns: nil if the URL is not for MSAL.
  func handleResponse(_ delivery: URLDelivery) throws -> MSALResult? {
    let resume = try around.defaults.resumeState()
    do {
      guard let fields = try conversation.handle(delivery, isAwaited: false) else { return nil }
      var result = try tokens(of: fields, resume?.scopes ?? [], resume?.correlationID ?? "")
      result.isAwaited = false
      return result
    } catch let fault as BrokerFault {
      throw MSALError(fault, correlationID: resume?.correlationID)
    }
  }

  /// Step 9 of §5.7: success, or the broker's error as it came.
  private func tokens(of fields: [SentField], _ scopes: [String], _ correlationID: String) throws
    -> MSALResult
  {
    guard ["1", "true", "YES"].contains(fields["success"] ?? ""),
      (fields["broker_error_domain"] ?? "").isEmpty
    else {
      let code = fields["broker_error_code"].flatMap { Int($0) } ?? 0
      throw MSALError(
        code: code == 0 ? -42711 : code, fields["error_description"] ?? "Broker did not provide any details",
        oauthError: fields["error"], suberror: fields["suberror"], correlationID: correlationID)
    }
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { around.now.seconds(until: Instant($0)) }
    }
    var tokens = TokenResponse(
      accessToken: fields["access_token"] ?? "", scope: fields["scope"] ?? "",
      expiresIn: left("expires_on") ?? 0)
    tokens.refreshToken = fields["refresh_token"]
    tokens.idToken = fields["id_token"]
    tokens.clientInfo = fields["client_info"]
    tokens.familyID = fields["foci"]
    tokens.extExpiresIn = left("ext_expires_on")
    return try wordingOAuthErrors(correlationID) { () throws(OAuthError) in
      try finish(tokens, requested: scopes, source: .broker, correlationID)
    }
  }
}
