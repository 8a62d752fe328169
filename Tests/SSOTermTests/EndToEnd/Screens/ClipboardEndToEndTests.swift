import Foundation
import Glibc
import Testing

@Suite("Copying from the built program", .serialized)
struct ClipboardEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  static let client = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
  static let sequence = "\u{1b}]52;c;\(Data(client.utf8).base64EncodedString())\u{7}"

  @Test(
    arguments: [
      ([:], sequence), (["SSOTERM_CLIPBOARD": "osc52", "DISPLAY": ":99"], sequence),
      (
        ["TMUX": "/nowhere,1,0", "SSOTERM_CLIPBOARD": "osc52"],
        "\u{1b}Ptmux;" + sequence.replacing("\u{1b}", with: "\u{1b}\u{1b}") + "\u{1b}\\"
      ),
      (["STY": "1.pts-0"], "\u{1b}P" + sequence + "\u{1b}\\"),
    ] as [([String: String], String)])
  func theTerminalGetsTheTextInItsMultiplexersWrapping(_ variables: [String: String], _ bytes: String) throws
  {
    let terminal = try Terminal.suite(in: folder, variables: variables)
    terminal.send("y")
    try terminal.waitFor("client ID  ")
    terminal.send("c")
    try terminal.waitFor("Copied the client ID by OSC 52.")
    #expect(String(decoding: terminal.raw, as: UTF8.self).contains(bytes))
  }

  @Test func offCopiesNothingAndSaysSo() throws {
    let terminal = try Terminal.suite(in: folder, variables: ["SSOTERM_CLIPBOARD": "off"])
    terminal.send("yc")
    try terminal.waitFor("The client ID was not copied. SSOTERM_CLIPBOARD is off.")
    #expect(!String(decoding: terminal.raw, as: UTF8.self).contains("]52;"))
  }

  @Test func aWordThatIsNoRouteEndsWithTwoAndTheAllowedOnes() throws {
    let terminal = try Terminal(
      program: ["demo"], in: folder, columns: 200, variables: ["SSOTERM_CLIPBOARD": "nativ"])
    #expect(try terminal.ending() == .exit(2))
    #expect(terminal.shows("it must be auto, native, tmux, osc52, off", "SSOTERM_CLIPBOARD=native"))
  }

  /// Returns a tmux session with the tokens of a signed-in user on the screen.
  private func tokensInTmux() throws -> Tmux {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let tmux = try Tmux(in: folder, shell: ["sh"])
    try tmux.type("\(Program.path) tui tokens --store \(store)")
    try tmux.press("Enter")
    try tmux.waitFor("Access token")
    return tmux
  }

  @Test func aTokenCopiedInTmuxIsGoneWhenTheProgramIsLeft() throws {
    let tmux = try tokensInTmux()
    try tmux.type("y")
    try tmux.waitFor("auth header")
    try tmux.type("h")
    try tmux.waitFor("a secret, cleared in 45 s")
    #expect(try tmux.run(["show-buffer"]).hasPrefix("Authorization: Bearer eyJ"))
    try tmux.type("q")
    try tmux.waitFor("the shell") { try $0.state("alternate_on") == "0" }
    try tmux.waitFor("no buffer") { try $0.run(["list-buffers"]).isEmpty }
  }

  @Test func whatWasCopiedSinceIsLeftAlone() throws {
    let tmux = try tokensInTmux()
    try tmux.type("yt")
    try tmux.waitFor("a secret, cleared in 45 s")
    try tmux.run(["set-buffer", "something of the person's"])
    try tmux.type("q")
    try tmux.waitFor("the shell") { try $0.state("alternate_on") == "0" }
    #expect(try tmux.run(["show-buffer"]) == "something of the person's")
  }

  /// The ways in which the program ends: `q`, and signals that a user or the system sends.
  ///
  /// The last text that the terminal receives is a space.
  static let ways: [Int32?] = [nil, SIGTERM, SIGHUP, SIGINT, SIGQUIT]

  @Test(arguments: ways + [SIGSEGV, SIGABRT])
  func aTokenCopiedByTheTerminalIsOverwrittenWhateverEndsTheProgram(_ signal: Int32?) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    let terminal = try Terminal(
      program: ["tui", "tokens", "--store", store], in: folder, variables: ["SSOTERM_CLIPBOARD": "osc52"])
    try terminal.waitFor("Access token")
    terminal.send("yt")
    try terminal.waitFor("a secret; in 45 s or when you leave")
    #expect(Self.copies(in: terminal.raw).last?.hasPrefix("eyJ") == true)
    if let signal { terminal.child.send(signal) } else { terminal.send("q") }
    #expect(try terminal.ending() == signal.map { .signal($0) } ?? .exit(0))
    #expect(Self.copies(in: terminal.raw).last == " ")
    terminal.expectRestored()
  }

  /// tmux forwards the text to the terminal in which it runs.
  @Test(arguments: ways) func aTokenCopiedInTmuxIsOffTheOuterTerminalToo(_ signal: Int32?) throws {
    let store = folder.path("s.sqlite")
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    try folder.write("set -g set-clipboard on\n", to: "tmux.conf")
    let script = "echo $$ > \(folder.path("pid")); exec \(Program.path) tui tokens --store \(store)"
    let terminal = try Terminal(
      [
        "/usr/bin/env", "tmux", "-S", folder.path("outer"), "-f", folder.path("tmux.conf"), "new-session",
        "sh", "-c", script,
      ],
      environment: Program.environment(home: folder.root))
    try terminal.waitFor("Access token")
    terminal.send("yt")
    try terminal.waitFor("the token on the terminal's clipboard") {
      Self.copies(in: $0.raw).last?.hasPrefix("eyJ") == true
    }
    try terminal.waitFor("a secret, cleared in 45 s")
    let pid = try #require(pid_t(folder.text("pid").filter(\.isNumber)))
    if let signal { kill(pid, signal) } else { terminal.send("q") }
    try terminal.waitFor("a space in its place") { Self.copies(in: $0.raw).last == " " }
    _ = try terminal.ending()
  }

  /// Returns the texts that were sent to the terminal with OSC 52.
  static func copies(in bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1b}]52;").dropFirst().map { part in
      let payload = part.prefix { $0 != "\u{7}" && $0 != "\u{1b}" }.drop { $0 != ";" }.dropFirst()
      return String(decoding: Data(base64Encoded: String(payload)) ?? Data(), as: UTF8.self)
    }
  }
}
