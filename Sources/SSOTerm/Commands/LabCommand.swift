import ArgumentParser

/// A command of the program.
///
/// Its `perform(on:)` returns the exit status or throws an error. Only this protocol converts errors to text on stderr
/// and an exit code.
protocol LabCommand: ParsableCommand {
  var options: GlobalOptions { get }
  func perform(on console: Console) throws -> ExitStatus
}

extension LabCommand {
  /// Returns the bundle ID that matches a part of it.
  func bundleID(_ typed: String, in lab: Lab) throws -> String {
    try lab.read { try $0.app(typed).bundleID }
  }

  mutating func run() throws {
    let console = Console(options)
    var status: ExitStatus
    do {
      status = try perform(on: console)
    } catch let status as ExitCode {
      // This is the exit code of another program, which has already reported its errors.
      throw status
    } catch {
      let failure = CommandFailure(error)
      console.report(failure)
      status = failure.status
    }
    status = console.finish(status)
    if status != .done { throw ExitCode(status.rawValue) }
  }
}

extension Console {
  /// Reports the problems besides the result, and returns the final exit status.
  func finish(_ status: ExitStatus) -> ExitStatus {
    if troubles.output == nil {
      do throws(SystemError) { try StandardStreams.checkOutput() } catch { troubles.add(output: error) }
    }
    let failures = troubles.failures
    for failure in failures { complain(failure.text) }
    return status == .done ? failures.last?.status ?? .done : status
  }
}
