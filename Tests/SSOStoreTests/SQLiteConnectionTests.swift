import Foundation
import SSOCore
import SSOKeychain
import Testing

@testable import SSOStore

struct SQLiteConnectionTests {
  let connection: StoreConnection

  init() throws {
    connection = StoreConnection(try SQLiteConnection(.memory))
    try connection.run(script: "CREATE TABLE row(id INTEGER PRIMARY KEY, value)")
  }

  private func insert(_ value: any SQLBindable) throws {
    try connection.run("INSERT INTO row(value) VALUES(?)", [value])
  }
  private func value<T: SQLColumn>(_: T.Type) throws -> T? {
    try connection.value("SELECT value FROM row ORDER BY id DESC")
  }
  private func texts(_ sql: String, _ values: [any SQLBindable]) throws -> [String] {
    try connection.column(sql, values)
  }
  private func count() throws -> Int? { try connection.value("SELECT count(*) FROM row") }

  @Test(arguments: [
    "", "plain", "nul\0inside", "\0", "ünï ☃ \u{10FFFF}", String(repeating: "long ", count: 9999),
  ])
  func textComesBackAsItWas(text: String) throws {
    try insert(text)
    #expect(try value(String.self) == text)
    #expect(try texts("SELECT 'found' FROM row WHERE value = ?", [text]) == ["found"])
  }

  @Test func textsThatDifferAfterANulAreDifferent() throws {
    try insert("a\0b")
    #expect(try texts("SELECT 'found' FROM row WHERE value = ?", ["a\0c"]) == [])
    #expect(try texts("SELECT 'found' FROM row WHERE value < ?", ["a\0c"]) == ["found"])
  }

  @Test(arguments: [Data(), Data([0]), Data(0...255)]) func bytesComeBackAsTheyWere(bytes: Data) throws {
    try insert(bytes)
    #expect(try value(Data.self) == bytes)
    #expect(try value(Data?.self) == .some(bytes))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max]) func integersAndMomentsComeBackAsTheyWere(number: Int64)
    throws
  {
    try insert(number)
    #expect(try value(Int64.self) == number)
    #expect(try value(Int.self) == Int(number))
    #expect(try value(Instant.self) == Instant(milliseconds: number))
  }

  @Test func nilIsNull() throws {
    try insert(String?.none)
    #expect(try value(String?.self) == .some(.none))
    #expect(try value(Int?.self) == .some(.none))
  }

  @Test(arguments: [
    ("1", "an integer"), ("1.5", "a real number"), ("'x'", "a text"), ("x'00'", "bytes"), ("NULL", "nothing"),
  ])
  func columnOfAnotherTypeIsANamedError(literal: String, found: String) throws {
    try connection.run(script: "INSERT INTO row(value) VALUES(\(literal))")
    func expectError<T: SQLColumn>(_ type: T.Type, _ expected: String) {
      let error = StoreError.damaged(
        path: ":memory:", row: "", message: "\(found) in column value, where \(expected) belongs")
      #expect(throws: error) { try value(type) }
    }
    if literal != "1" { expectError(Int.self, "an integer") }
    if literal != "1" { expectError(Instant.self, "an integer") }
    if literal != "'x'" { expectError(String.self, "a text") }
    if literal != "x'00'" { expectError(Data.self, "bytes") }
    if literal != "1", literal != "NULL" { expectError(Int?.self, "an integer or nothing") }
    expectError(KeychainClass.self, "one of its names")
  }

  @Test func statementWhoseRowsAreBeingReadIsNotUsedAgainMeanwhile() throws {
    for number in 1...3 { try insert(number) }
    var pairs: [[Int]] = []
    let sql = "SELECT value FROM row WHERE value <= ? ORDER BY value"
    var outer = try connection.rows(sql, [3])
    while try outer.next() {
      let first: Int = try outer[0]
      pairs += try connection.column(sql, [first]).map { [first, $0] }
    }
    #expect(pairs == [[1, 1], [2, 1], [2, 2], [3, 1], [3, 2], [3, 3]])
  }

  @Test func transactionThatThrowsIsTakenBack() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try connection.transaction(.immediate) {
        try insert(1)
        throw Refusal()
      }
    }
    #expect(try count() == 0)
    try connection.transaction(.immediate) { try insert(1) }
    #expect(try count() == 1)
  }

  @Test func partThatThrowsIsTakenBackAlone() throws {
    struct Refusal: Error {}
    try connection.transaction(.immediate) {
      try insert(1)
      #expect(throws: Refusal.self) {
        try connection.savepoint {
          try insert(2)
          throw Refusal()
        }
      }
      try connection.savepoint { try insert(3) }
    }
    #expect(try count() == 2)
  }

  @Test func commitsWaitForTheDiskAgainAfterSomeThatDidNot() throws {
    func synchronous() throws -> Int? { try connection.value("PRAGMA synchronous") }
    let full = try synchronous()
    try connection.engine.setFlushing(false)
    #expect(try full == 2 && synchronous() == 1)
    try connection.engine.setFlushing(true)
    #expect(try synchronous() == full)
  }

  @Test func transactionInsideATransactionIsAnError() throws {
    try connection.transaction(.immediate) {
      #expect(throws: StoreError.self) { try connection.transaction(.deferred) {} }
      try insert(1)
    }
    #expect(try count() == 1)
  }

  /// `OR ROLLBACK` ends the transaction, as a disk error may.
  ///
  /// Otherwise, subsequent statements would be committed separately.
  @Test func nothingIsWrittenAfterSQLiteEndedTheTransactionItself() throws {
    let refusal = StoreError.other(path: ":memory:", message: "UNIQUE constraint failed: row.id")
    func mistaken() throws {
      try insert(1)
      let id = connection.lastRowID
      #expect(throws: refusal) { try connection.run("INSERT OR ROLLBACK INTO row(id) VALUES(?)", [id]) }
      #expect(throws: refusal) { try insert(2) }
    }
    #expect(throws: refusal) { try connection.transaction(.immediate, mistaken) }
    #expect(try count() == 0)
    try insert(3)
    #expect(try count() == 1)
  }

  @Test func mistakeInAStatementIsWordedBySQLite() {
    let error = StoreError.other(path: ":memory:", message: "no such table: absent")
    #expect(throws: error) { try connection.run("SELECT * FROM absent") }
    #expect(throws: error) { try connection.run(script: "DELETE FROM absent") }
  }

  @Test(arguments: [
    (Int32(26), StoreError.notADatabase(path: "p")), (8, .readOnly(path: "p")), (264, .readOnly(path: "p")),
    (13, .full(path: "p")), (4874, .full(path: "p")), (5, .locked(path: "p")), (261, .locked(path: "p")),
    (14, .missing(path: "p")), (10, .other(path: "p", message: "m")), (11, .other(path: "p", message: "m")),
  ])
  func resultCodeIsTheStoresError(code: Int32, error: StoreError) {
    #expect(StoreError(sqliteCode: code, errno: 0, message: "m", path: "p") == error)
  }

  @Test(arguments: [EMFILE, ENFILE]) func aReachedLimitOfOpenFilesIsNamed(_ cause: Int32) {
    #expect(StoreError(sqliteCode: 14, errno: cause, message: "m", path: "p") == .tooManyFiles(path: "p"))
    #expect(StoreError(errno: cause, path: "p") == .tooManyFiles(path: "p"))
  }
}
