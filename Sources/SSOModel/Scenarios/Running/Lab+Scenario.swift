extension Lab {
  /// Opens the store at a path; makes it with the given scenario's world if there is none.
  ///
  /// `user` is noted with each intent.
  /// - Returns: the lab, and whether it was made just now.
  /// - Throws: `StoreError`, `missing` if there is none and no scenario is given.
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
      // As when there is a store without a lab: what a process leaves that was killed while it made them.
      throw StoreError.missing(path: location.name)
    }
    let lab = Lab(store: try WorldStore.open(location, create: true, user: user))
    try lab.create(file)
    return (lab, true)
  }

  /// Writes a scenario's world into an empty store.
  package func create(_ file: ScenarioFile) throws {
    try create(named: file.name, seed: file.seed, file.world)
  }

  /// Runs a scenario on a temporary store; the clock is the scenario's if it names one.
  package static func run(_ file: ScenarioFile) throws -> ScenarioReport {
    try temporary(file).run(file)
  }

  /// A lab in memory with the scenario's world.
  ///
  /// Its clock starts at the scenario's moment and runs on; for a story that a test runs it is stopped, so that
  /// every run is the same.
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

  /// Takes everything back that was done here, and runs the steps from the beginning: the way back in a story.
  ///
  /// Undoing the last step alone would not do, because a step may itself be an undo.
  package func rerun(_ steps: some Sequence<ScenarioStep>) throws -> [StepReport] {
    while try undo() != nil {}
    return steps.enumerated().map { $1.run(on: self, index: $0 + 1) }
  }
}
