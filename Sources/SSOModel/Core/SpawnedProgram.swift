import Essentials

/// A program that this process has started.
package struct SpawnedProgram {
  package let pid: pid_t

  /// The streams of a program in the background; `nil` stands for `/dev/null`.
  package struct Streams {
    package var input: Int32?
    package var output: Int32?
    package var errors: Int32?

    package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
      self.input = input
      self.output = output
      self.errors = errors
    }
  }

  /// Creates a process for the program and arguments in `words`.
  ///
  /// `PATH` is searched unless the name contains a slash.
  ///
  /// It inherits this process's terminal and streams. With `streams`, it runs in the background: in its own process
  /// group, which ^C and a hangup of the terminal do not reach, and without other descriptors.
  /// - Throws: `ENOENT` if the program does not exist.
  package init(
    _ words: [String], environment: [String: String], streams: Streams? = nil
  ) throws(SystemError) {
    var actions = FileActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let streams { Self.add(streams, to: &actions) }
    var attributes = Attributes()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This process may ignore these signals, and a child would inherit that.
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    // Signals are blocked on all threads of this process except the main thread; a child would inherit the blocked
    // mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let group = streams == nil ? 0 : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, words.first ?? "", &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemError(code: code) }
    self.pid = pid
  }

  private static func add(_ streams: Streams, to actions: inout FileActions) {
    for (own, given, mode) in [
      (Int32(0), streams.input, O_RDONLY), (1, streams.output, O_WRONLY), (2, streams.errors, O_WRONLY),
    ] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, own)
      } else {
        posix_spawn_file_actions_addopen(&actions, own, "/dev/null", mode, 0)
      }
    }
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    for descriptor in open.compactMap({ Int32($0) }) where descriptor > 2 && fcntl(descriptor, F_GETFD) >= 0 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
}

#if canImport(Glibc)
  private typealias Attributes = posix_spawnattr_t
  private typealias FileActions = posix_spawn_file_actions_t
#else
  private typealias Attributes = posix_spawnattr_t?
  private typealias FileActions = posix_spawn_file_actions_t?

  extension Optional where Wrapped == OpaquePointer {
    fileprivate init() { self = nil }
  }
#endif
