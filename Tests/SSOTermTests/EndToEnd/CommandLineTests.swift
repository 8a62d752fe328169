import Foundation
import Testing

@testable import SSOCore

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
    #expect(refused.status == .exit(2) && refused.err.contains("is not accepted on the command line"))
    #expect(!refused.err.contains("hunter2"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")), "nothing was opened")
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
    #expect(terminal.shows("The screens have no --unmask"))
    #expect(try run(["status", "--create"] + store).status == .exit(0))
    let shown = try run(["person", "show", "ada"] + store).out
    #expect(shown.contains("Ada Lovelace") && shown.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
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
    try terminal.waitFor("is truncated at")
    terminal.send("xq")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectModes()
  }
}

extension Terminal {
  /// Checks that the line settings are as before.
  fileprivate func expectModes() { #expect(modes.c_lflag == modesBefore.c_lflag) }
}
