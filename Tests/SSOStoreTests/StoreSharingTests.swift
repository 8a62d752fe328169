import Foundation
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOStore

struct StoreSharingTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  @Test(arguments: TestEngine.allCases) func everyCommitIsSeenInTheMarkAndNothingElse(_ engine: TestEngine)
    throws
  {
    let (mine, other) = try engine.two(in: folder)
    let before = try mine.changeMark
    _ = try mine.read { try $0.document(.lab, "") }
    #expect(try mine.changeMark == before)
    try mine.write(nil) { try $0.put(Data("mine".utf8), .lab, "") }
    let own = try mine.changeMark
    #expect(own != before)
    try other.write(nil) { try $0.put(Data("other".utf8), .lab, "") }
    #expect(try mine.changeMark != own)
    #expect(try mine.read { try $0.document(.lab, "") } == Data("other".utf8))
  }

  @Test(arguments: TestEngine.allCases) func aDecodedDocumentIsWhatIsStoredWhoeverChangedIt(
    _ engine: TestEngine
  ) throws {
    struct Change: Error {}
    let (mine, other) = try engine.two(in: folder)
    func read(_ store: WorldStore) throws -> Int? { try store.read { try $0.read(Int.self, .lab, "n") } }
    let entry = JournalEntry(intent: "count", at: noon)
    try mine.write(entry) { try $0.write(1, .lab, "n") }
    #expect(try read(mine) == 1)
    try other.write(entry) { try $0.write(2, .lab, "n") }
    #expect(try read(mine) == 2)
    #expect(throws: Change.self) {
      try mine.write(entry) { lab in
        try lab.write(3, .lab, "n")
        #expect(try lab.read(Int.self, .lab, "n") == 3)
        throw Change()
      }
    }
    #expect(try read(mine) == 2)
    _ = try other.undo(at: noon)
    #expect(try read(mine) == 1)
    #expect(try mine.read { try $0.readAll(Int.self, .lab) } == [1])
    try other.write(entry) { try $0.delete(.lab, "n") }
    #expect(try read(mine) == nil)
  }

  @Test(arguments: TestEngine.allCases) func writersLoseNothing(_ engine: TestEngine) async throws {
    let location = try engine.location(in: folder)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try WorldStore.open(location, create: true)
          for _ in 0..<50 {
            try store.write(JournalEntry(intent: "count", at: noon)) { lab in
              let count = try lab.read(Int.self, .lab, "count") ?? 0
              try lab.write(count + 1, .lab, "count")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try WorldStore.open(location, create: false)
    #expect(try store.read { try $0.read(Int.self, .lab, "count") } == 200)
    #expect(try store.journal(limit: 999).count == 200)
  }

  @Test(arguments: TestEngine.allCases) func aStoreIsMadeOnceHoweverManyOpenItAtOnce(_ engine: TestEngine)
    throws
  {
    for _ in 0..<20 {
      let folder = try ScratchFolder()
      let location = try engine.location(in: folder)
      let refusals = Mutex<[StoreError]>([])
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        do throws(StoreError) {
          _ = try WorldStore.open(location, create: true)
        } catch {
          refusals.withLock { $0.append(error) }
        }
      }
      #expect(refusals.withLock { $0 } == [])
    }
  }

  @Test(arguments: TestEngine.allCases) func readerIsNotHeldUpByAWriterAndSeesOneState(_ engine: TestEngine)
    throws
  {
    let (mine, other) = try engine.two(in: folder)
    try mine.write(nil) { try $0.put(Data("1".utf8), .lab, "a") }
    try other.read { reading in
      #expect(try reading.document(.lab, "a") == Data("1".utf8))
      try mine.write(nil) { try $0.put(Data("2".utf8), .lab, "a") }
      #expect(try reading.document(.lab, "a") == Data("1".utf8))
    }
    #expect(try other.read { try $0.document(.lab, "a") } == Data("2".utf8))
  }

  #if canImport(Glibc)
    @Test(arguments: TestEngine.allCases) func watchReportsTheOthersCommit(_ engine: TestEngine) throws {
      let (mine, other) = try engine.two(in: folder)
      let watch = try #require(try StoreWatch(mine))
      #expect(try StoreWatch(WorldStore.open(.memory, create: true)) == nil)
      var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 0) == 0)
      try other.write(nil) { try $0.put(Data("x".utf8), .lab, "") }
      #expect(poll(&waiting, 1, 500) == 1)
    }
  #endif
}

extension TestEngine {
  fileprivate func two(in folder: ScratchFolder) throws -> (WorldStore, WorldStore) {
    let location = try location(in: folder)
    return (try WorldStore.open(location, create: true), try WorldStore.open(location, create: true))
  }
}
