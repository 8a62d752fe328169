/// A participant in a sign-in; the cases are in the order of the trace's columns.
package enum Party: String, Codable, CaseIterable, Sendable {
  case person, app, sdk, system, broker, provider, keychain
}

extension Party {
  /// The short name that traces and diagrams use.
  package var label: String {
    switch self {
    case .person: "Person"
    case .app: "App"
    case .sdk: "MSAL"
    case .system: "System"
    case .broker: "Broker"
    case .provider: "IdP"
    case .keychain: "Keychain"
    }
  }
}

/// A name and its value, as sent in a message.
///
/// Secrets in a trace are already masked (`masked(_:)`), so the trace can be displayed and exported unchanged.
package struct NameValue: Codable, Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A step of a trace: its sender and receiver, the action, the fields that were sent, and the checks that ran.
package struct Hop: Codable, Hashable, Sendable {
  package var from: Party
  package var to: Party
  /// The bundle ID or name of the acting app, if there may be several.
  package var actor: String
  /// A short description, such as `GET /common/oauth2/v2.0/authorize`, `read access token`, or `openURL
  /// msauthv2://broker`.
  package var action: String
  /// A short description of the result, such as `found`, `no item`, `200`, or `AADSTS50011`.
  package var result: String
  package var sent: [NameValue]
  package var checks: [Check]

  package init(
    from: Party, to: Party, actor: String = "", action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = []
  ) {
    self.from = from
    self.to = to
    self.actor = actor
    self.action = action
    self.result = result
    self.sent = sent
    self.checks = checks
  }
}
