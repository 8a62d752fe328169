extension Lab {
  /// Opens the store at a path, or creates it with the given scenario's world if it does not exist.
  ///
  /// `user` is recorded with each intent.
  /// - Returns: The lab, and whether it was just created.
  /// - Throws: `StoreError`, which is `missing` if there is no store and no scenario is given.
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
    let lab = Lab(store: try WorldStore.open(location, create: true, user: user))
    try lab.create(file)
    return (lab, true)
  }

  /// Writes a scenario's world into an empty store.
  package func create(_ file: ScenarioFile) throws {
    try create(named: file.name, seed: file.seed, file.world)
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
