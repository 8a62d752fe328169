/// A call that is running, with its steps so far.
///
/// The step that it waits for is lit.
///
/// None of it has been stored yet.
struct RunningCall: Equatable, Sendable {
  let title: String
  let flow: Flow

  /// Creates a running call, or returns `nil` if it has no steps yet.
  init?(_ progress: CallProgress, title: String) {
    guard !progress.steps.isEmpty else { return nil }
    self.title = title
    flow = Flow(progress.steps)
  }

  /// The last step: `MSAL -> IdP: POST /common/oauth2/v2.0/token`.
  var stepWords: String { flow.hops.last.map { "\($0.from.label) -> \($0.to.label): \($0.action)" } ?? "" }

  func draw(into grid: inout Grid, _ rect: Rect) {
    guard rect.width >= FlowDrawing.smallestWidth, rect.height >= FlowDrawing.smallestHeight else { return }
    let inner = grid.panel(rect, title, trailing: "step \(flow.hops.count)", focused: false)
    FlowDrawing(flow, in: inner, margin: 5).drawEnd(of: flow.rows[...], into: &grid, isLit: true)
  }
}
