import Synchronization

/// An event that a store reports while it works.
package enum StoreEvent: Sendable {
  /// Another process is writing, and this process waits for its turn.
  case waits
  /// The server of the lab has not responded for two seconds: it is unreachable, or another writer holds the
  /// lab's lock.
  case unresponsive
  /// The server does not respond because another writer holds the lab.
  ///
  /// The text contains the writer and the time, as the server knows them.
  case held(by: String)
  /// The server responds again.
  case recovered
  /// A damaged row was skipped.
  ///
  /// Each row is reported once.
  case leftOut(StoreError)
}

/// A reporter that passes a store's events to the part of the program that displays them.
final class StoreEventReporter: Sendable {
  private struct State {
    var listener: (@Sendable (StoreEvent) -> Void)?
    var rows: Set<String> = []
  }

  private let state = Mutex(State())

  func setListener(_ listener: (@Sendable (StoreEvent) -> Void)?) {
    state.withLock { $0.listener = listener }
  }

  func report(_ news: StoreEvent) {
    let listener = state.withLock { state in
      if case .leftOut(.damaged(_, let row, _)) = news, !state.rows.insert(row).inserted {
        return (@Sendable (StoreEvent) -> Void)?.none
      }
      return state.listener
    }
    listener?(news)
  }
}
