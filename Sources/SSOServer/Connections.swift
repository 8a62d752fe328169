import Essentials
import NIOCore
import NIOHTTP1
import SSOCore
import SSOLab
import SSOProvider
import Synchronization

/// The open connections.
///
/// If there are more than `limit`, a new connection closes the one whose client has kept the server waiting longest,
/// either for a request or for the rest of one. A client with a request is therefore always accepted, however many
/// others send theirs slowly.
final class Connections: Sendable {
  private struct State {
    /// The connections that wait for their client, with the value of `clock` when the wait started.
    var waiting: [ObjectIdentifier: (since: UInt64, channel: any Channel)] = [:]
    var answering: [ObjectIdentifier: any Channel] = [:]
    /// Whether the server is stopping and accepts no new connections.
    var isEnding = false
    var clock: UInt64 = 0
    /// The connections in the order in which they started to wait.
    ///
    /// Entries of connections that no longer wait are skipped.
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

  /// Whether the server is stopping.
  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Marks a connection as waiting for a request, because it is new or between two requests.
  func markWaiting(_ channel: any Channel) {
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

  /// Marks a connection as having a complete request, so that it is not closed before the response.
  func markAnswering(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = channel
    }
  }

  func remove(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.waiting[id] = nil
      state.answering[id] = nil
    }
  }

  /// Closes all connections.
  ///
  /// A connection with a request is closed after its response or when `time` has elapsed.
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
