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
  /// Fewer steps have rows of their own.
  static let shortestRun = 3

  let hops: [Hop]
  let parties: [Party]
  let phases: [Phase]
  private(set) var rows: [Row] = []
  /// Consecutive steps of one kind, whether they are shown in one row or not.
  private let runs: [Range<Int>]

  /// Creates a flow in which runs of steps of one kind are folded into one row.
  ///
  /// `open` contains the first step of each run whose steps are shown one by one. `kept` contains the steps that have a
  /// row of their own because of a mark or a note.
  init(_ hops: [Hop], open: Set<Int> = [], kept: Set<Int> = []) {
    self.hops = hops
    parties = Party.allCases.filter { party in hops.contains { $0.from == party || $0.to == party } }
    let phases = hops.reduce(into: [Phase]()) { $0.append($1.phase(after: $0.last)) }
    self.phases = phases
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
  func words(_ row: Row) -> String {
    switch row {
    case .step(let number):
      let hop = hops[number]
      return hop.mark + hop.action + (hop.result.isEmpty ? "" : " = \(hop.result)")
    case .run(let steps): return Self.words(hops[steps])
    }
  }

  /// Returns the number of calls: `6 reads, nothing found`, `4 reads, 3 updates, 2 adds`.
  private static func words(_ hops: ArraySlice<Hop>) -> String {
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

  /// Whether the step is a keychain call without a failed check.
  fileprivate var isRoutine: Bool { to == .keychain && !checks.contains { $0.verdict == .failed } }

  /// Returns the phase of a step, which in most cases continues the previous phase.
  fileprivate func phase(after last: Flow.Phase?) -> Flow.Phase {
    if to == .keychain {
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
