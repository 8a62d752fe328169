import Synchronization

/// Lines for the person, held back while a question is open so that they do not run into it.
final class HeldLines: Sendable {
  private struct State {
    var isHolding = false
    var lines: [String] = []
  }

  private let state = Mutex(State())
  private let show: @Sendable (String) -> Void

  init(show: @escaping @Sendable (String) -> Void) { self.show = show }

  func add(_ line: String) {
    let isHeld = state.withLock { state in
      if state.isHolding { state.lines.append(line) }
      return state.isHolding
    }
    if !isHeld { show(line) }
  }

  /// Runs `body` without a line in between; what came meanwhile follows.
  func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isHolding = true }
    defer {
      let lines = state.withLock { state in
        defer { state = State() }
        return state.lines
      }
      for line in lines { show(line) }
    }
    return try body()
  }
}
