import Foundation
import Testing

@testable import SSOStore

@Suite("Bad input through the built program", .serialized)
struct BadInputEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  func run(_ arguments: String...) throws -> Run { try Program.run(arguments, in: folder) }

  @Test("A store that is a text file is refused in three parts with status 5, and left as it is")
  func textAsStore() throws {
    let text = "Dear diary, this is not a database.\n"
    let store = try folder.write(text, to: "diary.sqlite")
    let run = try run("status", "--store", store)
    #expect(run.status == .exit(5))
    #expect(run.out.isEmpty)
    expectThreeParts(run.err)
    #expect(folder.text("diary.sqlite") == text)
  }

  @Test("A store without its key is refused with status 5, and nothing is made anew")
  func missingKey() throws {
    let store = folder.path("s.sqlite")
    #expect(try run("clock", "+1s", "--store", store).status == .exit(0))
    try FileManager.default.removeItem(atPath: store + ".key")
    let run = try run("status", "--store", store)
    #expect(run.status == .exit(5))
    expectThreeParts(run.err)
    #expect(!FileManager.default.fileExists(atPath: store + ".key"))
  }

  @Test(
    "A clock that would pass a hundred years from real time stays",
    arguments: ["+9223372036854775807s", "-9223372036854775807s", "+15250284452471w", "+36600d", "-5300w"])
  func clockOutOfRange(_ step: String) throws {
    let store = ["--store", folder.path("s.sqlite")]
    for first in ["+1s", "-2s"] {
      #expect(try Program.run(["clock", first] + store, in: folder).status == .exit(0))
      let run = try Program.run(["clock", step] + store, in: folder)
      #expect(run.status == .exit(2))
      expectThreeParts(run.err)
    }
    #expect(try Program.run(["clock"] + store, in: folder).out.contains("lab time, moved by -1s"))
  }

  @Test(
    "A step of a trace that cannot be counted is refused",
    arguments: ["-9223372036854775808", "9223372036854775807"])
  func stepOutOfRange(_ step: String) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let run = try Program.run(["trace", "note", "--store", store, "--", "1", step, "x"], in: folder)
    #expect(run.status == .exit(3), "\(run.err)")
  }

  @Test(
    "A cache is read from a pipe and a device, as far as a cache can go",
    arguments: [
      "cat cache | ssoterm view -", "cat cache | ssoterm view /dev/stdin",
      "mkfifo p; cat cache > p & ssoterm view p",
      "cat cache | ssoterm cache check /dev/stdin", "ssoterm view /dev/stdin < cache",
    ])
  func pipes(_ script: String) throws {
    let run = try Program.shell("cp \(Program.samples)/msal_python_cache.json cache; \(script)", in: folder)
    #expect([.exit(0), .exit(1)].contains(run.status), "\(run.err)")
    #expect(run.err.isEmpty && run.out.contains(script.contains("check") ? "MSAL Python" : "RefreshToken"))
  }

  @Test("Of an input without an end no more is read than a cache may have")
  func endlessInput() throws {
    let run = try Program.shell(
      "ulimit -v 3000000; ssoterm view /dev/zero; ssoterm view - < /dev/zero", in: folder)
    #expect(run.status == .exit(2))
    #expect(run.err.components(separatedBy: "larger than 256 MB").count == 3, "\(run.err)")
  }

  @Test("A damaged row is named on stderr, with status 5, and the others are shown")
  func damagedRow() throws {
    let store = folder.path("s.sqlite")
    for _ in 1...2 { #expect(try Program.signIn(store: store, in: folder).status == .exit(0)) }
    try SQLiteConnection(.file(path: store)).run(script: "UPDATE trace SET at = 'x' WHERE id = 1")
    for json in [[], ["--json"]] {
      let run = try Program.run(["trace", "list", "--store", store] + json, in: folder)
      #expect(run.status == .exit(5))
      #expect(run.out.contains("sign in") && !run.out.contains("error"))
      expectThreeParts(run.err)
      #expect(run.err.contains("The row trace 1 of the store"))
    }
    #expect(try Program.run(["trace", "show", "1", "--store", store], in: folder).status == .exit(5))
  }

  @Test("A cache cut off in the middle is refused, with the place of the cut", arguments: [1, 300, 2000])
  func truncatedCache(length: Int) throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: Program.samples + "/az_msal_token_cache.json"))
    let cut = try folder.write(whole.prefix(length), to: "cut.json")
    let run = try run("view", cut)
    #expect(run.status == .exit(2))
    #expect(run.err.contains("byte \(length)"))
    #expect(run.out.isEmpty)
  }

  @Test("A real cache is shown with its account and without any of its secrets")
  func viewMasksSecrets() throws {
    let path = Program.samples + "/az_msal_token_cache.json"
    let run = try run("view", path)
    #expect(run.status == .exit(0))
    #expect(run.out.contains("alice@contoso.com"))
    let secrets = try secrets(ofCacheAt: path)
    #expect(secrets.count >= 7)
    for secret in secrets { #expect(!(run.out + run.err).contains(secret.prefix(40))) }
  }

  @Test("An imported cache shows its account, and its secrets are in no file in plain text")
  func importSeals() throws {
    let path = Program.samples + "/az_msal_token_cache.json"
    let store = folder.path("s.sqlite")
    #expect(try run("import", path, "--store", store).status == .exit(0))
    #expect(try run("accounts", "--store", store).out.contains("alice@contoso.com"))
    let bytes = try FileManager.default.contentsOfDirectory(atPath: folder.root)
      .filter { $0.hasPrefix("s.sqlite") }
      .map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) }
    for secret in try secrets(ofCacheAt: path) {
      for file in bytes { #expect(file.range(of: Data(secret.prefix(40).utf8)) == nil) }
    }
  }

  @Test("Control and bidirectional characters of a name never reach the output", arguments: [[], ["--json"]])
  func controlCharacters(options: [String]) throws {
    let cache = try folder.write(Self.hostileCache, to: "hostile.json")
    let store = folder.path("s.sqlite")
    let viewed = try Program.run(["view", cache] + options, in: folder)
    #expect(viewed.status == .exit(0))
    #expect(viewed.out.contains("eve"))
    let imported = try Program.run(["import", cache, "--store", store] + options, in: folder)
    let listed = try Program.run(["accounts", "--store", store] + options, in: folder)
    for run in [viewed, imported, listed] {
      let scalars = Array((run.out + run.err).unicodeScalars)
      #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
      #expect(!scalars.contains(where: Self.isHostile))
    }
  }

  static let hostileCache = """
    {"Account": {"u.t-login.microsoftonline.com-t": {
      "home_account_id": "u.t", "environment": "login.microsoftonline.com", "realm": "t",
      "local_account_id": "u", "authority_type": "MSSTS",
      "username": "eve\\u001b[2J\\u001b]0;owned\\u0007\\u202emoc.osotnoc@\\u009b31m"}}}
    """

  static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  func secrets(ofCacheAt path: String) throws -> [String] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let sections = try JSONDecoder().decode([String: [String: [String: String?]]].self, from: data)
    return sections.values.flatMap(\.values).compactMap { $0["secret"] ?? nil }
  }

  /// Checks that a message contains the problem with its cause, and the next step.
  func expectThreeParts(_ message: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = message.split(separator: "\n")
    #expect(lines.count == 2, "\(message)", sourceLocation: sourceLocation)
    #expect(lines.first?.hasPrefix("ssoterm: ") == true, sourceLocation: sourceLocation)
    #expect(lines.last?.hasPrefix("  ") == true, sourceLocation: sourceLocation)
  }
}
