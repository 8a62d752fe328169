import Foundation
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOPostgreSQL
@testable import SSOStore

/// A network that loses the responses of a lab's server, or the server too.
struct LostAnswerTests: ServerLab {
  let address: LabAddress
  let store: WorldStore

  init() throws { (address, store) = try Self.made() }

  private func lab(by relay: PostgresRelay) throws -> WorldStore {
    let store = try WorldStore.open(
      .server(PostgresCluster.shared().address(address.lab, by: relay)), create: false)
    store.locked {
      guard let engine = $0.engine as? PostgresConnection else { return }
      engine.link.answerLimit = 1
      engine.link.patience = 0.1
      engine.reconnectLimit = 1
    }
    return store
  }

  @Test(arguments: [PostgresRelay.Behavior.losesAnswer(thenAway: false), .losesCommit])
  func changeWhoseCommitWasLostIsMadeOnce(_ loss: PostgresRelay.Behavior) throws {
    let relay = try PostgresCluster.shared().relay()
    let store = try lab(by: relay)
    var attempts = 0
    relay.behavior = loss
    try store.again {
      try store.write(JournalEntry(intent: "once", at: noon)) { lab in
        attempts += 1
        let before = try lab.document(.lab, "") ?? Data()
        try lab.put(before + Data(" once".utf8), .lab, "")
      }
    }
    if case .losesCommit = loss { #expect(attempts == 2) } else { #expect(attempts == 1) }
    #expect(try text() == "before once")
    #expect(try store.journal(limit: 9).map(\.intent) == ["once", "put"])
  }

  @Test func commitOfWhichNothingIsKnownIsToldAndNotRepeated() throws {
    let relay = try PostgresCluster.shared().relay()
    let store = try lab(by: relay)
    relay.behavior = .losesAnswer(thenAway: true)
    var attempts = 0
    let unknown = try trouble {
      try store.again {
        try store.write(JournalEntry(intent: "once", at: noon)) { lab in
          attempts += 1
          try lab.put(Data("once".utf8), .lab, "")
        }
      }
    }
    guard case .unknownOutcome = unknown else { throw StoreError.server("", unknown) }
    #expect(attempts == 1)
    #expect(try text() == "once")
    relay.behavior = .passesOn
    #expect(try store.journal(limit: 9).map(\.intent) == ["once", "put"])
  }

  @Test func networkThatHangsIsGivenUpAndUsedAgainWhenItAnswers() throws {
    let relay = try PostgresCluster.shared().relay()
    let store = try lab(by: relay)
    let news = Mutex<[String]>([])
    store.listen { said in news.withLock { $0.append("\(said)") } }
    relay.behavior = .hangs
    let lost = try trouble { _ = try store.read { try $0.document(.lab, "") } }
    // There is no response to the request, nor to a new connection.
    guard case .unreachable = lost else { throw StoreError.server("", lost) }
    #expect(news.withLock { $0 } == ["unresponsive"])
    relay.behavior = .passesOn
    _ = try store.changeMark
    #expect(news.withLock { $0 } == ["unresponsive", "recovered"])
    try store.write(JournalEntry(intent: "after", at: noon)) { try $0.put(Data("after".utf8), .lab, "") }
    #expect(try text() == "after")
    #expect(news.withLock { $0 } == ["unresponsive", "recovered"])
  }

  /// libpq returns the same result again and again until the copy is read.
  @Test func aCopyThatTheServerBeginsEndsTheCommand() throws {
    let relay = try PostgresCluster.shared().relay()
    let store = try lab(by: relay)
    relay.behavior = .beginsCopy
    let found = try trouble { _ = try store.read { try $0.document(.lab, "") } }
    #expect(found == .other("more than 1000 results"))
  }

  @Test func serverThatComesBackIsHeardOfWithoutAsking() throws {
    let relay = try PostgresCluster.shared().relay()
    let watch = try #require(try StoreWatch(lab(by: relay)))
    func isTouched() -> Bool {
      var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
      defer {
        var buffer = [UInt8](repeating: 0, count: 64)
        _ = read(watch.descriptor, &buffer, 64)
      }
      return poll(&waiting, 1, 20_000) == 1
    }
    relay.behavior = .isAway
    #expect(isTouched())
    relay.behavior = .passesOn
    #expect(isTouched())
  }
}
