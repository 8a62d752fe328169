import Dispatch
import Essentials
import SSOCore
import SSODoctor
import SafeText
import Synchronization
import TerminalUI

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
      let status = try SpawnedProgram(words, environment: environment).ending()
      Self.waitForEnter()
      return status == 0
        ? Notice(text: "“\(name)” has ended.", kind: .plain)
        : Notice(text: "“\(name)” has ended with status \(status).", kind: .bad)
    } catch {
      return Notice(text: "“\(name)” cannot be run: \(words.first ?? ""): \(error.displayText).", kind: .bad)
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

/// The command that opens the user's editor at a line of a file.
struct EditorCommand: Equatable {
  /// The value of `VISUAL` or `EDITOR`, which may contain options.
  private let editor: String
  /// The command line for `sh -c`, which git uses to run an editor too.
  let line: String

  init(_ place: FilePlace, variable: (String) -> String?) {
    editor = ["VISUAL", "EDITOR"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "vi"
    let name = fileName(editor.split(separator: " ").first.map(String.init) ?? editor)
    // Prevent the editor from taking a name that begins with a dash for an option.
    let path = place.path.hasPrefix("-") ? "./" + place.path : place.path
    let words =
      switch (name, place.line) {
      case (_, nil): [path]
      case ("code", let line?), ("codium", let line?): ["-g", "\(path):\(line)"]
      case ("hx", let line?), ("helix", let line?), ("subl", let line?), ("zed", let line?):
        ["\(path):\(line)"]
      case (_, let line?): ["+\(line)", path]
      }
    // Standard input and output may be pipes, but the editor needs the terminal.
    line = "exec </dev/tty >/dev/tty 2>&1; \(editor) " + words.map(shellWord).joined(separator: " ")
  }

  /// Runs the editor, which has the terminal until it exits.
  /// - Returns: its exit status, which is 127 if there is no shell.
  func run() -> Int32 {
    let environment = ProcessInfo.processInfo.environment
    return (try? SpawnedProgram(["sh", "-c", line], environment: environment).ending()) ?? 127
  }

  /// Returns the message to show for the editor's exit status, or `nil` if there is none.
  func problem(status: Int32) -> String? {
    switch status {
    case 0: nil
    case 126, 127: "\(editor) cannot be run: EDITOR names the editor."
    default: "\(editor) ended with status \(status)."
    }
  }
}

/// A runner for small programs that uses no shell and never waits indefinitely.
enum ChildProgram {
  /// The number of seconds after which a program is terminated.
  ///
  /// A clipboard on a display that has gone never answers.
  private static let seconds = 2.0

  /// Returns the full path of a program in `PATH`.
  static func path(of name: String) -> String? {
    let folders = (StandardStreams.variable("PATH") ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Passes input to a program.
  ///
  /// Its output is discarded, because xclip stays in the background with its output open.
  /// - Returns: Whether the program succeeded.
  static func feed(_ input: String, to words: [String]) -> Bool {
    guard let pipe = Pipe() else { return false }
    let child = run(words, input: pipe.reading)
    close(pipe.reading)
    DispatchQueue(label: "ssoterm.feed").async {
      try? StandardStreams.write(input, to: pipe.writing)
      close(pipe.writing)
    }
    return child?.hasSucceeded(within: seconds) ?? false
  }

  /// Returns a program's output, up to the capacity of a pipe, or `nil` if it could not be run, failed, or took too
  /// long.
  static func output(of words: [String]) -> String? {
    guard let pipe = Pipe() else { return nil }
    defer { close(pipe.reading) }
    let child = run(words, output: pipe.writing)
    close(pipe.writing)
    guard child?.hasSucceeded(within: seconds) ?? false else { return nil }
    // A process that the program left behind may hold the pipe open, so end-of-file may never come.
    _ = fcntl(pipe.reading, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(pipe.reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  private static func run(_ words: [String], input: Int32? = nil, output: Int32? = nil) -> RunningChild? {
    guard let name = words.first, let path = path(of: name) else { return nil }
    let child = try? SpawnedProgram(
      [path] + words.dropFirst(),
      environment: SpawnedProgram.helperEnvironment(ProcessInfo.processInfo.environment),
      streams: .init(input: input, output: output))
    return child.map { RunningChild($0.pid) }
  }
}

/// A pipe whose ends child processes do not inherit.
private struct Pipe {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}

/// A child process that another thread waits for, because `waitpid` has no time limit.
private final class RunningChild: Sendable {
  private let pid: pid_t
  private let hasEnded = DispatchSemaphore(value: 0)
  private let status = Mutex<Int32>(-1)

  init(_ pid: pid_t) {
    self.pid = pid
    DispatchQueue(label: "ssoterm.child").async { [self] in
      var ending: Int32 = -1
      while waitpid(pid, &ending, 0) < 0, errno == EINTR {}
      status.withLock { $0 = ending }
      hasEnded.signal()
    }
  }

  /// Returns whether the program exits with 0, and terminates it after `seconds`.
  func hasSucceeded(within seconds: Double) -> Bool {
    guard hasEnded.wait(timeout: .now() + seconds) == .success else {
      kill(pid, SIGTERM)
      return false
    }
    return status.withLock { $0 == 0 }
  }
}

extension SpawnedProgram {
  /// Waits until the program, which runs in the foreground, exits, and forwards signals to it.
  /// - Returns: its exit status, or 128 plus the number of the signal that terminated it, as in a shell.
  package func ending() -> Int32 { ForegroundChild.ending(of: pid, leadsGroup: leadsGroup) }
}
