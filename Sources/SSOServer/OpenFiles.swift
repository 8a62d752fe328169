import Foundation

/// How many connections fit into the process's limit of open files. The store, the terminal and the runtime's timers need
/// some files at any time, and the runtime ends the program if it gets none.
struct OpenFiles {
  /// The largest number of connections that stay open.
  var connections: Int
  /// The largest number of connections that one address accepts: a quarter more, because closing takes time.
  var perAddress: Int

  private static let reserve = 256
  /// Each costs some tens of kilobytes.
  private static let maximum = 1024

  init(addresses: Int) {
    let wanted = Self.reserve + Self.open(for: Self.maximum) * addresses
    let limit = Self.raisedLimit(to: wanted)
    let share = (limit - Self.reserve) / max(1, addresses)
    perAddress = max(16, min(Self.open(for: Self.maximum), share))
    connections = max(8, perAddress * 4 / 5)
  }

  private static func open(for connections: Int) -> Int { connections * 5 / 4 }

  /// Raises the soft limit of open files up to `wanted`, as far as the hard limit allows, and returns it.
  private static func raisedLimit(to wanted: Int) -> Int {
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return 256 }
    let useful = min(limits.rlim_max, rlim_t(wanted))
    if limits.rlim_cur < useful {
      limits.rlim_cur = useful
      _ = setrlimit(files, &limits)
      _ = getrlimit(files, &limits)
    }
    return Int(clamping: min(limits.rlim_cur, rlim_t(wanted)))
  }

  #if canImport(Glibc)
    private static var files: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
  #else
    private static var files: Int32 { RLIMIT_NOFILE }
  #endif
}
