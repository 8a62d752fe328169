import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOKeychain
@testable import SSOStore

struct ItemCountTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  /// What the table of counts says, and what counting says.
  private func counts(_ path: String) throws -> (kept: [String], counted: [String]) {
    let kind = """
      device || ' ' || access_group || ' ' || coalesce(type, -1) || ' '
        || CASE WHEN type BETWEEN 2000 AND 2999 THEN hex(coalesce(generic, x'')) ELSE '' END
      """
    return (
      try texts(
        """
        SELECT device || ' ' || access_group || ' ' || type || ' ' || hex(generic) || ' ' || count FROM item_count
        ORDER BY 1
        """, on: path),
      try texts("SELECT \(kind) || ' ' || count(*) FROM item GROUP BY \(kind) ORDER BY 1", on: path)
    )
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
      let (kept, counted) = try counts(folder.store)
      #expect(kept == counted)
      #expect(try store.undo(at: noon).entry != nil)
    }
    #expect(try store.redo(at: noon).entry != nil)
    let (kept, counted) = try counts(folder.store)
    #expect(kept == counted)
    #expect(kept.count == 6)
  }
}
