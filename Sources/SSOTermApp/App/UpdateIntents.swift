import SSOCore
import SSODevice
import SSOLab

extension AppModel {
  /// Commands that change the lab.
  mutating func act(_ action: Action) -> [Command] {
    switch action {
    case .silent, .interactive, .chooseAccount, .signOut, .signOutOfBrowser, .wipeAccount, .wipeCache,
      .currentAccount:
      return selectedApp.map { act(action, on: $0) } ?? []
    case .addAccount: return appInSight.map { act(action, on: $0) } ?? []
    case .repeatFlow:
      guard let flow = lastFlow else { return [] }
      return begin("Again: \(flow.words)", .perform(flow, []))
    case .forget:
      return selectedAccount.map { [.load(.blastRadius(.forget(account: $0.identifier)))] } ?? []
    case .delete:
      return [.load(markedRows.map(Load.blastRadiusOfRows) ?? .blastRadius(.delete(credentials: deletable)))]
    case .expire: return change(.expire)
    case .invalidate: return change(.invalidate)
    case .expireAll:
      let accounts = accountsToExpire.map { TokenScope(account: $0) }
      return begin("Expiring", .change(.expire, .accessTokens(accounts)))
    case .clockForward: return begin("Moving the clock", .perform(.moveClock(bySeconds: 3600), []))
    case .clockReal: return begin("Setting the clock", .perform(.moveClock(bySeconds: nil), []))
    default: return []
    }
  }

  /// Commands that are about one app.
  mutating func act(_ action: Action, on app: AppRow) -> [Command] {
    let account = app.accounts.first
    switch action {
    case .silent:
      let chosen = app.accountCount > 1 ? account : nil
      return call(
        app, .acquireSilently(app: app.bundleID, account: chosen, scopes: [], forceRefresh: false))
    case .interactive: return call(app, Self.signIn(app, .whenRequired))
    case .chooseAccount: return call(app, Self.signIn(app, .selectAccount))
    case .addAccount: return call(app, Self.signIn(app, .login))
    case .signOut: return signOut(app, SignOutOptions())
    case .signOutOfBrowser: return signOut(app, SignOutOptions(fromBrowser: true))
    case .wipeAccount: return signOut(app, SignOutOptions(wipeAccount: true))
    case .wipeCache: return signOut(app, SignOutOptions(wipeCache: true))
    case .currentAccount:
      return begin("\(app.displayName) asks", .perform(.currentAccount(app: app.bundleID), []))
    default: return []
    }
  }

  /// Asks first, with what it takes from whom.
  private func signOut(_ app: AppRow, _ options: SignOutOptions) -> [Command] {
    [.load(.blastRadius(.signOut(app: app.bundleID, account: app.accounts.first, options: options)))]
  }

  private static func signIn(_ app: AppRow, _ prompt: PromptBehavior) -> Intent {
    .signIn(app: app.bundleID, account: nil, scopes: [], prompt: prompt)
  }

  /// A call of an app, which `.` can make again.
  private mutating func call(_ app: AppRow, _ intent: Intent) -> [Command] {
    lastFlow = intent
    return begin("\(app.displayName) asks", .perform(intent, []))
  }

  private mutating func change(_ change: Change) -> [Command] {
    let words = change == .expire ? "Expiring" : "Invalidating"
    guard place == .apps else {
      let target = markedRows.map { Target.rows($0, types: types(for: change)) }
      return begin(words, .change(change, target ?? .credentials(targets(of: change))))
    }
    let scopes = targetApps.map { TokenScope(clientID: $0.clientID) }
    return begin(
      words, .change(change, change == .expire ? .accessTokens(scopes) : .refreshTokens(scopes)))
  }

  /// What came of an intent: the next prompt, or the end of the flow.
  mutating func take(_ performance: Performance, of intent: Intent, after answers: [Answer]) -> [Command] {
    working = nil
    if case .prompt(let open) = dialogs.last, open.intent == intent { dialogs.removeLast() }
    switch performance {
    case .needs(let prompt, let hopsSoFar):
      var dialog = PromptDialog(prompt, intent: intent, answers: answers, hops: hopsSoFar)
      tell(prompt, of: intent, in: &dialog)
      dialogs.append(.prompt(dialog))
      // A large store's people are of no use as a list, and reading them would hold up the flow.
      guard case .signIn = prompt, people.isEmpty, (status?.accountCount ?? 0) < 1000 else { return [] }
      return [.load(.people)]
    case .done(let outcome, let traceID):
      notice = Notice(outcome)
      showEffects(of: outcome)
      if intent.isOfCredentials { marks[screenContext] = nil }
      return judge(outcome, traceID, of: intent) + reload() + askAgain()
    }
  }

  /// After an account was forgotten from within the picker: the flow meets the prompt that is right now.
  private mutating func askAgain() -> [Command] {
    guard case .prompt(let open) = dialogs.last, let intent = open.intent else { return [] }
    working = "Continuing…"
    return [.perform(intent, open.answers)]
  }
}

extension Intent {
  /// Whether it acts on credentials that may have been marked.
  fileprivate var isOfCredentials: Bool {
    switch self {
    case .expire, .invalidate, .delete: true
    default: false
    }
  }
}

extension Notice {
  init(_ outcome: Outcome) {
    switch outcome.verdict {
    case .succeeded: self.init(text: "✓ " + outcome.summary, kind: .good, canUndo: true)
    case .cancelled: self.init(text: "· " + outcome.summary, kind: .plain)
    case .failed:
      let why = outcome.failedCheck.map { "\($0.name): \($0.found)." } ?? ""
      let parts = [why, outcome.errorText ?? outcome.summary, outcome.next ?? ""]
      self.init(text: "✗ " + parts.filter { !$0.isEmpty }.joined(separator: " "), kind: .bad)
    }
  }
}
