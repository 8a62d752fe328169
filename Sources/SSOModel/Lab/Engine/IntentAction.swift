/// What an intent does: one type for each, in `Intents/`.
protocol IntentAction {
  /// - Throws: `LabError` for names that fit nothing, `NeedsAnswer`, `SDKError`, `KeychainError`, `StoreError`.
  func run(in transaction: IntentTransaction) throws -> Outcome
}

extension Intent {
  var action: any IntentAction {
    switch self {
    case .signIn(let app, let account, let scopes, let prompt, let options):
      AcquireInteractively(app: app, account: account, scopes: scopes, prompt: prompt, options: options)
    case .acquireSilently(let app, let account, let scopes, let forceRefresh, let options):
      AcquireSilently(
        app: app, account: account, scopes: scopes, forceRefresh: forceRefresh, options: options)
    case .signOut(let app, let account, let options): SignOut(app: app, account: account, options: options)
    case .currentAccount(let app): AskCurrentAccount(app: app)
    case .forget(let account): ForgetAccount(account: account)
    case .expire(let ids): ChangeCredentials(ids: ids, change: .expire)
    case .invalidate(let ids): ChangeCredentials(ids: ids, change: .invalidate)
    case .delete(let ids): ChangeCredentials(ids: ids, change: .delete)
    case .moveClock(let seconds): MoveClock(seconds: seconds)
    case .importCache(let name, let file): ImportCache(name: name, file: file)
    case .importProject(let project): ImportProject(project: project)
    case .answerSignIn(let id, _): AnswerSignIn(key: id)
    case .addFault(let fault): AddFault(fault: fault)
    case .clearFaults: ClearFaults()
    case .callLinuxBroker(let call): CallLinuxBroker(call: call)
    case .clearFault(let fault): ClearFault(fault: fault)
    case .installBroker(let version, let management):
      InstallBroker(version: version, management: management)
    case .removeBroker: RemoveBroker()
    case .injectFault(let app, let fault): InjectFault(app: app, fault: fault)
    case .reinstall(let app): ReinstallApp(app: app)
    case .openURL(let url, let app): OpenURL(url: url, app: app)
    case .edit(let kind, let record, let changes): EditRecord(kind: kind, name: record, changes: changes)
    case .setPolicy(let policy): SetPolicy(policy: policy)
    case .removePolicy(let name): RemovePolicy(name: name)
    case .setCompliance(let isCompliant): SetCompliance(isCompliant: isCompliant)
    case .enroll(let app, let account): EnrollApp(app: app, account: account)
    case .transferAccount(let giver, let app): TransferAccount(giver: giver, app: app)
    case .endApp(let app): EndApp(app: app)
    case .add(let kind, let record, let changes): AddRecord(kind: kind, name: record, changes: changes)
    case .revokeSessions(let account): RevokeSessions(account: account)
    case .remove(let kind, let record): RemoveRecord(kind: kind, name: record)
    }
  }

  /// The intent with the whole bundle ID of its app, as journal and trace name it.
  /// - Throws: `LabError`, with the nearest name.
  func namingApps(by bundleID: (String) throws -> String) throws -> Intent {
    switch self {
    case .signIn(let app, let account, let scopes, let prompt, let options):
      .signIn(app: try bundleID(app), account: account, scopes: scopes, prompt: prompt, options: options)
    case .acquireSilently(let app, let account, let scopes, let forceRefresh, let options):
      .acquireSilently(
        app: try bundleID(app), account: account, scopes: scopes, forceRefresh: forceRefresh, options: options
      )
    case .signOut(let app, let account, let options):
      .signOut(app: try bundleID(app), account: account, options: options)
    case .currentAccount(let app): .currentAccount(app: try bundleID(app))
    case .endApp(let app): .endApp(app: try bundleID(app))
    case .transferAccount(let giver, let app):
      .transferAccount(from: try giver.map(bundleID), to: try bundleID(app))
    default: self
    }
  }
}
