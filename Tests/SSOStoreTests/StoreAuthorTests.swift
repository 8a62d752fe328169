import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

private func person(_ name: String, on machine: String = "qa-1", isNamed: Bool = false) -> StoreUser {
  StoreUser(Author(person: name, machine: machine), isNamed: isNamed, session: "session 1")
}

@Suite struct StoreAuthorTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  /// Returns a function that opens one store for several users.
  private func opener(_ engine: TestEngine) throws -> (StoreUser?) throws -> WorldStore {
    let location = try engine.location(in: folder)
    return { try WorldStore.open(location, create: true, user: $0) }
  }
  private func put(_ text: String, _ key: String = "", by store: WorldStore) throws {
    try store.write(JournalEntry(intent: "put \(text)", at: noon)) { transaction in
      try transaction.put(Data(text.utf8), .lab, key)
      try transaction.append(
        trace: TraceRecord(title: text, correlationID: text, at: noon, outcome: "", hops: []))
    }
  }
  private func text(_ key: String, in store: WorldStore) throws -> String? {
    try store.read { try $0.document(.lab, key) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: TestEngine.allCases) func journalAndTracesNoteThePersonAndTheMachine(_ engine: TestEngine)
    throws
  {
    let open = try opener(engine)
    let (anna, ben) = (try open(person("anna")), try open(person("ben", on: "qa-2")))
    try put("one", by: anna)
    try put("two", "b", by: ben)
    _ = try ben.undo(at: noon)
    let expected = [
      Author(person: "ben", machine: "qa-2"), Author(person: "ben", machine: "qa-2"),
      Author(person: "anna", machine: "qa-1"),
    ]
    #expect(try anna.journal(limit: 9).map(\.author) == expected)
    #expect(try anna.journal(limit: 9).map(\.isUndone) == [false, true, false])
    #expect(try anna.read { try $0.traces(limit: 9).map(\.author) } == Array(expected.dropFirst()))
    #expect(try anna.read { try $0.trace(id: 1)?.author } == expected[2])
    #expect(try open(nil).journal(limit: 1).map(\.author) == [expected[0]])
  }

  @Test(arguments: TestEngine.allCases) func eachPersonUndoesAndRedoesTheirOwn(_ engine: TestEngine) throws {
    let open = try opener(engine)
    let (anna, ben) = (try open(person("anna")), try open(person("ben")))
    try put("one", "a", by: anna)
    try put("two", "b", by: ben)
    try put("three", "c", by: anna)
    #expect(try ben.undo(at: noon).entry?.intent == "put two")
    #expect(try anna.undoState() == UndoState(undo: "put three", redo: nil, others: nil))
    #expect(try ben.undoState() == UndoState(undo: nil, redo: "put two", others: "put three by anna on qa-1"))
    #expect(try anna.undo(at: noon).entry?.intent == "put three")
    // A new intent of another user does not discard this user's redo.
    try put("four", "d", by: ben)
    #expect(try anna.redo(at: noon).entry?.intent == "put three")
    #expect(try ben.redo(at: noon) == .nothing(others: nil))
    guard case .done(let entry) = try ben.undo(at: noon, anyone: true) else { return #expect(Bool(false)) }
    #expect(entry.intent == "put three" && entry.origin == "by anna on qa-1")
    _ = try ben.undo(at: noon)
    guard case .nothing(let others?) = try ben.undo(at: noon) else { return #expect(Bool(false)) }
    #expect(others.intent == "put one" && others.origin == "by anna on qa-1")
    #expect(try text("a", in: ben) == "one")
  }

  struct Own: CustomTestStringConvertible, Sendable {
    var mine, other: StoreUser
    var isOwn: Bool
    var testDescription: String {
      "\(mine.author.displayText) \(mine.isNamed), \(other.author.displayText): \(isOwn)"
    }
  }

  @Test(arguments: [
    Own(mine: person("root"), other: person("root"), isOwn: true),
    Own(mine: person("root"), other: person("root", on: "qa-2"), isOwn: false),
    Own(mine: person("anna", isNamed: true), other: person("anna", on: "qa-2"), isOwn: true),
    Own(mine: person("anna", isNamed: true), other: person("ben"), isOwn: false),
  ])
  func aLoginNameHoldsOnItsMachineAndAChosenNameOnAll(_ test: Own) throws {
    let open = try opener(.sqlite)
    #expect(test.mine.isOwn(test.other.author) == test.isOwn)
    try put("one", by: open(test.other))
    #expect(try (open(test.mine).undo(at: noon).entry != nil) == test.isOwn)
  }

  @Test(arguments: TestEngine.allCases) func whatAnotherHasChangedSinceIsNotTakenBack(_ engine: TestEngine)
    throws
  {
    let open = try opener(engine)
    let (anna, ben) = (try open(person("anna")), try open(person("ben", on: "qa-2")))
    try put("one", "a", by: anna)
    try put("two", "a", by: ben)
    let conflict = UndoConflict(
      intent: "put two", author: Author(person: "ben", machine: "qa-2"), row: "the lab's state")
    guard case .refused(let entry, conflict) = try anna.undo(at: noon) else { return #expect(Bool(false)) }
    #expect(entry.intent == "put one")
    #expect(try text("a", in: anna) == "two" && anna.journal(limit: 9).count == 2)
    // Once the later change is undone, the row is as anna left it.
    _ = try ben.undo(at: noon)
    #expect(try anna.undo(at: noon).entry != nil)
    #expect(try text("a", in: anna) == nil)
    // Ben's redo would bring back a row that started as anna's.
    guard case .refused = try ben.redo(at: noon) else { return #expect(Bool(false)) }
    _ = try anna.redo(at: noon)
    #expect(try ben.redo(at: noon).entry != nil)
    #expect(try text("a", in: anna) == "two")
  }

  @Test(arguments: TestEngine.allCases) func itemsOfAnImportThatAnotherChangedOrAddedAgainAreNotTakenBack(
    _ engine: TestEngine
  ) throws {
    let open = try opener(engine)
    let (anna, ben) = (try open(person("anna")), try open(person("ben")))
    func change(_ store: WorldStore, _ body: (any CredentialStore) throws -> Void) throws {
      try store.write(JournalEntry(intent: "items", at: noon)) { try body($0.credentials(device: "phone")) }
    }
    try change(anna) { items in for number in 0..<9 { try items.insert(credential("account \(number)")) } }
    try change(ben) { items in for number in 20..<29 { try items.insert(credential("account \(number)")) } }
    #expect(try anna.undo(at: noon).entry != nil)
    #expect(try anna.redo(at: noon).entry != nil)
    try change(ben) { try $0.delete(credential("account 4").key) }
    guard case .refused(_, let conflict) = try anna.undo(at: noon) else { return #expect(Bool(false)) }
    #expect(conflict.row == "the item service of account 4 in TEAM.shared on phone")
    _ = try ben.undo(at: noon)
    #expect(try anna.undo(at: noon).entry != nil)
    // Anna removes an item that ben then adds again under a new number.
    try change(anna) { try $0.delete(credential("account 21").key) }
    try change(ben) { try $0.insert(credential("account 21")) }
    guard case .refused(_, let again) = try anna.undo(at: noon) else { return #expect(Bool(false)) }
    #expect(again.row == "the item service of account 21 in TEAM.shared on phone")
  }

  /// A refusal of undo names a record as lists do, and a document without a name by its kind alone.
  @Test(arguments: [
    (DocumentKind.device, "device-1", "the device device-1"),
    (.person, "ada@contoso.com", "the user ada@contoso.com"),
    (.app, "device-1/com.contoso.mail", "the app com.contoso.mail"),
    (.appRole, "orders.read", "the role orders.read"),
    (.refreshToken, "5f1c", "a refresh token"), (.authorizationCode, "5f1c", "an authorization code"),
  ])
  func aRowIsNamedAsTheUserKnowsIt(_ kind: DocumentKind, _ key: String, _ text: String) {
    #expect(RowKey.document(kind: kind.rawValue, key: key).displayText == text)
  }

  /// A row has the value of the newest intent that is in force, whatever three users undo and redo.
  @Test(arguments: TestEngine.allCases, PropertySeeds.all)
  func aRowIsWhatTheNewestIntentInForceMadeOfIt(_ engine: TestEngine, seed: UInt64) throws {
    let open = try opener(engine)
    var random = SplitMix(state: seed)
    func choose(_ count: UInt64) -> Int { Int(random.next() % count) }
    let people = try ["anna", "ben", "cleo"].map { try open(person($0)) }
    var intents: [(id: Int64, rows: [String], text: String)] = []
    var refusals = 0
    for number in 0..<150 {
      let store = people[choose(3)]
      switch choose(10) {
      case 0..<4:
        let rows = (0...choose(2)).map { _ in "row \(choose(7))" }
        try store.write(JournalEntry(intent: "\(number)", at: noon)) { transaction in
          for row in rows { try transaction.put(Data("\(number)".utf8), .lab, row) }
        }
        intents.append((try #require(try store.journal(limit: 1).first?.id), rows, "\(number)"))
      case 4..<8: if case .refused = try store.undo(at: noon, anyone: choose(8) == 0) { refusals += 1 }
      default: if case .refused = try store.redo(at: noon, anyone: choose(8) == 0) { refusals += 1 }
      }
      let undone = Set(try store.journal(limit: 999).filter(\.isUndone).map(\.id))
      var expected: [String: String] = [:]
      for intent in intents where !undone.contains(intent.id) {
        for row in intent.rows { expected[row] = intent.text }
      }
      let found = try store.read { try $0.documents(.lab, keyPrefix: "") }
      #expect(
        Dictionary(uniqueKeysWithValues: found.map { ($0.key, String(decoding: $0.body, as: UTF8.self)) })
          == expected,
        "step \(number)")
    }
    #expect(refusals > 0)
  }
}
