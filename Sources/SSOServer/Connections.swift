import NIOCore
import Synchronization

/// The open connections, at most so many: one more closes the one that has been idle longest.
///
/// Ten thousand idle connections therefore cost no more than the limit, and a client with a request always gets in.
final class Connections: Sendable {
  private struct State {
    /// Idle ones in the order in which they became so; others are at work.
    var idle: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var busy: Set<ObjectIdentifier> = []
    var clock: UInt64 = 0
  }

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// A connection that waits for a request: new, or between two.
  func becomesIdle(_ channel: any Channel) {
    let evicted: (any Channel)? = state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.busy.remove(id)
      state.clock += 1
      state.idle[id] = (state.clock, channel)
      guard state.idle.count + state.busy.count > limit else { return nil }
      guard let oldest = state.idle.min(by: { $0.value.since < $1.value.since }) else { return nil }
      state.idle[oldest.key] = nil
      return oldest.value.channel
    }
    evicted?.close(promise: nil)
  }

  func becomesBusy(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.idle[id] = nil
      state.busy.insert(id)
    }
  }

  func ends(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.idle[id] = nil
      state.busy.remove(id)
    }
  }
}
