/// The newest call of an app, step by step, which is shown below the next call if the window has room.
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
    outcome = trace.outcome.map { Notice($0) }
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

  func draw(_ lab: LabFacts, into grid: inout Grid, _ rect: Rect) {
    let title = "Last call: \(lab.named(summary.title))" + (summary.isUndone ? " ↶ undone" : "")
    let inner = grid.panel(rect, title, trailing: "4 Trace", focused: false)
    grid.note(Touch(.place("trace/\(summary.id)"), rect))
    guard inner.width >= FlowDrawing.smallestWidth, !folded.rows.isEmpty else { return }
    let said = outcome.map { wrapped($0.text, inner.width - 3, indent: "  ") } ?? []
    let flow = whole.rows.count + 1 + said.count <= inner.height ? whole : folded
    let y = FlowDrawing(flow, in: inner, margin: 5).drawEnd(of: flow.rows[...], into: &grid, isLit: false)
    guard let outcome else { return }
    let style = outcome.kind == .bad ? Style.bad : outcome.kind == .good ? .good : .plain
    // If not all lines fit, a single truncated line shows that there is more.
    let room = inner.maxY - y
    let lines = said.count > room ? [outcome.text] : said
    for (row, line) in lines.enumerated() {
      grid.put(line, at: inner.x + 1, y + row, width: inner.width - 2, style: style)
    }
  }
}

extension LastCall.Reading {
  func draw(of app: AppRow, _ shared: SharedState, into grid: inout Grid, _ rect: Rect) {
    guard !rect.isEmpty else { return }
    if case .read(let call) = self { return call.draw(shared.lab, into: &grid, rect) }
    let inner = grid.panel(rect, "Last call", focused: false)
    guard self == .none else { return }
    let words =
      app.kind == .real
      ? "\(app.displayName) has sent no request."
      : "\(app.displayName) has made no call: {silent} makes a silent one, {signin} signs in."
    grid.emptyState([shared.keys.fill(words)], in: inner)
  }
}

extension TraceSummary {
  fileprivate func isAbout(_ bundleID: String) -> Bool {
    title.hasSuffix(bundleID) || title.contains(bundleID + " ") || title.contains(bundleID + "”")
  }
}
