/// Why something is as it is, as checklists.
package struct WhyQueries {
  let reader: LabReader

  private var apps: AppQueries { AppQueries(reader: reader) }

  /// Why the next silent call of an app goes as it goes, and whether the broker would be called.
  /// - Parameter app: a bundle ID.
  package func app(_ app: String) throws -> Checklist {
    let app = try reader.app(app)
    let (row, sdk) = (try apps.row(of: app), reader.sdk(of: app))
    return Checklist(
      title: "Why \(app.displayName) \(row.next.kind == .failure ? "would fail" : "is \(row.next.words)")",
      answer: "The next silent call \(row.next.sentence).", holds: row.next.isSilent,
      sections: [
        Checklist.Section(title: sdk.setUp.title, checks: sdk.setUp.checks),
        Checklist.Section(title: "The next silent call", checks: row.next.checks),
        Checklist.Section(
          title: "The broker in an interactive call", checks: sdk.brokerDecision()),
      ].filter { !$0.checks.isEmpty })
  }

  /// Why two apps share a sign-in, or do not: the sharing rule, then the brokers' conditions.
  package func app(_ app: String, with other: String) throws -> Checklist {
    let (app, other) = (try reader.app(app), try reader.app(other))
    let sharing = SharingQueries(reader: reader)
    let shared = SharedSignIn(with: try sharing.app(other), for: try sharing.app(app))
    let brokers = [app, other].map { app in
      Checklist.Section(
        title: "\(app.displayName) and the broker", checks: reader.sdk(of: app).brokerDecision())
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

  /// Why an account is usable in each app of the device, or not.
  /// - Throws: `LabError` if no app and no broker knows it.
  package func account(_ account: String) throws -> Checklist {
    let rows = try AccountQueries(reader: reader).rows()
    let wanted = account.lowercased()
    guard let row = rows.first(where: { $0.username.lowercased() == wanted || $0.homeAccountID == account })
    else {
      throw LabError.unknown(
        .unknownAccount, "account", account, among: rows.map(\.username), list: "ssoterm accounts")
    }
    let refreshTokens = try TokenQueries(reader: reader).rows(TokenFilter(account: row.username))
      .filter { $0.type.hasSuffix("RefreshToken") }
    let users = Set(refreshTokens.flatMap(\.apps))
    let sections = try reader.installed.map { app in
      let own = try apps.row(of: app)
      let lists = row.apps.contains(app.displayName)
      let name = reader.sdk(of: app).callName(
        of: SDKAccount(identifier: row.homeAccountID, username: row.username))
      let next = try Predictor(reader: reader).prediction(app, accountNamed: name)
      return Checklist.Section(
        title: "\(app.displayName): \(lists ? next.sentence : "does not list it")",
        checks: [
          Check(
            "the app lists the account", expected: row.username,
            found: own.accounts.isEmpty ? "no account" : own.accounts.joined(separator: ", "), lists,
            source: "msal-cache.md §10"),
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

  /// Every check of a trace in the order in which it ran; nil if there is no such trace.
  package func trace(_ id: Int64) throws -> Checklist? {
    guard let trace = try reader.traces.trace(id) else { return nil }
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
