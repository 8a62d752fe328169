import SSOCore
import SSOReference

extension ADALClient {
  var conversation: BrokerConversation {
    BrokerConversation(around: around, accessGroup: app.sharedAccessGroup, dialect: .adal)
  }

  /// Asks the broker over `msauth`, protocol 2 (fact sheet §5.4).
  func askBroker(_ request: ADALRequest) throws -> ADALResult {
    do {
      let reply = try conversation.ask(brokerValues(request))
      var result = try result(of: reply.fields, request)
      result.isAwaited = reply.isAwaited
      return result
    } catch let fault as BrokerFault {
      throw ADALError(fault)
    } catch let error as BrokerError {
      throw ADALError(.developerInvalidArgument, error.reason)
    }
  }

  /// What is asked; who asks is filled in by the conversation.
  func brokerValues(_ request: ADALRequest) -> [BrokerParameter: String] {
    var values: [BrokerParameter: String] = [
      .resource: request.resource, .correlationID: request.correlationID,
      .usernameType: request.userIDType.rawValue, .force: request.prompt == .force ? "YES" : "NO",
      .skipCache: request.claims == nil ? "NO" : "YES",
    ]
    values[.username] = request.userID
    values[.claims] = request.claims
    return values
  }

  /// A URL that no call waits for; ADAL up to 6 takes it from the app delegate by itself (§5.7).
  /// - Returns: nil if the URL is not for ADAL.
  package func handleResponse(_ delivery: URLDelivery) throws -> ADALResult? {
    let resume = try around.defaults.resumeState()
    do {
      guard let fields = try conversation.handle(delivery, isAwaited: false) else { return nil }
      let request = ADALRequest(
        resource: resume?.values["resource"] ?? app.resource, userIDType: .optionalDisplayableID,
        correlationID: resume?.correlationID ?? "")
      var result = try result(of: fields, request)
      result.isAwaited = false
      return result
    } catch let fault as BrokerFault {
      throw ADALError(fault)
    }
  }

  /// The broker's tokens, saved; or its error in plain text, as it came (§5.8).
  private func result(of fields: [NameValue], _ request: ADALRequest) throws -> ADALResult {
    guard fields["error_description"] == nil, fields["error_code"] == nil else {
      let code = fields["error_code"].flatMap { Int($0) }.flatMap(ADALCode.init(number:))
      throw ADALError(
        code == .succeeded ? .tokenBrokerUnknown : code ?? .tokenBrokerUnknown,
        fields["error_description"] ?? "Broker did not provide any details",
        domain: fields["error_domain"].flatMap(ADALError.Domain.init(rawValue:)) ?? .brokerResponse,
        protocolCode: fields["protocol_code"] ?? fields["code"], suberror: fields["suberror"],
        userID: fields["user_id"])
    }
    func left(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.map { around.now.seconds(until: Instant($0)) }
    }
    var tokens = TokenResponse(
      accessToken: fields["access_token"] ?? "", scope: "", expiresIn: left("expires_on") ?? 0)
    tokens.refreshToken = fields["refresh_token"]
    tokens.idToken = fields["id_token"]
    tokens.clientInfo = fields["client_info"]
    tokens.familyID = fields["foci"]
    tokens.extExpiresIn = left("ext_expires_on")
    tokens.resource = fields["resource"]
    return try finish(tokens, request, source: .broker, verifiesUser: true)
  }

  /// A challenge of the sign-in page ends the call (§5.10).
  func end(with challenge: WebChallenge, _ request: ADALRequest) throws -> Never {
    switch challenge {
    case .externalBrowser(let url):
      around.trace.add(
        .sdk, .system, actor: app.bundleID, "openURL https://\(url.authority)", result: "the web view closes")
      throw ADALError.cancelled
    case .joinWorkplace(let username, let link):
      let mayWait = app.brokerUse == .auto && around.device.platform.hasURLBroker && !authority.isADFS
      around.trace.add(
        .provider, .sdk, actor: app.bundleID, "wpj", result: "a registered device is asked for",
        sent: [NameValue("username", username), NameValue("app_link", link ?? "none")])
      guard let link, mayWait else {
        throw ADALError(.serverWPJRequired, "Work place join is required to proceed.", userID: username)
      }
      do {
        try conversation.leaveOnPasteboard(brokerValues(request), appLink: link)
      } catch let fault as BrokerFault {
        throw ADALError(fault)
      }
      throw WaitingForBroker(appLink: link)
    }
  }
}

extension ADALError {
  static func anotherCallRuns(_ check: Check) -> ADALError {
    let text =
      "The user is currently prompted for credentials as result of another acquireToken request. "
      + "Please retry the acquireToken call later."
    return ADALError(BrokerFault(.interactiveSessionAlreadyRunning, text, check: check))
  }

  init(_ fault: BrokerFault) {
    self.init(fault.code.adal, fault.reason)
    failedCheck = fault.check
  }
}
