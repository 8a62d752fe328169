/// The calls of an app: silent, interactive, and signing out.
enum CallAction: FeatureAction {
  case silent, interactive, chooseAccount, addAccount
  /// Sign-outs with the options of `MSALSignoutParameters`.
  case signOut, signOutOfBrowser, wipeAccount, wipeCache
  /// An app's request for its current account.
  case currentAccount
  /// Repeats the last call.
  case repeatCall

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    switch self {
    case .silent, .interactive, .chooseAccount: app(in: model) == nil ? "select an app first" : nil
    case .addAccount: model.selection.app == nil ? "there is no app" : nil
    case .signOut:
      app(in: model).map { $0.accountCount == 0 ? "no account is signed in" : nil } ?? "select an app first"
    case .repeatCall: model.lastFlow == nil ? "no call has been made yet" : nil
    case .signOutOfBrowser, .wipeAccount, .wipeCache, .currentAccount: nil
    }
  }

  private func app(in model: AppModel) -> AppRow? { model.screens.apps.selected(model.shared) }

  func run(on model: inout AppModel) -> [Command] {
    if self == .repeatCall {
      return model.lastFlow.map { model.shared.begin("Again: \($0.value.words)", .perform($0, [])) } ?? []
    }
    let app = self == .addAccount ? model.selection.app : app(in: model)
    return app.map { run(for: $0, account: account(ofRow: $0), &model.shared) } ?? []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard let (app, account) = model.lab.call(named: argument) else {
      return model.shared.refuse(
        "app", argument, among: model.lab.apps.flatMap { [$0.bundleID, $0.displayName] })
    }
    return run(for: app, account: account, &model.shared)
  }

  /// Returns the account that the key acts on, which is the row's account.
  ///
  /// If the call is interactive, the user chooses the account on the page.
  private func account(ofRow app: AppRow) -> String? {
    switch self {
    case .silent: app.account
    case .signOut, .signOutOfBrowser, .wipeAccount, .wipeCache: app.account ?? app.accounts.first
    case .interactive, .chooseAccount, .addAccount, .currentAccount, .repeatCall: nil
    }
  }

  /// Runs the call.
  ///
  /// If `account` is `nil`, the call does not specify an account, like an `ssoterm` command without `--account`.
  private func run(for app: AppRow, account: String?, _ shared: inout SharedState) -> [Command] {
    switch self {
    case .silent:
      return call(
        app, AcquireSilently(app: app.bundleID, account: account), &shared)
    case .interactive: return signIn(app, account, .whenRequired, &shared)
    case .chooseAccount: return signIn(app, account, .selectAccount, &shared)
    case .addAccount: return signIn(app, account, .login, &shared)
    case .signOut: return signOut(app, account, SignOutOptions())
    case .signOutOfBrowser: return signOut(app, account, SignOutOptions(fromBrowser: true))
    case .wipeAccount: return signOut(app, account, SignOutOptions(wipeAccount: true))
    case .wipeCache: return signOut(app, account, SignOutOptions(wipeCache: true))
    case .currentAccount:
      return shared.begin("\(app.displayName) asks", .perform(GetCurrentAccount(app: app.bundleID)))
    case .repeatCall: return []
    }
  }

  private func signIn(
    _ app: AppRow, _ account: String?, _ prompt: PromptBehavior, _ shared: inout SharedState
  ) -> [Command] {
    call(app, SignIn(app: app.bundleID, account: account, prompt: prompt), &shared)
  }

  /// Makes a call that `.` can repeat.
  private func call(_ app: AppRow, _ intent: some Intent, _ shared: inout SharedState) -> [Command] {
    shared.lastFlow = AnyIntent(intent)
    return shared.begin("\(app.displayName) asks", .perform(intent))
  }

  /// Asks for confirmation, and lists what each app would lose.
  private func signOut(_ app: AppRow, _ account: String?, _ options: SignOutOptions) -> [Command] {
    [.load(.blastRadius(of: SignOut(app: app.bundleID, account: account, options: options)))]
  }

  func object(in model: AppModel) -> String {
    switch self {
    case .silent, .signOut: app(in: model)?.title ?? ""
    case .interactive, .chooseAccount: app(in: model)?.displayName ?? ""
    default: ""
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    let call =
      argument.isEmpty
      ? app(in: model).map { (app: $0, account: account(ofRow: $0)) } : model.lab.call(named: argument)
    guard let (app, account) = call else { return nil }
    func words(_ verb: Advice.Verb, _ details: [Advice.Detail: String?] = [:]) -> [String] {
      let details = details.merging([.account: account]) { given, _ in given }
      return Advice.Action(verb, [app.bundleID], with: details).commandWords
    }
    return switch self {
    case .silent: words(.silent)
    case .interactive: words(.signIn)
    case .chooseAccount: words(.signIn, [.prompt: "select_account"])
    case .addAccount: words(.signIn, [.prompt: "login"])
    case .signOut: words(.signOut)
    case .signOutOfBrowser: words(.signOut, [.browser: ""])
    case .wipeAccount: words(.signOut, [.wipeAccount: ""])
    case .wipeCache: words(.signOut, [.wipeCache: ""])
    case .currentAccount: words(.currentAccount)
    case .repeatCall: nil
    }
  }
}
