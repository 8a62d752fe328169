import Dispatch
import Essentials
import SSOCore
import SSODoctor
import SSOStore
import Synchronization
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

/// A watch that reports the progress of a call if it is slow, as with a distant server or a large store.
final class CallWatch: Sendable {
  private struct State {
    var latest: CallProgress?
    var isLong = false
    var hasEnded = false
  }

  /// A serial queue, because the first use of a global one starts a monitor of its threads, which wakes the idle program
  /// every second (libdispatch, `workqueue.c`).
  private static let timer = DispatchQueue(label: "ssoterm.call-watch", qos: .userInteractive)

  private let state = Mutex(State())
  private let tell: @Sendable (CallProgress) -> Void

  /// - Parameters:
  ///   - patience: The time after which a call is reported. For a shorter call, the drawing would only flicker.
  ///   - tell: The closure that receives the progress. It is not called after `end`.
  init(patience: DispatchTimeInterval, tell: @escaping @Sendable (CallProgress) -> Void) {
    self.tell = tell
    Self.timer.asyncAfter(deadline: .now() + patience) { [weak self] in
      self?.change { $0.isLong = true }
    }
  }

  func show(_ progress: CallProgress) { change { $0.latest = progress } }

  func end() { state.withLock { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      if state.isLong, !state.hasEnded, let latest = state.latest { tell(latest) }
    }
  }
}

/// A watch that reports changes to the files of the checked projects.
///
/// It does not poll: a thread sleeps until something happens.
final class ProjectWatch: Sendable {
  private struct State {
    var watch: FolderWatch?
    var changed: @Sendable () -> Void = {}
  }
  private let state = Mutex(State())

  /// The closure to call after a change, on any thread.
  var changed: @Sendable () -> Void {
    get { state.withLock(\.changed) }
    set { state.withLock { $0.changed = newValue } }
  }

  /// Adds projects to watch until the program ends.
  ///
  /// Adding a project again includes its new folders.
  func follow(_ paths: [String]) {
    let folders = ProjectFiles.watched(paths)
    state.withLock { state in
      if let watch = state.watch { return watch.add(folders) }
      guard let watch = FolderWatch(folders: folders) else { return }
      state.watch = watch
      detachThread { [self] in
        while watch.waitForChange() { changed() }
      }
    }
  }
}
