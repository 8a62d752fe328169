/// Who takes part in a sign-in, in the order of the columns of the trace.
package enum Party: String, Codable, CaseIterable, Sendable {
  case person, app, sdk, system, broker, provider, keychain
}

extension Party {
  /// The short names of traces and diagrams.
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

/// One name and value that was sent.
///
/// Secrets are masked before they get here (`masked(_:)`), so a trace can be shown and exported as it is.
package struct NameValue: Codable, Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One hop of a story: who did what to whom, what was sent, which checks ran.
package struct Hop: Codable, Hashable, Sendable {
  package var from: Party
  package var to: Party
  /// Bundle ID or name of the acting app, where there may be several.
  package var actor: String
  /// A few words: `GET /common/oauth2/v2.0/authorize`, `read access token`, `openURL msauthv2://broker`.
  package var action: String
  /// A few words on the result: `found`, `no item`, `200`, `AADSTS50011`.
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
