import NIOCore
import Synchronization

/// The open connections, at most so many: one more closes the one that has been idle longest.
///
/// Ten thousand idle connections therefore cost no more than the limit, and a client with a request always gets in.
final class Connections: Sendable {
  private struct State {
    /// Idle ones, and since when; others are at work.
    var idle: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var busy: Set<ObjectIdentifier> = []
    var clock: UInt64 = 0
    /// All that became idle, in that order, those that are no longer so included.
    var order: CircularBuffer<(id: ObjectIdentifier, since: UInt64)> = []

    mutating func addIdle(_ id: ObjectIdentifier, _ channel: any Channel) {
      clock += 1
      idle[id] = (clock, channel)
      order.append((id, clock))
      // One connection with a thousand requests leaves a thousand places behind.
      guard order.count > 2 * idle.count + 64 else { return }
      order = CircularBuffer(order.filter { idle[$0.id]?.since == $0.since })
    }

    /// Takes the one out that has been idle longest.
    mutating func oldest() -> (any Channel)? {
      while let next = order.popFirst() {
        guard let entry = idle[next.id], entry.since == next.since else { continue }
        idle[next.id] = nil
        return entry.channel
      }
      return nil
    }
  }

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// A connection that waits for a request: new, or between two.
  func becomesIdle(_ channel: any Channel) {
    let evicted: (any Channel)? = state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.busy.remove(id)
      state.addIdle(id, channel)
      guard state.idle.count + state.busy.count > limit else { return nil }
      return state.oldest()
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
