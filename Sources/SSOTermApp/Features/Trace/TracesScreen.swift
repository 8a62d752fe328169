extension KeyContext { static let traces = KeyContext("traces") }

extension Place { static let traces = Place(.traces) }

/// The list of traces.
struct TracesScreen: ListScreen {
  static let context = KeyContext.traces
  static let title = "Trace"
  static let panelCount = 1
  static let columns = TraceColumn.allCases.map(\.layout)
  static let keys: [KeyCommand] = .ofScreen(
    more: [
      .exportTrace,
      KeyCommand(
        TraceAction.follow, [.character("F")], "F", "follow", name: "follow",
        "Selects each new trace as it arrives."),
      KeyCommand(
        TraceAction.paste, [.character("p")], "p", "", name: "paste log",
        "Reads a log of a real app or a recording that you paste, and adds its calls to the traces."),
    ], isTable: true)

  var list = RowList()
  private(set) var rows: [TraceSummary] = []
  var follows = true

  var selected: TraceSummary? { list.selectedRow.map { rows[$0] } }

  func loads(_ shared: SharedState) -> [Load] { [.traces] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    guard case .traces(let traces) = loaded else { return [] }
    let isNewest = traces.first?.id != rows.first?.id
    show(traces)
    if follows, isNewest { list.state.selection = 0 }
    return []
  }

  private mutating func show(_ traces: [TraceSummary]) {
    rows = list.sorted(traces, by: TraceColumn.self)
    list.replace(RowIndex(rows.map { RowID($0.id) }, rows))
  }

  mutating func applySortOrder(_ shared: inout SharedState) { show(rows) }

  func reasonCannotOpen(_ shared: SharedState) -> String? { selected == nil ? "no trace yet" : nil }

  mutating func open(_ shared: inout SharedState) -> [Command] {
    if let selected { shared.stack.append(.trace(selected.id)) }
    return []
  }

  func selection(_ shared: SharedState) -> Selection {
    var selection = Selection(trace: selected?.id)
    selection.why = selected.map { .trace($0.id) }
    selection.obstacleToWhy = selected == nil ? "no trace yet" : nil
    selection.explained = selected?.summary ?? ""
    selection.explainedTrace = selected?.id
    selection.copies[.correlationID] = selected?.correlationID
    selection.copies[.cell] = selected?.title
    selection.sentence = selected.map { "\($0.glyph) \($0.words(shared.lab))" } ?? "no trace"
    return selection
  }
}

extension TraceSummary {
  private var kind: Outcome.Verdict? { Outcome.Verdict(rawValue: verdict) }

  /// The glyph of the verdict.
  ///
  /// A trace that was undone has neither a tick nor the colour of its outcome.
  var glyph: String {
    switch kind {
    case _ where isUndone: "↶"
    case .succeeded: "✓"
    case .failed: "✗"
    case .cancelled, nil: "·"
    }
  }

  /// Returns the title, with the author if it was another user.
  func title(_ lab: LabFacts) -> String {
    lab.named(title) + (isOfOthers ? author.map { " by \($0.words)" } ?? "" : "")
  }

  /// Returns the title, with a remark if the trace was undone.
  func words(_ lab: LabFacts) -> String { title(lab) + (isUndone ? " (undone)" : "") }

  var style: Style {
    switch kind {
    case _ where isUndone: .dim
    case .failed: .bad
    case .cancelled: .dim
    case .succeeded, nil: .plain
    }
  }
}
