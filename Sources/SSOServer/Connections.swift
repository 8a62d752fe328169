import NIOCore
import Synchronization

/// The open connections. Beyond `limit`, a new one closes the one that has been idle longest, so a client with a request
/// is always accepted.
final class Connections: Sendable {
  private struct State {
    /// The idle ones, with the value of `clock` since when.
    var idle: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var busy: Set<ObjectIdentifier> = []
    var clock: UInt64 = 0
    /// Connections in the order in which they became idle; entries of those that are busy again are skipped.
    var order: CircularBuffer<(id: ObjectIdentifier, since: UInt64)> = []

    mutating func addIdle(_ id: ObjectIdentifier, _ channel: any Channel) {
      clock += 1
      idle[id] = (clock, channel)
      order.append((id, clock))
      // A connection leaves one entry for each of its requests.
      guard order.count > 2 * idle.count + 64 else { return }
      order = CircularBuffer(order.filter { idle[$0.id]?.since == $0.since })
    }

    /// Removes and returns the connection that has been idle longest.
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
