import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

struct StoreFileTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }
  private func write(_ text: String = "x") throws {
    try folder.open().write(nil) { try $0.put(Data(text.utf8), .lab, "") }
  }

  @Test func filesArePrivateToTheUserAndLaxModesAreFixed() throws {
    let store = try folder.open()
    try store.write(nil) { try $0.put(Data("x".utf8), .lab, "") }
    let files = ["", "-wal", "-shm", ".key"].map { folder.store + $0 }
    #expect(try files.map(mode) == [0o600, 0o600, 0o600, 0o600])
    #expect(try mode(folder.path + "/ssoterm") == 0o700)
    for file in files { chmod(file, 0o644) }
    chmod(folder.path + "/ssoterm", 0o755)
    let again = try folder.open(create: false)
    #expect(try again.read { try $0.document(.lab, "") } == Data("x".utf8))
    #expect(try files.map(mode) == [0o600, 0o600, 0o600, 0o600])
    #expect(try mode(folder.path + "/ssoterm") == 0o700)
  }

  @Test func contentOutlivesTheProcessThatWroteIt() throws {
    try write("kept")
    #expect(try folder.open(create: false).read { try $0.document(.lab, "") } == Data("kept".utf8))
  }

  @Test func changesThatWaitForTheDiskLaterAreThereAtOnce() throws {
    let store = try folder.open()
    try store.write(nil, isFlushed: false) { try $0.put(Data("x".utf8), .lab, "") }
    #expect(try folder.open(create: false).read { try $0.document(.lab, "") } == Data("x".utf8))
    try store.flush()
    unlink(folder.store + "-wal")
    #expect(throws: StoreError.missing(path: folder.store)) { try store.flush() }
    try WorldStore.open(.memory, create: true).flush()
  }

  @Test(arguments: TestEngine.allCases) func aTransactionThatRemembersSeesItsOwnChanges(_ engine: TestEngine)
    throws
  {
    struct Refusal: Error {}
    let store = try WorldStore.open(engine.location(in: folder), create: true)
    try store.write(nil) { lab in
      func numbers() throws -> [Int] { try lab.readAll(Int.self, .tenant) }
      func number(_ key: String) throws -> Int? { try lab.read(Int.self, .tenant, key) }
      lab.rememberDocuments()
      #expect(try number("a") == nil && numbers() == [])
      try lab.write(1, .tenant, "a")
      #expect(try number("a") == 1 && numbers() == [1] && number("b") == nil)
      #expect(throws: Refusal.self) {
        try lab.part {
          try lab.write(2, .tenant, "a")
          try lab.write(3, .tenant, "b")
          #expect(try number("a") == 2 && numbers() == [2, 3] && number("b") == 3)
          throw Refusal()
        }
      }
      #expect(try number("a") == 1 && numbers() == [1] && number("b") == nil)
      #expect(try lab.read(String.self, .lab, "a") == nil)
      try lab.delete(.tenant, "a")
      #expect(try number("a") == nil && numbers() == [])
    }
  }

  @Test(arguments: TestEngine.allCases) func sealedValuesAreNowhereInTheDatabase(_ engine: TestEngine) throws
  {
    let marker = "MARKER-\(UUID().uuidString)"
    let store = try WorldStore.open(engine.location(in: folder), create: true)
    for round in 1...3 {
      try store.write(JournalEntry(intent: "sign in", at: noon)) { lab in
        try lab.put(Data("\(marker)\(round)".utf8), .refreshToken, "key")
        let keychain = lab.credentials(device: "phone")
        let item = credential("visible account", data: Data("\(marker)\(round)".utf8))
        if try !keychain.update(item) { try keychain.insert(item) }
        let hop = Hop(from: .app, to: .sdk, action: marker)
        try lab.append(
          trace: TraceRecord(title: "t", correlationID: "c", at: noon, outcome: "o", hops: [hop]))
      }
    }
    _ = try store.undo(at: noon)
    let all = try content(store)
    #expect(all.range(of: Data(marker.utf8)) == nil)
    #expect(all.range(of: Data("visible account".utf8)) != nil)
  }

  /// Returns all bytes of all rows.
  private func content(_ store: WorldStore) throws -> Data {
    guard case .server(let address) = store.location else {
      return try ["", "-wal"].reduce(Data()) {
        try $0 + Data(contentsOf: URL(fileURLWithPath: folder.store + $1))
      }
    }
    let lab = LabAddress.namespacePrefix + address.lab
    return try store.locked { connection in
      let columns = try connection.all(
        """
        SELECT convert_to(table_name::text, 'UTF8'), convert_to(column_name::text, 'UTF8')
        FROM information_schema.columns WHERE table_schema = '\(lab)' AND data_type = 'bytea'
        """
      ) { row throws(StoreError) in (try row[0] as String, try row[1] as String) }
      return try columns.reduce(Data()) { all, column in
        let values: [Data?] = try connection.column("SELECT \(column.1) FROM \(column.0)")
        return values.reduce(all) { $0 + ($1 ?? Data()) }
      }
    }
  }

  @Test func missingStoreIsNotMadeUnlessAsked() throws {
    #expect(throws: StoreError.missing(path: folder.store)) { try folder.open(create: false) }
    #expect(!FileManager.default.fileExists(atPath: folder.store))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/ssoterm"))
  }

  @Test func aStoreThatIsDeletedOrReplacedWhileItIsOpenSaysSo() throws {
    let store = try folder.open()
    try store.write(nil) { try $0.put(Data("x".utf8), .lab, "") }
    try FileManager.default.moveItem(atPath: folder.store, toPath: folder.store + ".away")
    let gone = StoreError.gone(path: folder.store)
    #expect(throws: gone) { try store.write(nil) { try $0.put(Data("y".utf8), .lab, "") } }
    #expect(throws: gone) { try store.read { try $0.document(.lab, "") } }
    try Data("another".utf8).write(to: URL(fileURLWithPath: folder.store))
    #expect(throws: gone) { try store.read { try $0.document(.lab, "") } }
    try FileManager.default.removeItem(atPath: folder.store)
    try FileManager.default.moveItem(atPath: folder.store + ".away", toPath: folder.store)
    #expect(try store.read { try $0.document(.lab, "") } == Data("x".utf8))
  }

  @Test func lostKeyIsAnErrorAndChangesNothing() throws {
    try write()
    let key = try Data(contentsOf: URL(fileURLWithPath: folder.store + ".key"))
    try FileManager.default.removeItem(atPath: folder.store + ".key")
    #expect(throws: StoreError.keyMissing(path: folder.store)) { try folder.open() }
    #expect(!FileManager.default.fileExists(atPath: folder.store + ".key"))
    try key.write(to: URL(fileURLWithPath: folder.store + ".key"))
    #expect(try folder.open().read { try $0.document(.lab, "") } == Data("x".utf8))
  }

  @Test(arguments: [Data(), Data(repeating: 7, count: 31), Data(repeating: 7, count: 32), Data(count: 33)])
  func wrongKeyIsAnErrorAndIsKept(key: Data) throws {
    try write()
    try key.write(to: URL(fileURLWithPath: folder.store + ".key"))
    #expect(throws: StoreError.keyWrong(path: folder.store)) { try folder.open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.store + ".key")) == key)
  }

  @Test(arguments: TestEngine.allCases) func valueMovedToAnotherRowDoesNotOpen(_ engine: TestEngine) throws {
    let store = try WorldStore.open(engine.location(in: folder), create: true)
    try store.write(nil) { lab in
      try lab.put(Data("mine".utf8), .person, "a")
      try lab.put(Data("yours".utf8), .person, "b")
    }
    try store.locked {
      try $0.run("UPDATE document SET sealed = (SELECT sealed FROM document WHERE key = 'a') WHERE key = 'b'")
    }
    let error = #expect(throws: StoreError.self) { try store.read { try $0.document(.person, "b") } }
    guard case .damaged(store.location.name, "document person/b", _) = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test(arguments: ["a letter and no database at all\n", String(repeating: "\0", count: 4096)])
  func fileThatIsNoDatabaseIsRefusedAndKept(text: String) throws {
    mkdir(folder.path + "/ssoterm", 0o700)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.store))
    #expect(throws: StoreError.notADatabase(path: folder.store)) { try folder.open() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.store)) == Data(text.utf8))
  }

  @Test func folderInPlaceOfTheStoreIsRefused() throws {
    #expect(throws: StoreError.notADatabase(path: folder.path)) {
      try WorldStore.open(.file(path: folder.path), create: true)
    }
  }

  @Test func databaseOfAnotherProgramIsRefused() throws {
    mkdir(folder.path + "/ssoterm", 0o700)
    try sqlite("CREATE TABLE theirs(x)")
    #expect(throws: StoreError.notADatabase(path: folder.store)) { try folder.open() }
  }

  @Test func storeOfANewerVersionIsRefused() throws {
    try write()
    try sqlite("PRAGMA user_version = 99")
    let refusal = StoreError.newerVersion(path: folder.store, found: 99, known: Schema.version)
    #expect(throws: refusal) { try folder.open() }
    #expect(refusal.why == "Expected schema version \(Schema.version) or earlier, found version 99.")
  }

  /// Runs SQL on the file, as another program does.
  private func sqlite(_ sql: String) throws { try runSQL(sql, on: folder.store) }
}
