/// The calls of an app: silent, interactive, signing out.
enum CallAction: FeatureAction {
  case silent, interactive, chooseAccount, addAccount
  /// As `MSALSignoutParameters` say.
  case signOut, signOutOfBrowser, wipeAccount, wipeCache
  /// The question of an app for one account.
  case currentAccount
  /// The last call once more.
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
      return model.lastFlow.map { model.shared.begin("Again: \($0.words)", .perform($0, [])) } ?? []
    }
    let app = self == .addAccount ? model.selection.app : app(in: model)
    return app.map { run(for: $0, &model.shared) } ?? []
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    guard let app = model.lab.app(named: argument) else {
      return model.shared.refuse(
        "app", argument, among: model.lab.apps.flatMap { [$0.bundleID, $0.displayName] })
    }
    return run(for: app, &model.shared)
  }

  private func run(for app: AppRow, _ shared: inout SharedState) -> [Command] {
    switch self {
    case .silent:
      let chosen = app.accountCount > 1 ? app.accounts.first : nil
      return call(
        app, .acquireSilently(app: app.bundleID, account: chosen, scopes: [], forceRefresh: false), &shared)
    case .interactive: return signIn(app, .whenRequired, &shared)
    case .chooseAccount: return signIn(app, .selectAccount, &shared)
    case .addAccount: return signIn(app, .login, &shared)
    case .signOut: return signOut(app, SignOutOptions())
    case .signOutOfBrowser: return signOut(app, SignOutOptions(fromBrowser: true))
    case .wipeAccount: return signOut(app, SignOutOptions(wipeAccount: true))
    case .wipeCache: return signOut(app, SignOutOptions(wipeCache: true))
    case .currentAccount:
      return shared.begin("\(app.displayName) asks", .perform(.currentAccount(app: app.bundleID), []))
    case .repeatCall: return []
    }
  }

  private func signIn(_ app: AppRow, _ prompt: PromptBehavior, _ shared: inout SharedState) -> [Command] {
    call(app, .signIn(app: app.bundleID, account: nil, scopes: [], prompt: prompt), &shared)
  }

  /// A call, which `.` can make again.
  private func call(_ app: AppRow, _ intent: Intent, _ shared: inout SharedState) -> [Command] {
    shared.lastFlow = intent
    return shared.begin("\(app.displayName) asks", .perform(intent, []))
  }

  /// Asks first, with what it takes from whom.
  private func signOut(_ app: AppRow, _ options: SignOutOptions) -> [Command] {
    [.load(.blastRadius(.signOut(app: app.bundleID, account: app.accounts.first, options: options)))]
  }

  func object(in model: AppModel) -> String {
    switch self {
    case .silent, .interactive, .chooseAccount, .signOut: app(in: model)?.displayName ?? ""
    default: ""
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    let app = argument.isEmpty ? app(in: model) : model.lab.app(named: argument)
    return app.flatMap { app in words.map { [$0[0], app.bundleID] + $0.dropFirst() } }
  }

  /// The command of `ssoterm`, and its options.
  private var words: [String]? {
    switch self {
    case .silent: ["silent"]
    case .interactive: ["signin"]
    case .chooseAccount: ["signin", "--prompt", "select_account"]
    case .addAccount: ["signin", "--prompt", "login"]
    case .signOut: ["signout"]
    case .signOutOfBrowser: ["signout", "--browser"]
    case .wipeAccount: ["signout", "--wipe-account"]
    case .wipeCache: ["signout", "--wipe-cache"]
    case .currentAccount: ["current"]
    case .repeatCall: nil
    }
  }
}
