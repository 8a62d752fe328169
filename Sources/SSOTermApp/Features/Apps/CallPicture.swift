/// What a call without a prompt did, drawn step by step below the apps while it is new.
///
/// It says nothing that the trace does not say, and ends by itself or with any key. Without motion there is none.
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

  /// Nil if nothing can be drawn.
  init?(_ trace: Trace, _ outcome: Notice, _ lab: LabFacts) {
    guard !trace.hops.isEmpty else { return nil }
    title = lab.named(trace.summary.title)
    flow = Flow(trace.hops)
    self.outcome = PanelLine(outcome.text, outcome.kind == .bad ? .bad : Style(.good, bold: true))
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

  /// Narrower than this, lanes and words have no room side by side.
  static let smallestWidth = 68

  func draw(into grid: inout Grid, _ rect: Rect) {
    let step = flow.rows[shown - 1]
    let inner = grid.panel(
      rect, title, trailing: isWhole ? "any key ends it" : "step \(step.first + 1) of \(flow.hops.count)",
      focused: false)
    let drawing = FlowDrawing(flow, in: inner, margin: 5)
    drawing.drawNames(into: &grid)
    let rows = flow.rows.prefix(shown).suffix(max(1, inner.height - 2))
    for (place, row) in rows.enumerated() {
      let y = inner.y + 1 + place
      drawing.draw(row, into: &grid, y: y, isLit: !isWhole && place == rows.count - 1)
      grid.put("\(row.first + 1)", at: inner.x, y, width: 3, style: .dim, align: .right)
    }
    guard isWhole else { return }
    let y = inner.y + 1 + rows.count
    grid.put(outcome.text, at: inner.x + 2, y, width: inner.width - 3, style: outcome.style)
  }
}
