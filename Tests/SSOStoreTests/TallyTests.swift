import Foundation
import GRDB
import Testing

@testable import LabTestSupport
@testable import SSOKeychain
@testable import SSOStore

struct TallyTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  /// What the tally says, and what counting says.
  private func counts(_ path: String) throws -> (tally: [String], items: [String]) {
    let kind = """
      device || ' ' || access_group || ' ' || coalesce(type, -1) || ' '
        || CASE WHEN type BETWEEN 2000 AND 2999 THEN hex(coalesce(generic, x'')) ELSE '' END
      """
    return try DatabaseQueue(path: path).read { db in
      let tally = try String.fetchAll(
        db,
        sql: """
          SELECT device || ' ' || access_group || ' ' || type || ' ' || hex(generic) || ' ' || count FROM tally
          ORDER BY 1
          """)
      let items = try String.fetchAll(
        db, sql: "SELECT \(kind) || ' ' || count(*) FROM item GROUP BY \(kind) ORDER BY 1")
      return (tally, items)
    }
  }

  private func write(_ store: WorldStore, _ body: (any CredentialStore) throws -> Void) throws {
    try store.write(JournalEntry(intent: "change", at: noon)) { try body($0.credentials(device: "phone")) }
  }

  @Test func itCountsWhatIsThereAfterEveryWayOfChangingIt() throws {
    let store = try folder.open()
    let items = [
      credential("a"), credential("b"), credential("c", generic: Data(), type: 2002),
      credential("d", generic: nil, type: nil), credential("e", generic: Data("ada@x".utf8), type: 1003),
      credential("f", group: "TEAM.other", generic: Data("eve@x".utf8), type: 1003),
    ]
    for item in items { try write(store) { try $0.insert(item) } }
    var changed = items[0]
    changed.generic = Data([9])
    try write(store) { _ = try $0.update(changed) }
    changed.type = 2003
    try write(store) { _ = try $0.update(changed) }
    try write(store) { try $0.delete(items[1].key) }
    for _ in 0..<3 {
      let (tally, counted) = try counts(folder.store)
      #expect(tally == counted)
      #expect(try store.undo(at: noon) != nil)
    }
    #expect(try store.redo(at: noon) != nil)
    let (tally, counted) = try counts(folder.store)
    #expect(tally == counted)
    #expect(tally.count == 6)
  }

  @Test func aStoreFromBeforeTheTallyIsCountedOnceWhenItIsOpened() throws {
    var store: WorldStore? = try folder.open()
    try store.map { store in
      try write(store) { keychain in
        for item in [credential("a"), credential("b"), credential("c", type: 1003)] {
          try keychain.insert(item)
        }
      }
    }
    store = nil
    try runSQL(
      """
      DROP TRIGGER item_added; DROP TRIGGER item_removed; DROP TRIGGER item_changed; DROP TABLE tally;
      DROP INDEX item_account;
      PRAGMA user_version = 2
      """, on: folder.store)
    let again = try folder.open(create: false)
    let (tally, counted) = try counts(folder.store)
    #expect(tally == counted && tally.count == 2)
    try write(again) { try $0.delete(credential("a").key) }
    #expect(try counts(folder.store).tally == counts(folder.store).items)
  }
}
