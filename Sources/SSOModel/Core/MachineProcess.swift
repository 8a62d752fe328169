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
