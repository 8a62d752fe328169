import Essentials
import NIOCore

/// The number of connections that fit into the process's limit of open files.
///
/// The store, the terminal, and the runtime's timers need some files at any time, and the runtime terminates the
/// program if it cannot get one.
struct OpenFiles {
  /// The maximum number of connections that stay open.
  var connections: Int
  /// The maximum number of connections that one address accepts: a quarter more, because closing takes time.
  var perAddress: Int

  /// The number of files that are left free if the limit is high.
  private static let reserve = 256
  /// The maximum number of connections.
  ///
  /// Each one uses some tens of kilobytes.
  private static let maximum = 1024
  /// The minimum number of connections that an address accepts.
  private static let fewest = 10

  /// - Throws: `LabError` if the limit leaves no room for connections.
  init(addresses: Int) throws(LabError) {
    self = try Self(
      addresses: addresses, limit: Self.raisedLimit(to: Self.wanted(addresses)), cores: System.coreCount)
  }

  /// Divides the process's open files among the addresses.
  ///
  /// `limit` is the number of files, after the soft limit has been raised. Each of the `cores` has an event loop with
  /// three files.
  /// - Throws: `LabError` if there are too few files for the fewest connections.
  init(addresses: Int, limit: Int, cores: Int) throws(LabError) {
    let needed = 32 + 3 * cores + 2 * addresses
    let least = needed + Self.fewest * addresses
    guard limit >= least else {
      throw LabError(
        .badInput, "The server cannot start: this process may open \(limit) files.",
        why: "It needs \(least) at least: \(needed) for itself, the others for connections.",
        next: "ulimit -n \(least)")
    }
    let share = (limit - min(Self.reserve, max(needed, limit / 2))) / addresses
    perAddress = max(Self.fewest, min(Self.open(for: Self.maximum), share))
    connections = perAddress * 4 / 5
  }

  private static func open(for connections: Int) -> Int { connections * 5 / 4 }
  private static func wanted(_ addresses: Int) -> Int { reserve + open(for: maximum) * addresses }

  /// Raises the soft limit of open files up to `wanted`, if the hard limit allows it, and returns the result.
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
