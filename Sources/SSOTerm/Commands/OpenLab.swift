extension Console {
  /// The lab in the store. A store that is not there yet is made with the articles' suite, and that is said.
  func openLab(_ options: GlobalOptions) throws -> Lab {
    let path = storePath(option: options.store)
    if options.readonly { return try Lab.open(.file(path: path), creating: { nil }).lab.readOnly() }
    let (lab, created) = try Lab.open(
      .file(path: path), creating: { try ScenarioLibrary().scenario("contoso-suite") })
    if created { note("there was no store; made \(path) with the lab contoso-suite") }
    return lab
  }
}

/// A lab in memory with a scenario's world: gone when the program ends.
func throwAwayLab(_ scenario: ScenarioFile, _ options: GlobalOptions) throws -> Lab {
  let lab = try Lab.throwaway(scenario, clockRuns: true)
  return options.readonly ? lab.readOnly() : lab
}
