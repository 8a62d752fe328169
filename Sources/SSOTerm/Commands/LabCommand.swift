import ArgumentParser

/// A command of the program. It returns how it ended and throws what went wrong; this is the one place
/// where that becomes text on stderr and an exit code.
protocol LabCommand: ParsableCommand {
  var options: GlobalOptions { get }
  func perform(on console: Console) throws -> ExitStatus
}

extension LabCommand {
  mutating func run() throws {
    let console = Console(options)
    let status: ExitStatus
    do {
      status = try perform(on: console)
    } catch {
      let failure = CommandFailure(error)
      console.report(failure)
      status = failure.status
    }
    if status != .done { throw ExitCode(status.rawValue) }
  }
}
