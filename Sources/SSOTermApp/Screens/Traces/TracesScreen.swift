import SSOCore
import SSOLab
import TerminalUI

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
      .exportTrace, .reproduce,
      KeyCommand(
        TraceAction.compare, [.character("=")], "=", "compare", name: "trace compare",
        "Compares two calls step by step: press it on the one, then on the other."),
      KeyCommand(
        TraceAction.follow, [.character("F")], "F", "follow", name: "follow",
        "Selects each new trace as it arrives."),
      KeyCommand(
        TraceAction.paste, [.character("p")], "p", "", name: "paste log",
        "Reads a log of a real app or a recording that you paste, and adds its calls to the traces."),
    ], isTable: true, reload: .reloadByF5)

  var list = RowList()
  private(set) var rows: [TraceSummary] = []
  var follows = true
  /// The trace that the next one is compared with.
  var compared: Int64?
  /// The columns in which the newest traces are whole.
  private var wanted = 0
  /// The selected trace's call, in a window that has room for it, or `nil` while it is read.
  private var call: LastCall?

  var selected: TraceSummary? { list.selectedRow.map { rows[$0] } }

  func loads(_ shared: SharedState) -> [Load] { [.traces] }

  mutating func receive(_ loaded: Loaded, _ shared: inout SharedState) -> [Command] {
    switch loaded {
    case .traces(let traces):
      let isNewest = traces.first?.id != rows.first?.id
      show(traces, shared)
      if follows, isNewest { list.state.selection = 0 }
      return readCall(shared)
    case .lastCall(let trace?) where trace.summary.id == selected?.id: call = LastCall(trace)
    default: break
    }
    return []
  }

  mutating func selectionMoved(_ shared: inout SharedState) -> [Command] { readCall(shared) }

  mutating func resized(_ shared: inout SharedState) -> [Command] { readCall(shared) }

  private mutating func readCall(_ shared: SharedState) -> [Command] {
    guard !panels(in: shared.layout).second.isEmpty, let selected else {
      call = nil
      return []
    }
    if call?.summary == selected { return [] }
    call = nil
    return [.load(.lastCall(selected.id))]
  }

  /// The number of traces that decide about the width of the list.
  private static let measured = 200

  private mutating func show(_ traces: [TraceSummary], _ shared: SharedState) {
    rows = list.sorted(traces, by: TraceColumn.self)
    // The frame, the margin, and the columns with the gaps between them.
    wanted = TraceColumn.allCases.reduce(2) { width, column in
      if case .fixed(let columns) = column.layout.width { return width + columns + 2 }
      let texts = traces.prefix(Self.measured).map { columnWidth(column.cell(of: $0, in: shared).text) }
      return width + 2 + (texts.max() ?? 0)
    }
    list.replace(RowIndex(rows.map { RowID($0.id) }, rows))
  }

  mutating func applySortOrder(_ shared: inout SharedState) { show(rows, shared) }

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
    selection.sentence = selected.map { "\($0.glyph) \($0.displayText(shared.lab))" } ?? "no trace"
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
  ///
  /// A change to a credential is described by its outcome, because the screens do not show the credential's ID.
  func title(_ lab: LabFacts) -> String {
    let verbs = ChangeCredentials.Change.allCases.map { $0.rawValue + " t" }
    let isOfCredential = verbs.contains { title.hasPrefix($0) } && summary.hasSuffix(".")
    return (isOfCredential ? String(summary.dropLast()) : lab.named(title))
      + (isOfOthers ? author.map { " by \($0.displayText)" } ?? "" : "")
  }

  /// Returns the title, with a remark if the trace was undone.
  func displayText(_ lab: LabFacts) -> String { title(lab) + (isUndone ? " (undone)" : "") }

  var style: Style {
    switch kind {
    case _ where isUndone: .dim
    case .failed: .bad
    case .cancelled: .dim
    case .succeeded, nil: .plain
    }
  }
}

extension TracesScreen {
  func panels(in layout: Layout) -> Layout.Panels {
    let width = layout.size.width
    let alone = Layout.Panels(first: layout.body)
    guard layout.isRegular, list.count > 0 else { return alone }
    let room = width - Self.call
    guard width >= 140, room >= min(wanted, Self.readable) else {
      // Below the list, the call gets the rows that the list does not need.
      let height = min(list.index.count + 2, max(12, layout.body.height / 2))
      let (rows, rest) = layout.body.splitTop(height)
      return rest.height < LastCall.smallestHeight ? alone : Layout.Panels(first: rows, second: rest)
    }
    // The list has the columns that its texts need, as far as the call beside it keeps its lanes and words.
    return layout.pair(left: min(room, max(width * 11 / 20, wanted)), top: 0)
  }

  /// The columns of a call with its lanes and most of its words.
  private static let call = 70
  /// The columns from which the list says enough beside the call.
  private static let readable = 100

  func draw(_ shared: SharedState, into grid: inout Grid, _ panels: Layout.Panels) {
    let sort = list.sorting.map { $0.text + "  " } ?? ""
    let inner = grid.panel(
      panels.first, "Traces \(list.countText)",
      trailing: sort + (follows ? "following, F stops" : "F follow"),
      focused: true)
    guard list.count > 0 else {
      return grid.emptyState(
        of: list, "trace",
        [
          "No trace yet.",
          shared.keys.fill("Press {apps}, then {silent} or {signin} on an app: every call writes one."),
        ],
        in: inner)
    }
    let columns = list.shown(TraceColumn.self)
    drawTable(
      into: &grid, rect: inner, columns: columns.map(\.layout), rowCount: list.count,
      row: { index in
        let trace = rows[list.matches[index]]
        return columns.map { $0.cell(of: trace, in: shared) }
      }, state: list.state, isMarked: { rows[list.matches[$0]].id == compared }, list: 0)
    guard !panels.second.isEmpty else { return }
    guard let call else {
      _ = grid.panel(panels.second, "Call", focused: false)
      return
    }
    call.draw(shared.lab, prefix: "", trailing: "Enter opens it", into: &grid, panels.second)
  }
}
