import Foundation

/// How many connections the process may hold.
enum OpenFiles {
  /// Kept free for the store, the terminal and the listeners.
  private static let reserve = 64
  /// More than any lab needs; each costs some tens of kilobytes.
  private static let most = 2048

  /// Raises the soft limit of open files as far as it is useful, and says how many connections fit under it.
  static func connectionLimit() -> Int {
    var limits = rlimit()
    guard getrlimit(files, &limits) == 0 else { return 192 }
    let wanted = min(limits.rlim_max, rlim_t(most + reserve))
    if limits.rlim_cur < wanted {
      limits.rlim_cur = wanted
      _ = setrlimit(files, &limits)
      _ = getrlimit(files, &limits)
    }
    return max(16, min(most, Int(clamping: limits.rlim_cur) - reserve))
  }

  #if canImport(Glibc)
    private static var files: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
  #else
    private static var files: Int32 { RLIMIT_NOFILE }
  #endif
}
