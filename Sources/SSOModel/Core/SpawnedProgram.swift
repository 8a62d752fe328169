import Essentials

/// A program that this one has started.
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

  /// Starts a program; `words` are its name, looked for in `PATH` unless it has a slash, and its arguments.
  ///
  /// It inherits this one's terminal and streams. With `streams` it runs in the background: in its own process group, which
  /// ^C and a hang-up of the terminal do not reach, and without other descriptors.
  /// - Throws: `ENOENT` if there is no such program.
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
    // This program may ignore them, and a child would go on to.
    var ignored = sigset_t()
    sigemptyset(&ignored)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&ignored, signal) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    // The threads of this program leave signals to the main one; a child of theirs would block them too.
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
