import Foundation
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

/// A row that another program or a failing disk has damaged is named, and the others are shown.
@Suite struct DamagedRowTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    var sql: String
    /// The name of the damaged row in the message.
    var row: String
    /// The database.
    ///
    /// A server rejects a value of another type.
    var engine: TestEngine
    var testDescription: String { "\(engine): \(sql)" }

    init(_ sql: String, _ row: String, on engine: TestEngine = .sqlite) {
      self.sql = sql
      self.row = row
      self.engine = engine
    }

    static func onServer(_ sql: String, _ row: String) -> Damage {
      Damage(sql.replacing("x'", with: "'\\x"), row, on: .postgresql)
    }

    func make(_ location: WorldStore.Location) throws {
      try WorldStore.open(location, create: false).locked { try $0.run(sql) }
    }
  }

  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  /// Creates a store with two of everything.
  /// - Returns: the location of the store.
  private func filled(_ engine: TestEngine) throws -> WorldStore.Location {
    let location = try engine.location(in: folder)
    try fill(location)
    return location
  }

  private func fill(_ location: WorldStore.Location) throws {
    let store = try WorldStore.open(location, create: true)
    for name in ["one", "two"] {
      try store.write(JournalEntry(intent: "put \(name)", at: noon)) { transaction in
        try transaction.write(name, .person, name)
        try transaction.credentials(device: "phone").insert(
          credential(name, generic: Data(name.utf8), type: AccountType.mssts.attributeType))
        try transaction.append(
          trace: TraceRecord(title: name, correlationID: name, at: noon, outcome: "done", hops: []))
      }
    }
  }

  /// Returns everything that a list can show of the store, as texts.
  private func read(_ store: WorldStore) throws -> [String] {
    var found = try store.journal(limit: 9).map(\.intent)
    _ = try store.undoState()
    try store.read { transaction in
      found += try transaction.traces(limit: 9).map(\.title)
      found += try transaction.readAll(String.self, .person)
      found += try transaction.documents(.person, keyPrefix: "").map {
        String(decoding: $0.body, as: UTF8.self)
      }
      found += try transaction.documents(.person, after: "", limit: 9).map(\.key)
      let items = transaction.items(ofDevice: "phone")
      let query = KeychainQuery(accessGroups: ["TEAM.shared"])
      found += try transaction.credentials(device: "phone").items(matching: query).map(\.key.account)
      for name in ["one", "two"] {
        let query = KeychainQuery(accessGroups: ["TEAM.shared"], account: name)
        found += try transaction.credentials(device: "phone").items(matching: query).map(\.key.account)
      }
      found += try items.items(rows: [1, 2]).map(\.key.account)
      _ = try items.firstRows(type: AccountType.mssts.attributeType, groups: ["TEAM.shared"], limit: 9)
      try items.scanItems(type: AccountType.mssts.attributeType) {
        found.append($0.key.account)
        return true
      }
      try items.scanKeys(accessGroup: "TEAM.shared") { _, account, _ in
        found.append(account)
        return true
      }
      try items.scanAccountItems { found.append($0.key.account) }
      found += try items.usernames().values
      _ = (
        try items.itemCount(), try items.credentialCounts(),
        try items.accounts(accessGroup: "TEAM.shared", beginningWith: "")
      )
    }
    return found
  }

  @Test(arguments: [
    Damage("UPDATE trace SET at = 'x' WHERE id = 1", "trace 1"),
    Damage("UPDATE trace SET hop_count = 'x' WHERE id = 1", "trace 1"),
    Damage("UPDATE trace SET outcome = x'00' WHERE id = 1", "trace 1"),
    Damage("UPDATE item SET type = 'x' WHERE id = 1", "item 1"),
    Damage("UPDATE item SET generic = 3 WHERE id = 1", "item 1"),
    Damage("UPDATE item SET label = x'00' WHERE id = 1", "item 1"),
    Damage("UPDATE item SET sealed = 5 WHERE id = 1", "item 1"),
    Damage("UPDATE item SET sealed = x'00' WHERE id = 1", "item 1"),
    Damage("UPDATE item SET created_at = 1.5 WHERE id = 1", "item 1"),
    Damage("UPDATE document SET sealed = 5 WHERE key = 'one'", "document person/one"),
    Damage("UPDATE document SET sealed = x'00' WHERE key = 'one'", "document person/one"),
    Damage("UPDATE journal SET at = 'x' WHERE id = 1", "journal 1"),
    Damage("UPDATE journal SET kind = 'other' WHERE id = 1", "journal 1"),
    Damage("UPDATE item_count SET count = 9223372036854775807", "item_count"),
    Damage("UPDATE item_count SET count = 'x'", "item_count"),
    .onServer("UPDATE item SET sealed = x'00' WHERE id = 1", "item 1"),
    .onServer("UPDATE document SET sealed = x'00' WHERE key = 'one'", "document person/one"),
    .onServer("UPDATE journal SET kind = 'other' WHERE id = 1", "journal 1"),
  ])
  func isNamedAndTheOthersAreShown(_ damage: Damage) throws {
    let location = try filled(damage.engine)
    let before = try read(WorldStore.open(location, create: false))
    try damage.make(location)
    let store = try WorldStore.open(location, create: false)
    let named = Mutex<[String]>([])
    store.listen { news in
      if case .leftOut(.damaged(_, let row, _)) = news { named.withLock { $0.append(row) } }
    }
    let after = try read(store)
    #expect(named.withLock { $0 } == [damage.row])
    #expect(after.count { $0.contains("two") } == before.count { $0.contains("two") })
  }

  /// A write that depends on one of these rows would build on a gap.
  @Test(arguments: [
    Damage("UPDATE document SET sealed = x'00' WHERE key = 'two'", "document person/two"),
    Damage("UPDATE journal SET images = 'x' WHERE id = 2", "journal 2"),
    Damage("UPDATE journal_change SET row = 5 WHERE journal_id = 2", "journal_change 2"),
    Damage("UPDATE journal_change SET row = x'0909' WHERE journal_id = 2", "journal_change 2"),
    Damage("UPDATE journal_change SET before = 5 WHERE journal_id = 2", "journal_change 2"),
    .onServer("UPDATE document SET sealed = x'00' WHERE key = 'two'", "document person/two"),
    .onServer("UPDATE journal_change SET row = x'0909' WHERE journal_id = 2", "journal_change 2"),
  ])
  func stopsAWriteThatMeetsIt(_ damage: Damage) throws {
    let location = try filled(damage.engine)
    try damage.make(location)
    let store = try WorldStore.open(location, create: false)
    let refusal = #expect(throws: StoreError.self) {
      try store.write(JournalEntry(intent: "put", at: noon)) { transaction in
        _ = try transaction.readAll(String.self, .person)
        _ = try transaction.journal.step(.undo, anyone: false, at: noon)
      }
    }
    guard case .damaged(_, damage.row, _) = refusal else {
      Issue.record("\(refusal as Any)")
      return
    }
  }

  @Test(arguments: [-5, 0]) func aVersionThatNoStoreHasIsDamage(_ version: Int) throws {
    _ = try filled(.sqlite)
    try runSQL("PRAGMA user_version = \(version)", on: folder.store)
    #expect(
      throws: StoreError.damaged(path: folder.store, row: "header", message: "schema version \(version)")
    ) {
      try folder.open()
    }
  }

  /// Every column gets values that do not belong there.
  ///
  /// Each read succeeds or fails with a message.
  @Test(arguments: 0..<8) func noColumnTrapsWhateverIsInIt(_ seed: UInt64) throws {
    _ = try filled(.sqlite)
    var source = Randomness(seed: seed)
    let columns = try texts(
      """
      SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1
      """, on: folder.store)
    let values = [
      "NULL", "9223372036854775807", "-9223372036854775808", "-1", "0", "1e300", "'x'", "x''", "x'00'",
      "zeroblob(100000)",
      "char(0x202E)", "'9'", "randomblob(40)",
    ]
    for _ in 0..<40 {
      let column = columns[Int.random(in: 0..<columns.count, using: &source)].split(separator: ".")
      let value = values[Int.random(in: 0..<values.count, using: &source)]
      // A column that does not accept such a value reports an error, which is just as good.
      try? runSQL("UPDATE OR IGNORE \(column[0]) SET \(column[1]) = \(value)", on: folder.store)
      do {
        let store = try folder.open(create: false)
        _ = try read(store)
        _ = try store.undo(at: noon)
      } catch is StoreError {
      }
      if Int.random(in: 0..<4, using: &source) == 0 {
        for suffix in ["", "-wal", "-shm", ".key"] {
          try? FileManager.default.removeItem(atPath: folder.store + suffix)
        }
        _ = try filled(.sqlite)
      }
    }
  }
}
