import Foundation

/// Who did an intent: the terminal session of the process.
///
/// All commands of one shell have the same.
enum Origin {
  /// `session 4711 on /dev/pts/3`, or `session 4711` without a terminal.
  static let own: String = {
    let session = "session \(getsid(0))"
    for descriptor in Int32(0)...2 {
      if let name = ttyname(descriptor) { return session + " on " + String(cString: name) }
    }
    return session
  }()
}
