import Synchronization

/// What a store has to say while it works, besides the answers.
package enum StoreNews: Sendable {
  /// Another process writes, and this one waits for its turn.
  case waits
  /// The server of the lab has not answered for two seconds: it is away, or another writer holds the lab's lock.
  case silent
  /// It is silent because another writer has the lab; who, and since when, as the server knows it.
  case held(by: String)
  /// It was silent, and answers again.
  case answers
  /// A damaged row was left out of what was read; each row is reported once.
  case leftOut(StoreError)
}

/// Hands a store's news to the part of the program that shows them.
final class StoreNewsReporter: Sendable {
  private struct State {
    var listener: (@Sendable (StoreNews) -> Void)?
    var rows: Set<String> = []
  }

  private let state = Mutex(State())

  func setListener(_ listener: (@Sendable (StoreNews) -> Void)?) {
    state.withLock { $0.listener = listener }
  }

  func report(_ news: StoreNews) {
    let listener = state.withLock { state in
      if case .leftOut(.damaged(_, let row, _)) = news, !state.rows.insert(row).inserted {
        return (@Sendable (StoreNews) -> Void)?.none
      }
      return state.listener
    }
    listener?(news)
  }
}
