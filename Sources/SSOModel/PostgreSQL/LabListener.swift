import Essentials

/// Hears of the commits of a lab on a server (LISTEN): a connection and a thread of its own, both asleep until one comes.
///
/// The thread makes a new connection when the server goes, so that code that waits for the descriptor need not know.
final class LabListener: CommitListener {
  /// Readable when something was committed, or may have been while there was no connection.
  let descriptor: Int32
  /// Closed to end the thread.
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
      // A full pipe says as much. One whose reader has gone is closed with the object.
      _ = write(tell, [1], 1)
    }
  }
}
