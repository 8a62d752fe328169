import Dispatch
import Synchronization

/// A log for the user, written on a separate queue so that a reader that stops reading never stops the server.
///
/// Lines are held back while a question is open, so that they do not interrupt it.
final class ServerLog: Sendable {
  private struct State {
    var isHolding = false
    var isWriting = false
    var lines: [String] = []
    /// The number of lines that were dropped because the maximum number of lines was already waiting.
    var leftOut = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "ssoterm.log")
  private let show: @Sendable (String) -> Void

  /// - Parameters:
  ///   - limit: the maximum number of waiting lines; further ones are only counted.
  ///   - show: writes a line, and may block as long as its reader does.
  init(limit: Int = 1000, show: @escaping @Sendable (String) -> Void) {
    self.limit = limit
    self.show = show
  }

  /// Adds a line and returns at once.
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

  /// Runs `body` without printing lines.
  ///
  /// The lines that arrive in between are printed afterwards.
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

  /// Waits until the added lines are written, but at most one second in case the reader has stopped.
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

  /// Returns the line to write now, or ends the writing and returns `nil` if there is none.
  private func next() -> String? {
    state.withLock { state in
      if !state.isHolding {
        if !state.lines.isEmpty { return state.lines.removeFirst() }
        if state.leftOut > 0 {
          defer { state.leftOut = 0 }
          return "\(state.leftOut) more lines were skipped: the output was not read"
        }
      }
      state.isWriting = false
      return nil
    }
  }
}
