import SSOCore
import SSODevice

/// Why something is as it is: the decision as an ordered list of conditions, with the first failure marked.
///
/// The same for the screens, `ssoterm why` and JSON.
package struct Checklist: Codable, Hashable, Sendable {
  package struct Section: Codable, Hashable, Sendable {
    package var title: String
    package var checks: [Check]
  }

  package var title: String
  /// The answer in one sentence.
  package var answer: String
  /// Whether the answer is yes: silent, shared, signed in, usable, succeeded. A condition may fail all the same: an app
  /// that is silent from the cache needs no broker.
  package var holds: Bool
  package var sections: [Section]

  package var firstFailure: Check? {
    sections.lazy.flatMap(\.checks).first { $0.verdict == .failed }
  }
}

extension Lab {
  /// Why the next silent call of an app goes as it goes, and whether the broker would be called.
  /// - Parameter app: a bundle ID.
  package func why(app: String) throws -> Checklist {
    try view { stage in
      let app = try stage.app(app)
      let row = try stage.row(of: app)
      return Checklist(
        title: "Why \(app.displayName) \(row.next.kind == .failure ? "would fail" : "is \(row.next.words)")",
        answer: "The next silent call \(row.next.sentence).", holds: row.next.isSilent,
        sections: [
          app.sdk == .adal
            ? Checklist.Section(title: "The set-up for the broker", checks: app.adalChecks().checks)
            : Checklist.Section(title: "The application object", checks: app.applicationChecks().checks),
          Checklist.Section(title: "The next silent call", checks: row.next.checks),
          Checklist.Section(
            title: "The broker in an interactive call", checks: stage.brokerDecision(of: app)),
        ].filter { !$0.checks.isEmpty })
    }
  }

  /// Why an app can use a sign-in with another, or cannot: the sharing rule, then the brokers' conditions.
  package func why(app: String, with other: String) throws -> Checklist {
    try view { stage in
      let (app, other) = (try stage.app(app), try stage.app(other))
      let sharing = SharingQueries(stage: stage)
      let shared = SharedSignIn(with: try sharing.app(other), for: try sharing.app(app))
      let brokers = [app, other].map { app in
        Checklist.Section(
          title: "\(app.displayName) and the broker", checks: stage.brokerDecision(of: app))
      }
      let byBroker = !brokers.contains { $0.checks.contains { $0.verdict == .failed } }
      let answer =
        switch (shared.holds, byBroker) {
        case (true, true): "They share a sign-in through the keychain, and through the broker."
        case (true, false): "They share a sign-in through the keychain, not through the broker."
        case (false, true): "They share a sign-in through the broker, not through the keychain."
        case (false, false): "They do not share a sign-in."
        }
      return Checklist(
        title:
          "Why \(app.displayName) and \(other.displayName) \(shared.holds || byBroker ? "share" : "do not share")",
        answer: answer, holds: shared.holds || byBroker,
        sections: [
          Checklist.Section(title: "The shared keychain (claim C1)", checks: shared.checks)
        ] + brokers)
    }
  }

  /// Why an account is usable in each app of the device, or not.
  /// - Throws: `LabError` if no app and no broker knows it.
  package func why(account: String) throws -> Checklist {
    let rows = try accounts()
    let wanted = account.lowercased()
    guard let row = rows.first(where: { $0.username.lowercased() == wanted || $0.homeAccountID == account })
    else {
      throw LabError.unknown(
        .unknownAccount, "account", account, among: rows.map(\.username), list: "ssoterm accounts")
    }
    return try view { stage in
      let refreshTokens = try stage.tokenRows(TokenFilter(account: row.username), unmasked: false)
        .filter { $0.type.hasSuffix("RefreshToken") }
      let users = Set(refreshTokens.flatMap(\.apps))
      let sections = try stage.installed.map { app in
        let own = try stage.row(of: app)
        let lists = row.apps.contains(app.displayName)
        let next = try stage.prediction(app, accountNamed: app.sdk == .adal ? row.username : row.identifier)
        return Checklist.Section(
          title: "\(app.displayName): \(lists ? next.sentence : "does not list it")",
          checks: [
            Check(
              "the app lists the account", expected: row.username,
              found: own.accounts.isEmpty ? "no account" : own.accounts.joined(separator: ", "), lists,
              source: "fact sheet 3.5"),
            Check(
              "it can use a refresh token", expected: app.displayName,
              found: users.isEmpty ? "no app" : users.sorted().joined(separator: ", "),
              users.contains(app.displayName), source: "claim C8"),
          ])
      }
      return Checklist(
        title: "Where \(row.username) is signed in",
        answer: row.apps.isEmpty
          ? "No app lists it." : "Signed in to \(row.apps.joined(separator: ", ")).",
        holds: !row.apps.isEmpty, sections: sections)
    }
  }

  /// Every check of a trace in the order in which it ran; nil if there is no such trace.
  package func why(trace id: Int64) throws -> Checklist? {
    guard let trace = try trace(id) else { return nil }
    return Checklist(
      title: "Why “\(trace.summary.title)” ended as \(trace.summary.verdict)",
      answer: trace.outcome?.summary ?? trace.summary.summary,
      holds: trace.summary.verdict == Outcome.Verdict.succeeded.rawValue,
      sections: trace.hops.filter { !$0.checks.isEmpty }.map {
        Checklist.Section(title: "\($0.from) → \($0.to): \($0.action)", checks: $0.checks)
      })
  }
}

extension Prediction {
  fileprivate var words: String { kind == .prompt ? "not silent" : "silent" }
}
