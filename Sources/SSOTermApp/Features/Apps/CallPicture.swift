/// What a call without a prompt did, drawn step by step below the apps while it is new.
///
/// It says nothing that the trace does not say, and ends by itself or with any key. Without motion it is not shown.
struct CallPicture: Equatable, Sendable {
  let title: String
  let flow: Flow
  /// What came of it.
  let outcome: PanelLine
  /// Rows that are drawn: the last of them is the step that runs.
  private(set) var shown = 1
  /// Whether all is drawn, and the outcome.
  private(set) var isWhole = false

  /// A person sees each step, and does not wait long for the last.
  private static let longestStep = 150
  private static let wholeDrawing = 1500
  /// How long the finished picture stays.
  private static let rest = 2500

  /// Nil if nothing can be drawn; `wasSeen` says whether the steps were drawn while the call ran.
  init?(_ trace: Trace, _ outcome: Notice, _ lab: LabFacts, wasSeen: Bool) {
    guard !trace.hops.isEmpty else { return nil }
    title = lab.named(trace.summary.title)
    flow = Flow(trace.hops)
    self.outcome = PanelLine(outcome.text, outcome.kind == .bad ? .bad : Style(.good, bold: true))
    if wasSeen { (shown, isWhole) = (flow.rows.count, true) }
  }

  /// A wait for each picture of it.
  var wait: Alarm.Wait {
    let step = min(Self.longestStep, Self.wholeDrawing / flow.rows.count)
    return Alarm.Wait(occasion: isWhole ? 0 : shown, milliseconds: isWhole ? Self.rest : step)
  }

  /// Nil at the end.
  var next: CallPicture? {
    guard !isWhole else { return nil }
    var next = self
    if shown < flow.rows.count { next.shown += 1 } else { next.isWhole = true }
    return next
  }

  func draw(into grid: inout Grid, _ rect: Rect) {
    let step = flow.rows[shown - 1]
    let inner = grid.panel(
      rect, title, trailing: isWhole ? "any key ends it" : "step \(step.first + 1) of \(flow.hops.count)",
      focused: false)
    let y = FlowDrawing(flow, in: inner, margin: 5)
      .drawEnd(of: flow.rows.prefix(shown), into: &grid, isLit: !isWhole)
    guard isWhole else { return }
    grid.put(outcome.text, at: inner.x + 2, y, width: inner.width - 3, style: outcome.style)
  }
}
