/// A command that performs one intent without a prompt, and shows what the intent changes for the apps.
protocol IntentCommand: LabCommand {
  func intent(on lab: Lab) throws -> any Intent
}

extension IntentCommand {
  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(try intent(on: lab), on: lab), details: \.effectLines)
  }
}
