import Foundation
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOStore

@Suite struct WriterQueueTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  @Test(arguments: TestEngine.allCases)
  func whoWaitsLongIsToldAndGetsItsTurn(_ engine: TestEngine) throws {
    let location = try engine.location(in: folder)
    let (mine, other) = (
      try WorldStore.open(location, create: true), try WorldStore.open(location, create: true)
    )
    let told = Mutex(0)
    mine.listen { news in
      switch news {
      // A server does not say why it has not responded yet.
      case .waits, .unresponsive: told.withLock { $0 += 1 }
      case .held, .recovered, .leftOut: break
      }
    }
    let isWriting = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? other.write(nil) { transaction in
        isWriting.signal()
        Thread.sleep(forTimeInterval: 2.5)
        try transaction.put(Data("other".utf8), .lab, "a")
      }
    }
    isWriting.wait()
    try mine.write(nil) { transaction in
      #expect(try transaction.document(.lab, "a") == Data("other".utf8))
      try transaction.put(Data("mine".utf8), .lab, "a")
    }
    #expect(told.withLock { $0 } == 1)
    #expect(try other.read { try $0.document(.lab, "a") } == Data("mine".utf8))
  }

  @Test(arguments: [1, 2]) func anOlderStoreIsReadAndIsBroughtUpToDateByTheFirstWrite(version: Int) throws {
    try folder.open().write(JournalEntry(intent: "old", at: noon)) {
      try $0.put(Data("x".utf8), .lab, "a")
      try $0.append(trace: TraceRecord(title: "old", correlationID: "c", at: noon, outcome: "", hops: []))
    }
    let added = ["journal", "trace"].flatMap { table in
      ["person", "machine"].map { "\(table) DROP COLUMN \($0)" }
    }
    let changes = added + (version == 1 ? ["journal DROP COLUMN origin"] : [])
    try runSQL(
      changes.map { "ALTER TABLE \($0);" }.joined() + "PRAGMA user_version = \(version)", on: folder.store)
    let (mine, other) = (try folder.open(), try folder.open())
    #expect(try mine.undoState().undo == "old")
    #expect(try mine.journal(limit: 9).map(\.author) == [nil])
    #expect(try mine.read { try $0.traces(limit: 9).map(\.title) } == ["old"])
    try mine.write(JournalEntry(intent: "new", at: noon)) { try $0.put(Data("y".utf8), .lab, "a") }
    #expect(try other.undo(at: noon).entry?.intent == "new")
    #expect(try other.undo(at: noon).entry?.origin == nil)
    #expect(
      try texts("SELECT CAST(user_version AS TEXT) FROM pragma_user_version", on: folder.store) == ["3"])
  }
}
