import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

struct LabCopyTests {
  let folder: ScratchFolder
  init() throws { folder = try ScratchFolder() }

  private func target(_ engine: TestEngine) throws -> WorldStore.Location {
    engine == .sqlite ? .file(path: folder.path + "/copy.sqlite") : try engine.location()
  }

  private func filled(_ engine: TestEngine) throws -> WorldStore {
    let anna = StoreUser(Author(person: "anna", machine: "qa-1"), isNamed: false, session: "session 1")
    let store = try WorldStore.open(engine.location(in: folder), create: true, user: anna)
    for number in 0..<130 {
      try store.write(JournalEntry(intent: "put \(number)", at: noon)) { transaction in
        try transaction.put(Data("body \(number)\0".utf8), .person, "key \(number)")
        let items = transaction.credentials(device: "phone")
        try items.insert(
          credential("account \(number)", generic: number % 2 == 0 ? nil : Data([0, 255]), label: nil))
        if number == 9 { try items.delete(credential("account 3").key) }
        try transaction.append(
          trace: TraceRecord(
            title: "t \(number)", correlationID: "c\(number)", at: noon, outcome: "o",
            hops: [Hop(from: .app, to: .sdk, action: "a")]))
      }
    }
    for _ in 0..<3 { _ = try store.undo(at: noon) }
    return store
  }

  @Test(arguments: TestEngine.allCases, TestEngine.allCases)
  func aCopyHasAllAndGoesOnAsTheLabWould(_ from: TestEngine, _ to: TestEngine) throws {
    let source = try filled(from)
    let location = try target(to)
    try LabCopy.make(of: source, at: location)
    let copy = try WorldStore.open(location, create: false, user: source.user)
    #expect(try Dump(copy) == Dump(source))
    #expect(try copy.journal(limit: 999) == source.journal(limit: 999))
    #expect(try copy.read { try $0.traces(limit: 999) } == source.read { try $0.traces(limit: 999) })
    #expect(try copy.read { try $0.trace(id: 5) } == source.read { try $0.trace(id: 5) })
    #expect(try copy.read { try $0.items(ofDevice: "phone").itemCount() } == 126)
    // Numbers continue after those of deleted rows.
    for store in [source, copy] {
      try store.write(nil) { try $0.credentials(device: "phone").insert(credential("new")) }
      #expect(try store.redo(at: noon).entry?.intent == "put 127")
      for _ in 0..<20 { #expect(try store.undo(at: noon).entry != nil) }
    }
    #expect(try Dump(copy) == Dump(source))
    #expect(try copy.journal(limit: 999) == source.journal(limit: 999))
    #expect(throws: StoreError.exists(path: location.name)) { try LabCopy.make(of: source, at: location) }
    try Labs.remove(location)
    #expect(throws: StoreError.missing(path: location.name)) { try WorldStore.open(location, create: false) }
  }

  @Test func eachColumnIsCopied() throws {
    let store = try WorldStore.open(.memory, create: true)
    let tables: [String] = try store.locked {
      try $0.column(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    }
    #expect(Set(tables).subtracting(LabCopy.CopiedTable.all.map(\.name)) == ["meta", "item_count"])
    for table in LabCopy.CopiedTable.all {
      let columns: [String] = try store.locked {
        try $0.column("SELECT name FROM pragma_table_info('\(table.name)')")
      }
      #expect(columns.sorted() == table.columns.map(\.name).sorted())
    }
  }

  @Test(arguments: TestEngine.allCases) func labsAreListedBesideOneAnother(_ engine: TestEngine) throws {
    let location = try engine.location(in: folder)
    let source = try WorldStore.open(location, create: true)
    let place = try Labs.place(named: "other-2", beside: location)
    try LabCopy.make(of: source, at: place)
    let listed = try Labs.beside(location)
    #expect(
      listed.map(\.location).contains(location) && listed.contains { $0.name == "other-2" && $0.hasKey })
    try Labs.remove(place)
    #expect(try !Labs.beside(location).contains { $0.name == "other-2" })
    #expect(throws: StoreError.self) { try Labs.place(named: "../x", beside: location) }
  }
}

struct LabKeyTests {
  @Test func aKeyIsOpenedByItsCodeAlone() throws {
    let key = Seal.newKey()
    let sealed = try SealedKey(key)
    #expect(try SealedKey.key(in: sealed.text, code: sealed.code) == key)
    // The key and its code have the form in which a mail and a phone call transmit them.
    let quoted = "Hello,\n" + sealed.text.split(separator: "\n").map { "> \($0)\r\n" }.joined() + "Bye"
    let typed = sealed.code.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing(
      "1", with: "l")
    #expect(try SealedKey.key(in: quoted, code: typed) == key)
    #expect(throws: SealedKey.Refusal.wrongCode) {
      try SealedKey.key(in: sealed.text, code: try SealedKey(key).code)
    }
    #expect(throws: SealedKey.Refusal.wrongCode) { try SealedKey.key(in: sealed.text, code: "") }
    #expect(throws: SealedKey.Refusal.noKey) { try SealedKey.key(in: "no key", code: sealed.code) }
    #expect(throws: SealedKey.Refusal.noKey) {
      try SealedKey.key(in: sealed.text.replacing("\n-----END", with: "AAAA\n-----END"), code: sealed.code)
    }
    #expect(!sealed.text.contains(sealed.code) && !sealed.text.contains(key.base64EncodedString()))
    #expect(sealed.code.count == 29)
  }

  @Test(arguments: TestEngine.allCases) func aKeyIsKeptOnlyIfItIsTheLabs(_ engine: TestEngine) throws {
    let folder = try ScratchFolder()
    let location = try engine.location(in: folder)
    let store = try WorldStore.open(location, create: true)
    let key = try LabKey.read(of: store)
    let file = try #require(store.filesBeside) + ".key"
    #expect(try LabKey.keep(key, for: location) == nil)
    let other = StoreError.otherLabsKey(store: location.name)
    #expect(throws: other) { try LabKey.keep(Seal.newKey(), for: location) }
    #expect(FileManager.default.contents(atPath: file) == key, "it was not replaced")
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: StoreError.self) { try WorldStore.open(location, create: false) }
    #expect(throws: other) { try LabKey.keep(Seal.newKey(), for: location) }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try LabKey.keep(key, for: location) == file)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    _ = try WorldStore.open(location, create: false)
  }
}
