import Foundation
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

struct StoreRoundTripTests {
  @Test(arguments: TestEngine.allCases) func documentsComeBackInTheOrderOfTheirKeys(_ engine: TestEngine)
    throws
  {
    let store = try engine.store()
    try store.write(nil) { lab in
      for key in ["b", "a/2", "a/1", "a\0", "a/\u{10FFFF}x", "é"] {
        try lab.put(Data(key.utf8), .person, key)
      }
      try lab.put(Data(), .tenant, "")
    }
    try store.read { lab in
      #expect(try lab.document(.person, "a\0") == Data("a\0".utf8))
      #expect(try lab.document(.tenant, "") == Data())
      #expect(try lab.document(.person, "c") == nil)
      let keys = try lab.documents(.person, keyPrefix: "a/").map(\.key)
      #expect(keys == ["a/1", "a/2", "a/\u{10FFFF}x"])
      #expect(try lab.documents(.person, keyPrefix: "").count == 6)
    }
  }

  @Test(
    arguments: TestEngine.allCases,
    [
      credential("plain"), credential("", service: ""),
      credential("no attributes", generic: nil, type: nil, label: nil),
      credential("empty generic", generic: Data()), credential("empty data", data: Data()),
      credential("nul\0inside", label: "\u{10FFFF}\0"), credential("ünï ☃ \u{10FFFF}"),
    ])
  func itemsComeBackAsTheyWere(_ engine: TestEngine, item: KeychainItem) throws {
    let store = try engine.store()
    let found = try store.write(nil) { lab in
      let keychain = lab.credentials(device: "phone")
      try keychain.insert(item)
      return try keychain.items(
        matching: KeychainQuery(
          accessGroups: ["other", "TEAM.shared"], account: item.key.account, service: item.key.service,
          generic: item.generic, type: item.type, label: item.label))
    }
    #expect(found.map(\.unstored) == [item])
  }

  @Test(arguments: TestEngine.allCases) func queriesMatchBySubsetsOfTheAttributes(_ engine: TestEngine) throws
  {
    let store = try engine.store()
    try store.write(nil) { lab in
      let keychain = lab.credentials(device: "phone")
      try keychain.insert(credential("a", generic: Data([1]), type: 2001))
      try keychain.insert(credential("b", generic: Data([2]), type: 2001))
      try keychain.insert(credential("a", service: "x", group: "TEAM.other", generic: Data([1]), type: 1003))
      func accounts(_ query: KeychainQuery) throws -> [String] {
        try keychain.items(matching: query).map { $0.key.account + $0.key.service }
      }
      #expect(try accounts(KeychainQuery(accessGroups: [])) == [])
      #expect(try accounts(KeychainQuery(accessGroups: ["TEAM.shared"])) == ["aservice", "bservice"])
      #expect(try accounts(KeychainQuery(accessGroups: ["TEAM.shared"], generic: Data([2]))) == ["bservice"])
      let both = ["TEAM.shared", "TEAM.other"]
      try keychain.insert(credential("c", generic: Data([1]), type: nil))
      let one = KeychainQuery(accessGroups: both, generic: Data([1]))
      #expect(try accounts(one) == ["aservice", "ax", "cservice"])
      #expect(
        try accounts(KeychainQuery(accessGroups: both, generic: Data([1]), limit: 2)) == ["aservice", "ax"])
      try keychain.delete(credential("c").key)
      #expect(try accounts(one) == ["aservice", "ax"])
      #expect(try accounts(KeychainQuery(accessGroups: both, account: "a")) == ["aservice", "ax"])
      #expect(try accounts(KeychainQuery(accessGroups: both, type: 1003)) == ["ax"])
      #expect(try accounts(KeychainQuery(accessGroups: both, itemClass: .key)) == [])
      let tablet = lab.credentials(device: "tablet")
      #expect(try tablet.items(matching: KeychainQuery(accessGroups: both)).isEmpty)
    }
  }

  @Test(arguments: TestEngine.allCases) func secondItemWithTheSameKeyIsADuplicate(_ engine: TestEngine) throws
  {
    let store = try engine.store()
    #expect(throws: KeychainError.duplicateItem) {
      try store.write(JournalEntry(intent: "twice", at: noon)) { lab in
        try lab.credentials(device: "phone").insert(credential("a"))
        try lab.credentials(device: "tablet").insert(credential("a"))
        try lab.credentials(device: "phone").insert(credential("a", generic: nil, type: 1003))
      }
    }
    #expect(try Dump(store, devices: ["phone", "tablet"]).items.isEmpty)
  }

  /// The service of an access token contains all its scopes, which is too long for an index of PostgreSQL.
  @Test(arguments: TestEngine.allCases, [300, 369, 370, 400, 401, 5000, 100_000])
  func attributesOfAnyLengthTellItemsApart(_ engine: TestEngine, length: Int) throws {
    func text(_ end: String) -> String {
      // The text cannot be compressed.
      var random = Randomness(seed: UInt64(length))
      return String((0..<length).map { _ in Character(UnicodeScalar(UInt8(33 + random.next() % 90))) }) + end
    }
    let store = try engine.store()
    let ends = ["a", "b"]
    let items = ends.map { end in
      credential(text(end), service: text(end), group: text("group"), generic: Data(text(end).utf8))
    }
    let group = text("group")
    try store.write(JournalEntry(intent: "long", at: noon)) { lab in
      let keychain = lab.credentials(device: "phone")
      for item in items { try keychain.insert(item) }
      #expect(throws: KeychainError.duplicateItem) { try keychain.insert(items[0]) }
      func found(_ change: (inout KeychainQuery) -> Void) throws -> [KeychainItem] {
        var query = KeychainQuery(accessGroups: [group, "other"])
        change(&query)
        return try keychain.items(matching: query).map(\.unstored)
      }
      #expect(try found { _ in } == items)
      for item in items {
        #expect(try found { $0.account = item.key.account } == [item])
        #expect(try found { $0.service = item.key.service } == [item])
        #expect(try found { ($0.type, $0.generic) = (item.type, item.generic) } == [item])
        #expect(try found { $0.accountPrefix = item.key.account } == [item])
        #expect(try keychain.update(item))
      }
      #expect(try found { $0.accountPrefix = String(text("").prefix(length / 2)) } == items)
      #expect(try found { $0.accountPrefix = text("") } == items)
      #expect(try found { $0.accountPrefix = text("c") } == [])
      let device = lab.items(ofDevice: "phone")
      #expect(try device.accounts(accessGroup: group, beginningWith: text("")) == items.map(\.key.account))
      #expect(try device.itemCount(accessGroup: group) == 2)
      #expect(try device.credentialCount(accessGroup: group, type: 2001, generic: text("a")) == 1)
      try keychain.delete(items[0].key)
      #expect(try found { _ in } == [items[1]])
      #expect(try device.credentialCount(accessGroup: group, type: 2001, generic: text("a")) == 0)
    }
    _ = try store.undo(at: noon)
    #expect(try Dump(store, groups: [group]).items.isEmpty)
    _ = try store.redo(at: noon)
    #expect(try Dump(store, groups: [group]).items.map(\.unstored) == [items[1]])
  }

  @Test(arguments: TestEngine.allCases, [0, 999, 1000, 1001, 2500])
  func scanHandsOverEachOnceAndMayAskOtherThings(_ engine: TestEngine, count: Int) throws {
    let store = try engine.store()
    try store.write(nil) { lab in
      let keychain = lab.credentials(device: "phone")
      for number in 0..<count { try keychain.insert(credential("a\(number)")) }
      try lab.put(Data("x".utf8), .lab, "")
    }
    try store.read { lab in
      var seen: [String] = []
      try lab.items(ofDevice: "phone").scanItems(type: 2001) { item in
        let other = try lab.document(.lab, "")
        #expect(other == Data("x".utf8))
        seen.append(item.key.account)
        return true
      }
      #expect(seen == (0..<count).map { "a\($0)" })
      seen = []
      try lab.items(ofDevice: "phone").scanItems(type: 2001) { item in
        seen.append(item.key.account)
        return false
      }
      #expect(seen == (0..<min(count, 1)).map { "a\($0)" })
    }
  }

  @Test(arguments: TestEngine.allCases) func updateAnswersWhetherThereWasAnItemAndKeepsTheCreationDate(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    for entry in [nil, JournalEntry(intent: "update", at: noon)] {
      try store.write(entry) { lab in
        let keychain = lab.credentials(device: entry?.intent ?? "phone")
        #expect(try keychain.update(credential("a")) == false)
        try keychain.insert(credential("a"))
        var later = credential("a", generic: Data(), type: 2002, label: nil, data: Data("new".utf8))
        later.createdAt = noon.adding(seconds: 5)
        later.modifiedAt = noon.adding(seconds: 5)
        #expect(try keychain.update(later) == true)
        later.createdAt = noon
        let found = try keychain.items(matching: KeychainQuery(accessGroups: ["TEAM.shared"]))
        #expect(found.map(\.unstored) == [later])
        try keychain.delete(later.key)
        try keychain.delete(later.key)
        #expect(try keychain.items(matching: KeychainQuery(accessGroups: ["TEAM.shared"])).isEmpty)
      }
    }
  }

  @Test(arguments: TestEngine.allCases) func bodyThatThrowsWritesNothing(_ engine: TestEngine) throws {
    let store = try engine.store()
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try store.write(JournalEntry(intent: "refused", at: noon)) { lab in
        try lab.put(Data("x".utf8), .person, "p")
        try lab.credentials(device: "phone").insert(credential("a"))
        throw Refusal()
      }
    }
    let empty = try Dump(WorldStore.open(.memory, create: true))
    #expect(try Dump(store) == empty)
    #expect(try store.journal(limit: 9).isEmpty)
  }

  @Test(arguments: TestEngine.allCases) func transactionIsRefusedOutsideItsClosureAndForWritingInsideARead(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    let kept = try store.read { $0 }
    #expect(throws: StoreError.self) { try kept.document(.lab, "") }
    #expect(throws: StoreError.self) { try store.read { try $0.put(Data(), .lab, "") } }
  }

  @Test(arguments: TestEngine.allCases) func newestThousandTracesAreKeptAndUndoLeavesThem(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    let hops = [Hop(from: .app, to: .sdk, action: "acquireTokenSilent", result: "found")]
    func record(_ number: Int) -> TraceRecord {
      TraceRecord(
        title: "trace \(number)", correlationID: "c\(number)", at: noon, outcome: "done", hops: hops)
    }
    let last = try store.write(JournalEntry(intent: "sign in", at: noon)) { lab in
      for number in 1...1001 { try lab.append(trace: record(number)) }
      let id = try lab.append(trace: record(1002))
      try lab.put(Data("x".utf8), .person, "p")
      return id
    }
    _ = try store.undo(at: noon)
    let traces = try store.read { try $0.traces(limit: 2000) }
    #expect(traces.count == 1000)
    var expected = record(1002)
    expected.id = last
    expected.journalID = try store.journal(limit: 9).last?.id
    expected.isUndone = true
    #expect(try store.read { try $0.trace(id: last) } == expected)
    expected.hops = []
    #expect(traces.first == expected)
    _ = try store.redo(at: noon)
    #expect(try store.read { try $0.trace(id: last) }?.isUndone == false)
    #expect(try store.read { try $0.trace(id: 1) } == nil)
  }
}
