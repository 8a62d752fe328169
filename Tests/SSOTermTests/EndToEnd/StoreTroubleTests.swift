import Foundation
import Testing

@testable import SSOStore

@Suite("Stores that cannot be used, through the built program", .serialized)
struct StoreTroubleTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  func run(_ arguments: String...) throws -> Run { try Program.run(arguments, in: folder) }

  @Test func aStoreOfANewerVersionIsRefusedAndLeftAsItIs() throws {
    let store = folder.path("s.sqlite")
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    // `user_version` is at byte 60 of an SQLite file, in big-endian order.
    var file = try Data(contentsOf: URL(fileURLWithPath: store))
    file.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    try file.write(to: URL(fileURLWithPath: store))
    let refused = try run("status", "--store", store)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains("made by a newer ssoterm"))
    #expect(refused.err.contains("found version 99"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == file)
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func aReadOnlyDiskIsNamedAndNothingIsChanged() throws {
    let disk = try SmallDisk(in: folder, size: "4m")
    let store = disk.path + "/s.sqlite"
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    try disk.makeReadOnly()
    let refused = try run("clock", "+1h", "--store", store)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains("cannot be written"))
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func aFullDiskIsNamedAndWhatWasStoredStaysReadable() throws {
    let disk = try SmallDisk(in: folder, size: "1m")
    let store = disk.path + "/s.sqlite"
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let cache = try folder.write(Self.cache(accounts: 3000), to: "large.json")
    let full = try run("import", cache, "--store", store)
    #expect(full.status == .exit(5))
    #expect(full.err.contains("is full"))
    let accounts = try run("accounts", "--store", store)
    #expect(accounts.status == .exit(0))
    #expect(accounts.out.contains("ada@contoso.com"))
    #expect(!accounts.out.contains("person"))
  }

  /// A read-only command reads the store, including what is only in the log so far.
  @Test(.enabled(if: SmallDisk.isPossible), arguments: [false, true])
  func aFullDiskIsReadAsItIs(_ hasLog: Bool) throws {
    let disk = try SmallDisk(in: folder, size: "2m")
    let store = disk.path + "/s.sqlite"
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    if hasLog { #expect(try run("silent", "mytestapp1", "--store", store).status == .exit(0)) }
    #expect(FileManager.default.fileExists(atPath: store + "-wal") == hasLog)
    _ = try Program.shell("cat /dev/zero > \(disk.path)/filler", in: folder)
    for command in ["status", "accounts", "tokens", "trace list", "apps --json"] {
      let run = try Program.shell("ssoterm \(command) --store \(store)", in: folder)
      #expect(run.status == .exit(0), "\(command): \(run.err)")
    }
    let traces = try Program.shell("ssoterm trace list --store \(store)", in: folder)
    #expect(traces.out.contains("silent") == hasLog)
    let refused = try run("clock", "+1h", "--store", store)
    #expect(refused.status == .exit(5) && refused.err.contains("is full"), "\(refused.err)")
  }

  @Test(arguments: [
    ("rm s.sqlite.key; mkfifo s.sqlite.key", "is not the key of this store"),
    ("rm s.sqlite.key; mkdir s.sqlite.key", "is not the key of this store"),
    ("rm s.sqlite.key", "is missing"),
  ])
  func aKeyThatIsNoKeyIsRefusedAtOnce(_ script: String, _ words: String) throws {
    #expect(try run("status", "--create", "--store", folder.path("s.sqlite")).status == .exit(0))
    let refused = try Program.shell("\(script); ssoterm status --store s.sqlite", in: folder)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains(words), "\(refused.err)")
  }

  @Test func theKeyOfAKilledCreationIsNotLeftBehind() throws {
    try folder.write("unused", to: "s.sqlite.key.1~")
    #expect(try run("status", "--create", "--store", folder.path("s.sqlite")).status == .exit(0))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root).filter { $0.contains(".key") } == [
        "s.sqlite.key"
      ])
  }

  /// A process was killed after it created the store, and before it created the lab in it.
  @Test func aStoreWithoutALabIsNotThere() throws {
    let store = folder.path("s.sqlite")
    _ = try WorldStore.open(.file(path: store), create: true)
    #expect(try run("status", "--store", store).err.contains("There is no store at"))
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    #expect(try run("status", "--store", store).status == .exit(0))
  }

  /// This runs as a user that file modes apply to.
  @Test(.enabled(if: getuid() == 0), arguments: ["s.sqlite.key", "s.sqlite"])
  func whatMayNotBeReadIsNotCalledUnwritable(_ file: String) throws {
    #expect(try run("status", "--create", "--store", folder.path("s.sqlite")).status == .exit(0))
    let refused = try Program.shell(
      "chmod 755 .; cp \(Program.path) ./program; chown 65534 . s.sqlite*; chmod 0 \(file); "
        + "setpriv --reuid 65534 --clear-groups ./program status --store s.sqlite", in: folder)
    #expect(refused.status == .exit(5))
    #expect(refused.err.contains("permission to read") && refused.err.contains("chmod u+r"), "\(refused.err)")
  }

  @Test func withoutAHomeTheStoreIsNotMadeInTheCurrentFolder() throws {
    for script in ["unset HOME", "HOME=", "HOME=relative"] {
      let run = try Program.shell(
        "\(script); export HOME; XDG_DATA_HOME=; ssoterm apps --readonly", in: folder)
      #expect(run.err.contains("no store at /") || run.status == .exit(0), "\(run.err)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root).sorted() == ["stderr", "stdout"])
  }

  @Test func undoSaysWhoseIntentItTakesBack() throws {
    let store = folder.path("s.sqlite")
    // Each run of the program is a separate session; in a shell, all runs have the same session.
    #expect(try run("clock", "+1h", "--store", store).status == .exit(0))
    #expect(try run("undo", "--store", store).out.contains("clock +1h (done in session "))
    let own = try Program.shell(
      "ssoterm clock +1h --store \(store); ssoterm undo --store \(store)", in: folder)
    #expect(own.out.contains("Undone: clock +1h\n"), "\(own.out)")
  }

  @Test func fiftyWritersAtOnceAllHaveTheirTurn() throws {
    let store = folder.path("s.sqlite")
    #expect(try run("clock", "+1s", "--store", store).status == .exit(0))
    let run = try Program.shell(
      "for i in $(seq 50); do ( ssoterm clock +1s --store \(store) > /dev/null || echo failed >&2 ) & done; wait",
      in: folder)
    #expect(!run.err.contains("failed"), "\(run.err)")
    #expect(try StoreDurabilityTests.offset(store, in: folder) == 51)
  }

  /// The store may or may not open with so few files.
  ///
  /// If not, the error names the limit and no other reason.
  @Test(arguments: 4...8) func theLimitOfOpenFilesIsNamed(_ limit: Int) throws {
    let store = folder.path("s.sqlite")
    #expect(try run("status", "--create", "--store", store).status == .exit(0))
    let limited = try Program.shell("ulimit -n \(limit) && ssoterm status --store \(store)", in: folder)
    guard limited.status != .exit(0) else { return }
    #expect(limited.err.contains("found this process at its limit of open files"), "\(limited.err)")
  }

  @Test func noCoreIsLeftAndTheMemoryIsNobodysToRead() throws {
    let run = try Program.shell(
      """
      ulimit -c unlimited; ssoterm serve --port 0 --approve browser --store s.sqlite > out & child=$!
      while ! grep -q https out; do sleep 0.05; done
      program=$(pgrep -P $child || echo $child)
      grep 'core file' /proc/$program/limits; stat -c %U /proc/$program; kill -ABRT $program; wait; ls
      """, in: folder)
    #expect(run.out.contains("Max core file size        0                    0"), "\(run.out)")
    #expect(!run.out.contains("core\n") && !run.out.contains("core."))
  }

  @Test func readonlyRefusesEveryChangeAndShowsTheRest() throws {
    let store = folder.path("s.sqlite")
    let missing = try run("status", "--readonly", "--store", store)
    #expect(missing.status == .exit(5))
    #expect(!FileManager.default.fileExists(atPath: store))
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    for command in [
      ["undo"], ["clock", "+1h"], ["silent", "mytestapp1"], ["forget", "ada@contoso.com", "--yes"],
    ] {
      let refused = try Program.run(command + ["--readonly", "--store", store], in: folder)
      #expect(refused.status == .exit(2), "\(command)")
      #expect(refused.err.contains("open for reading only"), "\(command)")
    }
    #expect(try run("accounts", "--readonly", "--store", store).out.contains("ada@contoso.com"))
  }

  /// Returns a cache of accounts with refresh tokens of a kilobyte each.
  static func cache(accounts: Int) -> String {
    let secret = String(repeating: "s", count: 1000)
    let entries = (0..<accounts).map { number in
      let home = "u\(number).t"
      return (
        account: """
        "\(home)-login.microsoftonline.com-t": {"home_account_id": "\(home)", "realm": "t",
        "environment": "login.microsoftonline.com", "local_account_id": "u\(number)",
        "authority_type": "MSSTS", "username": "person\(number)@example.com"}
        """,
        token: """
        "\(home)-login.microsoftonline.com-refreshtoken-c--": {"home_account_id": "\(home)", "client_id": "c",
        "environment": "login.microsoftonline.com", "credential_type": "RefreshToken", "secret": "\(secret)"}
        """
      )
    }
    let accounts = entries.map(\.account).joined(separator: ",")
    let tokens = entries.map(\.token).joined(separator: ",")
    return "{\"Account\": {\(accounts)}, \"RefreshToken\": {\(tokens)}}"
  }
}
