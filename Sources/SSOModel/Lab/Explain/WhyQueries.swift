import SSOCore
import SSODevice
import SSOReference
import SSOStore

/// Explanations as checklists.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct WhyQueries {
  let reader: LabReader

  /// Explains the predicted result of an app's next silent call, and whether an interactive call would use
  /// the broker.
  ///
  /// - Parameters:
  ///   - app: A bundle ID.
  ///   - account: A username or home account ID, or `nil` for a call without an account.
  /// - Returns: The checks of both calls.
  /// - Throws: `LabError` for an unknown app; `StoreError`.
  package func app(_ app: String, account: String? = nil) throws -> Checklist {
    let app = try reader.app(app)
    if let failure = reader.device.platformCheck(of: app) {
      return notOnDevice("Why \(app.displayName) does not run on \(reader.device.name)", failure)
    }
    let sdk = reader.sdk(of: app)
    let name = try account.map { try self.name(of: $0, in: sdk) }
    let next = try Predictor(reader: reader).prediction(app, account: account)
    let verdict =
      next.kind.isSilent ? "needs no sign-in" : next.kind.displayText
    let whom = name.map { " for \($0)" } ?? ""
    let does =
      next.kind == .failure
      ? "The next silent call of \(app.displayName) fails" : "\(app.displayName) needs sign-in"
    let isElsewhere = try reader.isElsewhere(app.bundleID)
    let setUp = sdk.setUp
    let mix = PlatformMix(app, on: reader.device)
    let mixed = mix.map { " \($0.reason)." } ?? ""
    return Checklist(
      title:
        "Why \(app.displayName)\(isElsewhere ? " on \(reader.device.platform.rawValue)" : "") \(verdict)\(whom)",
      answer: (next.reason.map { "\(does)\(whom), because \($0)." }
        ?? "The next call\(whom) \(next.predicate).") + mixed,
      cause: next.checks.firstFailure,
      // An SDK that the platform does not have must be replaced first.
      remedy: reader.device.sdkCheck(of: app) == nil ? mix?.check.remedy : nil,
      sections: [
        Checklist.Section(title: setUp.title, checks: [mix?.check].compactMap(\.self) + setUp.checks),
        Checklist.Section(
          title: "The next silent call", checks: next.checks.filter { !setUp.checks.contains($0) }),
        Checklist.Section(
          title: "The broker in an interactive call", checks: sdk.brokerDecision().asAlternatives),
      ])
  }

  /// Returns the app with a name, which an error compares only with the names of the other apps.
  private func otherApp(_ name: String, than app: InstalledApp) throws -> InstalledApp {
    do { return try reader.app(name) } catch let error as LabError where error.kind == .unknownApp {
      let others = reader.installed.filter { $0.bundleID != app.bundleID }.flatMap {
        [$0.bundleID, $0.displayName]
      }
      guard error.next.description.hasPrefix("Did you mean") else { throw error }
      throw LabError.unknown(.unknownApp, "app", name, among: others, list: "\(.apps)")
    }
  }

  /// Explains whether two apps share a sign-in: the sharing rule, then the brokers' conditions.
  package func app(_ app: String, with other: String) throws -> Checklist {
    let app = try reader.app(app)
    let other = try otherApp(other, than: app)
    let sharing = SharingQueries(reader: reader)
    let shared = SharedSignIn(with: try sharing.app(other), for: try sharing.app(app))
    let title = "Why \(app.displayName) and \(other.displayName)"
    if let failure = shared.firstFailure, shared.deciding.firstFailure == .device {
      return notOnDevice("\(title) do not share", failure)
    }
    if let check = reader.device.simulationCheck { return notOnDevice(title, check) }
    let brokers = brokerSections(of: [app, other])
    let byBroker = !brokers.contains { $0.checks.contains { $0.verdict == .failed } }
    let isApart = shared.deciding.isApart
    let answer =
      switch (shared.holds, byBroker) {
      case (true, true): "They share a sign-in through the keychain, and through the broker."
      case (true, false): "They share a sign-in through the keychain, not through the broker."
      case (false, true) where isApart:
        "They share a sign-in through the broker: \(shared.firstFailure?.reason ?? "")."
      case (false, true): "They share a sign-in through the broker, not through the keychain."
      case (false, false):
        "\(app.displayName) does not share \(other.displayName)'s sign-in"
          + (shared.firstFailure.map { ", because \($0.reason)." } ?? ".")
      }
    let browser = isApart && !byBroker ? Self.browser([app, other]) : nil
    return Checklist(
      title: "\(title) \(shared.holds || byBroker ? "share" : "do not share")",
      answer: [answer, browser?.displayText].compactMap(\.self).joined(separator: " "),
      cause: byBroker ? nil : shared.firstFailure,
      sections: [
        Checklist.Section(
          title: isApart ? "The token cache" : "The shared keychain (claim C1)", checks: shared.checks)
      ] + brokers + (browser.map { [$0.section] } ?? []))
  }

  /// Returns a section with the broker's conditions that both apps meet or fail alike, and one for the others of each.
  private func brokerSections(of apps: [InstalledApp]) -> [Checklist.Section] {
    let checks = apps.map(brokerChecks)
    let common = checks[0].filter(checks[1].contains)
    let own = zip(apps, checks).map { app, checks in
      Checklist.Section(
        title: "\(app.displayName) and the broker", checks: checks.filter { !common.contains($0) })
    }
    return ([Checklist.Section(title: "Both apps and the broker", checks: common)] + own)
      .filter { !$0.checks.isEmpty }
  }

  /// Returns the checklist of an app for another platform, to which the rules of this platform do not apply.
  private func notOnDevice(_ title: String, _ check: Check) -> Checklist {
    Checklist(
      title: title, answer: "\(check.reason).", cause: check,
      sections: [Checklist.Section(title: "The device", checks: [check])])
  }

  /// Returns the section on the browser.
  ///
  /// Without the broker, the apps share the system browser's cookies (claim E3).
  private static func browser(_ apps: [InstalledApp]) -> (displayText: String?, section: Checklist.Section) {
    let check = Check(
      "sign-in pages are in the system's browser", expected: WebViewKind.systemSession.rawValue,
      found: apps.map(\.webView.rawValue).joined(separator: ", "),
      apps.allSatisfy { $0.webView == .systemSession }, source: "claim E3",
      failure: "a sign-in page is not in the system's browser")
    return (
      check.verdict == .passed
        ? "The system's browser keeps its cookies for both: the second sign-in may need no password." : nil,
      Checklist.Section(title: "The browser", checks: [check].asAlternatives)
    )
  }

  /// Returns the conditions for an app to use the broker; two apps for which all hold share a sign-in through it.
  func brokerChecks(of app: InstalledApp) -> [Check] {
    reader.sdk(of: app).brokerDecision() + lostAnswer(of: app)
  }

  /// Returns the check of URL forwarding if the app would lose the broker's response.
  ///
  /// The broker then handles the call, and the app gets nothing.
  private func lostAnswer(of app: InstalledApp) -> [Check] {
    let check = URLForwarding.check(of: app)
    return reader.device.brokerCall(for: app) == .url && check.verdict == .failed ? [check] : []
  }

  /// Explains whether an account is usable in each app of the device.
  ///
  /// - Throws: `LabError` if neither an app nor a broker knows the account.
  package func account(_ account: String) throws -> Checklist {
    let rows = try AccountQueries(reader: reader).rows()
    let wanted = account.lowercased()
    guard let row = rows.first(where: { $0.username.lowercased() == wanted || $0.homeAccountID == account })
    else {
      throw LabError.unknown(
        .unknownAccount, "account", account, among: rows.map(\.username), list: "\(.accounts)")
    }
    if let check = reader.device.simulationCheck {
      return notOnDevice("Where \(row.username) is signed in", check)
    }
    let refreshTokens = try TokenQueries(reader: reader).rows(TokenFilter(account: row.username))
      .filter { $0.type.hasSuffix("RefreshToken") }
    let users = Set(refreshTokens.flatMap(\.apps))
    let sections = try reader.installed.map { app in
      let own = try AppQueries(reader: reader).rows(of: app).flatMap(\.accounts)
      let lists = row.apps.contains(app.displayName)
      let name = reader.sdk(of: app).callName(
        of: SDKAccount(identifier: row.homeAccountID, username: row.username))
      let next = try Predictor(reader: reader).prediction(app, account: name)
      return Checklist.Section(
        title: "\(app.displayName): \(lists ? next.sentence : "does not list it")",
        checks: [
          Check(
            "the app lists the account", expected: row.username,
            found: own.isEmpty ? "no account" : own.joined(separator: ", "), lists,
            source: "msal-cache.md §10", failure: "the app does not list the account"),
          Check(
            "it can use a refresh token", expected: app.displayName,
            found: users.isEmpty ? "no app" : users.sorted().joined(separator: ", "),
            users.contains(app.displayName), source: "claim C8", failure: "it cannot use a refresh token"),
        ])
    }
    return Checklist(
      title: "Where \(row.username) is signed in",
      answer: row.apps.isEmpty
        ? "No app lists it." : "Signed in to \(row.apps.joined(separator: ", ")).",
      cause: row.apps.isEmpty
        ? sections.lazy.compactMap(\.checks.firstFailure).first
          ?? Check(
            "an app lists the account", expected: "an app", found: "none", false, source: "claim C8",
            failure: "no app lists the account")
        : nil,
      sections: sections)
  }

  /// Returns every check of a trace in the order in which it ran, or `nil` if the trace does not exist.
  package func trace(_ id: Int64) throws -> Checklist? {
    guard let trace = try reader.traces.trace(id) else { return nil }
    return Checklist(
      title: "Why “\(trace.summary.title)” \(trace.summary.ending)",
      answer: trace.answer, cause: trace.cause,
      sections: trace.hops.filter { !$0.checks.isEmpty }.map {
        Checklist.Section(title: "\($0.from.label) → \($0.to.label): \($0.action)", checks: $0.checks)
      })
  }
}

extension TraceSummary {
  /// The outcome, as the end of a sentence about the trace.
  fileprivate var ending: String { verdict == "cancelled" ? "was cancelled" : verdict }
}

extension WhyQueries {
  /// Returns the username of an account, however the call identifies it.
  private func name(of account: String, in sdk: any IdentitySDK) throws -> String {
    var known: SDKAccount?
    // Let the call report the SDK's error.
    do { known = try reader.names.account(named: account, in: sdk) } catch is SDKError {}
    return known.map(\.username).flatMap { $0.isEmpty ? nil : $0 } ?? account
  }
}

extension Trace {
  /// The outcome, with the check that caused it.
  ///
  /// The sentence of an SDK does not name the cause, and often names another remedy, so the code is used instead.
  fileprivate var answer: String {
    let summary = outcome?.summary ?? summary.summary
    guard let cause, hops.contains(where: { $0.checks.contains(cause) }) else { return summary }
    let words =
      if outcome?.verdict == .failed, outcome?.errorText != nil, let code = outcome?.errorCode {
        "The call failed (\(code))"
      } else {
        summary.hasSuffix(".") ? String(summary.dropLast()) : summary
      }
    return "\(words), because \(cause.reason)."
  }

  /// The condition that decided against the call, or `nil` if it succeeded.
  fileprivate var cause: Check? {
    guard outcome?.verdict != .succeeded else { return nil }
    return outcome?.failedCheck
      ?? Check(
        "the call succeeds", expected: "succeeded", found: summary.verdict, false, source: "errors.md §4",
        failure: "the call did not succeed")
  }
}

extension WhyQueries {
  /// Explains which apps can use a credential and which condition prevents the others.
  ///
  /// - Parameter id: The `TokenRow.id`.
  /// - Returns: The checks of each app, or `nil` if the credential does not exist.
  /// - Throws: `StoreError`.
  package func credential(_ id: String) throws -> Checklist? {
    guard let row = try TokenQueries(reader: reader).detail(id)?.row, let rowID = Int64(id.dropFirst()),
      let credential = try reader.items.item(row: rowID).flatMap({ SharedCredential($0) })
    else { return nil }
    let isIssued = row.accessGroup.hasPrefix(ExternalClient.teamID + ".")
    let apps = isIssued ? try reader.externalClients().map(\.asApp) : reader.installed
    let rules = try apps.map {
      SharingRule(credential: credential, app: try SharingQueries(reader: reader).app($0))
    }
    let users = row.apps.isEmpty ? "No app can use it" : "Usable by \(row.apps.joined(separator: ", "))"
    let isUnknown = row.state == .unknown
    let isInForce = row.state.isUsable || isUnknown
    let inForce = Check(
      "it is valid", expected: "valid or expiring",
      found: isUnknown ? "unknown: only its provider knows" : row.state.rawValue,
      verdict: isUnknown ? .skipped : isInForce ? .passed : .failed, source: "silent-call.md §1",
      failure: "it is \(row.state.rawValue)")
    let unusable =
      rules.lazy.compactMap(\.checks.firstFailure).first
      ?? Check(
        "an app can use it", expected: "an app", found: "none", false, source: "claim C8",
        failure: "no app can use it")
    return Checklist(
      title: "Who can use the \(row.type) \(row.id)",
      answer: users + (isInForce ? "." : ", but it is \(row.state.rawValue)."),
      cause: isInForce ? row.apps.isEmpty ? unusable : nil : inForce,
      sections: [Checklist.Section(title: "The credential itself", checks: [inForce])]
        + rules.map { rule in
          Checklist.Section(
            title: "\(rule.app.app.displayName): \(rule.holds ? "can use it" : "cannot use it")",
            checks: rule.checks)
        })
  }
}
