import Essentials
import TerminalUI

/// A pipe with which any thread can wake a thread that waits for a line of the terminal.
package final class WakePipe: Sendable {
  /// The descriptor, which is readable after ``wake()``.
  package let descriptor: Int32
  private let writer: Int32

  /// Creates a pipe, or returns `nil` if the process may not open any more files.
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

  /// Makes the descriptor readable.
  ///
  /// Any thread may call this.
  package func wake() { Waker(descriptor: writer).wake() }
}

/// The input that arrives first where the user may type a line.
package enum FirstInput: Equatable, Sendable { case line, news, end }

/// Waits for a line on a terminal, or until one of the other descriptors is readable, which is then drained.
///
/// If `terminal` is `nil`, only the other descriptors count.
package func waitForInput(on terminal: Int32?, or others: [Int32]) -> FirstInput {
  var polled = ([terminal ?? -1] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while true {
    let count = poll(&polled, nfds_t(polled.count), -1)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return .end }
    if polled[0].revents != 0 { return .line }
    let news = polled.dropFirst().filter { $0.revents != 0 }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // A descriptor whose other end is closed stays readable, and would report news forever.
    for one in news where read(one.fd, &bytes, bytes.count) == 0 { return .end }
    return .news
  }
}
