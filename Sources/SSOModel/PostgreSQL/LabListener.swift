import Essentials
import SSOCore
import SSOStore

/// A listener for the commits of a lab on a server (LISTEN).
///
/// Its connection and its thread sleep until a commit arrives.
///
/// The thread reconnects if the server goes away, so that code that waits for the descriptor need not know
/// about it.
final class LabListener: CommitListener {
  /// The descriptor, which is readable after a commit, or after a time without a connection.
  let descriptor: Int32
  /// The descriptor that is closed to end the thread.
  private let life: Int32

  init(_ address: LabAddress) throws(StoreError) {
    nonisolated(unsafe) let connection = try PostgresConnection(address)
    let channel = address.namespace
    try connection.run(script: "LISTEN \(channel)")
    let (told, ends) = (try Self.pipe(address), try Self.pipe(address))
    (descriptor, life) = (told.read, ends.write)
    detachThread {
      Self.listen(connection, channel, tell: told.write, untilClosed: ends.read)
      close(told.write)
      close(ends.read)
    }
  }

  deinit {
    close(life)
    close(descriptor)
  }

  private static func pipe(_ address: LabAddress) throws(StoreError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Essentials.pipe(&ends) == 0 else { throw StoreError(errno: errno, path: address.name) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  private static func listen(
    _ connection: PostgresConnection, _ channel: String, tell: Int32, untilClosed life: Int32
  ) {
    var isListening = true
    var pause: Int32 = 250
    while true {
      var polled = [life, connection.link.socket].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if !isListening { polled.removeLast() }
      _ = poll(&polled, nfds_t(polled.count), isListening ? -1 : pause)
      guard polled[0].revents == 0 else { return }
      if isListening {
        guard polled[1].revents != 0 else { continue }
        isListening = connection.link.takeNotifications()
        pause = 250
      } else {
        isListening =
          (try? connection.reconnect()) != nil && (try? connection.run(script: "LISTEN \(channel)")) != nil
        guard isListening else {
          pause = min(pause * 2, 8000)
          continue
        }
      }
      // A full pipe is notification enough. If its reader is gone, the pipe is closed with the object.
      _ = write(tell, [1], 1)
    }
  }
}
