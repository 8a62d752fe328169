import SSOCore
import SSOLab
import TerminalUI

/// The hops of a trace as they are drawn: the parties, the phases, and a row for each step or for a run of like steps.
struct Flow: Equatable, Sendable {
  enum Row: Equatable, Sendable {
    case step(Int)
    /// Several steps in one row: keychain calls of one kind, in which nothing failed.
    case run(Range<Int>)

    /// The number of the row's first step.
    var first: Int {
      switch self {
      case .step(let number): number
      case .run(let steps): steps.lowerBound
      }
    }
  }

  /// The purpose of a part of a sign-in.
  enum Phase: String, Equatable, Sendable { case find, ask, consent, store }

  /// The minimum length of a run.
  ///
  /// Fewer steps have a row each.
  static let shortestRun = 3

  let hops: [Hop]
  let parties: [Party]
  let phases: [Phase]
  private(set) var rows: [Row] = []
  /// The columns of the text of each row, without and with its checks, in ascending order.
  private var (wordWidths, textWidths): ([Int], [Int]) = ([], [])
  /// The same with its checks for the rows whose checks are a sentence and not only counted.
  private var sentenceWidths: [Int] = []
  /// Consecutive steps of one kind, whether they are shown in one row or not.
  private let runs: [Range<Int>]
  /// The steps whose failed check does not end the call, so that they do not count as failures, each with what follows
  /// or with the reason to go on: a page that asks for consent, a later step that succeeds, an expired token.
  private let overcome: [Int: String]

  /// Creates a flow in which runs of steps of one kind are folded into one row.
  ///
  /// `open` contains the first step of each run whose steps are shown one by one. `kept` contains the steps that have
  /// their own row because of a mark or a note.
  init(_ hops: [Hop], open: Set<Int> = [], kept: Set<Int> = []) {
    self.hops = hops
    parties = Party.allCases.filter { party in hops.contains { $0.from == party || $0.to == party } }
    let phases = hops.reduce(into: [Phase]()) { $0.append($1.phase(after: $0.last)) }
    self.phases = phases
    overcome = hops.overcome
    var runs: [Range<Int>] = []
    for step in hops.indices {
      if let last = runs.last, hops[step].isRoutine, hops[last.lowerBound].isRoutine,
        hops[step].from == hops[last.lowerBound].from, phases[step] == phases[last.lowerBound]
      {
        runs[runs.count - 1] = last.lowerBound..<step + 1
      } else {
        runs.append(step..<step + 1)
      }
    }
    self.runs = runs.filter { $0.count >= Self.shortestRun }
    for run in runs {
      let pieces = open.contains(run.lowerBound) ? [] : run.split(whereSeparator: kept.contains)
      var step = run.lowerBound
      for piece in pieces where piece.count >= Self.shortestRun {
        rows += (step..<piece.startIndex).map { .step($0) } + [.run(piece.startIndex..<piece.endIndex)]
        step = piece.endIndex
      }
      rows += (step..<run.upperBound).map { .step($0) }
    }
    wordWidths = rows.map { columnWidth(displayText($0)) }.sorted()
    sentenceWidths = rows.filter { heldChecks($0) == nil }.map(width).sorted()
    textWidths = rows.map(width).sorted()
  }

  /// Returns the columns of the longest text without its checks, at most `room`, or with a sentence about them if that fits.
  ///
  /// A sentence is worth more than the whole names of the lanes, but the number of checks that hold is not.
  func wordWidth(atMost room: Int) -> Int {
    max(min(wordWidths.last ?? 0, room), sentenceWidths.last { $0 <= room } ?? 0)
  }

  /// Returns the columns of the longest text with its checks that fits in `room` columns.
  ///
  /// The checks of a longer text are truncated anyway.
  func textWidth(atMost room: Int) -> Int {
    max(wordWidth(atMost: room), textWidths.last { $0 <= room } ?? 0)
  }

  /// Returns the columns of a row's text and of its checks, if they are shown.
  private func width(of row: Row) -> Int {
    let words = columnWidth(displayText(row))
    guard let checks = checkText(row) else { return words }
    return words + 2 + columnWidth(checks.text)
  }

  /// Returns whether the call failed at a row's first step.
  func hasFailed(_ row: Row) -> Bool { hops[row.first].hasFailed && overcome[row.first] == nil }

  func style(_ row: Row) -> Style { hasFailed(row) ? .bad : .plain }

  /// Returns the checks of a row as they are drawn beside it, or `nil` if they are not.
  fileprivate func checkText(_ row: Row) -> (text: String, style: Style)? {
    guard case .step(let step) = row else { return nil }
    return hops[step].checkText(overcome: overcome[step])
  }

  /// Returns the checks of a row in a limited width, in which checks that hold are only counted, or `nil` if there is no
  /// room for them.
  fileprivate func checkText(_ row: Row, width: Int) -> (text: String, style: Style)? {
    guard let checks = checkText(row), width > 4 else { return nil }
    guard columnWidth(checks.text) > width, let held = heldChecks(row) else { return checks }
    let words = "✓ \(counted(held, "check"))"
    return (columnWidth(words) <= width ? words : "✓ \(held)", checks.style)
  }

  /// Returns the number of checks that hold in a row without a failed one.
  private func heldChecks(_ row: Row) -> Int? {
    guard case .step(let step) = row, hops[step].checks.firstFailure == nil else { return nil }
    return hops[step].checks.count { $0.verdict == .passed }
  }

  /// Returns the checks of a row as separate lines if they would be cut beside its text, for which `beside` columns
  /// are left.
  fileprivate func checkLines(_ row: Row, beside: Int, width: Int) -> [String] {
    guard let checks = checkText(row), columnWidth(checks.text) > beside else { return [] }
    let words = heldChecks(row).map { "✓ \(counted($0, "check"))" } ?? checks.text
    return columnWidth(words) <= beside ? [] : wrapped("  " + words, width, indent: "    ")
  }

  /// Returns the first step of the run that a step belongs to, whether the run is open or not.
  func start(ofRunWith step: Int) -> Int? { runs.first { $0.contains(step) }?.lowerBound }

  /// Returns the row that shows a step.
  func row(of step: Int) -> Int? {
    rows.firstIndex { row in
      switch row {
      case .step(let number): number == step
      case .run(let steps): steps.contains(step)
      }
    }
  }

  /// Returns the phase that begins with a row, or `nil` if the row continues a phase.
  func phase(beginningAt row: Int) -> Phase? {
    let phase = phases[rows[row].first]
    return row == 0 || phases[rows[row - 1].first] != phase ? phase : nil
  }

  /// Returns the text of a row: an action and its result, or the number of calls.
  func displayText(_ row: Row) -> String {
    switch row {
    case .step(let number):
      let hop = hops[number]
      return (hasFailed(row) ? hop.mark : "") + hop.action + (hop.result.isEmpty ? "" : " = \(hop.result)")
    case .run(let steps): return Self.displayText(hops[steps])
    }
  }

  /// Returns the text of a row in a limited width, in which the action is shortened for its result.
  func displayText(_ row: Row, width: Int) -> String {
    let whole = displayText(row)
    guard columnWidth(whole) > width else { return whole }
    // A reason is a sentence, which says less than the words before it once it is cut.
    guard case .step(let number) = row, !hops[number].result.isEmpty, !hops[number].resultIsReason else {
      return withShortTenants(whole)
    }
    let hop = hops[number]
    let action = withShortTenants((hasFailed(row) ? hop.mark : "") + hop.action)
    let room = width - columnWidth(" = " + hop.result)
    return (room < Self.shortestAction ? action : middleTruncated(action, room)) + " = " + hop.result
  }

  /// The columns that an action needs to be recognised.
  private static let shortestAction = 8

  /// Returns the number of calls: `6 reads, nothing found`, `4 reads, 3 updates, 2 adds`.
  private static func displayText(_ hops: ArraySlice<Hop>) -> String {
    var counts: [(verb: String, count: Int)] = []
    for verb in hops.map(\.verb) {
      if let place = counts.firstIndex(where: { $0.verb == verb }) {
        counts[place].count += 1
      } else {
        counts.append((verb, 1))
      }
    }
    let words = counts.map { counted($0.count, $0.verb) }.joined(separator: ", ")
    guard counts.map(\.verb) == ["read"] else { return words }
    let found = hops.count { $0.result != "no item" }
    return words + (found == 0 ? ", nothing found" : found < hops.count ? ", \(found) found" : "")
  }
}

extension Hop {
  /// The verb of the action, such as `read` for `read access token`.
  fileprivate var verb: String { action.split(separator: " ").first.map(String.init) ?? action }

  /// Whether the result is the reason that the failed check states.
  fileprivate var resultIsReason: Bool { !result.isEmpty && checks.firstFailure?.failure == result }

  /// Returns the checks as they are drawn beside the step, or `nil` if they are not: a failed check by name, and the checks
  /// that hold by number.
  ///
  /// A reason that is the step's result is not repeated. `overcome` says why a failed check does not end the call.
  fileprivate func checkText(overcome: String?) -> (text: String, style: Style)? {
    // Each keychain call makes the same check.
    guard !to.isStorage, let first = checks.first else { return nil }
    if let failed = checks.firstFailure {
      // A check of a log is named after its step, which the row shows.
      let missing = failed.name == action ? failed.expectation : "not met: " + failed.name
      let words = failed.failure ?? missing
      if let overcome { return ("· \(overcome)", .dim) }
      return resultIsReason ? nil : ("✗ \(words)", .bad)
    }
    let held = checks.count { $0.verdict == .passed }
    guard held > 0 else { return nil }
    return (held == 1 && checks.count == 1 ? "✓ \(first.name)" : "✓ \(counted(held, "check"))", .dim)
  }

  /// Whether the step is a keychain call without a failed check.
  fileprivate var isRoutine: Bool { to.isStorage && !checks.contains { $0.verdict == .failed } }

  /// Returns the phase of a step, which in most cases continues the previous phase.
  fileprivate func phase(after last: Flow.Phase?) -> Flow.Phase {
    if to.isStorage {
      // A read after a response is part of storing it.
      return verb == "read" && (last ?? .find) == .find ? .find : .store
    }
    if action.lowercased().contains("consent") { return .consent }
    if from == .person, to == .app { return last ?? .find }
    if action.contains("/discovery/") || action.contains("/.well-known/") { return last ?? .find }
    let asks = [from, to].contains { [.person, .broker, .provider].contains($0) }
    if asks { return last == .consent && from != .person ? .consent : .ask }
    return last ?? .find
  }
}

extension [Hop] {
  /// The steps whose failed check does not end the call, each with what follows or with the reason to go on.
  var overcome: [Int: String] {
    var steps: [Int: String] = [:]
    for (step, hop) in enumerated() where hop.goesOn {
      steps[step] = hop.checks.firstFailure.map { $0.failure ?? "not met: \($0.name)" }
    }
    for step in overcomeRefusals { steps[step] = "resolved by a later step" }
    for step in indices where self[step].refusal != nil {
      if self[step...].dropFirst().contains(where: { $0.result.hasSuffix("consent page") }) {
        steps[step] = "so the page asks for consent"
      }
    }
    return steps
  }
}

/// The drawing of a flow: a lane for each party, an arrow for each step, and beside it the action and the checks.
///
/// The Trace screen and the drawing behind a prompt use it.
struct FlowDrawing {
  let flow: Flow
  let rect: Rect
  /// The number of columns before the first lane.
  let margin: Int
  /// The distance between two lanes, in columns.
  ///
  /// Lanes come closer to each other if a text would be truncated otherwise: for the checks only as far as the names
  /// allow, and for the words as far as the short names allow, which then make room for the checks too.
  private let spacing: Int
  /// The smallest distance, for which each short name has room.
  private static let leastSpacing = 5

  init(_ flow: Flow, in rect: Rect, margin: Int = 8) {
    self.flow = flow
    self.rect = rect
    self.margin = margin
    let words = max(30, rect.width * 2 / 5)
    let wide = max(Self.leastSpacing, (rect.width - margin - words) / max(1, flow.parties.count))
    let gaps = max(1, flow.parties.count - 1)
    let room = rect.width - margin - 3
    let most = min(longestLine, room - gaps * Self.leastSpacing)
    let forWords = (room - flow.wordWidth(atMost: most)) / gaps
    let forChecks = (room - flow.textWidth(atMost: most)) / gaps
    let names = (flow.parties.map { columnWidth($0.label) }.max() ?? 0) + 1
    self.spacing = min(wide, max(forChecks, forWords < names ? Self.leastSpacing : names))
  }

  /// Returns the columns of the narrowest panel that truncates no more texts than a panel of `most` columns.
  static func width(of flow: Flow, margin: Int, atMost most: Int) -> Int {
    // A panel has a margin of one column on each side.
    let lanes = margin + max(1, flow.parties.count - 1) * leastSpacing + 3 + 2
    return min(most, lanes + flow.textWidth(atMost: min(longestLine, most - lanes)))
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

  /// The columns of a row's text.
  private var room: Int { min(longestLine, rect.maxX - textX) }

  /// The text of a row in one line, in which it may be shortened, or whole in several, and its checks, if they have lines
  /// of their own.
  struct Lines {
    var words: [String]
    var checks: [String] = []
    var count: Int { words.count + checks.count }
  }

  /// Returns the lines of rows that may have `spare` lines more than one for each of them.
  ///
  /// The texts come first, because a text says more than the checks beside it.
  func lines(of rows: [Flow.Row], spare: Int) -> [Lines] {
    var spare = spare
    var lines = rows.map { row in
      let words = words(of: row, atMost: 1 + spare)
      spare -= words.count - 1
      return Lines(words: words)
    }
    for (number, row) in rows.enumerated() where spare > 0 {
      let beside = room - columnWidth(lines[number].words.last ?? "") - 2
      let checks = flow.checkLines(row, beside: beside, width: room)
      guard checks.count <= spare else { continue }
      lines[number].checks = checks
      spare -= checks.count
    }
    return lines
  }

  /// The number of lines in which the text of no row is shortened.
  var height: Int { flow.rows.reduce(0) { $0 + words(of: $1, atMost: .max).count } }

  /// Returns the text of a row in one line, in which it may be shortened, or whole in at most `count` lines.
  private func words(of row: Flow.Row, atMost count: Int) -> [String] {
    let whole = flow.displayText(row)
    if count > 1, columnWidth(whole) > room {
      let lines = wrapped(whole, room, indent: "  ")
      if lines.count <= count { return lines }
    }
    return [flow.displayText(row, width: room)]
  }

  /// Draws one row of the flow in one line, or in as many lines as it has.
  ///
  /// `quiet` is a style for the entire row, if it was undone or is not the current subject. `isLit` marks the step that
  /// is running or that prompts the user.
  func draw(
    _ row: Flow.Row, lines: Lines? = nil, into grid: inout Grid, y: Int, quiet: Style? = nil,
    isLit: Bool = false, behind: Party? = nil
  ) {
    let hop = flow.hops[row.first]
    let style = quiet ?? (isLit ? Style(.accent, bold: true) : flow.style(row))
    let lines = lines ?? Lines(words: words(of: row, atMost: 1))
    let used = columnWidth(lines.words.last ?? "") + 2
    let checks = flow.checkText(row, width: lines.checks.isEmpty ? room - used : room)
    for (number, line) in (lines.words + lines.checks).enumerated() {
      drawLanes(into: &grid, y: y + number, behind: behind)
      let isOfChecks = number >= lines.words.count
      grid.put(
        line, at: textX, y + number, width: room, style: isOfChecks ? quiet ?? checks?.style ?? style : style)
    }
    drawArrow(hop, into: &grid, y: y, style)
    guard lines.checks.isEmpty, let checks else { return }
    grid.put(
      checks.text, at: textX + used, y + lines.count - 1, width: room - used, style: quiet ?? checks.style)
  }

  /// The minimum size.
  ///
  /// A smaller area has no room for lanes and words side by side, or for a step.
  static let smallestWidth = 68
  static let smallestHeight = 6

  /// Draws the names and as many of the last rows as fit, each with the number of its first step.
  ///
  /// The last row may be lit. `spare` is the number of lines that no row of the whole flow needs, so that texts which are
  /// too long for one line can have several.
  ///
  /// Returns the line below, which is kept free.
  @discardableResult
  func drawEnd(
    of rows: ArraySlice<Flow.Row>, spare: Int = 0, into grid: inout Grid, isLit: Bool
  ) -> Int {
    drawNames(into: &grid)
    let rows = rows.suffix(max(1, rect.height - 2))
    var y = rect.y + 1
    for (row, lines) in zip(rows, lines(of: Array(rows), spare: max(0, spare))) {
      draw(row, lines: lines, into: &grid, y: y, isLit: isLit && row == rows.last)
      grid.put("\(row.first + 1)", at: rect.x, y, width: 3, style: .dim, align: .right)
      y += lines.count
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

}

extension Party {
  /// The label for lanes that are close together.
  fileprivate var shortLabel: String {
    switch self {
    case .library: "Lib"
    case .system: "Sys"
    case .broker: "Brok"
    case .keychain: "Kchn"
    case .provider: "Prov"
    case .person, .app, .sdk, .adal, .cache: label
    }
  }
}
