import SSOCore
import SSODevice
import SSOLab
import SSOReference
import TerminalUI

/// The calls of an app: silent, interactive, and signing out.
enum CallAction: FeatureAction {
  case silent, interactive, chooseAccount, addAccount
  /// Sign-outs with the options of `MSALSignoutParameters`.
  case signOut, signOutOfBrowser, wipeAccount, wipeCache
  /// An app's request for its current account.
  case currentAccount
  /// Repeats the last call.
  case repeatCall

  var heading: String { "Calls" }
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
      return model.lastFlow.map { model.shared.begin("Again: \($0.value.displayText)", .perform($0, [])) }
        ?? []
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

/// A call, step by step, which is shown beside or below a list if the window has room.
struct LastCall: Equatable, Sendable {
  /// The state of reading the newest call.
  enum Reading: Equatable, Sendable {
    /// The trace is being read, if there is one.
    case awaited(TraceSummary?)
    case none
    case read(LastCall)
  }

  let summary: TraceSummary
  /// The flow with each step, and the flow with runs of like steps in one row.
  private let whole: Flow
  private let folded: Flow
  private let outcome: Notice?

  /// The minimum height of the area.
  ///
  /// If there are fewer rows, the panels about the next call get them.
  static let smallestHeight = FlowDrawing.smallestHeight + 3

  init(_ trace: Trace) {
    summary = trace.summary
    whole = Flow(trace.hops, open: Set(trace.hops.indices))
    folded = Flow(trace.hops)
    outcome = trace.outcome.map { trace.summary.isUndone ? .undone($0) : Notice($0) }
  }

  /// Returns the newest trace in which the app calls its SDK, or in which an external client calls the provider, or
  /// `nil` if there is none.
  static func newest(of app: AppRow, in traces: [TraceSummary]) -> TraceSummary? {
    traces.first { trace in
      switch app.kind {
      case .real: trace.title.hasPrefix(app.displayName + ": ")
      // A change of a record is one step and not a call.
      case .simulated: trace.hopCount > 1 && trace.isAbout(app.bundleID)
      }
    }
  }

  /// Draws the call in a panel.
  ///
  /// `prefix` begins the panel's title, and `trailing` says which key opens the trace.
  ///
  /// `said` is what the status line says, which is not repeated.
  func draw(
    _ lab: LabFacts, prefix: String, trailing: String, said: Notice? = nil, into grid: inout Grid,
    _ rect: Rect
  ) {
    let title = prefix + lab.named(summary.title) + (summary.isUndone ? " ↶ undone" : "")
    let inner = grid.panel(rect, title, trailing: trailing, focused: false)
    grid.add(Touch(.place("trace/\(summary.id)"), rect))
    guard inner.width >= FlowDrawing.smallestWidth, !folded.rows.isEmpty else { return }
    let outcome = outcome?.text == said?.text ? nil : outcome
    let words = outcome.map { wrapped($0.text, inner.width - 3, indent: "  ") } ?? []
    let room = inner.height - 1 - words.count
    // Steps are shown one by one only if that does not cut their texts.
    var drawing = FlowDrawing(whole, in: inner, margin: 5)
    if drawing.height > room { drawing = FlowDrawing(folded, in: inner, margin: 5) }
    let rows = drawing.flow.rows
    let y = drawing.drawEnd(of: rows[...], spare: room - rows.count, into: &grid, isLit: false)
    guard let outcome else { return }
    let style = outcome.kind == .bad ? Style.bad : outcome.kind == .good ? .good : .plain
    // If not all lines fit, a single truncated line shows that there is more.
    let lines = words.count > inner.maxY - y ? [outcome.text] : words
    for (row, line) in lines.enumerated() {
      grid.put(line, at: inner.x + 1, y + row, width: inner.width - 2, style: style)
    }
  }
}

extension LastCall.Reading {
  func draw(of app: AppRow, _ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    if case .read(let call) = self {
      return call.draw(
        shared.lab, prefix: "Last call: ", trailing: "4 Trace", said: shared.notice, into: &grid, rect)
    }
    let inner = grid.panel(rect, "Last call", focused: false)
    guard self == .none else { return }
    let words =
      app.kind == .real
      ? "\(app.displayName) has sent no request."
      : "\(app.displayName) has made no call. Press {silent} for a silent call, or {signin} to sign in."
    grid.emptyState([shared.keys.fill(words)], in: inner)
  }
}

extension TraceSummary {
  func isAbout(_ bundleID: String) -> Bool {
    title.hasSuffix(bundleID) || title.contains(bundleID + " ") || title.contains(bundleID + "”")
  }
}

/// The drawing of a call, which appears step by step below the apps when the call has ended.
///
/// It conveys nothing that the trace does not contain, and ends automatically or with any key. Without animation, it is
/// not shown.
struct CallPicture: Equatable, Sendable {
  let title: String
  let flow: Flow
  /// The outcome of the call.
  let outcome: PanelLine
  /// The number of rows drawn so far.
  ///
  /// The last of them is the running step.
  private(set) var shown = 1
  /// Whether all rows and the outcome are drawn.
  private(set) var isWhole = false

  /// The limits, in milliseconds, for a step and for the entire drawing: the user sees each step, but does not wait
  /// long for the last.
  private static let longestStep = 150
  private static let wholeDrawing = 1500
  /// The time for which the finished drawing stays, in milliseconds.
  private static let rest = 2500

  /// Creates a drawing, or returns `nil` if there is nothing to draw.
  ///
  /// `wasSeen` says whether the steps were drawn while the call ran.
  init?(_ trace: Trace, _ outcome: Notice, _ lab: LabFacts, wasSeen: Bool) {
    guard !trace.hops.isEmpty else { return nil }
    title = lab.named(trace.summary.title)
    flow = Flow(trace.hops)
    self.outcome = PanelLine(outcome.text, outcome.kind == .bad ? .bad : Style(.good, bold: true))
    if wasSeen { (shown, isWhole) = (flow.rows.count, true) }
  }

  /// The wait for the next frame.
  var wait: Alarm.Wait {
    let step = min(Self.longestStep, Self.wholeDrawing / flow.rows.count)
    return Alarm.Wait(occasion: isWhole ? 0 : shown, milliseconds: isWhole ? Self.rest : step)
  }

  /// The next frame, or `nil` at the end.
  var next: CallPicture? {
    guard !isWhole else { return nil }
    var next = self
    if shown < flow.rows.count { next.shown += 1 } else { next.isWhole = true }
    return next
  }

  /// Draws the call, with its outcome unless the status line says it (`said`).
  func draw(said: Notice?, into grid: inout Grid, _ rect: Rect) {
    let step = flow.rows[shown - 1]
    let inner = grid.panel(
      rect, title, trailing: isWhole ? "any key ends it" : "step \(step.first + 1) of \(flow.hops.count)",
      focused: false)
    let y = FlowDrawing(flow, in: inner, margin: 5)
      .drawEnd(
        of: flow.rows.prefix(shown), spare: inner.height - 2 - flow.rows.count, into: &grid, isLit: !isWhole)
    // A step of a demo adds to the sentence.
    guard isWhole, said?.text.hasPrefix(outcome.text) != true else { return }
    grid.put(outcome.text, at: inner.x + 2, y, width: inner.width - 3, style: outcome.style)
  }
}
