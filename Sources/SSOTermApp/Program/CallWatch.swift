import Dispatch
import Essentials
import Synchronization

/// Tells of a call while it runs, if it takes so long that a person waits: a lab on a distant server, a large store.
final class CallWatch: Sendable {
  private struct State {
    var latest: CallProgress?
    var isLong = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let tell: @Sendable (CallProgress) -> Void

  /// - Parameters:
  ///   - patience: a shorter call is not told of: its picture would only flicker.
  ///   - tell: nothing is told after `end`.
  init(patience: DispatchTimeInterval, tell: @escaping @Sendable (CallProgress) -> Void) {
    self.tell = tell
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + patience) { [weak self] in
      self?.change { $0.isLong = true }
    }
  }

  func note(_ progress: CallProgress) { change { $0.latest = progress } }

  func end() { state.withLock { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      if state.isLong, !state.hasEnded, let latest = state.latest { tell(latest) }
    }
  }
}
