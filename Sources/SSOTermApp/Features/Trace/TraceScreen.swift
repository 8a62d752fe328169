extension KeyContext { static let trace = KeyContext("trace") }

extension Place {
  static func trace(_ id: Int64) -> Place { Place(.trace, .trace(id)) }

  /// The trace that is open.
  fileprivate var trace: Int64? {
    if case .trace(let id) = subject { id } else { nil }
  }
}

/// One trace: the steps as a drawing or a list, and the selected step in full.
struct TraceScreen: ListScreen {
  static let context = KeyContext.trace
  static let tab = KeyContext.traces
  static let title = "Trace"

  var list = RowList()
  private(set) var trace: Trace?
  /// Marked steps of each trace.
  var marks: [Int64: Set<Int>] = [:]

  var selectedHop: Hop? {
    guard let trace, let row = list.selectedRow, trace.hops.indices.contains(row) else { return nil }
    return trace.hops[row]
  }

  func loads(_ shared: SharedState) -> [Load] { shared.place.trace.map { [.trace($0)] } ?? [] }

  mutating func enter(_ place: Place, isBack: Bool, _ shared: inout SharedState) { trace = nil }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .trace(let new) = loaded else { return [] }
    if new?.summary.id != trace?.summary.id { list = RowList() }
    trace = new
    let steps = new?.hops ?? []
    list.replace(ids: steps.indices.map { "\($0)" }, texts: steps.map { "\($0.action) \($0.result)" })
    return []
  }

  func obstacleToOpen(_ shared: SharedState) -> String? { "already open" }
  mutating func open(_ shared: inout SharedState) -> [Command] { [] }

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
    selection.sentence = selectedHop.map { "\($0.from.label) -> \($0.to.label): \($0.action)" } ?? "no step"
    return selection
  }

  /// The selected step, and the outcome.
  private var textToExplain: String {
    let step = selectedHop.map { hop in
      ([hop.result] + hop.checks.filter { $0.verdict == .failed }.map(\.found)).joined(separator: " ")
    }
    return [step, trace?.outcome?.errorWords, trace?.summary.summary].compactMap(\.self).joined(
      separator: " ")
  }
}

extension Outcome {
  /// All in which a code may stand.
  var errorWords: String {
    [errorDomain, errorCode.map(String.init), errorText, summary].compactMap(\.self).joined(separator: " ")
  }
}
