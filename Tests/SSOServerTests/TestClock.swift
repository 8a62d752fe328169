import Foundation
import Synchronization

/// A clock that a test moves.
final class TestClock: Sendable {
  private let time: Mutex<Date>

  init(_ now: Date) { time = Mutex(now) }

  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}
