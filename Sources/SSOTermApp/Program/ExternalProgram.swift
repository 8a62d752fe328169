import Essentials

/// A program that has the terminal while it runs.
struct ExternalProgram: Equatable, Sendable {
  /// The command's name in the settings.
  var name: String
  var words: [String]
  /// The additional variables of its environment.
  var variables: [String: String] = [:]

  /// Runs the program to its end, and then waits for Enter, so that its output can be read.
  ///
  /// ^C terminates the program, but not ssoterm.
  /// - Returns: The notice to show.
  func run() -> Notice {
    let kept = [SIGINT, SIGQUIT, SIGTSTP].map { ($0, Self.ignore($0)) }
    defer { for (number, action) in kept { Self.restore(number, action) } }
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    do throws(SystemError) {
      let status = ForegroundChild.ending(of: try SpawnedProgram(words, environment: environment).pid)
      Self.waitForEnter()
      return status == 0
        ? Notice(text: "“\(name)” has ended.", kind: .plain)
        : Notice(text: "“\(name)” has ended with status \(status).", kind: .bad)
    } catch {
      return Notice(text: "“\(name)” cannot be run: \(words.first ?? ""): \(error.words).", kind: .bad)
    }
  }

  private static func ignore(_ number: Int32) -> sigaction {
    var ignored = sigaction()
    var before = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(number, &ignored, &before)
    return before
  }

  private static func restore(_ number: Int32, _ action: sigaction) {
    var action = action
    sigaction(number, &action, nil)
  }

  private static func waitForEnter() {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return }
    defer { close(terminal) }
    try? StandardStreams.write("\nPress Enter to go back to SSOTerm. ", to: terminal)
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count != 1 || byte == UInt8(ascii: "\n") { return }
    }
  }
}
