import Dispatch
import Synchronization
import Testing

@testable import SSOTerm

@Suite("The lines of a server")
struct ServerLogTests {
  /// A reader that stops and continues.
  private final class Reader: Sendable {
    let lines = Mutex<[String]>([])
    let goesOn = DispatchSemaphore(value: 0)
    let isAsked = DispatchSemaphore(value: 0)

    func read(_ line: String) {
      isAsked.signal()
      goesOn.wait()
      lines.withLock { $0.append(line) }
    }
  }

  @Test func aReaderThatStopsHoldsNobodyUpAndIsToldWhatWasLeftOut() {
    let reader = Reader()
    let log = ServerLog(limit: 2) { reader.read($0) }
    log.add("first")
    reader.isAsked.wait()
    for line in ["second", "third", "fourth", "fifth"] { log.add(line) }
    #expect(reader.lines.withLock { $0 } == [])
    for _ in 1...4 { reader.goesOn.signal() }
    log.settle()
    #expect(
      reader.lines.withLock { $0 } == [
        "first", "second", "third", "2 more lines were skipped: the output was not read",
      ])
  }

  @Test func noLineComesWhileAQuestionIsOpen() {
    let seen = Mutex<[String]>([])
    let log = ServerLog { line in seen.withLock { $0.append(line) } }
    log.add("before")
    log.holding {
      log.add("meanwhile")
      #expect(seen.withLock { $0 } == ["before"])
    }
    log.settle()
    #expect(seen.withLock { $0 } == ["before", "meanwhile"])
  }
}
