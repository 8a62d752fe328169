import Essentials

/// A process of ssoterm, as a record names it: several machines may read the record, and each has processes with these IDs.
package struct MachineProcess: Codable, Hashable, Sendable {
  package var machine: Machine
  package var id: Int32

  package static let own = MachineProcess(machine: .own, id: getpid())

  /// Whether there is such a process; nil: only its own machine can say.
  package var isRunning: Bool? {
    guard machine == .own else { return nil }
    return kill(id, 0) == 0 || errno == EPERM
  }
}

/// Where a process ID or a port of localhost means the same to all: a running kernel, and in it a space of process IDs.
///
/// A host's name would not do: the machines of a class often have all the same.
package struct Machine: Hashable, Sendable {
  private var name: String

  package init(_ name: String) { self.name = name }

  package static let own = Machine(
    String(sha256Hex(boot + " " + processSpace).prefix(16)))

  #if canImport(Glibc)
    /// random(4): another one after each start.
    private static let boot: String = {
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      return text ?? ProcessInfo.processInfo.hostName
    }()

    /// pid_namespaces(7): a container has process IDs of its own.
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
