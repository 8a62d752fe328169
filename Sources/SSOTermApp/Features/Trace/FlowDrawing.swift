/// The drawing of a flow: a lane for each party, an arrow for each step, and beside it the action and the checks.
///
/// The Trace screen and the drawing behind a prompt use it.
struct FlowDrawing {
  let flow: Flow
  let rect: Rect
  /// The number of columns before the first lane.
  let margin: Int
  /// The distance between two lanes, in columns, which leaves room for the words.
  private let spacing: Int

  init(_ flow: Flow, in rect: Rect, margin: Int = 8) {
    self.flow = flow
    self.rect = rect
    self.margin = margin
    let words = max(30, rect.width * 2 / 5)
    spacing = max(5, (rect.width - margin - words) / max(1, flow.parties.count))
  }

  /// Returns the column of a party's lane.
  func column(_ party: Party) -> Int {
    rect.x + margin + (flow.parties.firstIndex(of: party) ?? 0) * spacing
  }

  private var textX: Int { rect.x + margin + max(0, flow.parties.count - 1) * spacing + 3 }

  /// Draws the names above the lanes.
  ///
  /// `behind` is a party that does not have the screen.
  func drawNames(into grid: inout Grid, behind: Party? = nil) {
    for party in flow.parties {
      let name = columnWidth(party.label) < spacing ? party.label : party.shortLabel
      let words = party == behind && columnWidth(name) + 2 < spacing ? "(\(name))" : name
      grid.put(words, at: column(party) - 1, rect.y, width: spacing - 1, style: .dim)
    }
  }

  /// Draws the lanes in one line of the screen.
  func drawLanes(into grid: inout Grid, y: Int, behind: Party? = nil) {
    for party in flow.parties { grid.put(party == behind ? "┊" : "│", at: column(party), y, style: .dim) }
  }

  /// Draws one row of the flow in one line.
  ///
  /// `quiet` is a style for the entire row, if it was undone or is not the current subject. `isLit` marks the step that
  /// is running or that prompts the user. `reserved` columns at the right edge are used by something else.
  func draw(
    _ row: Flow.Row, into grid: inout Grid, y: Int, quiet: Style? = nil, isLit: Bool = false,
    behind: Party? = nil, reserved: Int = 0
  ) {
    let hop = flow.hops[row.first]
    let style = quiet ?? (isLit ? Style(.accent, bold: true) : hop.style)
    drawLanes(into: &grid, y: y, behind: behind)
    drawArrow(hop, into: &grid, y: y, style)
    let room = rect.maxX - textX - reserved
    var words = flow.words(row)
    if columnWidth(words) > room { words = withShortTenants(words) }
    grid.put(words, at: textX, y, width: room, style: style)
    let used = columnWidth(words) + 2
    guard case .step = row, used < room - 4 else { return }
    drawChecks(hop, into: &grid, at: textX + used, y, width: room - used, quiet)
  }

  /// The minimum size.
  ///
  /// A smaller area has no room for lanes and words side by side, or for a step.
  static let smallestWidth = 68
  static let smallestHeight = 6

  /// Draws the names and as many of the last rows as fit, each with the number of its first step.
  ///
  /// The last row may be lit.
  ///
  /// Returns the line below, which is kept free.
  @discardableResult
  func drawEnd(of rows: ArraySlice<Flow.Row>, into grid: inout Grid, isLit: Bool) -> Int {
    drawNames(into: &grid)
    let rows = rows.suffix(max(1, rect.height - 2))
    var y = rect.y + 1
    for row in rows {
      draw(row, into: &grid, y: y, isLit: isLit && row == rows.last)
      grid.put("\(row.first + 1)", at: rect.x, y, width: 3, style: .dim, align: .right)
      y += 1
    }
    return y
  }

  private func drawArrow(_ hop: Hop, into grid: inout Grid, y: Int, _ style: Style) {
    let (from, to) = (column(hop.from), column(hop.to))
    guard from != to else { return grid.put("●", at: from, y, style: style) }
    let low = min(from, to)
    grid.put(String(repeating: "─", count: abs(to - from) - 1), at: low + 1, y, style: style)
    for party in flow.parties where column(party) > low && column(party) < max(from, to) {
      grid.put("┼", at: column(party), y, style: style)
    }
    // A dot marks the step of a user, because the flow waits there.
    grid.put(hop.from == .person ? "●" : from < to ? "├" : "┤", at: from, y, style: style)
    grid.put(from < to ? ">" : "<", at: from < to ? to - 1 : to + 1, y, style: style)
  }

  /// Draws the checks beside their step: a failed check by name, and the checks that hold by number.
  private func drawChecks(_ hop: Hop, into grid: inout Grid, at x: Int, _ y: Int, width: Int, _ quiet: Style?)
  {
    // Each keychain call makes the same check.
    guard hop.to != .keychain, let first = hop.checks.first else { return }
    if let failed = hop.checks.firstFailure {
      return grid.put("✗ not met: \(failed.name)", at: x, y, width: width, style: quiet ?? .bad)
    }
    let held = hop.checks.count { $0.verdict == .passed }
    guard held > 0 else { return }
    grid.put(
      held == 1 && hop.checks.count == 1 ? "✓ \(first.name)" : "✓ \(counted(held, "check"))", at: x, y,
      width: width,
      style: .dim)
  }
}

extension Party {
  /// The label for lanes that are close together.
  fileprivate var shortLabel: String {
    switch self {
    case .person: "User"
    case .system: "Sys"
    case .broker: "Brok"
    case .keychain: "Kchn"
    case .app, .sdk, .provider: label
    }
  }
}
