import Essentials

/// The terminal session of this process.
///
/// All commands of one shell share it.
package enum Origin {
  /// The text of the session: `session 4711 on /dev/pts/3`, or `session 4711` without a terminal.
  package static let own: String = {
    let session = "session \(getsid(0))"
    for descriptor in Int32(0)...2 {
      if let name = ttyname(descriptor) { return session + " on " + String(cString: name) }
    }
    return session
  }()
}
