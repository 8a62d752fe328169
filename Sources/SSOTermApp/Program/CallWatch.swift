import Dispatch
import Essentials
import Synchronization

/// A watch that reports the progress of a call if it is slow, as with a distant server or a large store.
final class CallWatch: Sendable {
  private struct State {
    var latest: CallProgress?
    var isLong = false
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let tell: @Sendable (CallProgress) -> Void

  /// - Parameters:
  ///   - patience: The time after which a call is reported. For a shorter call, the drawing would only flicker.
  ///   - tell: The closure that receives the progress. It is not called after `end`.
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
