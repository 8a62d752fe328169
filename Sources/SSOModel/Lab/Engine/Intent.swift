/// What a person can ask of the lab.
///
/// TUI, CLI and scenario files send the same intents; one intent is one transaction.
package enum Intent: Hashable, Sendable {
  /// Interactive sign-in in an app. `app` is a bundle ID, a display name, or an unambiguous part of one.
  case signIn(
    app: String, account: String?, scopes: [String], prompt: PromptBehavior,
    options: CallOptions = CallOptions())
  /// Silent call. `account` is a username or home account ID; nil: the app's only account.
  case acquireSilently(
    app: String, account: String?, scopes: [String], forceRefresh: Bool,
    options: CallOptions = CallOptions())
  /// `removeAccount:` by one app (msal-cache.md §11): the account leaves this app; group mates may lose the family token. With options
  /// `signoutWithAccount:`.
  case signOut(app: String, account: String?, options: SignOutOptions = SignOutOptions())
  /// `signoutWithAccount:` with `wipeAccount` (claim C6): forget from every app that shares a group with it, and the broker.
  case forget(account: String)
  /// Credentials by the ID of a token row (`TokenRow.id`).
  case expire(credentials: [String])
  case invalidate(credentials: [String])
  case delete(credentials: [String])
  /// Moves the lab's clock; nil: takes back how far it was moved.
  case moveClock(bySeconds: Int?)
  /// Caches read from files, already parsed.
  case importCache(name: String, CacheFile)
  /// The apps and registrations of a real project, already read; again: they are updated.
  case importProject(ProjectRecords)
  /// Sets a fault at the provider, beside those that are set.
  case addFault(Fault)
  case clearFaults
  /// The broker app comes: by the person, or by an administrator for some apps or all (claim A4). Also changes how it is managed.
  case installBroker(version: String?, managed: BrokerManagement?)
  case removeBroker
  /// Arms what goes wrong in the app's next brokered call; nil: nothing does.
  case injectFault(app: String, InjectedFault?)
  /// The app is deleted and installed again.
  case reinstall(app: String)
  /// An app (bundle ID) opens a URL: a request to the broker, or another app's scheme.
  case openURL(String, from: String)
  /// Changes fields of one record of the lab; `record` is its name or a part of it.
  case edit(RecordKind, record: String, [FieldChange])
  /// Conditional Access, as an administrator sets it.
  case setPolicy(Policy)
  case removePolicy(name: String)
  /// What the device management says of the current device.
  case setCompliance(Bool)
  /// Intune protects the app for an account that is signed in there (docs/behaviour/broker.md §11).
  case enroll(app: String, account: String)
  /// An app looks up the account that another one knows (bundle IDs), and calls silently (claims F3 to F6); nil: no
  /// other app names one.
  case transferAccount(from: String?, to: String)
  /// An external client's sign-in that waits for a terminal, by `WaitingSignIn.id`.
  case answerSignIn(id: String, client: String)
  /// Ends an app's process: what its SDK held in memory is gone (docs/behaviour/msal-cache.md §9).
  case endApp(app: String)
  /// A record that was not there, with what is usual for its kind and these fields laid over it.
  case add(RecordKind, record: String, [FieldChange])
  /// Takes a record out of the lab.
  case remove(RecordKind, record: String)
  /// An app written for one account asks who is signed in (`getCurrentAccount`).
  case currentAccount(app: String)
  /// Signs a person out everywhere: what the person's apps and browsers were given so far is refused.
  case revokeSessions(account: String)
  /// A Linux program calls the broker over D-Bus, in a story.
  case callLinuxBroker(LinuxBrokerCall)
  /// Takes one fault away, and leaves the others.
  case clearFault(Fault)
}

/// What `Lab.perform` gives back.
package enum Performance: Sendable {
  /// Committed; the trace is stored under this ID.
  case done(Outcome, traceID: Int64)
  /// Nothing was written: the flow needs one more answer. Ask, then perform the same intent again with the answer appended.
  case needs(Prompt, hopsSoFar: [Hop])
}

/// What an intent does: one type for each, in `Intents/`.
protocol IntentAction {
  /// - Throws: `LabError` for names that fit nothing, `NeedsAnswer`, `SDKError`, `KeychainError`, `StoreError`.
  func run(in transaction: IntentTransaction) throws -> Outcome
}

// MARK: - What each is and does

extension Intent {
  /// Whether undo takes it back.
  ///
  /// An external client is told the answer to its sign-in, as any other response.
  var isJournaled: Bool {
    if case .answerSignIn = self { false } else { true }
  }

  /// One line for the journal, the trace list and the undo key.
  package var words: String {
    func named(_ verb: String, _ app: String, _ account: String?) -> String {
      verb + " " + app + (account.map { " as \($0)" } ?? "")
    }
    func counted(_ verb: String, _ ids: [String]) -> String {
      ids.count == 1 ? "\(verb) \(ids[0])" : "\(verb) \(ids.count) credentials"
    }
    return switch self {
    case .signIn(let app, let account, _, _, _): named("sign in", app, account)
    case .acquireSilently(let app, let account, _, _, _): named("silent", app, account)
    case .signOut(let app, let account, let options):
      ([named("sign out of", app, account)] + options.words).joined(separator: ", ")
    case .forget(let account): "forget \(account)"
    case .expire(let ids): counted("expire", ids)
    case .invalidate(let ids): counted("invalidate", ids)
    case .delete(let ids): counted("delete", ids)
    case .moveClock(let seconds):
      seconds.map { "clock \(offsetText($0))" } ?? "reset the clock"
    case .importCache(let name, _): "import \(name)"
    case .importProject(let project): "import the project \(project.name)"
    case .addFault(let fault): "fault \(fault.words)"
    case .clearFaults: "clear the faults"
    case .installBroker(_, let managed):
      managed == nil ? "install the broker" : "push the broker as an administrator"
    case .removeBroker: "remove the broker"
    case .injectFault(let app, let fault): "inject a fault into \(app): \(fault?.rawValue ?? "nothing")"
    case .reinstall(let app): "reinstall \(app)"
    case .setPolicy(let policy): "policy \(policy.name): \(policy.requires.rawValue)"
    case .removePolicy(let name): "remove policy \(name)"
    case .setCompliance(let isCompliant): "device is \(isCompliant ? "compliant" : "not compliant")"
    case .enroll(let app, let account): "enrol \(app) for \(account)"
    case .transferAccount(let giver, let app):
      giver.map { "transfer the account from \($0) to \(app)" } ?? "open \(app)"
    case .answerSignIn(_, let client): "answer the sign-in of \(client)"
    case .openURL(let url, let app): "open \(url.prefix { $0 != "?" }) from \(app)"
    case .edit(let kind, let record, let changes):
      "set \(kind.rawValue) \(record) \(changes.map(\.words).joined(separator: " "))"
    case .endApp(let app): "end \(app)"
    case .add(let kind, let record, let changes):
      (["add \(kind.rawValue) \(record)"] + changes.map(\.words)).joined(separator: " ")
    case .currentAccount(let app): "current account of \(app)"
    case .revokeSessions(let account): "sign out \(account) everywhere"
    case .remove(let kind, let record): "remove \(kind.rawValue) \(record)"
    case .callLinuxBroker(let call): "\(call.caller.program) calls \(call.method.rawValue)"
    case .clearFault(let fault): "clear the fault \(fault.words)"
    }
  }

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
