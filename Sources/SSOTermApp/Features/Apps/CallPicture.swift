/// The drawing of a call without a prompt, which appears step by step below the apps when the call has ended.
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
