import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOPostgreSQL
@testable import SSOStore

@Suite("A lab that several people use", .serialized)
struct TeamEndToEndTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// Runs commands, one per line, each by a user, such as `anna: clock +1h`.
  private func tell(_ lines: String) throws -> Run {
    try Program.shell(
      lines.split(separator: "\n").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return "SSOTERM_USER=\(parts[0]) SSOTERM_STORE=s.sqlite ssoterm\(parts[1])"
      }.joined(separator: "; "), in: folder)
  }

  @Test func undoTakesBackOnesOwnAndSaysWhoseItLeavesAlone() throws {
    #expect(try tell("anna: clock +1h").status == .exit(0))
    let refused = try tell("ben: undo")
    #expect(refused.status == .exit(3))
    #expect(refused.err.contains("You have nothing to undo: the last is “clock +1h”, done by anna on "))
    #expect(refused.err.contains("try: ssoterm undo --anyone"))
    #expect(
      try tell("ben: status").out.contains(
        "undo    nothing; the last change is clock +1h by anna on "))
    #expect(try tell("ben: trace list").out.contains("\tanna on "))
    #expect(try tell("anna: trace list").out.contains(" BY ") == false)
    #expect(try tell("anna: trace show").out.contains("  by anna on "))
    #expect(try tell("anna: trace show --json").out.contains("\"person\" : \"anna\""))
    #expect(try tell("ben: undo --anyone").out.contains("Undone: clock +1h (done by anna on "))
    let journal = try tell("ben: journal").out
    #expect(
      journal.contains("undo: clock +1h")
        && journal.contains("clock +1h (undone)"))
    #expect(try tell("ben: journal --json").out.contains("\"undone\" : true"))
    #expect(try tell("anna: redo").out.contains("Redone: clock +1h"))
  }

  @Test func whatAnotherHasChangedSinceIsRefusedWithTheRow() throws {
    let run = try tell("anna: clock +1h\nben: clock +2h\nanna: undo")
    #expect(run.status == .exit(1))
    #expect(run.err.contains("“clock +1h” cannot be undone: "))
    #expect(run.err.contains("“clock +2h”, done by ben on "))
    #expect(run.err.contains(", has changed the lab's state since."))
  }

  @Test func aHostileNameReachesNoTerminal() throws {
    let run = try tell("$(printf 'a\\033[2Jb'): clock +1h\nben: undo\nben: journal")
    #expect(!(run.out + run.err).contains("\u{1B}[2J"))
    #expect(run.out.contains("a"))
  }

  @Test func theScreensNameAChangeThatIsAnothersAndLeaveIt() throws {
    #expect(try tell("anna: clock +1h").status == .exit(0))
    let terminal = try Terminal(program: ["--store", folder.path("s.sqlite")], in: folder)
    try terminal.waitFor("Events")
    try terminal.waitFor("anna on ")
    terminal.send("z")
    try terminal.waitFor("nothing of yours; the last is clock +1h by anna on ")
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test func labsAreMadeCopiedListedAndRemoved() throws {
    #expect(try tell("anna: clock +1h\nanna: lab create spare --scenario two-vendors").status == .exit(0))
    #expect(try tell("anna: lab copy before").status == .exit(0))
    let names = try tell("anna: lab list").out.split(separator: "\n").dropFirst().map {
      $0.prefix { $0 != "\t" }
    }
    #expect(names == ["before", "s", "spare"])
    #expect(try tell("anna: --store before.sqlite undo").out.contains("Undone: clock +1h"))
    #expect(try tell("anna: journal").out.contains("(undone)") == false)
    #expect(try tell("anna: --store spare.sqlite status").out.contains("two-vendors"))
    #expect(try tell("anna: lab copy before").err.contains("before.sqlite already exists: "))
    #expect(try tell("anna: lab remove spare").status == .exit(2), "nobody to ask")
    #expect(try tell("anna: lab remove sparr --yes").err.contains("try: ssoterm lab remove spare --yes"))
    #expect(try tell("anna: lab create a/b").status == .exit(2))
    #expect(try tell("anna: lab remove spare --yes --readonly").status == .exit(2))
    #expect(try tell("anna: lab remove spare --yes").status == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: folder.path("spare.sqlite.key")))
    #expect(try tell("anna: lab list --json").out.contains("\"current\" : true"))
  }

  /// A key of another lab must not be reported as the lab's.
  @Test func theKeyOfAnotherLabIsRefusedAsSuch() throws {
    #expect(try tell("anna: clock +1h\nanna: lab create other").status == .exit(0))
    let exported = try tell("anna: --store other.sqlite key export -o other.key")
    let code = try #require(exported.out.split(separator: "\n").first { $0.hasPrefix("Code: ") }).dropFirst(6)
    let refused = try Program.shell(
      "echo \(code) | ssoterm key import other.key --code-stdin --store s.sqlite", in: folder)
    #expect(refused.status == .exit(5) && refused.err.contains("This is not the key of s.sqlite: "))
    #expect(refused.err.contains("ssoterm key export -o FILE --store s.sqlite"))
  }

  @Test func theScreensGoOnWhileTheServerIsAwayAndSayWhenItAnswers() throws {
    let relay = try PostgresCluster.shared().relay()
    let address = try PostgresCluster.shared().address("screens", by: relay)
    let options = ["--store", address.name]
    #expect(try Program.run(["status", "--create"] + options, in: folder).status == .exit(0))
    let terminal = try Terminal(program: options, in: folder)
    try terminal.waitFor("My Test App 3")
    relay.behavior = .isAway
    try terminal.waitFor("the notice", within: 20) { $0.shows("No answer from the lab's server since ") }
    terminal.send("3")
    try terminal.waitFor("[3 Tokens]")
    relay.behavior = .passesOn
    // No key is pressed.
    try terminal.waitFor("the end of it", within: 60) { $0.shows("The lab's server answers again.") }
    #expect(!terminal.shows("No answer"))
    // A change waits, but the keys do not.
    relay.behavior = .isAway
    try terminal.waitFor("the notice", within: 20) { $0.shows("No answer from the lab's server since ") }
    terminal.send("t")
    try terminal.waitFor("the change", within: 20) { $0.shows("this waits for it.") }
    terminal.send("1")
    try terminal.waitFor("[1 Apps]")
    terminal.send("t")
    try terminal.waitFor("Another change waits for the lab's server")
    relay.behavior = .passesOn
    try terminal.waitFor("the change", within: 60) { $0.shows("+1h FAKE") }
    relay.behavior = .hangs
    terminal.send("R")
    try terminal.waitFor("the notice", within: 20) { $0.shows("No answer from the lab's server since ") }
    // The current contents can be viewed in the meantime.
    terminal.send("?")
    try terminal.waitFor("Help")
    terminal.send("\u{1B}")
    relay.behavior = .passesOn
    try terminal.waitFor("the end of it", within: 60) { $0.shows("The lab's server answers again.") }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }

  @Test func aWriterIsToldWhoHasTheLabAndWhatTheServerRefuses() throws {
    let address = try PostgresCluster.shared().address("refusing")
    let options = ["--store", address.name]
    #expect(try Program.run(["status", "--create"] + options, in: folder).status == .exit(0))
    let other = try PostgresConnection(address)
    let terminal = try Terminal(program: options, in: folder)
    try terminal.waitFor("My Test App 3")
    try other.run(script: "SET application_name = 'eve'; BEGIN; \(other.lockScript)")
    terminal.send("t")
    try terminal.waitFor("Another writer has the lab: eve, since ")
    terminal.send("3")
    try terminal.waitFor("[3 Tokens]")
    try other.run(script: "ROLLBACK")
    try terminal.waitFor("the change", within: 20) { $0.shows("+1h FAKE") }
    // A server whose disk is full reports this.
    try other.run(
      script: """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'No space left on device'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON document EXECUTE FUNCTION refuse();
        """)
    terminal.send("t")
    try terminal.waitFor("the refusal") { $0.shows("No room is left on the server", "df -h") }
    // A program that starts now does not run objects that ssoterm did not create.
    let late = try Program.run(["clock", "+1h"] + options, in: folder)
    #expect(late.status == .exit(5) && late.err.contains("the trigger refuse on document"), "\(late.err)")
    try other.run(script: "DROP TRIGGER refuse ON document; DROP FUNCTION refuse()")
    terminal.send("t")
    try terminal.waitFor("+2h FAKE")
    try other.run(script: "UPDATE meta SET value = '99' WHERE name = 'version'")
    let newer = try Program.run(["status"] + options, in: folder)
    #expect(newer.status == .exit(5) && newer.err.contains("found version 99"))
    #expect(newer.err.contains("try: Update ssoterm, or name another lab: ssoterm lab list --store "))
  }

  @Test func whoMayOnlyReadIsToldTheStatementThatGrantsTheRight() throws {
    let address = try PostgresCluster.shared().address("granted")
    #expect(try Program.run(["status", "--create", "--store", address.name], in: folder).status == .exit(0))
    try PostgresConnection(address).run(
      script: """
        CREATE ROLE rita LOGIN; GRANT USAGE ON SCHEMA ssoterm_granted TO rita;
        GRANT SELECT ON ALL TABLES IN SCHEMA ssoterm_granted TO rita
        """)
    let options = ["--store", address.name.replacing("postgres@", with: "rita@")]
    #expect(try Program.run(["status"] + options, in: folder).status == .exit(0))
    let refused = try Program.run(["clock", "+1h"] + options, in: folder)
    #expect(refused.status == .exit(2) && refused.err.contains("rita may only read the lab"))
    #expect(
      refused.err.contains(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"ssoterm_granted\" TO \"rita\""))
  }

  @Test func pathsAsksTheServerForTheFilesOfALab() throws {
    let relay = try PostgresCluster.shared().relay()
    let address = try PostgresCluster.shared().address("paths", by: relay)
    let options = ["--store", address.name]
    #expect(try Program.run(["status", "--create"] + options, in: folder).status == .exit(0))
    func lines() throws -> [Substring] {
      try Program.run(["paths"] + options, in: folder).out.split(separator: "\n")
    }
    func line(_ name: String) throws -> Substring { try #require(lines().first { $0.hasPrefix(name) }) }
    #expect(try line("store").hasSuffix(address.name))
    let key = try line("key")
    #expect(key.hasSuffix(".key") && !key.contains("*"))
    #expect(try line("certificates").hasSuffix("not there"))
    relay.behavior = .isAway
    #expect(try line("store").contains("cannot be reached"))
    #expect(try line("key").hasSuffix("only the server knows its name"))
  }

  @Test func aKeyIsHandedOverInTwoParts() throws {
    #expect(try tell("anna: clock +1h").status == .exit(0))
    let exported = try tell("anna: key export -o team.key")
    let line = try #require(exported.out.split(separator: "\n").first { $0.hasPrefix("Code: ") })
    let code = String(line.dropFirst("Code: ".count))
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.path("team.key"))[.posixPermissions] as? Int
        == 0o600)
    #expect(!folder.text("team.key").contains(code))
    #expect(try tell("anna: key export -o team.key").status == .exit(2), "it is not written over")
    #expect(try Program.shell("rm s.sqlite.key", in: folder).status == .exit(0))
    let refused = try tell("anna: status")
    #expect(
      refused.status == .exit(5)
        && refused.err.contains("ask another user of the lab for its key (ssoterm key export)"))
    let take = "key import team.key --code-stdin --store s.sqlite"
    let wrong = try Program.shell("echo AAAAA-AAAAA-AAAAA-AAAAA-AAAAA | ssoterm \(take)", in: folder)
    #expect(wrong.status == .exit(2) && wrong.err.contains("The code does not open this key: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite.key")))
    #expect(try Program.shell("echo \(code) | ssoterm \(take)", in: folder).status == .exit(0))
    #expect(try tell("anna: undo").out.contains("Undone:"))
    let piped = try tell("anna: key export")
    #expect(piped.out.hasPrefix("-----BEGIN SSOTERM LAB KEY-----\n") && piped.err.contains("Code: "))
    #expect(!piped.out.contains("Code"))
  }
}
