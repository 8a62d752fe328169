import Foundation
import SSOKeychain
import SSOReference
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOPostgreSQL
@testable import SSOStore

/// The effects that a server and its network may have on a lab.
struct PostgresErrorTests: ServerLab {
  let address: LabAddress
  let store: WorldStore

  init() throws { (address, store) = try Self.made() }

  /// Opens another connection, as an administrator does.
  private func administrator() throws -> PostgresConnection { try PostgresConnection(address) }

  private func endConnection() throws {
    let pid = try store.locked { try ($0.engine as? PostgresConnection)?.backend() }
    try administrator().run(script: "SELECT pg_terminate_backend(\(try #require(pid)))")
  }

  @Test func connectionThatEndedBetweenTwoCallsIsMadeAgain() throws {
    try endConnection()
    #expect(try text() == "before")
    try endConnection()
    try put("after")
    #expect(try text() == "after")
  }

  @Test func nothingIsHalfDoneIfTheConnectionIsLostInTheMiddle() throws {
    let lost = try trouble {
      try store.write(JournalEntry(intent: "half", at: noon)) { lab in
        try lab.put(Data("half".utf8), .lab, "")
        try endConnection()
        try lab.put(Data("all".utf8), .lab, "")
      }
    }
    guard case .lost = lost else { throw StoreError.server("", lost) }
    #expect(try text() == "before")
    #expect(try store.journal(limit: 9).map(\.intent) == ["put"])
  }

  @Test func attemptThatWasLostIsMadeOnceMore() throws {
    var attempts = 0
    try store.again {
      try store.write(JournalEntry(intent: "again", at: noon)) { lab in
        attempts += 1
        if attempts == 1 { try endConnection() }
        try lab.put(Data("again".utf8), .lab, "")
      }
    }
    #expect(attempts == 2)
    #expect(try text() == "again")
    #expect(try store.journal(limit: 9).map(\.intent) == ["again", "put"])
  }

  @Test func writerWhoseTurnDoesNotComeIsToldWhoWrites() throws {
    let other = try administrator()
    try other.run(script: "SET application_name = 'eve'; BEGIN; \(other.lockScript)")
    store.locked {
      guard let engine = $0.engine as? PostgresConnection else { return }
      (engine.turnLimit, engine.link.patience) = (5, 0.1)
    }
    let told = Mutex<[String]>([])
    store.listen { news in
      if case .held(let holder) = news { told.withLock { $0.append(holder) } }
    }
    guard case .locked(let holder) = try trouble({ try put("blocked") }) else {
      throw StoreError.locked(path: "")
    }
    #expect(holder.hasPrefix("eve, since "))
    #expect(told.withLock { $0 } == [holder])
    #expect(try text() == "before")
    try other.run(script: "ROLLBACK")
    try put("after")
    #expect(try text() == "after")
  }

  @Test func personWhoMayOnlyReadReads() throws {
    let role = "reader_" + address.lab.suffix(12).replacing("-", with: "_")
    let namespace = address.namespace
    try administrator().run(script: "CREATE ROLE \(role) LOGIN")
    let reader = try LabAddress(
      address.full.replacing("postgres@", with: "\(role)@"), stateFolder: address.stateFolder)
    let unreadable = try trouble { _ = try WorldStore.open(.server(reader), create: false) }
    guard case .unreadable(_, role) = unreadable else { throw StoreError.server("", unreadable) }
    let hint = unreadable.next(reader.name).description
    #expect(hint.contains(namespace) && !hint.contains(role + "@"))
    // Run this as the owner, whose name the hint cannot know.
    try runProgram("psql", of: hint.replacing("postgresql:///", with: "postgresql://postgres@/"))
    let found = try WorldStore.open(.server(reader), create: false)
    #expect(found.onlyReads == .person(role))
    #expect(store.onlyReads == nil)
    #expect(try found.read { try $0.document(.lab, "") } == Data("before".utf8))
    let refused = try trouble { try found.write(nil) { try $0.put(Data(), .lab, "") } }
    guard case .readOnly = refused else { throw StoreError.server("", refused) }
    let right = PostgresError.howToGrant(.writing, to: role, reader.name).description
    try runProgram("psql", of: right.replacing("postgresql:///", with: "postgresql://postgres@/"))
    let writer = try WorldStore.open(.server(reader), create: false)
    #expect(writer.onlyReads == nil)
    try writer.write(JournalEntry(intent: "write", at: noon)) {
      try $0.credentials(device: "phone").insert(credential("a"))
    }
  }

  /// A trigger runs with the rights of the user who writes the lab, so its name is an error before anything is read.
  @Test(arguments: [
    (
      "CREATE TRIGGER evil BEFORE UPDATE ON counter FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
      "the trigger evil on counter"
    ),
    ("CREATE RULE evil AS ON UPDATE TO counter DO ALSO SELECT 1", "the rule evil on counter"),
    (
      "CREATE FUNCTION length(text) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
      "the function length of postgres"
    ),
    ("ALTER FUNCTION fold_items() SECURITY DEFINER", "the function fold_items of postgres"),
    ("CREATE POLICY evil ON document USING (true)", "the policy evil on document"),
    (
      "CREATE OPERATOR === (FUNCTION = byteaeq, LEFTARG = bytea, RIGHTARG = bytea)",
      "the operator === of postgres"
    ),
    (
      """
      DROP TRIGGER item_changed ON item; CREATE TRIGGER item_changed AFTER UPDATE OF type, generic ON item FOR EACH ROW
        WHEN (set_config('a.b', 'c', false) <> '') EXECUTE FUNCTION item_counted()
      """, "the trigger item_changed on item"
    ),
    (
      "CREATE TABLE public.bait(id bigint REFERENCES item ON DELETE CASCADE)",
      "the foreign key bait_id_fkey of public.bait"
    ),
  ])
  func codeThatSSOTermDidNotPutThereIsRefusedByName(_ statement: String, _ name: String) throws {
    _ = try WorldStore.open(.server(address), create: false)
    try administrator().run(script: statement)
    defer { try? administrator().run(script: "DROP TABLE IF EXISTS public.bait") }
    let found = try trouble { _ = try WorldStore.open(.server(address), create: false) }
    #expect(found == .foreignObjects([name], person: "postgres"))
  }

  @Test func usersWhoCouldAddTriggersAreNamed() throws {
    #expect(try WorldStore.open(.server(address), create: false).risks.planters.isEmpty)
    let role = "planter_" + address.lab.suffix(12).replacing("-", with: "_")
    try administrator().run(
      script:
        "CREATE ROLE \(role); GRANT REFERENCES (id) ON item TO \(role); GRANT CREATE ON SCHEMA \(address.namespace) TO PUBLIC"
    )
    #expect(try WorldStore.open(.server(address), create: false).risks.planters == ["PUBLIC", role])
    let advice = PostgresError.howToRevoke(from: ["PUBLIC", role], address.name).description
    try runProgram("psql", of: advice.replacing("postgresql:///", with: "postgresql://postgres@/"))
    #expect(try WorldStore.open(.server(address), create: false).risks.planters.isEmpty)
  }

  /// The lab's functions are the owner's, and run with the rights of the user who changes the lab.
  @Test func aSuperuserWhoOpensSomebodysLabIsWarned() throws {
    #expect(try WorldStore.open(.server(address), create: false).risks == LabRisks())
    let role = "owner_" + address.lab.suffix(12).replacing("-", with: "_")
    let schema = address.namespace.replacing("\"", with: "")
    try administrator().run(
      script: """
        CREATE ROLE \(role); GRANT USAGE, CREATE ON SCHEMA \(address.namespace) TO \(role);
        DO $$ DECLARE one record; BEGIN
          FOR one IN SELECT oid::regclass AS name FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = '\(schema)') AND relkind IN ('r', 'v')
          LOOP EXECUTE format('ALTER TABLE %s OWNER TO \(role)', one.name); END LOOP;
          FOR one IN SELECT oid::regprocedure AS name FROM pg_proc
            WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = '\(schema)')
          LOOP EXECUTE format('ALTER ROUTINE %s OWNER TO \(role)', one.name); END LOOP;
        END $$
        """)
    #expect(try WorldStore.open(.server(address), create: false).risks.weakerOwner == role)
  }

  @Test func aPrimaryThatWasReplacedIsRefused() throws {
    let files = try #require(store.filesBeside)
    let kept = try String(contentsOfFile: files + ".timeline", encoding: .utf8).split(separator: " ")
    try Data("\(kept[0]) 99\n".utf8).write(to: URL(fileURLWithPath: files + ".timeline"))
    let found = try trouble { _ = try WorldStore.open(.server(address), create: false) }
    #expect(found == .formerPrimary(found: 1, known: 99))
    try Data("4711 99\n".utf8).write(to: URL(fileURLWithPath: files + ".timeline"))
    _ = try WorldStore.open(.server(address), create: false)
  }

  @Test func databaseThatTakesNoChangesIsRead() throws {
    let settings = "options=-c%20default_transaction_read_only%3Don"
    let reader = try LabAddress(address.full + "&" + settings, stateFolder: address.stateFolder)
    let found = try WorldStore.open(.server(reader), create: false)
    #expect(found.onlyReads == .server)
    #expect(try found.read { try $0.document(.lab, "") } == Data("before".utf8))
  }

  /// The errors of a server whose disk is full, or whose database accepts no changes.
  @Test(arguments: ["53100", "25006"]) func refusalOfTheServerIsNamedAndLeavesTheLabAsItWas(_ code: String)
    throws
  {
    try administrator().run(
      script: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION USING ERRCODE = '\(code)', MESSAGE = 'the reason'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON document EXECUTE FUNCTION refuse();
        """)
    let found = try trouble { try put("after") }
    #expect(found == (code == "53100" ? .full("the reason") : .readOnly("the reason")))
    #expect(try text() == "before")
    try administrator().run(script: "DROP TRIGGER refuse ON document")
    try put("after")
    #expect(try text() == "after")
  }

  @Test func labOfANewerVersionIsLeftAlone() throws {
    try administrator().run(script: "UPDATE meta SET value = '99' WHERE name = 'version'")
    #expect(
      try trouble { _ = try WorldStore.open(.server(address), create: true) }
        == .newerVersion(found: 99, known: Schema.version))
  }

  @Test func labWithoutItsKeyIsRefused() throws {
    let key = try #require(store.filesBeside) + ".key"
    let kept = try Data(contentsOf: URL(fileURLWithPath: key))
    try Data(repeating: 1, count: 32).write(to: URL(fileURLWithPath: key))
    func open() throws { _ = try WorldStore.open(.server(address), create: true) }
    #expect(try trouble(open) == .keyWrong(lab: address.lab, file: key))
    try FileManager.default.removeItem(atPath: key)
    #expect(try trouble(open) == .keyMissing(lab: address.lab, file: key))
    try kept.write(to: URL(fileURLWithPath: key))
    try open()
  }

  @Test func keyIsNotInTheDatabase() throws {
    let key = try Data(contentsOf: URL(fileURLWithPath: #require(store.filesBeside) + ".key"))
    let meta = try store.locked { try $0.column("SELECT value FROM meta") as [Data] }
    #expect(meta.count == 3)
    #expect(meta.allSatisfy { $0.range(of: key) == nil })
  }

  @Test func labThatIsNotThereIsMissingAndLeavesNoErrorInTheServersLog() throws {
    let program = "p" + PostgresCluster.newName()
    let other = try LabAddress(
      PostgresCluster.shared().url + "&application_name=\(program)&lab=" + PostgresCluster.newName(),
      stateFolder: address.stateFolder)
    let missing = StoreError.missing(path: other.name)
    #expect(throws: missing) { _ = try WorldStore.open(.server(other), create: false) }
    #expect(missing.what == "There is no lab at \(other.name).")
    #expect(!missing.why.contains("file"))
    _ = try WorldStore.open(.server(other), create: true)
    // The log has been written once its last line is there.
    _ = try? PostgresConnection(other).run(script: "SELECT 1/0")
    let lines = try PostgresCluster.shared().log.split(separator: "\n").filter { $0.hasPrefix(program) }
    #expect(lines.first?.contains("division by zero") == true, "\(lines)")
  }

  @Test func databaseThatIsNotThereIsMadeByTheLineThatIsShown() throws {
    let name = "qa_" + address.lab.prefix(9)
    let other = try LabAddress(
      address.url.replacing("/postgres?", with: "/\(name)?") + "&lab=x", stateFolder: address.stateFolder)
    let error = try #require(throws: StoreError.self) {
      _ = try WorldStore.open(.server(other), create: true)
    }
    #expect(error == .server(other.name, .noDatabase(name)))
    try runProgram("createdb", of: error.next.description)
    _ = try WorldStore.open(.server(other), create: true)
  }

  @Test func lineForPsqlWorksAsItStands() throws {
    let secret = try LabAddress(address.full + "&password=geheim", stateFolder: address.stateFolder)
    for trouble: PostgresError in [
      .lost(""), .other(""), .unreachable(""), .oldServer(found: 12), .locked(holder: ""),
    ] {
      let error = StoreError.server(secret.name, trouble)
      #expect(!error.next.description.contains("geheim"))
      try runProgram("psql", of: error.next.description)
    }
    try runProgram("psql", of: StoreError.damaged(path: secret.name, row: "", message: "").next.description)
  }

  /// Runs the command at the end of a hint.
  private func runProgram(_ name: String, of hint: String) throws {
    let start = try #require(hint.range(of: name + " "))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", String(hint[start.lowerBound...]) + " </dev/null >/dev/null"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(hint)")
  }

  @Test func watchHearsOfCommitsAfterTheServerEndedItsConnection() throws {
    let watch = try #require(try StoreWatch(store))
    func isTouched() -> Bool {
      var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
      defer {
        var buffer = [UInt8](repeating: 0, count: 64)
        _ = read(watch.descriptor, &buffer, 64)
      }
      return poll(&waiting, 1, 5000) == 1
    }
    try administrator().run(
      script: """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query = 'LISTEN \(address.namespace)'
        """)
    // One event is for the end of the connection, and one for the new connection.
    #expect(isTouched())
    #expect(isTouched())
    try put("told")
    #expect(isTouched())
  }
}

extension PostgresConnection {
  /// Returns the ID of the server process that serves this connection.
  fileprivate func backend() throws -> Int {
    var rows = try rows("SELECT pg_backend_pid()", [])
    return try rows.next() ? try rows[0] : 0
  }
}
