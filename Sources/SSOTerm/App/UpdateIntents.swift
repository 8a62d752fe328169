import SSOModel

extension AppModel {
  /// Commands that change the lab.
  mutating func act(_ action: Action) -> [Command] {
    switch action {
    case .silent:
      return withApp { app, account in
        .acquireSilently(app: app.bundleID, account: account, scopes: [], forceRefresh: false)
      }
    case .interactive: return withApp { app, _ in Self.signIn(app, .whenRequired) }
    case .chooseAccount: return withApp { app, _ in Self.signIn(app, .selectAccount) }
    case .signOut:
      return selectedApp.map { [.load(.blastRadius(.signOut(app: $0.bundleID, account: $0.accounts.first)))] }
        ?? []
    case .forget:
      return selectedAccount.map { [.load(.blastRadius(.forget(account: $0.homeAccountID)))] } ?? []
    case .delete: return selectedCredential.map { [.load(.blastRadius(.delete(credentials: [$0])))] } ?? []
    case .expire: return change(.expire)
    case .invalidate: return change(.invalidate)
    case .expireAll:
      guard let account = accountInSight else { return [] }
      return begin("Expiring", .change(.expire, .accessTokens(TokenScope(account: account))))
    case .clockForward:
      let moved = (status?.clockOffset ?? 0) + 3600
      return begin("Moving the clock", .perform(.moveClock(bySeconds: moved), []))
    case .clockReal: return begin("Setting the clock", .perform(.moveClock(bySeconds: nil), []))
    default: return []
    }
  }

  private static func signIn(_ app: AppRow, _ prompt: PromptBehavior) -> Intent {
    .signIn(app: app.bundleID, account: nil, scopes: [], prompt: prompt)
  }

  private mutating func withApp(_ intent: (AppRow, String?) -> Intent) -> [Command] {
    guard let app = selectedApp else { return [] }
    let account = app.accountCount > 1 ? app.accounts.first : nil
    return begin("\(app.displayName) asks", .perform(intent(app, account), []))
  }

  private var selectedCredential: String? {
    place == .keychain ? selectedItem.map { "t\($0.id)" } : selectedToken?.id
  }

  private mutating func change(_ change: Change) -> [Command] {
    let words = change == .expire ? "Expiring" : "Invalidating"
    if place == .apps, let app = selectedApp {
      let scope = TokenScope(clientID: app.clientID)
      return begin(
        words, .change(change, change == .expire ? .accessTokens(scope) : .refreshTokens(scope)))
    }
    guard let credential = selectedCredential else { return [] }
    return begin(words, .change(change, .credentials([credential])))
  }

  /// What came of an intent: the next prompt, or the end of the flow.
  mutating func take(_ performance: Performance, of intent: Intent, after answers: [Answer]) -> [Command] {
    working = nil
    if case .prompt(let open) = dialogs.last, open.intent == intent { dialogs.removeLast() }
    switch performance {
    case .needs(let prompt, let hopsSoFar):
      dialogs.append(.prompt(PromptDialog(prompt, intent: intent, answers: answers, hops: hopsSoFar)))
      // A large store's people are of no use as a list, and reading them would hold up the flow.
      guard case .signIn = prompt, people.isEmpty, (status?.accountCount ?? 0) < 1000 else { return [] }
      return [.load(.people)]
    case .done(let outcome, _):
      notice = Notice(outcome)
      return reload()
    }
  }
}

extension Notice {
  init(_ outcome: Outcome) {
    switch outcome.verdict {
    case .succeeded: self.init(text: "✓ " + outcome.summary, kind: .good, canUndo: true)
    case .cancelled: self.init(text: "· " + outcome.summary, kind: .plain)
    case .failed:
      let parts = [outcome.errorText ?? outcome.summary, outcome.next ?? ""]
      self.init(text: "✗ " + parts.filter { !$0.isEmpty }.joined(separator: " "), kind: .bad)
    }
  }
}
