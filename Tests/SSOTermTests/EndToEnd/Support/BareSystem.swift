import Glibc
import Testing

/// A system that lacks something for one program, created with a separate mount namespace.
enum BareSystem {
  /// The options with which this user can run unshare(1), or `nil` if the user cannot run it.
  private static let unshare = [["-m"], ["-rm"]].first { options in
    (try? Child(command(options, "true", []), environment: [:], terminal: nil).ending(within: 20)) == .exit(0)
  }

  static let isPossible = unshare != nil
  static let reason: Comment = "this user may not make a mount namespace"

  /// The folders of the terminfo database on Debian, Fedora, and Alpine.
  static let terminfo = ["/etc/terminfo", "/lib/terminfo", "/usr/lib/terminfo", "/usr/share/terminfo"]

  /// Returns a command that runs a program with the folders empty.
  static func without(_ folders: [String], _ arguments: [String]) -> [String] {
    let hide = folders.map { "if [ -d \($0) ]; then mount -t tmpfs none \($0) || exit 99; fi; " }.joined()
    return command(unshare ?? [], hide + "exec \"$@\"", arguments)
  }

  /// Returns a command that runs a program whose user has the given limits of inotify instances and watches
  /// (user_namespaces(7)).
  static func withInotify(instances: Int, watches: Int, _ arguments: [String]) -> [String] {
    let limit =
      "cd /proc/sys/user && echo \(instances) > max_inotify_instances && echo \(watches) > max_inotify_watches"
    return command(["-rm"], "\(limit) && cd / && exec \"$@\"", arguments)
  }

  /// Whether those limits can be set.
  static let limitsInotify: Bool = {
    let attempt = withInotify(instances: 0, watches: 0, ["/bin/true"])
    return (try? Child(attempt, environment: [:], terminal: nil).ending(within: 20)) == .exit(0)
  }()

  private static func command(_ options: [String], _ script: String, _ arguments: [String]) -> [String] {
    ["/usr/bin/unshare"] + options + ["/bin/sh", "-c", script, "sh"] + arguments
  }
}
