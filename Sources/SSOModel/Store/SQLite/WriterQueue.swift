import Dispatch
import Essentials
import Synchronization

/// Lets processes write one after the other, in the order in which they came.
///
/// The kernel keeps a queue for `flock`; SQLite keeps none for its own lock, which the process gets that asks at the right moment.
/// The file is the store's key, which is there as long as the store and has no other lock; the database's own must not be
/// opened a second time, as closing it would drop SQLite's locks.
final class WriterQueue: Sendable {
  private let store: String
  private let descriptor: Int32

  /// Seconds until the person is informed that this process waits, and until it gives up.
  private static let (patience, limit) = (2.0, 60.0)

  /// - Parameter store: the database's path.
  init(store: String) {
    self.store = store
    descriptor = Self.openKey(of: store)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func openKey(of store: String) -> Int32 {
    open(store + ".key", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  }

  /// This process's turn, until `leave` is called with what it returns.
  ///
  /// Without a file to lock, SQLite's lock has to do.
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

  /// A place in the queue: a thread waits in it, because a call of the kernel has no limit of time.
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

    /// The descriptor if the turn has come meanwhile.
    func abandon() -> Int32? {
      state.withLock { state in
        if state == .waiting { state = .abandoned }
        return state == .taken ? descriptor : nil
      }
    }
  }
}
