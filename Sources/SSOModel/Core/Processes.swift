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
/// Swift's `CommandLine` reads `/proc/self/cmdline`, and is empty if `/proc` is not mounted.
package enum ProgramStart {
  /// The arguments of the command line, with the program's name first.
  package static let arguments: [String] = {
    let passed = (0..<ck_argument_count()).compactMap { ck_argument($0).map { String(cString: $0) } }
    return passed.isEmpty ? CommandLine.arguments : passed
  }()

  /// The path of this program's file, to run it again.
  package static let path: String = {
    #if canImport(Glibc)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath ?? arguments[0]
    #endif
  }()

  /// The first argument that is not UTF-8, with U+FFFD in place of its invalid bytes, or `nil` if all arguments are
  /// UTF-8.
  ///
  /// As a path, the repaired text would name another file.
  package static var invalidArgument: String? {
    (0..<ck_argument_count()).compactMap { ck_argument($0) }
      .first { String(validatingCString: $0) == nil }.map { String(cString: $0) }
  }
}

/// A program that this process has started.
package struct SpawnedProgram {
  package let pid: pid_t
  /// Whether it leads its own process group.
  package let leadsGroup: Bool

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
  /// `PATH` is searched unless the name contains a slash. The program gets none of the files that this process has
  /// opened.
  ///
  /// Without `streams`, it runs in the foreground, in place of this process: it gets the terminal, the streams, and the
  /// descriptors that this process was started with, and SIGTERM when the calling thread ends (Linux). On a terminal it
  /// belongs to the shell's job, so that ^C, ^Z, and pipelines work as usual; without one it leads its own process
  /// group.
  ///
  /// With `streams`, it runs in the background: in its own process group, which ^C and a hangup of the terminal do not
  /// reach.
  /// - Throws: `ENOENT` if the program does not exist.
  package init(
    _ words: [String], environment: [String: String], streams: Streams? = nil
  ) throws(SystemError) {
    let leadsGroup = streams != nil || !Self.hasTerminal
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = Self.entries(environment) + [nil]
    defer { for text in arguments + variables { free(text) } }
    let given = [streams?.input, streams?.output, streams?.errors].map { $0 ?? Int32(CK_NULL) }
    var pid: Int32 = 0
    let code = given.withUnsafeBufferPointer { given in
      var start = ck_start(
        streams: streams == nil ? nil : given.baseAddress, leads_group: leadsGroup,
        ends_with_us: streams == nil, keeps_given: streams == nil)
      return ck_spawn(arguments, variables, &start, &pid)
    }
    guard code == 0 else { throw SystemError(code: code) }
    self.pid = pid
    self.leadsGroup = leadsGroup
  }

  /// Returns the entries `NAME=VALUE` of an environment.
  ///
  /// A variable that this process passes on keeps its bytes, which need not be UTF-8: a text has U+FFFD in their place.
  private static func entries(_ environment: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
    var rest = environment
    var entries: [UnsafeMutablePointer<CChar>?] = []
    var own = ck_environment()
    while let entry = own?.pointee {
      let text = String(cString: entry)
      let name = String(text.prefix { $0 != "=" })
      if let value = rest[name], text.dropFirst(name.count + 1) == value {
        entries.append(strdup(entry))
        rest[name] = nil
      }
      own = own?.successor()
    }
    return entries + rest.map { strdup("\($0)=\($1)") }
  }

  /// Whether this process has a controlling terminal.
  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  /// Returns the variables for a program that only serves this one, such as one for the clipboard.
  ///
  /// It needs neither the addresses and passwords of databases nor the program's own settings.
  package static func helperEnvironment(_ variables: [String: String]) -> [String: String] {
    variables.filter { name, _ in !name.hasPrefix("SSOTERM_") && !name.hasPrefix("PG") }
  }
}

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
