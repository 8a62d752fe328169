import SSOCore
import SSOLab
import SSOProvider
import SSOStore

extension Lab {
  /// Runs all steps of a scenario in this lab.
  ///
  /// A failed step does not end the run, because the steps after it show how far the damage goes.
  package func run(_ file: ScenarioFile) -> ScenarioReport {
    let reports = file.steps.enumerated().map { $1.run(on: self, index: $0 + 1) }
    return ScenarioReport(name: file.name, title: file.title, claims: file.claims, steps: reports)
  }
}

extension ScenarioStep {
  /// Runs the step with the answers that it contains.
  package func run(on lab: Lab, index: Int) -> StepReport {
    var execution = StepExecution(self, index: index)
    if let intent = execution.start(on: lab) { execution.converse(intent, on: lab) }
    return execution.report(on: lab)
  }
}

/// One difference between an expectation and a result.
package struct Mismatch: Codable, Hashable, Sendable {
  package var expected: String
  package var found: String
}

/// One step of a report.
package struct StepReport: Codable, Hashable, Sendable {
  /// The one-based number of the step.
  package var index: Int
  package var title: String
  package var note: String
  package var passed: Bool
  package var mismatches: [Mismatch]
  /// The trace of the step's intent, or `nil` if the intent was not committed.
  package var traceID: Int64?
}

/// The results of one scenario, step by step.
package struct ScenarioReport: Codable, Hashable, Sendable {
  package var name: String
  package var title: String
  package var claims: [String]
  package var steps: [StepReport]
  package var passed: Bool

  /// Creates a report, which has passed if each of its steps has.
  package init(name: String, title: String, claims: [String], steps: [StepReport]) {
    (self.name, self.title, self.claims, self.steps) = (name, title, claims, steps)
    passed = steps.allSatisfy(\.passed)
  }
}

/// The result of one item of a checklist: a scenario that was run, or a manual item that a user checked.
package struct TrialResult: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable { case passed, failed, skipped }

  /// A text by which a verdict can be checked later.
  package struct Evidence: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  package var verdict: Verdict
  /// The user's note, or the reason that the item was skipped.
  package var remark: String
  /// The time of the verdict, by the machine's clock.
  package var at: Instant
  package var milliseconds: Int
  /// The steps of a scenario, or `nil` for a manual item.
  package var report: ScenarioReport?
  package var evidence: [Evidence]

  package init(
    _ verdict: Verdict, remark: String = "", at: Instant, milliseconds: Int = 0,
    report: ScenarioReport? = nil,
    evidence: [Evidence] = []
  ) {
    (self.verdict, self.remark, self.at, self.milliseconds) = (verdict, remark, at, milliseconds)
    (self.report, self.evidence) = (report, evidence)
  }
}

/// Items with their results, and the environment in which they were tested, from which a report is written.
package struct TrialRun: Hashable, Sendable {
  /// A scenario or a manual step.
  package struct Item: Hashable, Sendable {
    /// The scenario's name, or the manual step.
    package var name: String
    /// The scenario's title, or what a user should see.
    package var title: String
    package var claims: [String]
    /// The result, or `nil` while the item is open.
    package var result: TrialResult?

    package init(name: String, title: String, claims: [String] = [], result: TrialResult? = nil) {
      (self.name, self.title, self.claims, self.result) = (name, title, claims, result)
    }
  }

  package var title: String
  package var startedAt: Instant
  /// Names and values of the environment: the build under test, the user, the version, and the system.
  package var environment: [(name: String, value: String)] {
    get { fields.map { ($0[0], $0[1]) } }
    set { fields = newValue.map { [$0.name, $0.value] } }
  }
  private var fields: [[String]] = []
  package var items: [Item]

  package init(title: String, startedAt: Instant, items: [Item]) {
    (self.title, self.startedAt, self.items) = (title, startedAt, items)
  }

  package func count(_ verdict: TrialResult.Verdict) -> Int { items.count { $0.result?.verdict == verdict } }
  package var milliseconds: Int { items.reduce(0) { $0 + ($1.result?.milliseconds ?? 0) } }
}

extension Lab {
  /// Opens the store at a path, or creates it with the given scenario's world if it does not exist.
  ///
  /// `user` is recorded with each intent.
  /// - Returns: The lab, and whether it was just created.
  /// - Throws: `StoreError`, which is `missing` if the store does not exist and no scenario is given.
  package static func open(
    _ location: WorldStore.Location, user: StoreUser? = nil, creating scenario: () throws -> ScenarioFile?
  ) throws -> (lab: Lab, created: Bool) {
    do throws(StoreError) {
      let lab = Lab(store: try WorldStore.open(location, create: false, user: user))
      if lab.store.wasFilled { return (lab, false) }
    } catch {
      guard case .missing = error else { throw error }
    }
    guard let file = try scenario() else {
      // This is also the case for a store without a lab, which remains if a process is killed while it creates both.
      throw StoreError.missing(path: location.name)
    }
    return try Labs.cleaningUp(at: location) {
      let lab = Lab(store: try WorldStore.open(location, create: true, user: user))
      try lab.create(file)
      return (lab, true)
    }
  }

  /// Writes a scenario's world into an empty store, and performs the steps that the file is to play, at the scenario's
  /// time.
  ///
  /// - Throws: `ScenarioError` if a step does not come out as the file expects.
  package func create(_ file: ScenarioFile) throws {
    try create(named: file.name, seed: file.seed, file.world)
    guard file.stepsPlayed > 0 else { return }
    if let start = file.clock, case let step = try read({ $0.now }).seconds(until: start), step != 0 {
      _ = try perform(MoveClock(bySeconds: step))
    }
    for (index, step) in file.steps.prefix(file.stepsPlayed).enumerated() {
      let report = step.run(on: self, index: index + 1)
      guard let mismatch = report.mismatches.first else { continue }
      throw ScenarioError(
        file: file.path,
        "step \(index + 1), “\(step.title)”, was to result in \(mismatch.expected), and resulted in \(mismatch.found)"
      )
    }
  }

  /// Replaces the lab's state with the start of a scenario, the clients that a server knows, and the server's
  /// additions, as one change that can be undone.
  ///
  /// The confidential client keeps its secret, which a program already has.
  ///
  /// - Throws: `ScenarioError` if a step does not have the result that the file expects, in which case nothing is
  ///   changed.
  package func reset(to file: ScenarioFile, adding: (Lab) throws -> Void = { _ in }) throws {
    let secret = try read { try $0.directory.wellKnownClients() }.last(where: \.isConfidential)?.secrets.first
    try reset(named: file.name) { start in
      try start.create(file)
      try start.registerExternalClients(secret: secret)
      try adding(start)
    }
  }

  /// Runs a scenario on a temporary store, with the scenario's clock if it specifies one.
  package static func run(_ file: ScenarioFile) throws -> ScenarioReport {
    try temporary(file).run(file)
  }

  /// Creates an in-memory lab with the scenario's world.
  ///
  /// Its clock starts at the scenario's time and advances only if `clockRuns` is `true`. For a scenario that a test
  /// runs, the clock is stopped, so that every run is the same.
  package static func temporary(_ file: ScenarioFile, clockRuns: Bool = false) throws -> Lab {
    let opened = SystemClock.now()
    let start = file.clock ?? opened
    let lab = Lab(store: try WorldStore.open(.memory, create: true)) {
      let elapsed = clockRuns ? SystemClock.now().milliseconds - opened.milliseconds : 0
      return Instant(milliseconds: start.milliseconds + elapsed)
    }
    try lab.create(file)
    return lab
  }

  /// Undoes everything that was done here, and runs the steps from the beginning, which is how a demo goes back.
  ///
  /// Undoing only the last step is not sufficient, because a step may itself be an undo.
  package func rerun(_ steps: some Sequence<ScenarioStep>) throws -> [StepReport] {
    while try undo() != nil {}
    return steps.enumerated().map { $1.run(on: self, index: $0 + 1) }
  }
}
