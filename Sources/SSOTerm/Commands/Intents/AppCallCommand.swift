/// A command that does one thing to an app, without a prompt.
protocol AppCallCommand: LabCommand {
  /// As it was typed: a bundle ID, or an unambiguous part of one.
  var app: String { get }
  func intent(app bundleID: String) -> Intent
}

extension AppCallCommand {
  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(
      try runUnattended(intent(app: try lab.read { try $0.app(app).bundleID }), on: lab))
  }
}
