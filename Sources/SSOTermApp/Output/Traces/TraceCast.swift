/// A trace as a terminal recording, which plays it step by step.
struct TraceCast {
  private static let size = Size(width: 120, height: 36)

  let trace: Trace

  /// The asciicast.
  ///
  /// The same trace always gives the same text.
  var text: String {
    var model = AppModel(title: "trace \(trace.summary.id)", size: Self.size)
    model.stack = [.traces, .trace(trace.summary.id)]
    _ = update(&model, .loaded(.trace(trace)))
    var cast = Asciicast(size: Self.size, title: trace.summary.title)
    for row in 0..<max(1, model.screens.trace.list.count) {
      model.screens.trace.list.state.selection = row
      var grid = Grid(width: Self.size.width, height: Self.size.height)
      view(model, into: &grid)
      cast.show(grid, forMilliseconds: Playback().milliseconds)
    }
    cast.end()
    // The command that prints the text ends the last line.
    return String(cast.text.dropLast())
  }
}
