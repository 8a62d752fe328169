/// The columns of the list of traces.
enum TraceColumn: String, ListColumn {
  case at = "AT"
  case what = "WHAT"
  case steps = "STEPS"
  case outcome = "OUTCOME"

  var layout: TableColumn {
    switch self {
    case .at: TableColumn(rawValue, width: .fixed(8))
    case .what: TableColumn(rawValue, width: .flexible(min: 12, weight: 2))
    case .steps: TableColumn(rawValue, width: .fixed(5), align: .right, priority: 2)
    case .outcome: TableColumn(rawValue, width: .flexible(min: 12, weight: 3), priority: 1)
    }
  }

  func cell(of trace: TraceSummary, in shared: SharedState) -> TableCell {
    switch self {
    case .at: TableCell(shared.times.clock(trace.at), .dim)
    case .what: TableCell(trace.title(shared.lab), trace.isUndone ? .dim : .plain)
    case .steps: TableCell("\(trace.hopCount)", .dim)
    case .outcome:
      TableCell("\(trace.glyph) \(trace.isUndone ? "undone: " : "")\(trace.summary)", trace.style)
    }
  }

  func sortKey(of trace: TraceSummary) -> SortKey {
    switch self {
    case .at: .number(Int(trace.at.milliseconds))
    case .what: .text(trace.title)
    case .steps: .number(trace.hopCount)
    case .outcome: .text(trace.verdict + trace.summary)
    }
  }
}
