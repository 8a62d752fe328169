import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOKeychain
@testable import SSOStore

struct ItemCountTests {
  private struct Kind: Hashable {
    var device: String
    var group: String
    var type: Int
    /// The generic attribute, which is counted separately only for credentials.
    var generic: Data
  }

  /// Returns the numbers in the table of counts, and the numbers determined by counting.
  private func counts(_ store: WorldStore) throws -> (kept: [Kind: Int], counted: [Kind: Int]) {
    try store.locked { connection in
      let kept = try connection.all("SELECT device, access_group, type, generic, count FROM item_count") {
        row throws(StoreError) in
        (
          Kind(device: try row[0], group: try row[1], type: try row[2], generic: try row[3]),
          try row[4] as Int
        )
      }
      let there = try connection.all("SELECT device, access_group, type, generic FROM item") {
        row throws(StoreError) in
        let (type, generic): (Int?, Data?) = (try row[2], try row[3])
        let isCredential = (2000...2999).contains(type ?? -1)
        return Kind(
          device: try row[0], group: try row[1], type: type ?? -1,
          generic: isCredential ? generic ?? Data() : Data())
      }
      return (
        Dictionary(uniqueKeysWithValues: kept),
        Dictionary(there.map { ($0, 1) }, uniquingKeysWith: +)
      )
    }
  }

  private func write(_ store: WorldStore, _ body: (any CredentialStore) throws -> Void) throws {
    try store.write(JournalEntry(intent: "change", at: noon)) { try body($0.credentials(device: "phone")) }
  }

  @Test(arguments: TestEngine.allCases)
  func itCountsWhatIsThereAfterEveryWayOfChangingIt(_ engine: TestEngine) throws {
    let store = try engine.store()
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
      let (kept, counted) = try counts(store)
      #expect(kept == counted)
      #expect(try store.undo(at: noon).entry != nil)
    }
    #expect(try store.redo(at: noon).entry != nil)
    let (kept, counted) = try counts(store)
    #expect(kept == counted)
    #expect(kept.count == 6)
  }
}
