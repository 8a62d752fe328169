import Foundation

/// How many connections the process may hold without ever running out of files: the store, the terminal and the
/// runtime's own timers need some at any time, and the runtime ends the program if it gets none.
struct OpenFiles {
  /// Connections that may be idle together.
  var connections: Int
  /// Connections that one address may have open at a moment: more than stay, since closing takes a while.
  var perAddress: Int

  private static let reserve = 256
  /// More than any lab needs; each costs some tens of kilobytes.
  private static let most = 1024

  init(addresses: Int) {
    let wanted = Self.reserve + Self.open(for: Self.most) * addresses
    let limit = Self.raisedLimit(to: wanted)
    let share = (limit - Self.reserve) / max(1, addresses)
    perAddress = max(16, min(Self.open(for: Self.most), share))
    connections = max(8, perAddress * 4 / 5)
  }

  private static func open(for connections: Int) -> Int { connections * 5 / 4 }

  /// Raises the soft limit of open files as far as it is useful, and says what it is.
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
