import NIOCore
import Synchronization

/// The open connections.
///
/// Beyond `limit`, a new one closes the one whose client has kept the server waiting longest: for a request, or for the rest
/// of one. So a client with a request is always accepted, however many send theirs slowly.
final class Connections: Sendable {
  private struct State {
    /// Those that wait for their client, with the value of `clock` since when.
    var waiting: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var answering: [ObjectIdentifier: any Channel] = [:]
    /// The server stops: there are no new connections.
    var isEnding = false
    var clock: UInt64 = 0
    /// Connections in the order in which they began to wait; entries of those that do not wait any more are skipped.
    var order: CircularBuffer<(id: ObjectIdentifier, since: UInt64)> = []

    mutating func addWaiting(_ id: ObjectIdentifier, _ channel: any Channel) {
      clock += 1
      waiting[id] = (clock, channel)
      order.append((id, clock))
      // A connection leaves one entry for each of its requests.
      guard order.count > 2 * waiting.count + 64 else { return }
      order = CircularBuffer(order.filter { waiting[$0.id]?.since == $0.since })
    }

    /// Removes and returns the connection that has waited longest.
    mutating func oldest() -> (any Channel)? {
      while let next = order.popFirst() {
        guard let entry = waiting[next.id], entry.since == next.since else { continue }
        waiting[next.id] = nil
        return entry.channel
      }
      return nil
    }
  }

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The connection waits for a request from now on: it is new, or between two.
  func waits(_ channel: any Channel) {
    let evicted: (any Channel)? = state.withLock { state in
      let id = ObjectIdentifier(channel)
      let wasAnswering = state.answering.removeValue(forKey: id) != nil
      if state.isEnding { return wasAnswering ? nil : channel }
      state.addWaiting(id, channel)
      guard state.waiting.count + state.answering.count > limit else { return nil }
      return state.oldest()
    }
    evicted?.close(promise: nil)
  }

  /// The connection has a whole request, and is not closed before the response.
  func answers(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = channel
    }
  }

  func ends(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = nil
    }
  }
  /// Closes all connections, those with a request after its response or when `time` is over.
  func end(within time: TimeAmount) async {
    let open = state.withLock { state in
      state.isEnding = true
      return state.waiting.values.map(\.channel) + state.answering.values
    }
    guard let loop = open.first?.eventLoop else { return }
    let late = loop.scheduleTask(in: time) { for channel in open { channel.close(promise: nil) } }
    for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    for channel in open { try? await channel.closeFuture.get() }
    late.cancel()
  }
}
