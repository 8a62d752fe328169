import SSOCore
import SSOLab
import SSOReference
import TerminalUI

extension KeyCommand {
  static let why = KeyCommand(
    WhyAction.why, [.character("w")], "w", "why", name: "why",
    "Explains why, condition by condition: an app's next silent call, two marked apps, an account, "
      + "a token, an outcome.", taking: .call)
  static let explain = KeyCommand(
    WhyAction.explain, [.character("W")], "W", "", name: "explain",
    "Explains the code or state of the selection: meaning, cause, and what to do.",
    taking: .code)
}

/// The actions that ask why, and that explain codes.
enum WhyAction: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  case why, explain
  /// The actions in “why?” for the rule behind a condition, and for a second app.
  case explainCheck, secondApp
  /// The actions in “why?” for the field that decides a condition, and for the hidden conditions.
  case mend, showAll
  /// Enter: the first available action of fixing, explaining, and showing all.
  case openRow

  func obstacle(in model: AppModel) -> String? {
    let dialog = model.topDialog(Why.self)
    return switch self {
    case .why: model.selection.obstacleToWhy
    case .explain: nil
    case .mend:
      model.lab.isReadOnly
        ? LabFacts.readOnly
        : dialog?.remedy == nil ? "no single field decides this condition" : nil
    case .showAll, .openRow: nil
    case .explainCheck: dialog?.selected == nil ? "select a condition first" : nil
    case .secondApp:
      dialog?.app == nil
        ? "only in sections about one app"
        : dialog?.others(in: model.lab).isEmpty == false ? nil : "there is no other app"
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    let dialog = model.topDialog(Why.self)
    switch self {
    case .why:
      // For an app of a real project, the answer is in its files. From there, w leads to the checklist.
      if case .app? = model.selection.why, let project = model.selection.app?.project {
        return model.open(.doctor(project))
      }
      return model.selection.why.map { [.load(.why($0))] } ?? []
    case .explain:
      let selection = model.selection
      if let id = selection.explainedTrace, model.notice?.kind != .bad { return [.load(.outcome(id))] }
      let printed = model.notice.map { $0.hasCode ? $0.printed : "" } ?? ""
      Self.explain(
        textToExplain(in: model), printed: printed, in: &model.shared, orSay: selection.nothingToExplain)
    case .explainCheck:
      if let check = dialog?.selected {
        var explained = Explained(check)
        explained.adapt(to: model.shared.keys)
        model.shared.open(explained)
      }
    case .openRow:
      let isMendable = dialog?.selected?.remedy != nil && Self.mend.obstacle(in: model) == nil
      let action: Self =
        isMendable ? .mend : Self.explainCheck.obstacle(in: model) == nil ? .explainCheck : .showAll
      return action.run(on: &model)
    case .mend: return dialog?.remedy.map { [.load(.remedy($0))] } ?? []
    case .showAll:
      if var dialog {
        dialog.toggleAll()
        model.shared.replaceDialog(dialog)
      }
    case .secondApp:
      guard let dialog, let first = dialog.app else { return [] }
      model.shared.open(
        Choice(
          SecondApp(first: first), title: "Compare with which app",
          dialog.others(in: model.lab).map { Candidate($0.bundleID, $0.displayName) }))
    }
    return []
  }

  /// Returns the text that is searched for codes: the last error, or else the selection.
  private func textToExplain(in model: AppModel) -> String {
    if let notice = model.notice, notice.hasCode { return notice.text }
    let text = model.selection.explained
    // A row begins with its state, which elsewhere is an everyday word.
    let state = text.split(separator: " ").first.flatMap {
      Explanation.Family.state.explanation(of: String($0))
    }
    guard model.selection.isSentenceExplained || state != nil else { return text }
    return ([state].compactMap(\.self) + Explanation.find(in: text)).map(\.displayText).joined(separator: " ")
  }

  /// Opens the explanation of every code in a text, or says that there is none.
  static func explain(
    _ text: String, printed: String = "", in shared: inout SharedState,
    orSay nothing: String = Selection().nothingToExplain
  ) {
    if var explained = Explained(text, title: "What it means", printed: printed) {
      explained.adapt(to: shared.keys)
      shared.open(explained)
    } else {
      shared.say(nothing)
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .why:
      guard let (app, account) = model.lab.call(named: argument) else {
        return model.shared.refuse(
          "app", argument, among: model.lab.apps.flatMap { [$0.bundleID, $0.displayName] })
      }
      return [.load(.why(.app(app.bundleID, account: account)))]
    case .explain:
      Self.explain(argument, in: &model.shared)
      return []
    case .explainCheck, .secondApp, .mend, .showAll, .openRow: return nil
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .why:
      argument.isEmpty
        ? model.selection.why?.commandWords
        : model.lab.call(named: argument).map {
          WhySubject.app($0.app.bundleID, account: $0.account).commandWords
        }
    case .explain:
      Advice.Action(.explain, [argument.isEmpty ? textToExplain(in: model) : argument]).commandWords
    case .mend: model.topDialog(Why.self)?.remedy?.commandWords
    case .explainCheck, .secondApp, .showAll, .openRow: nil
    }
  }
}

extension WhySubject {
  fileprivate var commandWords: [String] {
    let action: Advice.Action =
      switch self {
      case .app(let app, let account): Advice.Action(.why, [app], with: [.account: account])
      case .apps(let app, let other): Advice.Action(.why, [app, other])
      case .account(let account): Advice.Action(.why, with: [.account: account])
      case .token(let id): Advice.Action(.why, with: [.token: id])
      case .trace(let id): Advice.Action(.why, with: [.trace: "\(id)"])
      }
    return action.commandWords
  }
}

extension Why {
  /// The app that the question is about, or `nil` if it is about something else.
  fileprivate var app: String? {
    if case .app(let app, _) = subject { app } else { nil }
  }

  fileprivate func others(in lab: LabFacts) -> [AppRow] {
    lab.eachApp.filter { $0.bundleID != app && $0.kind == .simulated }
  }
}

/// The choice of a second app, which is compared with the first.
struct SecondApp: ChoicePurpose {
  var first: String

  func run(_ chosen: String, on model: inout AppModel) -> [Command] {
    if model.topDialog(Why.self) != nil { model.dialogs.removeLast() }
    return [.load(.why(.apps(first, chosen)))]
  }
}
