import ArgumentParser

/// The options for what a server adds to its lab before it starts.
struct LabAdditions: ParsableArguments {
  @Option(
    help: "A scenario (name or file) whose tenants, people and registrations are added to the lab.",
    completion: .scenario)
  var people: String?

  @Option(
    help: "ENDPOINT=KIND[,client=ID][,times=N]: set a fault, as ssoterm fault add does; repeatable."
  )
  var fault: [String] = []

  /// Adds the scenario and the faults, or nothing if any of them is invalid.
  func add(to lab: Lab) throws {
    let world = try people.map { try ScenarioLibrary.ofProgram.scenario($0).world }
    let faults = try fault.map { spec throws(LabError) in try Fault(spec: spec) }
    if let world { try lab.admit(world) }
    try lab.registerExternalClients()
    for fault in faults { _ = try runUnattended(AddFault(fault), on: lab) }
  }
}
