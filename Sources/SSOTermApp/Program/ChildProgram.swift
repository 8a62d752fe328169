import Dispatch
import Essentials
import Synchronization

/// A runner for small programs that uses no shell and never waits indefinitely.
enum ChildProgram {
  /// The number of seconds after which a program is terminated.
  ///
  /// A clipboard on a display that has gone never answers.
  private static let seconds = 2.0

  /// Returns the full path of a program in `PATH`.
  static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
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
    DispatchQueue.global().async {
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
      [path] + words.dropFirst(), environment: ProcessInfo.processInfo.environment,
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
    DispatchQueue.global().async { [self] in
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
