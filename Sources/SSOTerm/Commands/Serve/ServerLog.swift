import Dispatch
import Synchronization

/// Lines for the person, written on a queue of their own: a reader that stops reading never stops the server.
///
/// They are held back while a question is open, so that they do not run into it.
final class ServerLog: Sendable {
  private struct State {
    var isHolding = false
    var isWriting = false
    var lines: [String] = []
    /// Lines that came while as many as may wait were waiting.
    var leftOut = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "ssoterm.log")
  private let show: @Sendable (String) -> Void

  /// - Parameters:
  ///   - limit: how many lines may wait; further ones are counted.
  ///   - show: writes a line, and may take as long as its reader does.
  init(limit: Int = 1000, show: @escaping @Sendable (String) -> Void) {
    self.limit = limit
    self.show = show
  }

  /// Returns at once.
  func add(_ line: String) {
    state.withLock { state in
      guard state.lines.count < limit else {
        state.leftOut += 1
        return
      }
      state.lines.append(line)
    }
    write()
  }

  /// Runs `body` without a line in between; what came meanwhile follows.
  func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    settle()
    state.withLock { $0.isHolding = true }
    settle()
    defer {
      state.withLock { $0.isHolding = false }
      write()
    }
    return try body()
  }

  /// Waits until what was added is written, but not for a reader that has stopped.
  func settle() {
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    _ = written.wait(timeout: .now() + .seconds(1))
  }

  private func write() {
    let starts = state.withLock { state in
      guard !state.isHolding, !state.isWriting else { return false }
      state.isWriting = true
      return true
    }
    guard starts else { return }
    queue.async { [self] in
      while let line = next() { show(line) }
    }
  }

  /// The line to write now; nil: none, and the writing ends.
  private func next() -> String? {
    state.withLock { state in
      if !state.isHolding {
        if !state.lines.isEmpty { return state.lines.removeFirst() }
        if state.leftOut > 0 {
          defer { state.leftOut = 0 }
          return "\(state.leftOut) more lines were left out: the output was not read"
        }
      }
      state.isWriting = false
      return nil
    }
  }
}
