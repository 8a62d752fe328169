import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let trace = KeyContext("trace") }

extension Place {
  static func trace(_ id: Int64) -> Place { Place(.trace, .trace(id)) }

  /// The ID of the open trace.
  fileprivate var trace: Int64? {
    if case .trace(let id) = subject { id } else { nil }
  }
}

/// One trace: its steps as a drawing or a list, and the selected step in full.
struct TraceScreen: ListScreen {
  static let context = KeyContext.trace
  static let tab = KeyContext.traces
  static let title = "Trace"

  var list = RowList()
  private(set) var trace: Trace?
  private(set) var flow = Flow([])
  /// The runs of like steps that are shown step by step, by their first step.
  private var openRuns: Set<Int> = []
  /// The marked steps of each trace.
  var marks: [Int64: Set<Int>] = [:] { didSet { showRows() } }
  var playback = Playback()

  var selectedRow: Flow.Row? { list.selectedRow.map { flow.rows[$0] } }
  /// The number of the selected step, or `nil` for several steps in one row.
  var selectedStep: Int? {
    if case .step(let number) = selectedRow { number } else { nil }
  }
  var selectedHop: Hop? { selectedStep.map { flow.hops[$0] } }

  func loads(_ shared: SharedState) -> [Load] { shared.place.trace.map { [.trace($0)] } ?? [] }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) {
    trace = nil
    flow = Flow([])
    list = RowList()
    playback.isRunning = false
  }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .trace(let new) = loaded else { return [] }
    if new?.summary.id != trace?.summary.id {
      list = RowList()
      openRuns = []
      playback.isRunning = false
    }
    let isOpened = trace == nil
    trace = new
    showRows()
    // A call that failed is opened at the step that failed, or at the first check that did.
    if isOpened, list.state.selection == 0, let failed = new?.failedStep { select(step: failed) }
    return []
  }

  private mutating func showRows() {
    guard let trace else {
      (flow, list) = (Flow([]), RowList())
      return
    }
    let noted = trace.notes.keys.filter { !(trace.notes[$0] ?? "").isEmpty }
    flow = Flow(
      trace.hops, open: openRuns, kept: (marks[trace.summary.id] ?? []).union(noted))
    list.replace(
      ids: flow.rows.map { row in
        if case .run(let steps) = row { "\(steps.lowerBound)-\(steps.upperBound)" } else { "\(row.first)" }
      },
      texts: flow.rows.map { row in
        guard case .run(let steps) = row else { return flow.displayText(row) }
        return flow.hops[steps].map { "\($0.action) \($0.result)" }.joined(separator: " ")
      })
  }

  /// Selects a step, whichever row contains it.
  mutating func select(step: Int) {
    guard let row = flow.row(of: step), let place = list.matches.firstIndex(of: row) else { return }
    list.state.selection = place
  }

  func reasonCannotOpen(_ shared: SharedState) -> String? {
    selectedRow == nil ? "select a step first" : shared.panel == 1 ? "Esc goes back to the steps" : nil
  }

  /// Shows the steps of a run one by one or in one row again, or the details of a single step.
  mutating func open(_ shared: inout SharedState) -> [Command] {
    guard let step = selectedRow?.first, let run = flow.start(ofRunWith: step) else {
      (shared.panel, shared.scroll) = (1, 0)
      return []
    }
    openRuns.formSymmetricDifference([run])
    showRows()
    select(step: step)
    return []
  }

  func breadcrumb(_ place: Place, after before: Place?, _ lab: LabFacts) -> String {
    trace.map { lab.named($0.summary.title) } ?? "…"
  }

  func isMarked(step: Int) -> Bool { trace.flatMap { marks[$0.summary.id] }?.contains(step) ?? false }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection(trace: shared.place.trace, openTrace: trace)
    selection.why = shared.place.trace.map { .trace($0) }
    selection.explained = textToExplain
    selection.copies[.correlationID] = trace?.summary.correlationID
    selection.copies[.cell] = selectedHop?.action
    selection.sentence =
      selectedRow.map { row in
        let hop = flow.hops[row.first]
        return "\(hop.from.label) -> \(hop.to.label): \(flow.displayText(row))"
      } ?? "no step"
    return selection
  }

  /// The results of the selected step and of the trace, which may contain codes.
  private var textToExplain: String {
    let step = selectedHop.map { hop in
      ([hop.result] + hop.checks.filter { $0.verdict == .failed }.map(\.found)).joined(separator: " ")
    }
    return [step, trace?.outcome?.errorWords, trace?.summary.summary].compactMap(\.self).joined(
      separator: " ")
  }
}

extension Trace {
  /// The step that made the call fail, or else the first with a failed check, or `nil` for a call that did not fail.
  package var failedStep: Int? {
    guard let outcome, outcome.verdict == .failed else { return nil }
    let overcome = hops.overcome
    return hops.firstIndex { hop in outcome.failedCheck.map(hop.checks.contains) ?? false }
      ?? hops.indices.first { hops[$0].checks.firstFailure != nil && overcome[$0] == nil }
  }
}

extension Outcome {
  /// The texts of the outcome that may contain a code.
  var errorWords: String {
    [errorDomain, errorCode.map(String.init), errorText, summary].compactMap(\.self).joined(separator: " ")
  }
}

extension TraceScreen {
  /// The keys without the command that repeats a call: `.` steps here, and must not repeat a call at the last step.
  ///
  /// Marks have the key of the letters on rows.
  static let keys: [KeyCommand] = table.filter { $0 != .repeatFlow && $0 != JumpAction.key }

  private static let table: [KeyCommand] = .ofScreen(
    own: [
      KeyCommand(
        TraceAction.play, [.character(" ")], "Space", "play", name: "trace play",
        "Plays the trace step by step; the same key stops it."),
      KeyCommand(
        TraceAction.nextStep, [.character("."), .character("]")], ". ,", "step", name: "trace next",
        "Goes one step forward in the trace; ] does the same."),
      KeyCommand(
        TraceAction.previousStep, [.character(","), .character("[")], ",", "", name: "trace back",
        "Goes one step back in the trace; [ does the same."),
      KeyCommand(
        TraceAction.faster, [.character("}")], "} {", "", name: "trace faster",
        "Plays the trace faster."),
      KeyCommand(
        TraceAction.slower, [.character("{")], "{", "", name: "trace slower", "Plays the trace slower."),
    ],
    more: [
      .exportTrace, .reproduce,
      KeyCommand(
        TraceAction.note, [.character(";")], ";", "note", name: "note",
        "Writes a note on the selected step and saves it in the store. An empty note is removed.",
        taking: .text
      ),
      KeyCommand(
        TraceAction.mark, [.character("m")], "m", "mark", name: "step mark",
        "Marks the selected step of the trace, or removes the mark."),
      KeyCommand(
        TraceAction.jumpToMark, [.character("'")], "'", "next mark", name: "step jump",
        "Goes to the next marked step of the trace."),
    ],
    // `[` and `]` are used for steps here.
    panels: [
      KeyCommand(
        NavigationAction.nextPanel, [.tab, .character("l"), .right], "Tab", "panel", name: "next panel",
        "Moves the focus to the next panel."),
      KeyCommand(
        NavigationAction.previousPanel, [.backTab, .character("h"), .left], "S-Tab", "",
        name: "previous panel", "Moves the focus to the previous panel."),
    ], reload: .reloadByF5)
}

extension KeyCommand {
  static let exportTrace = KeyCommand(
    TraceAction.exportMenu, [.character("x")], "x", "export", name: "trace export",
    "Writes the trace to a file in the working directory: text, Mermaid, JSON, SVG, HAR or asciicast. Secrets stay masked.",
    taking: .exportForm)
}

/// The actions on traces and their steps.
enum TraceAction: FeatureAction {
  case nextStep, previousStep, mark, jumpToMark, note, follow, exportMenu, paste, compare
  case play, faster, slower
  case export(ExportForm)

  var changesLab: Bool { self == .note || self == .paste }

  func obstacle(in model: AppModel) -> String? {
    let screen = model.screens.trace
    return switch self {
    case .nextStep: screen.list.state.selection + 1 < screen.list.count ? nil : "last step"
    case .previousStep: screen.list.state.selection > 0 ? nil : "first step"
    case .play: screen.list.count > 1 ? nil : "there is nothing to play"
    case .faster: screen.playback.canBeFaster ? nil : "it is the fastest"
    case .slower: screen.playback.canBeSlower ? nil : "it is the slowest"
    case .mark, .note: screen.selectedStep == nil ? "select one step first; Enter opens the row" : nil
    case .jumpToMark:
      (model.selection.trace.flatMap { screen.marks[$0] } ?? []).isEmpty ? "m marks a step" : nil
    case .compare, .exportMenu, .export: model.selection.trace == nil ? "no trace yet" : nil
    case .follow, .paste: nil
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .nextStep, .previousStep:
      model.screens.trace.playback.isRunning = false
      model.screens.trace.list.state.selection += self == .nextStep ? 1 : -1
      model.shared.scroll = 0
    case .play: model.screens.trace.play()
    case .faster, .slower:
      model.screens.trace.playback.change(by: self == .faster ? 1 : -1)
      model.shared.say("Speed: \(model.screens.trace.playback.displayText).")
    case .mark, .jumpToMark, .note:
      if let id = model.selection.trace, let step = model.screens.trace.selectedRow?.first {
        run(on: &model, trace: id, step: step)
      }
    case .follow:
      model.screens.traces.follows.toggle()
      model.shared.say(model.screens.traces.follows ? "Following new traces." : "Not following.")
    case .compare: return compare(&model)
    case .exportMenu: model.shared.open(Menu(.export))
    case .paste: model.shared.open(PasteField())
    case .export(let form):
      if model.topDialog(Menu.self) != nil { model.dialogs.removeLast() }
      return model.selection.trace.map { [.export(trace: $0, form)] } ?? []
    }
    return []
  }

  /// Remembers the selected trace, or compares it with the remembered trace.
  private func compare(_ model: inout AppModel) -> [Command] {
    guard let id = model.selection.trace else { return [] }
    guard let other = model.screens.traces.compared, other != id else {
      model.screens.traces.compared = model.screens.traces.compared == id ? nil : id
      model.shared.say(
        model.screens.traces.compared == nil
          ? "Nothing is compared." : "Now select the other call, and press = again to compare them.")
      return []
    }
    model.screens.traces.compared = nil
    return [.load(.comparison(min(id, other), max(id, other)))]
  }

  private func run(on model: inout AppModel, trace id: Int64, step: Int) {
    switch self {
    case .mark: model.screens.trace.marks[id, default: []].formSymmetricDifference([step])
    case .jumpToMark:
      // The next marked step that is shown, or the first one after the last.
      let screen = model.screens.trace
      let marked = (screen.marks[id] ?? []).filter { mark in
        screen.flow.row(of: mark).map(screen.list.matches.contains) ?? false
      }.sorted()
      guard let next = marked.first(where: { $0 > step }) ?? marked.first else { return }
      model.screens.trace.select(step: next)
    default:
      let field = TextField(model.screens.trace.trace?.notes[step] ?? "")
      model.shared.open(NoteField(trace: id, step: step, field: field))
    }
  }

  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    switch self {
    case .exportMenu:
      return Self.run(argument, among: ExportForm.allCases.map { ($0.word, .export($0)) }, on: &model)
    case .note:
      guard let id = model.selection.trace, let step = model.screens.trace.selectedStep else { return [] }
      return [.note(trace: id, step: step, text: argument)]
    default: return nil
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard let id = model.selection.trace else { return nil }
    switch self {
    case .exportMenu: return ["trace", "export", "\(id)", "--as", argument.isEmpty ? "text" : argument]
    case .note:
      guard let step = model.screens.trace.selectedStep, !argument.isEmpty else { return nil }
      return ["trace", "note", "\(id)", "\(step + 1)", argument]
    default: return nil
    }
  }
}

extension TraceScreen {
  /// Starts or stops the playback, which begins again with the first step if the last one is selected.
  mutating func play() {
    guard !playback.isRunning else {
      playback.isRunning = false
      return
    }
    if list.state.selection + 1 >= list.count { list.state.selection = 0 }
    playback.start()
  }

  /// Advances to the next step after a step has been lit for its time.
  mutating func beat() {
    guard playback.isRunning else { return }
    list.state.selection = min(list.state.selection + 1, max(0, list.count - 1))
    playback.beat()
    if list.state.selection + 1 >= list.count { playback.isRunning = false }
  }
}

/// The playback of a trace, which advances step by step.
struct Playback: Equatable, Sendable {
  /// The milliseconds that a step stays lit, from the slowest speed to the fastest.
  static let paces = [4000, 2000, 1000, 500, 250]

  var isRunning = false
  private(set) var speed = 2
  /// The number of steps shown so far, each of which has its own alarm.
  private(set) var beats = 0

  var milliseconds: Int { Self.paces[speed] }
  var canBeFaster: Bool { speed + 1 < Self.paces.count }
  var canBeSlower: Bool { speed > 0 }

  mutating func start() {
    isRunning = true
    beats += 1
  }

  mutating func beat() { beats += 1 }

  mutating func change(by steps: Int) {
    speed = min(max(0, speed + steps), Self.paces.count - 1)
    beats += 1
  }

  /// The speed: `1 s a step`, `0.25 s a step`.
  var displayText: String {
    let whole = milliseconds / 1000
    let rest = ["", ".25", ".5", ".75"][milliseconds % 1000 / 250]
    return "\(whole)\(rest) s a step"
  }
}
