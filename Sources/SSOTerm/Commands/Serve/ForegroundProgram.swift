import Essentials

/// Runs a program in the foreground, in this process's place.
enum ForegroundProgram {
  /// - Returns: its exit status, as a shell has it; 127 if there is no such program, 126 if it cannot be run. `command` is the command that runs it.
  static func run(
    _ words: [String], adding variables: [String: String], of command: String
  ) -> Int32 {
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    ForegroundChild.catchEnds()
    if let signal = ForegroundChild.earlyEnd { return 128 + signal }
    do throws(SystemError) {
      return ForegroundChild.ending(of: try SpawnedProgram(words, environment: environment).pid)
    } catch {
      let failure = CommandFailure(
        usage: "\(words.first ?? "") cannot be run.", why: error.words,
        next: command + " -- /path/to/program")
      Console(json: false).complain(failure.text)
      return error.code == ENOENT ? 127 : 126
    }
  }
}
