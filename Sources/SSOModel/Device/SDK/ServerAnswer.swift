import SSOCore
import SSOReference

/// A response of the token endpoint, as the SDK's HTTP layer classifies it (docs/behaviour/silent-call.md §3).
enum ServerAnswer {
  case tokens(TokenResponse)
  case refused(OAuthError)
  case status(Int, headers: [NameValue])
  case unreachable
  /// JSON with neither an access token nor an error.
  case unusable
  /// The body is not valid JSON, for example because it is truncated.
  case unreadable(JSONParseError)

  init(_ response: HTTPResponse) {
    switch response.status {
    case 0: self = .unreachable
    case 200, 400, 401:
      if let problem = response.jsonProblem {
        self = .unreadable(problem)
        return
      }
      do throws(OAuthError) {
        self = .tokens(try TokenResponse(reading: response))
      } catch {
        self = JSONValue(bounded: response.body)?["error"]?.string == nil ? .unusable : .refused(error)
      }
    case let status: self = .status(status, headers: response.headers)
    }
  }

  init(_ refusal: ServerRefusal) {
    switch refusal {
    case .oauth(let code, let reason, let aadsts, let suberror):
      let code = OAuthErrorCode(text: code) ?? .serverError
      self = .refused(OAuthError(code, reason, number: aadsts, suberror: suberror))
    case .status(let status, let headers): self = .status(status, headers: headers)
    }
  }

  /// The rejection that can be stored as the response to the same request, or `nil` if the response is not a rejection.
  var refusal: ServerRefusal? {
    switch self {
    case .tokens, .unreachable, .unusable, .unreadable: nil
    case .refused(let error):
      .oauth(code: error.code.text, reason: error.reason, aadsts: error.aadsts, suberror: error.suberror)
    case .status(let status, let headers): .status(status, headers: headers)
    }
  }

  /// Whether the status is 5xx, which means that the server is unavailable and an older token may be used.
  var isServerUnavailable: Bool {
    if case .status(let status, _) = self { (500...599).contains(status) } else { false }
  }
}

extension HTTPResponse {
  /// The reason that the body is not valid JSON, or `nil` if it is.
  var jsonProblem: JSONParseError? {
    do {
      _ = try JSONParser.parse(body)
      return nil
    } catch {
      return error as? JSONParseError
    }
  }
}

/// A challenge of a sign-in page, sent by a redirect that is not the app's own (docs/behaviour/broker.md §10).
enum WebChallenge: Hashable {
  /// The page requires a device that the directory knows; the broker, to which the link leads, registers it.
  case joinWorkplace(username: String, appLink: String?)
  /// The page must continue in the system browser.
  case externalBrowser(URLParts)

  /// Creates a challenge from a redirect to the broker or the system browser, or returns `nil` for any other redirect.
  ///
  /// `redirectURI` is the app's: a system web session ends only there, so its challenges are appended to it.
  init?(_ url: String, redirectURI: String) {
    guard let parts = URLParts(url) else { return nil }
    if parts.scheme.lowercased() == "browser" {
      self = .externalBrowser(parts)
      return
    }
    let address = url.prefix { $0 != "?" }
    guard address == "msauth://wpj" || address == redirectURI + "/msauth/wpj" else { return nil }
    let fields = parts.fields ?? []
    self = .joinWorkplace(username: fields["username"] ?? "", appLink: fields["app_link"])
  }
}

/// A call that continues once the broker is installed; its request is on the pasteboard (docs/behaviour/broker.md §10).
package struct WaitingForBroker: Error {
  package var appLink: String
}

extension MSALInteraction {
  /// Responds to a challenge of the sign-in page.
  ///
  /// This always ends the current call.
  func end(with challenge: WebChallenge, _ values: [BrokerParameter: String], _ correlationID: String) throws
    -> Never
  {
    switch challenge {
    case .externalBrowser(let url):
      context.trace.add(
        .sdk, .system, actor: app.bundleID, "openURL https://\(url.authority)", result: "the web session ends"
      )
      throw MSALError.make(
        code: .userCanceled, "The page continued in the system's browser; the session was cancelled.",
        correlationID: correlationID)
    case .joinWorkplace(let username, let link):
      context.trace.add(
        .provider, .sdk, actor: app.bundleID, "wpj", result: "the page asks for a registered device",
        sent: [NameValue("username", username), NameValue("app_link", link ?? "none")])
      guard let link else { throw Self.joinRequired(username, correlationID) }
      guard context.device.platform.brokerCall != nil else {
        throw MSALError.make(
          code: .internalError, "Trying to install broker on macOS, where it's not currently supported",
          correlationID: correlationID)
      }
      do {
        try client.brokerCall.conversation.leaveOnPasteboard(values, appLink: link)
      } catch let fault as BrokerFault {
        throw MSALError.make(fault, correlationID: correlationID)
      }
      throw WaitingForBroker(appLink: link)
    }
  }

  /// Returns the error for a page without a link to the broker, and perhaps without a username.
  private static func joinRequired(_ username: String, _ correlationID: String) -> SDKError {
    guard !username.isEmpty else {
      return MSALError.make(
        code: .internalError, "App install link is missing. Incorrect URL returned from server",
        correlationID: correlationID)
    }
    return MSALError.make(
      code: .workplaceJoinRequired, "Workplace join is required", correlationID: correlationID,
      userInfo: [NameValue("MSALDisplayableUserIdKey", username)])
  }
}

extension BrokerConversation {
  /// Leaves the request on the named pasteboard `WPJ`, with the app's own statement of its name, which nothing
  /// verifies.
  func leaveOnPasteboard(_ values: [BrokerParameter: String], appLink: String) throws {
    let request = try request(values)
    try context.defaults.setResumeState(ResumeState(request, keychainGroup: accessGroup, sdkName: sdkName))
    let url = request.url + "&" + FormEncoding.encode([NameValue("sourceApplication", context.app.bundleID)])
    try context.system.leaveOnPasteboard(url)
    context.trace.add(
      .sdk, .system, actor: context.app.bundleID, "pasteboard WPJ", result: "the request waits there",
      sent: request.shown + [NameValue("sourceApplication", context.app.bundleID)])
    context.trace.add(
      .sdk, .system, actor: context.app.bundleID, "openURL \(appLink)",
      result: "the App Store shows the broker")
  }
}

extension JSONValue {
  /// Returns the parameter `claims`: the requested claims and the app's capabilities, merged under `access_token`.
  static func claimsParameter(_ requested: String?, capabilities names: [String]) -> String? {
    let capabilities = capabilities(names)
    let own = capabilities.flatMap { JSONValue(bounded: Array($0.utf8)) }
    guard let requested, var all = JSONValue(bounded: Array(requested.utf8))?.object else {
      return capabilities ?? requested
    }
    let token = (all["access_token"]?.object ?? [:]).merging(own?["access_token"]?.object ?? [:]) { $1 }
    if !token.isEmpty { all["access_token"] = .object(token) }
    return JSONValue.object(all).text(.wire)
  }

  /// Returns `{"access_token":{"xms_cc":{"values":["ProtApp"]}}}`, or `nil` without capabilities.
  static func capabilities(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let claims: JSONValue = ["access_token": ["xms_cc": ["values": .array(names.map(JSONValue.string))]]]
    return claims.text(.wire)
  }
}
