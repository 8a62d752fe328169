import Foundation
import SSOReference
import Testing

@testable import SSOPostgreSQL
@testable import SSOStore

struct LabAddressTests {
  @Test(arguments: [
    ("postgresql://h/qa?lab=team1", "postgresql://h/qa?lab=team1", "postgresql://h/qa", "team1"),
    (
      "postgresql://h/qa?lab=x&user=ada&%70assword=secret&host=/run/pg&port=5433",
      "postgresql://h/qa?user=ada&host=/run/pg&port=5433&lab=x",
      "postgresql://h/qa?user=ada&%70assword=secret&host=/run/pg&port=5433", "x"
    ),
    (
      "postgresql://ada:secret@h:5432/qa", "postgresql://ada@h:5432/qa?lab=lab",
      "postgresql://ada:secret@h:5432/qa", "lab"
    ),
    (
      "postgres://ada:s%40cret@a,b/qa?sslmode=require&lab=x-1&password=secret",
      "postgresql://ada@a,b/qa?sslmode=require&lab=x-1",
      "postgres://ada:s%40cret@a,b/qa?sslmode=require&password=secret", "x-1"
    ),
    (
      "postgresql:///?host=/run/pg&lab=x", "postgresql:///?host=/run/pg&lab=x", "postgresql:///?host=/run/pg",
      "x"
    ),
  ])
  func addressIsShownWithoutPassword(text: String, name: String, url: String, lab: String) throws {
    let address = try LabAddress(text, stateFolder: "/s")
    #expect(address.name == name)
    #expect(address.url == url)
    #expect(address.lab == lab)
    #expect(try LabAddress(address.full, stateFolder: "/s") == address)
  }

  @Test func theSchemeMayHaveCapitalLetters() throws {
    let address = try LabAddress("PostgreSQL://ada:hush@h/qa?lab=x", stateFolder: "/s")
    #expect(address.name == "postgresql://ada@h/qa?lab=x" && address.url == "postgresql://ada:hush@h/qa")
  }

  /// libpq would mistake another part for the password, and quote the rest.
  @Test(arguments: [
    "postgresql://ada:a@hush@h/qa", "postgresql://ada:hush@b@h/qa", "postgresql://ada:a?hush@h/qa",
    "postgresql://ada:a/hush@h/qa", "postgresql://ada:a#hush@h/qa", "postgresql://ada:hush",
    "postgresql://ada:hush/qa",
    "postgresql://h/qa?PASSWORD=hush", "postgresql://h/qa?password=a&hush",
    "postgresql://h/qa ?password=hush",
  ])
  func aPasswordThatEndsAPartOfTheAddressIsRefusedAndNotRepeated(text: String) throws {
    let error = try #require(throws: StoreError.self) { try LabAddress(text, stateFolder: "/s") }
    #expect(![error.what, error.why, error.next.description].joined().contains("hush"), "\(error)")
  }

  /// As a path, such a text would be the name of a new file.
  @Test(arguments: [
    "pg://ada:hush@h/qa", "jdbc:postgresql://h/qa?password=hush", " postgresql://ada:hush@h/qa",
    "host=h password=hush",
    "PASSWORD = hush", "oauth_client_secret=hush host=h", "postgresql：//ada:hush@h/qa", "//ada:hush@h/qa",
    "ada:hush@h/qa", "//ada@h/qa?lab=hush", "postgresql:/ada:hush@h/qa", "mysql://ada:hush@h/qa", "user=ada",
    "./x?password=hush",
  ])
  func anAddressInAnotherSpellingIsNoPath(text: String) throws {
    let error = try #require(throws: StoreError.self) { try LabAddress.checkIsPath(text) }
    #expect(![error.what, error.why, error.next.description].joined().contains("hush"), "\(error)")
  }

  @Test(arguments: [
    "/tmp/s.sqlite", "s.sqlite", "./host/a=b.sqlite", "~/my password.sqlite", "users/port.sqlite", "C:x",
    "team@work.sqlite", "./ada:b@c", "/home/ada@work/lab.sqlite",
  ])
  func aPathIsAPath(text: String) throws { try LabAddress.checkIsPath(text) }

  /// Commands quote the input, and users type addresses where a lab's name belongs.
  @Test(arguments: [
    ("There is no lab “ada:hush@h/qa”.", "There is no lab “ada:***@h/qa”."),
    ("try: ssoterm lab remove //ada:hush@h/qa", "try: ssoterm lab remove //ada:***@h/qa"),
    ("“postgresql://ada:a@hush@h/qa” is unknown", "“postgresql://ada:***@h/qa” is unknown"),
    ("“x?lab=a&%70assword=hush&port=1”", "“x?lab=a&%70assword=***&port=1”"),
    ("“host=h password=hush user=ada”", "“host=h password=*** user=ada”"),
    ("PASSWORD = hush host=h", "PASSWORD = *** host=h"),
    ("sslpassword ='a hush b' host=h", "sslpassword =*** *** *** host=h"),
    ("password= 'a hush' x", "password= *** *** x"),
    ("oauth_client_secret='hush hush' x", "oauth_client_secret=*** *** x"),
  ])
  func aSentenceKeepsNoPassword(sentence: String, masked: String) {
    #expect(LabAddress.masked(sentence: sentence) == masked)
  }

  @Test(arguments: [
    "ssoterm signin app --user ada@contoso.com", "The password of ada@contoso.com is wrong.",
    "mailto:ada@contoso.com",
    "ssoterm person set ada password=- < FILE", "ssoterm person add grace@contoso.com password=PASSWORD",
    "ssoterm run --approve auto:ada@contoso.com -- pytest",
    "passfile=/home/ada/.pgpass", "msauth.com.contoso.app://auth",
    "redirectURI=msauth://com.contoso.app/h%3D",
    "repro.yaml:12:3: a person needs a name", "postgresql://ada@h/qa?lab=x",
    "file:///home/ada@work/lab.sqlite",
  ])
  func aSentenceWithoutPasswordStaysAsItIs(sentence: String) {
    #expect(LabAddress.masked(sentence: sentence) == sentence)
  }

  @Test func anEarlierTimelineOfTheSameServerIsBefore() {
    let known = ServerBranch(system: "1", timeline: 2)
    #expect(ServerBranch(system: "1", timeline: 1).isBefore(known))
    #expect(!known.isBefore(known) && !ServerBranch(system: "2", timeline: 1).isBefore(known))
  }

  @Test(arguments: ["", "Team", "a b", "a\"", "é", String(repeating: "a", count: 41)])
  func otherNamesOfLabsAreRefused(lab: String) {
    #expect(throws: StoreError.self) { try LabAddress("postgresql://h/qa?lab=" + lab, stateFolder: "/s") }
  }

  @Test func messageOfTheLibraryHasNoPassword() throws {
    let address = try LabAddress("postgresql://ada:p%40ss@h/qa?sslpassword=other", stateFolder: "/s")
    #expect(address.masked("in URI \"\(address.url)\":\n p@ss, other") == "in URI \"***\": ***, ***")
  }

  @Test func anAddressThatLibpqCannotReadIsRefusedWithoutThePassword() {
    #expect(throws: StoreError.self) {
      do { _ = try PostgresConnection(LabAddress("postgresql://ada:hush@[h/qa", stateFolder: "/s")) } catch {
        #expect(!"\(error)".contains("hush"))
        throw error
      }
    }
  }
}

struct PostgresDialectTests {
  @Test(arguments: [
    ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
    ("UPDATE t SET a = ?1, b = ?2 WHERE b = ?2", "UPDATE t SET a = $1, b = $2 WHERE b = $2"),
    (
      "UPDATE item SET generic = ? WHERE device = ? AND type = ?",
      "UPDATE item SET generic = $1 WHERE device = $2 AND type = $3"
    ),
    ("SELECT a FROM t INDEXED BY t_a WHERE I = ?", "SELECT a FROM t WHERE I = $1"),
  ])
  func statementIsPutInPostgreSQLsWords(sqlite: String, postgres: String) {
    #expect(PostgresDialect.statement(sqlite).replacing("  ", with: " ") == postgres)
  }

  @Test func schemaIsPutInPostgreSQLsWords() {
    #expect(
      PostgresDialect.schema(
        "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b BLOB, c INTEGER) WITHOUT ROWID")
        == "CREATE TABLE t(id BIGINT PRIMARY KEY, a BYTEA, b BYTEA, c BIGINT) ")
  }
}
