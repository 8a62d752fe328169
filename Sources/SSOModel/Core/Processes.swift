import CKernel
import Essentials

/// A process of ssoterm, identified together with its machine.
///
/// Several machines may read a record, and the same process ID may exist on each of them.
package struct MachineProcess: Codable, Hashable, Sendable {
  package var machine: Machine
  package var id: Int32

  package static let own = MachineProcess(machine: .own, id: getpid())

  /// Whether the process is running, or `nil` if only its own machine can tell.
  package var isRunning: Bool? {
    guard machine == .own else { return nil }
    return kill(id, 0) == 0 || errno == EPERM
  }
}

/// The scope in which a process ID or a localhost port is unambiguous: a running kernel and a process ID namespace in
/// it.
///
/// A host name is not enough, because the machines of a classroom often share one.
package struct Machine: Hashable, Sendable {
  private var name: String

  package init(_ name: String) { self.name = name }

  package static let own = Machine(
    String(sha256Hex(boot + " " + processSpace).prefix(16)))

  #if canImport(Glibc)
    /// The boot ID, which changes with each start (random(4)).
    private static let boot: String = {
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      return text ?? ProcessInfo.processInfo.hostName
    }()

    /// The process ID namespace, because a container has its own process IDs (pid_namespaces(7)).
    private static let processSpace =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
  #else
    private static let boot: String = {
      var text = [CChar](repeating: 0, count: 64)
      var size = text.count
      guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else {
        return ProcessInfo.processInfo.hostName
      }
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    private static let processSpace = ""
  #endif
}

extension Machine: Codable {
  package init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// The command line of this process.
///
/// Swift's `CommandLine` reads `/proc/self/cmdline`, and has no arguments if `/proc` is not mounted.
package enum ProgramStart {
  /// The arguments of the command line, with the program's name first.
  package static let arguments: [String] = {
    let passed = (0..<ck_argument_count()).compactMap { ck_argument($0).map { String(cString: $0) } }
    return passed.isEmpty ? CommandLine.arguments : passed
  }()
}

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

/// Runs `body` on a new detached thread, where it may block.
package func detachThread(_ body: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(ThreadWork(body)).toOpaque()
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let code = pthread_create(&thread, &attributes, run, work)
  precondition(code == 0, "no thread can be made: \(String(cString: strerror(code)))")
}

#if canImport(Darwin)
  private func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { ThreadWork.run(work) }
#else
  private func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    work.flatMap(ThreadWork.run)
  }
#endif

private final class ThreadWork: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().body()
    return nil
  }
}
