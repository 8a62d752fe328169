extension Lab {
  /// Tells a scenario's story on a throw-away store; the clock is the scenario's if it names one.
  public static func run(_ file: ScenarioFile) throws -> ScenarioReport {
    try throwaway(file).run(file)
  }

  /// A lab in memory with the scenario's world.
  public static func throwaway(_ file: ScenarioFile) throws -> Lab {
    let start = file.clock
    let lab = Lab(store: try WorldStore.open(.memory, create: true)) { start ?? SystemClock.now() }
    try lab.create(file)
    return lab
  }

  /// Tells the story here.
  public func run(_ file: ScenarioFile) -> ScenarioReport {
    file.run(
      on: ScenarioStage(
        perform: { try self.perform($0, answers: $1) }, undo: { try self.undo() }, redo: { try self.redo() },
        trace: { try self.trace($0) }, tokens: { try self.tokens() },
        items: { try self.keychainItems(group: $0) },
        accounts: { bundleID in try self.apps().first { $0.bundleID == bundleID }?.accounts ?? [] },
        blastRadius: { try self.blastRadius(of: $0) }))
  }
}
