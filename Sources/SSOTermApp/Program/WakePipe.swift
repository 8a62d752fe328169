import Essentials
import TerminalUI

/// Wakes a thread that waits for a line of the terminal, from any other thread.
package final class WakePipe: Sendable {
  /// Readable after ``wake()``.
  package let descriptor: Int32
  private let writer: Int32

  /// Nil if the process may open no more files.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (descriptor, writer) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  /// Makes the descriptor readable; may be called from any thread.
  package func wake() { Waker(descriptor: writer).wake() }
}

/// What comes first where a person may type a line.
package enum FirstInput: Equatable, Sendable { case line, news, end }

/// Waits for a line on a terminal, or until one of the other descriptors is readable, which is then read empty.
///
/// With `terminal` nil only the others count.
package func waitForInput(on terminal: Int32?, or others: [Int32]) -> FirstInput {
  var polled = ([terminal ?? -1] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while true {
    let count = poll(&polled, nfds_t(polled.count), -1)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return .end }
    if polled[0].revents != 0 { return .line }
    let news = polled.dropFirst().filter { $0.revents != 0 }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // One that has ended stays readable, and would be news for ever.
    for one in news where read(one.fd, &bytes, bytes.count) == 0 { return .end }
    return .news
  }
}
