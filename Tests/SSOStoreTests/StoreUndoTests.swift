import Foundation
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

struct StoreUndoTests {
  @Test(arguments: TestEngine.allCases) func undoAndRedoWalkTheStack(_ engine: TestEngine) throws {
    let store = try engine.store()
    for text in ["one", "two", "three"] { try store.put(text) }
    #expect(try store.undo(at: noon).entry?.intent == "put three")
    #expect(try store.undo(at: noon).entry?.intent == "put two")
    #expect(try store.undo(at: noon).entry?.intent == "put one")
    #expect(try store.undo(at: noon).entry == nil)
    #expect(try store.text() == nil)
    #expect(try store.redo(at: noon).entry?.intent == "put one")
    #expect(try store.redo(at: noon).entry?.intent == "put two")
    #expect(try store.text() == "two")
    #expect(try store.undo(at: noon).entry?.intent == "put two")
    #expect(try store.text() == "one")
    #expect(try store.redo(at: noon).entry?.intent == "put two")
    #expect(try store.redo(at: noon).entry?.intent == "put three")
    #expect(try store.redo(at: noon).entry == nil)
    #expect(try store.text() == "three")
  }

  @Test(arguments: TestEngine.allCases) func newIntentClearsRedo(_ engine: TestEngine) throws {
    let store = try engine.store()
    try store.put("one")
    try store.put("two")
    _ = try store.undo(at: noon)
    try store.put("other")
    #expect(try store.redo(at: noon).entry == nil)
    #expect(try store.undo(at: noon).entry?.intent == "put other")
    #expect(try store.undo(at: noon).entry?.intent == "put one")
    #expect(try store.text() == nil)
  }

  /// A call that got no token is minor too: its text says so at the end.
  @Test func intentsAreMinorByTheBeginningOrTheEndOfTheirTexts() {
    let minor = MinorIntents("read ", endings: [" (cancelled)"])
    #expect(minor.contains("read one") && minor.contains("sign in App (cancelled)"))
    #expect(!minor.contains("sign in App") && !minor.contains("reader") && !minor.contains("(cancelled) by"))
  }

  /// An intent is minor by its words and by its rows, which are a device's record only.
  @Test(arguments: TestEngine.allCases) func minorIntentsAreUndoneWithTheChangeBeforeThem(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    let minor = MinorIntents("read ")
    func touch(_ intent: String, _ text: String) throws {
      try store.write(JournalEntry(intent: intent, at: noon)) {
        try $0.put(Data(text.utf8), .device, "phone")
      }
    }
    func device() throws -> Data? { try store.read { try $0.document(.device, "phone") } }
    func undo() throws -> String? { try store.undo(at: noon, isMinor: minor).entry?.intent }
    func redo() throws -> String? { try store.redo(at: noon, isMinor: minor).entry?.intent }
    try touch("read first", "1")
    try store.put("one")
    try touch("read second", "2")
    try touch("read third", "3")
    try store.put("two", as: "read with a change")
    #expect(try store.undoState(isMinor: minor).undo == "read with a change")
    #expect(try undo() == "read with a change")
    #expect(try store.undoState(isMinor: minor).undo == "put one")
    #expect(try undo() == "put one")
    #expect(try device() == Data("1".utf8))
    #expect(try store.text() == nil)
    #expect(try undo() == nil, "nothing is left that the user changed")
    #expect(try store.undoState(isMinor: minor).undo == nil)
    #expect(try device() == Data("1".utf8))
    #expect(try redo() == "put one")
    #expect(try device() == Data("3".utf8))
    #expect(try redo() == "read with a change")
    #expect(try redo() == nil)
    #expect(try store.text() == "two")
  }

  @Test(arguments: TestEngine.allCases) func undoAndRedoAreEntriesOfTheJournal(_ engine: TestEngine) throws {
    let store = try engine.store()
    try store.put("one")
    let undo = try #require(try store.undo(at: noon.adding(seconds: 1)).entry)
    let redo = try #require(try store.redo(at: noon.adding(seconds: 2)).entry)
    let entries = try store.journal(limit: 9)
    #expect(entries.map(\.kind) == [.redo, .undo, .intent])
    #expect(entries.map(\.changes) == [1, 1, 1])
    #expect(entries.prefix(2) == [redo, undo])
    #expect(undo.undoes == entries[2].id)
    #expect(redo.undoes == undo.id)
    #expect(try store.journal(limit: 1) == [redo])
  }

  @Test(arguments: TestEngine.allCases) func itemsAddedTogetherAreOneNoteAndComeBackByRedo(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    let added = (0..<20).map { credential("account \($0)", service: "service \($0 % 3)") }
    try store.write(JournalEntry(intent: "import", at: noon)) { transaction in
      let items = transaction.credentials(device: "phone")
      for item in added.prefix(15) { try items.insert(item) }
      try items.delete(added[3].key)
      for item in added.suffix(5) { try items.insert(item) }
    }
    let imported = try Dump(store)
    #expect(imported.items.map(\.unstored) == added.filter { $0.key != added[3].key })
    #expect(try store.journal(limit: 1).map(\.changes) == [21])
    #expect(try store.notes() == 3)
    for _ in 0..<2 {
      _ = try store.undo(at: noon)
      #expect(try Dump(store) == Dump(WorldStore.open(.memory, create: true)))
      _ = try store.redo(at: noon)
      #expect(try Dump(store) == imported)
    }
  }

  @Test(arguments: TestEngine.allCases) func newestThousandEntriesCanBeUndoneAndNothingIsLeftOfTheOthers(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    for number in 1...1003 { try store.put("\(number)") }
    #expect(try store.journal(limit: 2000).map(\.id) == (4...1003).reversed())
    #expect(try store.notes() == 1000)
    for number in (504...1003).reversed() {
      #expect(try store.undo(at: noon).entry?.intent == "put \(number)")
    }
    // Each undo is an entry too, so 500 of them have replaced the oldest 500.
    #expect(try store.undo(at: noon).entry == nil)
    #expect(try store.text() == "503")
    for number in 504...1003 { #expect(try store.redo(at: noon).entry?.intent == "put \(number)") }
    #expect(try store.text() == "1003")
    #expect(try store.notes() == 1000)
  }

  @Test(arguments: TestEngine.allCases) func whatWasUndoneAfterAForgottenIntentCannotBeRedoneWithoutIt(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    for text in ["one", "two", "three"] { try store.put(text) }
    _ = try store.undo(at: noon)
    _ = try store.undo(at: noon)
    // This is like a store that had more entries before it was bounded: the next entry removes two of these.
    try store.locked {
      try $0.run(
        engine == .sqlite
          ? "UPDATE sqlite_sequence SET seq = 1001 WHERE name = 'journal'"
          : "UPDATE counter SET journal = 1001")
    }
    #expect(try store.undo(at: noon).entry?.intent == "put one")
    #expect(try store.journal(limit: 9).last?.intent == "put three")
    #expect(try store.redo(at: noon).entry == nil)
    #expect(try store.text() == nil)
  }

  @Test(arguments: TestEngine.allCases) func writeWithoutChangesOrWithoutEntryIsNotInTheJournal(
    _ engine: TestEngine
  ) throws {
    let store = try engine.store()
    try store.write(nil) { try $0.put(Data("x".utf8), .lab, "") }
    try store.write(JournalEntry(intent: "nothing", at: noon)) { lab in
      try lab.put(Data("x".utf8), .lab, "")
      try lab.delete(.lab, "absent")
      try lab.credentials(device: "phone").delete(credential("absent").key)
    }
    #expect(try store.journal(limit: 9).isEmpty)
    #expect(try store.undo(at: noon).entry == nil)
  }

  @Test(arguments: TestEngine.allCases, [UInt64(1), 2, 3, 4])
  func undoingAllGivesTheFirstContentAndRedoingAllTheLast(_ engine: TestEngine, seed: UInt64) throws {
    let store = try engine.store()
    var random = SplitMix(state: seed)
    try store.write(nil) { lab in
      for number in 0..<5 { try change(lab, number, &random) }
    }
    let first = try Dump(store)
    var dumps = [first]
    for number in 0..<200 {
      let before = try store.journal(limit: 1)
      try store.write(JournalEntry(intent: "\(number)", at: noon)) { lab in
        for _ in 0...Int(random.next() % 3) { try change(lab, number, &random) }
      }
      if try store.journal(limit: 1) != before { dumps.append(try Dump(store)) }
    }
    for dump in dumps.dropLast().reversed() {
      #expect(try store.undo(at: noon).entry != nil)
      #expect(try Dump(store) == dump)
    }
    #expect(try store.undo(at: noon).entry == nil)
    for dump in dumps.dropFirst() {
      #expect(try store.redo(at: noon).entry != nil)
      #expect(try Dump(store) == dump)
    }
    while try store.undo(at: noon).entry != nil {}
    #expect(try Dump(store) == first)
  }

  private func change(_ lab: StoreTransaction, _ number: Int, _ random: inout SplitMix) throws {
    let key = "\(random.next() % 6)\0"
    let body = Data("\(number)".utf8)
    let keychain = lab.credentials(device: "phone")
    let generic: Data? = random.next() % 2 == 0 ? Data() : nil
    let item = credential(key, generic: generic, type: number % 2 == 0 ? nil : number, label: key, data: body)
    switch random.next() % 5 {
    case 0: try lab.put(body, .person, key)
    case 1: try lab.delete(.person, key)
    case 2: do { try keychain.insert(item) } catch KeychainError.duplicateItem {}
    case 3: _ = try keychain.update(item)
    default: try keychain.delete(item.key)
    }
  }
}

extension WorldStore {
  fileprivate func put(_ text: String, as intent: String? = nil) throws {
    try write(JournalEntry(intent: intent ?? "put \(text)", at: noon)) {
      try $0.put(Data(text.utf8), .lab, "")
    }
  }

  fileprivate func text() throws -> String? {
    try read { try $0.document(.lab, "") }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the number of images in the journal.
  fileprivate func notes() throws -> Int? {
    try locked { try $0.value("SELECT count(*) FROM journal_change") }
  }
}

/// SplitMix64, a random number generator for tests that always produces the same numbers for the same seed.
struct SplitMix {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
