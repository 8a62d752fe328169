import Foundation
import Testing

@Suite("How the built program starts", .serialized)
struct StartingTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func theBareBinaryMakesTheSuiteWithoutItsAssets() throws {
    let binary = folder.path("ssoterm")
    let out = folder.path("out")
    let child = try Child(
      ["/bin/sh", "-c", "cp \(Program.path) \(binary) && cd / && exec \(binary) status"],
      environment: Program.environment(home: folder.root), terminal: nil, output: out,
      error: folder.path("err"))
    #expect(try child.ending(within: 20) == .exit(0))
    #expect(folder.text("out").contains("com.contoso.mytestapp3"))
    #expect(folder.text("err").contains("with the scenario contoso-suite"))
  }

  @Test func aPathOpensItsScreenUnderItsFilter() throws {
    // At the first start, the line of the filter reports that the store was created.
    let store = ["--store", folder.path("s.sqlite")]
    #expect(try Program.run(["status", "--create"] + store, in: folder).status == .exit(0))
    let terminal = try Terminal(program: ["tui", "tokens/mail"] + store, in: folder)
    try terminal.waitFor("tokens under a filter") { $0.shows("[3 Tokens]", "0 of 0", "mail") }
  }

  @Test func aCacheFileIsShownAndNotChanged() throws {
    let file = folder.path("cache.json")
    let sample = try Data(contentsOf: URL(fileURLWithPath: Program.samples + "/az_msal_token_cache.json"))
    try sample.write(to: URL(fileURLWithPath: file))
    let terminal = try Terminal(program: ["tui", file], in: folder)
    try terminal.waitFor("the tokens of the file") { $0.shows("[3 Tokens]", "file:cache.json", " RO ") }
    terminal.send("t")
    try terminal.waitFor("open for reading only")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == sample)
    #expect(!FileManager.default.fileExists(atPath: folder.path(".local")))
  }

  @Test func aWrongPathEndsWithTwoAndTheAllowedOnes() throws {
    let run = try Program.run(["tui", "toknes/mail"], in: folder)
    #expect(run.status == .exit(2))
    #expect(run.err.contains("the places are apps, accounts, tokens, trace, keychain"))
    #expect(run.err.contains("try: ssoterm tui tokens"))
    #expect(!FileManager.default.fileExists(atPath: folder.path(".local")))
  }

  @Test func readonlyStandsInTheTitleAndAKeySaysWhyItDoesNothing() throws {
    let terminal = try Terminal(program: ["demo", "contoso-suite", "--readonly"], in: folder)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "? help") }
    #expect(terminal.line(0).contains(" RO "))
    terminal.send("t")
    try terminal.waitFor("open for reading only")
  }

  @Test(
    arguments: [
      (["--ascii"], [:]), ([], ["SSOTERM_ASCII": "1"]), ([], ["LC_ALL": "C"]),
      ([], ["LANG": "en_US.ISO-8859-1"]),
    ] as [([String], [String: String])])
  func whereAsciiIsWantedNoOtherByteIsSent(_ options: [String], _ variables: [String: String]) throws {
    let terminal = try Terminal(program: ["demo"] + options, in: folder, variables: variables)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", ". none", "? help") }
    #expect(!terminal.raw.contains { $0 >= 0x80 })
  }

  @Test(
    arguments: [([], ["NO_COLOR": "1"], false), (["--no-color"], [:], false), ([], [:], true)]
      as [([String], [String: String], Bool)])
  func noColourMeansNone(_ options: [String], _ variables: [String: String], _ isColoured: Bool) throws {
    let terminal = try Terminal(program: ["demo"] + options, in: folder, variables: variables)
    try terminal.waitFor("the apps") { $0.shows("Apps 3", "? help") }
    #expect(Self.colours(in: terminal.raw).isEmpty == !isColoured)
  }

  @Test func aTerminalIsAskedForItsBackgroundAndTheInksFollow() throws {
    let terminal = try Terminal.suite(in: folder)
    func output() -> String { String(decoding: terminal.raw, as: UTF8.self) }
    #expect(output().contains("\u{1b}]11;?\u{1b}\\"))
    for (answer, accent) in [("ffff/ffff/ffff", "38;5;25"), ("0000/2b2b/3636", "38;5;111")] {
      #expect(!output().contains(accent))
      terminal.send("\u{1b}]11;rgb:\(answer)\u{1b}\\")
      try terminal.waitFor("the accent for \(answer)") { _ in output().contains(accent) }
    }
    #expect(terminal.shows("Apps 3", "? help"), "the answer is not typed")
  }

  @Test func plainModeIsASessionInNumberedLines() throws {
    let terminal = try Terminal(
      program: ["tui", "--plain", "--create", "--store", folder.path("s.sqlite")], in: folder, columns: 200)
    try terminal.waitFor("the rows") { $0.shows("1. My Test App 1", "3. My Test App 3") }
    terminal.send("q\n")
    #expect(try terminal.ending() == .exit(0))
    #expect(!String(decoding: terminal.raw, as: UTF8.self).contains("\u{1b}[?"), "no mode is switched")
  }

  /// Returns the foreground colours that were set, which are SGR 30 to 38 and 90 to 97.
  static func colours(in bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\u{1b}[").flatMap { part -> [Substring] in
      guard let end = part.firstIndex(where: { !$0.isNumber && $0 != ";" }), part[end] == "m" else {
        return []
      }
      return part[..<end].split(separator: ";").filter {
        Int($0).map { (30...38).contains($0) || (90...97).contains($0) } ?? false
      }
    }
  }
}
