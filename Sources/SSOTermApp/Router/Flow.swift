import SSODevice
import SSOLab

/// What comes back from the lab: rows, prompts and outcomes.
extension AppModel {
  /// Gives rows to the screens that show them; what answers a question comes up as a dialog.
  mutating func receive(_ loaded: Loaded) -> [Command] {
    switch loaded {
    case .status(let status):
      shared.lab.status = status
      shared.waits.isRefreshing = false
    case .people(let people): shared.lab.people = people
    case .why(let subject, let checklist?): shared.open(Why(subject, checklist))
    case .why(_, nil): shared.say("That is no longer there. R reads the store again.")
    case .outcome(let trace): WhyAction.explain(trace?.outcome?.errorWords ?? "", in: &shared)
    case .visibility(let cells): shared.open(VisibilityMatrix(cells, names: shared.lab.appNames))
    case .blastRadius(let intent, let radius):
      shared.open(Confirmation(intent: intent, radius: radius, title: title(of: intent)))
    case .provider(let rows):
      screens.provider.show(rows)
      if !isFree, let next = screens.provider.signInToRaise(shared) {
        shared.say("\(next.client) waits to be signed in: ! shows it.")
      }
    default:
      return Screens.all.flatMap { $0.update(&screens, &shared) { $0.receive(loaded, &$1) } }
    }
    return []
  }

  /// A removal by the name of the account or the app, where the intent has an ID.
  private func title(of intent: Intent) -> String? {
    switch intent {
    case .forget(let id):
      let name =
        topDialog(PromptDialog.self)?.candidate?.username ?? screens.accounts.username(ofAccount: id)
      return name.map { "Forget \($0)" }
    case .signOut(let bundleID, let account, let options):
      guard let app = shared.lab.apps.first(where: { $0.bundleID == bundleID }) else { return nil }
      let words = options.words.map { ", " + $0 }.joined()
      return "Sign \(account ?? "the account") out of \(app.displayName)\(words)"
    default: return nil
    }
  }

  /// What came of an intent: the next prompt, or the end of the flow.
  mutating func continueFlow(
    _ performance: Performance, of intent: Intent, after answers: [Answer]
  ) -> [Command] {
    shared.working = nil
    if let open = topDialog(PromptDialog.self), open.intent == intent { shared.dialogs.removeLast() }
    switch performance {
    case .needs(let prompt, let hopsSoFar):
      var dialog = PromptDialog(prompt, intent: intent, answers: answers, hops: hopsSoFar)
      screens.story.fillIn(&dialog, of: intent, &shared)
      shared.open(dialog)
      // A large store's people are of no use as a list, and reading them would hold up the flow.
      guard case .signIn = prompt, shared.lab.people.isEmpty, (shared.lab.status?.accountCount ?? 0) < 1000
      else { return [] }
      return [.load(.people)]
    case .done(let outcome, let traceID):
      shared.notice = Notice(outcome)
      if let effects = outcome.effects, !effects.isEmpty {
        shared.open(Effects(summary: outcome.summary, lines: effects))
      }
      if intent.isOfCredentials { mainList.marks = Marks() }
      return judge(outcome, traceID, of: intent) + reload() + askAgain()
    }
  }

  /// The flow of a step of the story is over.
  private mutating func judge(_ outcome: Outcome, _ traceID: Int64?, of intent: Intent) -> [Command] {
    guard let telling = screens.story.end(outcome, traceID: traceID, of: intent) else { return [] }
    // The screens show what the audience has just been told about.
    if let app = intent.app.flatMap({ shared.lab.app(named: $0) }) {
      screens.apps.list.select(id: app.bundleID)
    }
    return [.judge(telling)]
  }

  /// After an account was forgotten from within the picker: the flow meets the prompt that is right now.
  private mutating func askAgain() -> [Command] {
    guard let open = topDialog(PromptDialog.self), let intent = open.intent else { return [] }
    shared.working = "Continuing…"
    return [.perform(intent, open.answers)]
  }

  /// Whether nothing but the screen has the keys.
  private var isFree: Bool { shared.dialogs.isEmpty && shared.working == nil && !activeList.isFiltering }

  /// While this program serves, a sign-in brings its picker up by itself, as soon as nothing else has the keys.
  mutating func raiseSignIn() -> [Command] {
    guard isFree, let next = screens.provider.signInToRaise(shared) else { return [] }
    return screens.provider.answer(next, &shared)
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

  /// The app that a step is about.
  fileprivate var app: String? {
    switch self {
    case .signIn(let app, _, _, _, _), .acquireSilently(let app, _, _, _, _), .signOut(let app, _, _),
      .disturb(let app, _), .reinstall(let app), .openURL(_, from: let app), .enroll(let app, _),
      .handOver(_, to: let app), .endApp(let app), .currentAccount(let app):
      app
    default: nil
    }
  }
}
