/// A command that is one intent, without a prompt; what the intent changes for the apps is shown.
protocol IntentCommand: LabCommand {
  func intent(on lab: Lab) throws -> Intent
}

extension IntentCommand {
  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(try intent(on: lab), on: lab), details: { $0.effects ?? [] })
  }
}
