import SSOCore
import SSODevice
import SSOLab
import SSOScenarios
import TerminalUI

/// The handling of results from the lab: rows, prompts, and outcomes.
enum LabAnswers {
  /// Passes rows to the screens that show them, and opens the answer to a question as a dialog.
  static func receive(_ loaded: Loaded, _ model: inout AppModel) -> [Command] {
    switch loaded {
    case .status(let status):
      model.shared.lab.status = status
      model.shared.waits.isRefreshing = false
    case .people(let people): model.shared.lab.people = people
    case .why(let subject, let checklist?):
      model.shared.coach(.explained)
      show(Why(subject, checklist), &model.shared)
    case .lifetimes(let lifetimes, let app, let account):
      Timeline.show(lifetimes, app: app, account: account, &model.shared)
    case .issue(let subject, let checklist?, let trace):
      let card = IssueCard(
        checklist, app: subject.app.flatMap { model.shared.lab.app(named: $0) },
        call: subject.isTrace ? trace.map { model.shared.lab.named($0.summary.title) } : nil, trace: trace)
      model.shared.open(card)
      return [card.copy]
    case .issue(_, nil, _): model.shared.say("This row no longer exists. Press F5 to read the store again.")
    case .comparison(let first?, let second?): model.shared.open(Comparison(first, second))
    case .comparison: model.shared.say("One of the traces no longer exists.")
    case .remedy(let change, let record): FieldProposal.open(change, record, &model.shared)
    case .why(_, nil): model.shared.say("This row no longer exists. Press F5 to read the store again.")
    case .outcome(let trace): WhyAction.explain(trace?.outcome?.errorWords ?? "", in: &model.shared)
    case .visibility(let cells): VisibilityMatrix.show(cells, &model.shared)
    case .blastRadius(let intent, let radius):
      model.shared.open(Confirmation(intent: intent, radius: radius, title: title(of: intent, model)))
    case .provider(let rows):
      model.screens.provider.show(rows)
      takeDownPrompt(&model)
      sayWhoWaits(&model)
    default:
      return Screens.all.flatMap { $0.update(&model.screens, &model.shared) { $0.receive(loaded, &$1) } }
    }
    return []
  }

  /// Opens an answer, which replaces an earlier answer to the same question if that is still open.
  private static func show(_ why: Why, _ shared: inout SharedState) {
    for place in shared.dialogs.indices {
      guard var open = shared.dialogs[place].component as? Why, open.subject == why.subject else { continue }
      open.show(why.checklist)
      shared.dialogs[place] = Dialog(open)
      return
    }
    shared.open(why)
  }

  /// Replaces the open prompt if a call no longer waits for its answer.
  ///
  /// The dialog that replaces it says so.
  private static func takeDownPrompt(_ model: inout AppModel) {
    guard model.shared.working == nil,
      let place = model.shared.dialogs.lastIndex(where: { $0.component is PromptDialog }),
      let signIn = (model.shared.dialogs[place].component as? PromptDialog)?.waitingSignIn,
      !model.screens.provider.rows.waiting.contains(where: { $0.id == signIn.id })
    else { return }
    model.shared.dialogs[place] = Dialog(SignInEnded(client: signIn.client))
  }

  /// Informs the user about waiting sign-ins while a dialog or a running flow has the keys.
  private static func sayWhoWaits(_ model: inout AppModel) {
    let prompt = model.topDialog(PromptDialog.self)
    if let signIn = prompt?.waitingSignIn,
      let ended = model.screens.provider.rows.waiting.first(where: { $0.id == signIn.id })?.ended
    {
      return model.shared.say("\(signIn.client): \(ended).", .bad)
    }
    guard let next = model.screens.provider.signInToRaise(model.shared), !isFree(model) else { return }
    let key = prompt?.context == .signIn ? "Ctrl-N" : "!"
    model.shared.say(
      "\(next.client) waits for a sign-in"
        + (prompt?.isForRealProgram == true ? ": \(key) shows it." : "; it comes up after this."))
  }

  /// Returns a title for a removal with the name of the account or the app in place of the intent's ID, or `nil` if it
  /// has no such name.
  private static func title(of intent: AnyIntent, _ model: AppModel) -> String? {
    switch intent.value {
    case let removal as ForgetAccount:
      if let name = model.topDialog(PromptDialog.self)?.candidate?.username {
        return "Sign \(name) out of this device"
      }
      return model.screens.accounts.username(ofAccount: removal.account).map { "Forget \($0)" }
    case let removal as SignOut:
      guard let app = model.shared.lab.row(ofApp: removal.app, account: removal.account) else { return nil }
      let words = removal.options.words.map { ", " + $0 }.joined()
      let name = removal.account == app.account ? app.accounts.first : removal.account
      return "Sign \(name ?? "the account") out of \(app.displayName)\(words)"
    case let change as ChangeCredentials:
      guard change.ids.count == 1 else { return nil }
      return model.screens.tokens.row(id: change.ids[0]).map { token in
        "Delete the \(token.name)" + (token.username.map { " of \($0)" } ?? "")
      }
    default: return nil
    }
  }

  /// Shows the progress of a call.
  ///
  /// A prompt keeps the steps that it already shows while the call runs again.
  static func show(_ progress: CallProgress, of intent: AnyIntent, _ model: inout AppModel) {
    // The call has ended in the meantime.
    guard model.shared.working != nil else { return }
    model.shared.running = RunningCall(progress, title: model.shared.lab.named(intent.value.displayText))
    guard var prompt = model.topDialog(PromptDialog.self), prompt.intent == intent,
      progress.steps.count >= prompt.hops.count
    else { return }
    prompt.hops = progress.steps
    model.shared.replaceDialog(prompt)
  }

  /// Handles the result of an intent: opens the next prompt, or ends the flow.
  static func continueFlow(
    _ performance: IntentResult, of intent: AnyIntent, after answers: [Answer], _ model: inout AppModel
  ) -> [Command] {
    let wasSeen = model.shared.running != nil
    model.shared.working = nil
    if let open = model.topDialog(PromptDialog.self), open.intent == intent {
      model.shared.dialogs.removeLast()
    }
    switch performance {
    case .needs(let prompt, let hopsSoFar):
      var dialog = PromptDialog(prompt, intent: intent, answers: answers, hops: hopsSoFar)
      model.screens.demo.fillIn(&dialog, of: intent)
      model.shared.open(dialog)
      // A list of users is not useful for a large store, and reading it would delay the flow.
      guard case .signIn = prompt, model.shared.lab.people.isEmpty,
        (model.shared.lab.status?.accountCount ?? 0) < 1000
      else { return [] }
      return [.load(.people)]
    case .done(let outcome, let traceID):
      model.shared.coach(.performed(intent, outcome))
      model.shared.notice = Notice(outcome)
      model.shared.motion = model.mayMove ? RowMotion(outcome, of: intent.app) : nil
      if let effects = outcome.effects, !effects.isEmpty {
        model.shared.open(
          Effects(summary: outcome.summary, lines: effects.map { model.shared.keys.displayText($0) }))
      }
      if intent.isOfCredentials { model.mainList.marks = Marks() }
      let picture = picture(of: outcome, traceID, of: intent, wasSeen: wasSeen && answers.isEmpty, &model)
      return check(outcome, traceID, of: intent, &model) + picture + model.reload() + askAgain(&model)
    }
  }

  /// Draws a call on the Apps screen, from its beginning: between its prompts, only the last steps were visible.
  private static func picture(
    of outcome: Outcome, _ traceID: Int64?, of intent: AnyIntent, wasSeen: Bool, _ model: inout AppModel
  ) -> [Command] {
    guard model.mayMove, intent.isCall, model.shared.place == .apps, model.shared.dialogs.isEmpty else {
      return []
    }
    return model.screens.apps.awaitPicture(of: outcome, traceID: traceID, wasSeen: wasSeen)
  }

  /// Ends the flow of a scenario's step, and requests the check of the step.
  private static func check(
    _ outcome: Outcome, _ traceID: Int64?, of intent: AnyIntent, _ model: inout AppModel
  ) -> [Command] {
    guard let execution = model.screens.demo.end(outcome, traceID: traceID, of: intent) else {
      return model.screens.demo.endByHand(outcome, traceID: traceID, of: intent).map { [.checkByHand($0)] }
        ?? []
    }
    // Select the app that the step was about.
    if let app = intent.app.flatMap({ model.shared.lab.app(named: $0) }) {
      model.screens.apps.awaitedRow = AppsScreen.AwaitedRow(app: app.bundleID, account: outcome.username)
    }
    return [.checkStep(execution)]
  }

  /// Repeats the call after an account was removed in the account picker, so that the flow continues with the right
  /// prompt.
  private static func askAgain(_ model: inout AppModel) -> [Command] {
    guard let open = model.topDialog(PromptDialog.self), let intent = open.intent else { return [] }
    model.shared.working = "Continuing…"
    return [.perform(intent, open.answers)]
  }

  /// Returns whether no dialog, running flow, or filter has the keys.
  private static func isFree(_ model: AppModel) -> Bool {
    model.shared.dialogs.isEmpty && model.shared.working == nil && !model.activeList.isFiltering
  }

  /// Opens the account picker for a waiting sign-in while this program serves, as soon as nothing else has the keys.
  static func raiseSignIn(_ model: inout AppModel) -> [Command] {
    guard let next = model.screens.provider.signInToRaise(model.shared), isFree(model) else { return [] }
    // Keep the notice about the previous sign-in readable.
    let said = model.shared.notice
    let commands = model.screens.provider.answer(next, &model.shared)
    model.shared.notice = said
    return commands
  }
}

extension AnyIntent {
  /// Whether the intent acts on credentials that may have been marked.
  fileprivate var isOfCredentials: Bool { value is ChangeCredentials }
  /// Whether the intent is an app's request to its SDK for tokens.
  fileprivate var isCall: Bool { value is SignIn || value is AcquireSilently || value is TransferAccount }
  /// The app that the intent is about.
  fileprivate var app: String? { (value as? any AppIntent)?.app }
}
