/// The hops of a trace as the drawing shows them: who takes part, what belongs to which phase, and a row for each step or for
/// a run of like steps.
struct Flow: Equatable, Sendable {
  enum Row: Equatable, Sendable {
    case step(Int)
    /// Several steps in one row: calls of one kind into the keychain, in which nothing went wrong.
    case run(Range<Int>)

    /// The number of its first step.
    var first: Int {
      switch self {
      case .step(let number): number
      case .run(let steps): steps.lowerBound
      }
    }
  }

  /// What a part of a sign-in is for.
  enum Phase: String, Equatable, Sendable { case find, ask, consent, store }

  /// Fewer steps than these have rows of their own.
  static let shortestRun = 3

  let hops: [Hop]
  let parties: [Party]
  let phases: [Phase]
  private(set) var rows: [Row] = []
  /// Like steps that follow each other, whether they are shown in one row or not.
  private let runs: [Range<Int>]

  /// Folds runs of steps of one kind into one row.
  ///
  /// `open` has the runs, by their first step, whose steps are shown one by one; `kept` the steps that have a row of their
  /// own because of a mark or a note.
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

  /// The first step of the run that a step belongs to, whether it is open or not.
  func start(ofRunWith step: Int) -> Int? { runs.first { $0.contains(step) }?.lowerBound }

  /// The row in which a step is shown.
  func row(of step: Int) -> Int? {
    rows.firstIndex { row in
      switch row {
      case .step(let number): number == step
      case .run(let steps): steps.contains(step)
      }
    }
  }

  /// The phase that begins with a row; nil if it goes on there.
  func phase(beginningAt row: Int) -> Phase? {
    let phase = phases[rows[row].first]
    return row == 0 || phases[rows[row - 1].first] != phase ? phase : nil
  }

  /// What a row says: an action and its result, or how many calls there were.
  func words(_ row: Row) -> String {
    switch row {
    case .step(let number):
      let hop = hops[number]
      return hop.mark + hop.action + (hop.result.isEmpty ? "" : " = \(hop.result)")
    case .run(let steps): return Self.words(hops[steps])
    }
  }

  /// `6 reads, nothing found`, `4 reads, 3 updates, 2 adds`.
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
  /// `read` of `read access token`.
  fileprivate var verb: String { action.split(separator: " ").first.map(String.init) ?? action }

  /// A look into the keychain, or a change of it, that went as it should.
  fileprivate var isRoutine: Bool { to == .keychain && !checks.contains { $0.verdict == .failed } }

  /// What a step is for: mostly it goes on with what was begun.
  fileprivate func phase(after last: Flow.Phase?) -> Flow.Phase {
    if to == .keychain {
      // What is read after an answer is read in order to store it.
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
