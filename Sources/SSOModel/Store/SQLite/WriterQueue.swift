import Dispatch
import Essentials
import SSOCore
import Synchronization

/// A queue in which processes wait to write, in the order of arrival.
///
/// The kernel keeps a queue for `flock`. SQLite does not keep one for its own lock, which goes to the process that
/// happens to try at the right moment. The locked file is the store's key, which exists as long as the store
/// and is not locked otherwise. The database file must not be opened a second time, because closing it would
/// release SQLite's locks.
final class WriterQueue: Sendable {
  private let store: String
  private let descriptor: Int32

  /// The seconds after which the user is notified that this process waits, and after which it gives up.
  private static let (patience, limit) = (2.0, 60.0)

  /// Creates a queue.
  ///
  /// - Parameter store: The path of the database.
  init(store: String) {
    self.store = store
    descriptor = Self.openKey(of: store)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func openKey(of store: String) -> Int32 {
    open(store + ".key", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  }

  /// Waits for this process's turn, which lasts until `leave` is called with the result.
  ///
  /// Without a file to lock, SQLite's own lock must suffice.
  ///
  /// - Throws: `locked` after a minute.
  func enter(waiting: () -> Void) throws(StoreError) -> Int32 {
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else {
      return descriptor
    }
    let turn = Turn(Self.openKey(of: store))
    detachThread { turn.take() }
    if let taken = turn.wait(Self.patience) { return taken }
    waiting()
    guard let taken = turn.wait(Self.limit - Self.patience) ?? turn.abandon() else {
      throw .locked(path: store)
    }
    return taken
  }

  func leave(_ turn: Int32) {
    guard turn >= 0 else { return }
    if turn == descriptor { flock(turn, LOCK_UN) } else { close(turn) }
  }

  /// A place in the queue.
  ///
  /// A thread waits in it, because `flock` has no timeout.
  private final class Turn: Sendable {
    private enum State { case waiting, taken, abandoned }

    private let descriptor: Int32
    private let state = Mutex(State.waiting)
    private let isTaken = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func take() {
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      let isWanted = state.withLock { state in
        guard state == .waiting else { return false }
        state = .taken
        return true
      }
      if isWanted { isTaken.signal() } else { close(descriptor) }
    }

    func wait(_ seconds: Double) -> Int32? {
      isTaken.wait(timeout: .now() + seconds) == .success ? descriptor : nil
    }

    /// Gives up, or returns the descriptor if the turn has come in the meantime.
    func abandon() -> Int32? {
      state.withLock { state in
        if state == .waiting { state = .abandoned }
        return state == .taken ? descriptor : nil
      }
    }
  }
}
