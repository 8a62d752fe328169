import Foundation
import Testing

@testable import SSOCore
@testable import SSOServer
@testable import SSOStore

@Suite("What the command line takes and says", .serialized)
struct CommandLineTests {
  let folder: Folder
  private var store: [String] { ["--store", folder.path("s.sqlite")] }

  init() throws { folder = try Folder() }

  private func run(_ arguments: [String], input: String = "") throws -> Run {
    try Program.run(arguments, in: folder, input: input)
  }

  @Test(
    arguments: [
      ["person", "set", "ada", "password=hunter2"], ["person", "add", "eve@contoso.com", "password=hunter2"],
      ["registration", "set", "b6c69a37", "secrets+=hunter2"],
    ])
  func aSecretIsNotTakenFromTheCommandLine(_ words: [String]) throws {
    let refused = try run(words + store)
    #expect(refused.status == .exit(2) && refused.err.contains("is not taken from the command line"))
    #expect(!refused.err.contains("hunter2"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")), "nothing was opened")
  }

  @Test func aPasswordIsNoOptionAndAnAppThatFitsSeveralIsAWrongCommand() throws {
    let refused = try run(["signin", "mytestapp1", "--password", "hunter2"] + store)
    #expect(refused.status == .exit(2) && refused.err.contains("--password-stdin"))
    #expect(!refused.err.contains("hunter2"))
    let ambiguous = try run(["signin", "mytest"] + store)
    #expect(ambiguous.status == .exit(2) && ambiguous.err.contains("matches 3 apps"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsArePrinted(_ shell: String) throws {
    let printed = try run(["completion", shell])
    #expect(printed.status == .exit(0) && printed.out.contains("ssoterm"))
    let wrong = try run(["completion", shell + "x"])
    #expect(wrong.status == .exit(2) && wrong.err.contains("try: ssoterm completion \(shell)"))
  }

  @Test func pathsNamesTheStoreAndMakesNone() throws {
    let paths = try run(["paths"] + store)
    #expect(paths.status == .exit(0))
    #expect(paths.out.contains(folder.path("s.sqlite")) && paths.out.contains("/.config/ssoterm/config.yaml"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")))
  }

  /// This is the same as on the screens when the user leaves the page after an error.
  @Test func aSignInThatAPageRejectsIsInTheTrace() throws {
    let words = ["signin", Program.app1, "--account", "ada@contoso.com", "--password-stdin"]
    let rejected = try run(words + store, input: "wrong\n")
    #expect(rejected.status == .exit(4) && rejected.err.contains("The sign-in was refused."))
    #expect(try run(["trace", "show"] + store).out.contains("AADSTS50126"))
  }

  @Test func aTokenIsInspectedFromAFile() throws {
    #expect(try Program.signIn(store: folder.path("s.sqlite"), in: folder).status == .exit(0))
    let token = try run(["silent", Program.app1, "--print", "token"] + store).out
    let file = try folder.write(token, to: "token")
    // Masked names are different in each run.
    let inspected = try run(["token", "inspect", file, "--unmask"] + store)
    #expect(inspected.status == .exit(0) && inspected.out.contains("aud"), "\(inspected.err)")
    let read = try run(["token", "read", "--unmask"] + store, input: token).out
    #expect(read.split(separator: "\n").first == inspected.out.split(separator: "\n").first)
  }

  @Test func aSecretComesFromStdinFromAFileOrIsMade() throws {
    let file = try folder.write("from-a-file\n", to: "secret")
    for (words, input, secret) in [
      (["password=-"], "from-stdin\n", "from-stdin"), (["--password-stdin"], "typed\r\n", "typed"),
      (["password=@" + file], "", "from-a-file"),
    ] {
      #expect(try run(["person", "set", "ada"] + words + store, input: input).status == .exit(0))
      let signedIn = try run(
        [
          "signin", Program.app1, "--account", "ada", "--prompt", "login", "--password-stdin",
          "--accept-consent",
        ]
          + store, input: secret + "\n")
      #expect(signedIn.status == .exit(0), "\(words): \(signedIn.err)")
    }
    let made = try run(
      ["registration", "set", "b6c69a37-df96-4db0-9088-2ab96e1d8215", "secrets+=new"] + store)
    let line = try #require(made.out.split(separator: "\n").first { $0.contains("secrets: ") })
    #expect(line.trimmingCharacters(in: .whitespaces).count == "secrets: ".count + 28)
    #expect(try run(["person", "set", "ada", "password=-"] + store).status == .exit(2), "an empty line")
    #expect(
      try run(["app", "set", "mytestapp1", "--password-stdin"] + store, input: "x\n").status == .exit(2))
  }

  @Test func aClientsKeyComesFromPEM() throws {
    let client = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
    let key = try TokenSigningKey(id: "k", from: RandomSource(Randomness(seed: 5))).publicKey
    let file = try folder.write(key.pem, to: "key.pem")
    let added = try run(["registration", "set", client, "publicKeys+=@" + file] + store)
    #expect(added.status == .exit(0), "\(added.err)")
    let shown = try run(["registration", "show", client] + store).out
    #expect(shown.contains(Base64URL.encode(key.modulus)))
    let other = try folder.write(
      "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", to: "other")
    let refused = try run(["registration", "set", client, "publicKeys+=@" + other] + store)
    #expect(refused.status == .exit(2) && refused.err.contains("holds no public key"))
    #expect(!refused.err.contains("MIIE"))
  }

  @Test func aFaultIsForAClientByItsName() throws {
    let client = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
    #expect(try run(["registration", "set", client, "displayName=Suite"] + store).status == .exit(0))
    for (name, known) in [("Suite", client), ("nobody", "nobody")] {
      #expect(try run(["fault", "add", "token", "503:5", "--client", name] + store).status == .exit(0))
      #expect(try run(["fault", "list"] + store).out.contains(known))
    }
  }

  @Test func serveEnvSaysThatNothingListens() throws {
    let free = try FreePort(0, on: [.ipv4])
    let told = try withExtendedLifetime(free) {
      try run(["serve", "env", "--port", String(free.port)] + store)
    }
    #expect(told.status == .exit(0) && told.out.contains("https://localhost:\(free.port)/"))
    #expect(told.err.contains("nothing listens on port \(free.port) now"))
  }

  @Test func bothReportsAreWrittenInOneRunAndNamesMayFollow() throws {
    let (junit, markdown) = (folder.path("a.xml"), folder.path("b.md"))
    let done = try run([
      "scenario", "run", "--report", "junit", junit, "--report", "markdown", markdown, "contoso-suite",
    ])
    #expect(done.status == .exit(0), "\(done.err)")
    #expect(folder.text("a.xml").contains("<testsuite name=\"contoso-suite\""))
    #expect(folder.text("b.md").contains("contoso-suite"))
    let wrong = try run(["scenario", "run", "contoso-suite", "--report", "pdf", "c.pdf"])
    #expect(wrong.status == .exit(2) && wrong.err.contains("junit and markdown"))
  }

  @Test(
    arguments: [
      (["silnet", "mytestapp1"], "the nearest is “silent”"),
      (["help", "silnet"], "try: ssoterm help silent"),
      (["help", "exit", "code"], "the nearest is “exit-codes”"),
      (["help", "token", "forged"], "“token” has no such subcommand"),
      (["help", "zzzzzzzzzzzz"], "nothing has a similar name"),
      (["help", "store", "--roff"], "--roff needs the topic manual or settings"),
      (["help", "store", "--all"], "--all takes no topic"),
      (["tui", "nosuch/place"], "ssoterm demo has story too"), (["demo", "--nosuch"], "Unknown option"),
    ])
  func aMistypedCommandNamesTheOneThatWasMeant(_ words: [String], _ says: String) throws {
    let run = try run(words)
    #expect(run.status == .exit(2) && run.out.isEmpty)
    #expect(run.err.contains(says), "\(run.err)")
  }

  @Test(
    arguments: [
      ["status"], ["apps"], ["accounts"], ["tokens"], ["keychain"], ["trace", "list"], ["why", "mytestapp1"],
      ["person", "list"], ["pick", "--choose", "ada"], ["fault", "list"], ["clock", "show"], [],
    ])
  func aTypoInACommandThatReadsMakesNoStore(_ words: [String]) throws {
    let path = folder.path("no/such/s.sqlite")
    let missing = try run(words + ["--store", path])
    #expect(missing.status == .exit(5) && missing.err.contains("There is no store at \(path)"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("no")))
  }

  @Test func aStoreIsMadeWhereItUsuallyIsAndWhereItIsAskedFor() throws {
    #expect(try run(["status"]).status == .exit(0))
    #expect(try run(["status", "--create"] + store).status == .exit(0))
    #expect(try run(["status"] + store).status == .exit(0))
  }

  @Test func silentPrintsATokenAloneForAShell() throws {
    #expect(try Program.signIn(store: folder.path("s.sqlite"), in: folder).status == .exit(0))
    let silent = ["silent", "mytestapp1"] + store
    let token = try run(silent + ["--print", "token"]).out
    #expect(token.hasPrefix("eyJ") && token.split(separator: "\n").count == 1)
    #expect(try run(silent + ["--quiet", "--unmask"]).out == token)
    #expect(try run(silent + ["--print", "header"]).out == "Authorization: Bearer " + token)
    #expect(try run(silent + ["--unmask"]).out.split(separator: "\n").count == 2)
    #expect(try run(silent + ["--account", "ada"]).status == .exit(0), "a part of a name, as for apps")
    let undone = try run(["undo"] + store)
    #expect(undone.status == .exit(0))
    let traces = try run(["trace", "list"] + store).out
    #expect(traces.contains("undone"))
    #expect(try run(["trace", "show", "1"] + store).out.contains("↶ undone"))
    #expect(try run(["trace", "export", "1", "--as", "json"] + store).out.contains("\"undone\" : true"))
    #expect(try run(["trace", "export", "1", "--as", "mermaid"] + store).out.contains("(undone)"))
  }

  @Test func anExpiredTokenIsSaidAndNothingToMend() throws {
    let file = Program.samples + "/az_msal_token_cache.json"
    let checked = try run(["cache", "check", file])
    #expect(checked.status == .exit(0) && checked.out.contains("0 findings, 3 expired tokens"))
    #expect(checked.out.contains("· expired") && !checked.out.contains("✗"))
    let viewed = try run(["view", file])
    #expect(viewed.out.contains("· no date") && !viewed.out.contains("● valid"))
  }

  @Test func unmaskIsRefusedOnScreensAndNoLineEndsInBlanks() throws {
    let terminal = try Terminal(program: ["tui", "--unmask"] + store, in: folder)
    #expect(try terminal.ending() == .exit(2))
    #expect(terminal.shows("The screens have no --unmask."))
    #expect(try run(["status", "--create"] + store).status == .exit(0))
    let shown = try run(["person", "show", "ada"] + store).out
    #expect(shown.contains("Ada Lovelace") && shown.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test(
    arguments: [
      (
        ["signin", "a", "--prompt", "foo"],
        "--prompt must be default, select_account, login or consent, not “foo”."
      ),
      (
        ["--theme", "foo"],
        "Please provide one of the following: auto, dark, light, terminal, high-contrast, blue-orange."
      ),
      (["silent", "a", "--print", "foo"], "The value 'foo' is invalid for '--print <print>'."),
      (["compliance", "maybe"], "Compliance must be on or off, not “maybe”."),
      (["journal", "--limit", "0"], "--limit is 0."),
      (["silent", "mytestapp1", "--claims", "{bad"], "The value of --claims is not a JSON object."),
      (["silent", "mytestapp1", "--claims", "[]"], "it is JSON, but not an object"),
    ])
  func aWrongValueIsSaidOnceInOneLine(_ words: [String], _ sentence: String) throws {
    let run = try run(words + (words[0].hasPrefix("--") ? [] : store))
    #expect(run.status == .exit(2) && run.err.contains(sentence), "\(run.err)")
    #expect(!run.err.contains("<U+000A>") && !run.err.contains("': --"), "\(run.err)")
  }

  @Test func aWatchedFileShowsWhatChangesSaysWhenItIsDamagedAndEndsWithQ() throws {
    let whole = try String(contentsOfFile: Program.samples + "/az_msal_token_cache.json", encoding: .utf8)
    let file = try folder.write("{}", to: "cache.json")
    let terminal = try Terminal(program: ["view", "--watch", file], in: folder, columns: 200)
    try terminal.waitFor("0 accounts")
    try folder.write(whole, to: "cache.json")
    try terminal.waitFor("+ client 04b07795")
    #expect((0..<terminal.rows).allSatisfy { terminal.line($0).count < 200 })
    try folder.write(String(whole.prefix(100)), to: "cache.json")
    try terminal.waitFor("cannot be read now")
    terminal.send("xq")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectModes()
  }
}

extension Terminal {
  /// Checks that the line settings are as before.
  fileprivate func expectModes() { #expect(modes.c_lflag == modesBefore.c_lflag) }
}
