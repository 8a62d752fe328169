import Essentials

/// A program that runs in the foreground in place of this process.
enum ForegroundProgram {
  /// - Returns: the exit status as in a shell, which is 127 if there is no such program and 126 if it cannot be run.
  ///   `command` is the command that runs the program.
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
