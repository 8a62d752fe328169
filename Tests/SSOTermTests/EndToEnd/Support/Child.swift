import Glibc

/// A child process in a separate session.
///
/// It is killed and reaped when this object is deallocated, if not before.
final class Child {
  private(set) var pid: pid_t = 0

  /// Starts a program.
  ///
  /// `terminal` is the pty that becomes its controlling terminal and its three streams.
  ///
  /// Descriptors and ignored signals that the tests inherited are not passed on.
  init(
    _ arguments: [String], environment: [String: String], terminal: String?,
    input: String = "/dev/null", output: String = "/dev/null", error: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A terminal for the output does not become the controlling one.
    let create = O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY
    if let terminal {
      // The first terminal that the leader of a new session opens becomes its controlling one.
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      if output == "/dev/null" {
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
      } else {
        posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o600)
      }
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, error, create, 0o600)
    }
    // `addclosefrom_np` is not in the Glibc module. Closing a descriptor that is not open is not an error here.
    for descriptor in Int32(3)..<1024 { posix_spawn_file_actions_addclose(&actions, descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the Glibc module does not show
    let flags = newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    let code = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw EndToEndError("posix_spawn \(arguments[0]): error \(code)") }
  }

  deinit {
    guard pid > 0 else { return }
    send(SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }

  /// Sends a signal to the child's entire process group.
  func send(_ signal: Int32) { kill(-pid, signal) }

  /// Returns how it ended, or `nil` while it runs.
  func poll() -> Ending? {
    var status: Int32 = 0
    guard pid > 0, waitpid(pid, &status, WNOHANG) == pid else { return nil }
    pid = 0
    return Ending(waitStatus: status)
  }

  /// Waits for a condition while it runs.
  /// - Throws: if it ends first, or takes too long.
  func waiting(until isThere: () -> Bool, within limit: Double = 20) throws {
    let end = secondsNow() + limit
    while !isThere() {
      guard secondsNow() < end, poll() == nil else { throw EndToEndError("what was awaited did not come") }
      usleep(1000)
    }
  }

  /// Waits for it to end, and calls `meanwhile` between checks.
  func ending(within limit: Double, meanwhile: () -> Void = { usleep(1000) }) throws -> Ending {
    let end = secondsNow() + limit
    while secondsNow() < end {
      if let ending = poll() { return ending }
      meanwhile()
    }
    throw EndToEndError("the child was still running after \(limit) s")
  }
}
