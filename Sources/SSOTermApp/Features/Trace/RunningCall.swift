/// A call that runs now: what it has done, and lit the step that it waits for.
///
/// Nothing of it is stored yet.
struct RunningCall: Equatable, Sendable {
  let title: String
  let flow: Flow

  /// Nil: it has done nothing yet.
  init?(_ progress: CallProgress, title: String) {
    guard !progress.steps.isEmpty else { return nil }
    self.title = title
    flow = Flow(progress.steps)
  }

  /// `MSAL -> IdP: POST /common/oauth2/v2.0/token`.
  var stepWords: String { flow.hops.last.map { "\($0.from.label) -> \($0.to.label): \($0.action)" } ?? "" }

  func draw(into grid: inout Grid, _ rect: Rect) {
    guard rect.width >= FlowDrawing.smallestWidth, rect.height >= FlowDrawing.smallestHeight else { return }
    let inner = grid.panel(rect, title, trailing: "step \(flow.hops.count)", focused: false)
    FlowDrawing(flow, in: inner, margin: 5).drawEnd(of: flow.rows[...], into: &grid, isLit: true)
  }
}
