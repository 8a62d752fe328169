import ArgumentParser

/// A command of the program.
///
/// It returns how it ended and throws what went wrong; this is the one place where that becomes text on stderr and an exit
/// code.
protocol LabCommand: ParsableCommand {
  var options: GlobalOptions { get }
  func perform(on console: Console) throws -> ExitStatus
}

extension LabCommand {
  /// The bundle ID that was meant by a part of it.
  func bundleID(_ typed: String, in lab: Lab) throws -> String {
    try lab.read { try $0.app(typed).bundleID }
  }

  mutating func run() throws {
    let console = Console(options)
    var status: ExitStatus
    do {
      status = try perform(on: console)
    } catch let status as ExitCode {
      // That of another program, which has said what there was to say.
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
  /// Tells what went wrong besides, and how the command ends now.
  func finish(_ status: ExitStatus) -> ExitStatus {
    if troubles.output == nil {
      do throws(SystemError) { try StandardStreams.checkOutput() } catch { troubles.add(output: error) }
    }
    let failures = troubles.failures
    for failure in failures { complain(failure.text) }
    return status == .done ? failures.last?.status ?? .done : status
  }
}
