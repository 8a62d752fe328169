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
    trace = new
    showRows()
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
        guard case .run(let steps) = row else { return flow.words(row) }
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
        return "\(hop.from.label) -> \(hop.to.label): \(flow.words(row))"
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

extension Outcome {
  /// The texts of the outcome that may contain a code.
  var errorWords: String {
    [errorDomain, errorCode.map(String.init), errorText, summary].compactMap(\.self).joined(separator: " ")
  }
}
