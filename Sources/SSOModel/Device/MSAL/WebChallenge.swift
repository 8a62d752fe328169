import SSOCore
import SSOReference

/// A challenge of a sign-in page, sent by a redirect that is not the app's own (docs/behaviour/broker.md §10).
enum WebChallenge: Hashable {
  /// The page requires a device that the directory knows; the broker, to which the link leads, registers it.
  case joinWorkplace(username: String, appLink: String?)
  /// The page must continue in the system browser.
  case externalBrowser(URLParts)

  /// Creates a challenge from a redirect to the broker or the system browser, or returns `nil` for any other redirect.
  ///
  /// `redirectURI` is the app's: a system web session ends only at this URI, so its challenges arrive below it.
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

  /// Returns the error for a challenge without `app_link`; it differs if `username` is missing, too.
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
