/// Interactive calls by way of the broker, over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
struct ADALBrokerCall: ADALPart {
  let client: ADALClient

  var conversation: BrokerConversation {
    BrokerConversation(context: context, accessGroup: app.sharedAccessGroup, dialect: .adal)
  }

  /// Asks the broker over `msauth`, protocol 2 (docs/behaviour/broker.md §4).
  func ask(_ request: ADALRequest) throws -> SDKResult {
    do {
      let reply = try conversation.ask(values(request))
      var result = try result(of: reply.fields, request)
      result.isAwaited = reply.isAwaited
      return result
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    } catch let error as BrokerError {
      throw ADALError.make(.developerInvalidArgument, error.reason)
    }
  }

  /// What is asked; who asks is filled in by the conversation.
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

  /// A URL that no call waits for; ADAL up to 6 takes it from the app delegate by itself (broker.md §7).
  /// - Returns: nil if the URL is not for ADAL.
  func handle(_ delivery: URLDelivery) throws -> SDKResult? {
    let resume = try context.defaults.resumeState()
    do {
      guard let fields = try conversation.handle(delivery, isAwaited: false) else { return nil }
      let request = ADALRequest(
        resource: resume?.values["resource"] ?? app.resource, userIDType: .optionalDisplayableID,
        correlationID: resume?.correlationID ?? "")
      var result = try result(of: fields, request)
      result.isAwaited = false
      return result
    } catch let fault as BrokerFault {
      throw ADALError.make(fault)
    }
  }

  /// The broker's tokens, saved; or its error in plain text, as it came (broker.md §8).
  private func result(of fields: [NameValue], _ request: ADALRequest) throws -> SDKResult {
    guard fields["error_description"] == nil, fields["error_code"] == nil else {
      let code = fields["error_code"].flatMap { Int($0) }.flatMap(ADALCode.init(number:))
      throw ADALError.make(
        code == .succeeded ? .tokenBrokerUnknown : code ?? .tokenBrokerUnknown,
        fields["error_description"] ?? "Broker did not provide any details",
        domain: fields["error_domain"].flatMap(ADALError.Domain.init(rawValue:)) ?? .brokerResponse,
        protocolCode: fields["protocol_code"] ?? fields["code"], suberror: fields["suberror"],
        userID: fields["user_id"])
    }
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { context.now.seconds(until: Instant($0)) }
    }
    var tokens = TokenResponse(
      accessToken: fields["access_token"] ?? "", scope: "", expiresIn: left("expires_on") ?? 0)
    tokens.refreshToken = fields["refresh_token"]
    tokens.idToken = fields["id_token"]
    tokens.clientInfo = fields["client_info"]
    tokens.familyID = fields["foci"]
    tokens.extExpiresIn = left("ext_expires_on")
    tokens.resource = fields["resource"]
    return try client.finish(tokens, request, source: .broker, verifiesUser: true)
  }
}
