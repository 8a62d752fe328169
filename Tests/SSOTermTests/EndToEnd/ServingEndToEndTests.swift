import Foundation
import Glibc
import Testing

@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore

@Suite("The built program serves", .serialized)
struct ServingEndToEndTests {
  let folder: Folder
  private var store: [String] { ["--store", folder.path("s.sqlite")] }

  init() throws { folder = try Folder() }

  @Test func onATerminalTheProviderScreenOpensWithTheServerOn() throws {
    let terminal = try Terminal(program: ["serve", "--port", "0"] + store, in: folder)
    try terminal.waitFor("the server") { $0.shows("[7 Provider]", "● on, port", "No sign-ins are waiting.") }
    #expect(terminal.shows("eval \"$(ssoterm serve env --store"))
    let lab = try Lab.open(.file(path: folder.path("s.sqlite")), creating: { nil }).lab
    let port = try #require(try lab.read { try $0.provider.notedServerPort() })
    #expect(terminal.shows("https://localhost:\(port) answers"))
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectRestored()
  }

  @Test(
    arguments: [
      (["--approve", "browser"], "xterm", ""), (["--approve", "auto:ada@contoso.com"], "xterm", ""),
      (["--plain"], "xterm", ""), (["--json"], "xterm", ""), ([], "dumb", ""), ([], "xterm", "out"),
    ] as [([String], String, String)])
  func whereNobodyIsAskedOnScreenItPrintsLines(_ options: [String], _ term: String, _ output: String) throws {
    let terminal = try Terminal(
      program: ["serve", "--port", "0"] + options + store, in: folder, term: term,
      output: output.isEmpty ? "/dev/null" : folder.path(output))
    try terminal.waitFor("its address") {
      $0.shows("serves the store ~/s.sqlite; what a program needs: eval")
    }
    let address = output.isEmpty ? String(decoding: terminal.raw, as: UTF8.self) : folder.text(output)
    #expect(address.contains("https://localhost:"))
    terminal.child.send(SIGINT)
    #expect(try terminal.ending() == .exit(0))
    #expect(!terminal.raw.contains(0x1b), "no mode was switched, and nothing was drawn")
  }

  /// Without a store the lab of a scenario is temporary; with one it must be new.
  @Test func aScenarioIsServedInTheStateBeforeAStep() throws {
    let words = ["serve", "--port", "0", "--plain", "--scenario", "refused-by-policy", "--until", "3"]
    let terminal = try Terminal(program: words, in: folder, output: folder.path("out"))
    try terminal.waitFor("its address") { $0.shows("serves the store", "ssoterm-run-") }
    terminal.child.send(SIGINT)
    #expect(try terminal.ending() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: folder.path(".local/share/ssoterm")))
    let kept = try Terminal(program: words + store, in: folder, output: folder.path("out"))
    try kept.waitFor("its address") { $0.shows("serves the store ~/s.sqlite") }
    kept.child.send(SIGINT)
    #expect(try kept.ending() == .exit(0))
    #expect(
      try Program.run(["policy", "list"] + store, in: folder).out.contains("Closed: nothing can satisfy it"))
    let again = try Program.run(words + store, in: folder)
    #expect(again.status != .exit(0) && again.err.contains("s.sqlite"), "\(again)")
  }

  /// The reset lab has the users, faults, identities, and resource that the server added, and the secret that programs
  /// have.
  @Test func aResetGoesBackToWhatTheServerStartedWith() throws {
    let words = [
      "serve", "--port", "0", "--plain", "--scenario", "two-vendors", "--people", "real-clients", "--fault",
      "token=503,times=2", "--mcp-resource", "api", "--managed-identity", "imds",
    ]
    let terminal = try Terminal(program: words + store, in: folder, output: folder.path("out"))
    try terminal.waitFor("its address") { $0.shows("serves the store ~/s.sqlite") }
    let lists = [
      "tenant list", "person list", "registration list", "identity list", "fault list", "serve env --unmask",
    ]
    func state() throws -> [String] {
      try lists.map { try Program.run($0.split(separator: " ").map(String.init) + store, in: folder).out }
    }
    let before = try state()
    #expect(before[0].contains("Fabrikam") && before[4].contains("503"), "\(before)")
    let changes = [
      ["fault", "clear"], ["person", "remove", "grace@contoso.com"],
      ["tenant", "set", "Contoso", "displayName=Other"],
    ]
    for change in changes {
      #expect(try Program.run(change + store, in: folder).status == .exit(0), "\(change)")
    }
    #expect(try state() != before)
    for scenario in [[], ["--scenario", "two-vendors"]] {
      #expect(try Program.run(["fault", "clear"] + store, in: folder).status == .exit(0))
      #expect(try Program.run(["lab", "reset"] + scenario + store, in: folder).status == .exit(0))
      #expect(try state() == before)
    }
    terminal.child.send(SIGINT)
    #expect(try terminal.ending() == .exit(0))
    // Without the server, a reset returns to the named scenario.
    #expect(try Program.run(["lab", "reset"] + store, in: folder).status == .exit(2))
    #expect(
      try Program.run(["lab", "reset", "--scenario", "two-vendors"] + store, in: folder).status == .exit(0))
    #expect(try !state()[4].contains("503"))
  }

  @Test func aStoreThatIsOnlyReadIsNotServed() throws {
    #expect(try Program.run(["status", "--create"] + store, in: folder).status == .exit(0))
    for command in [["serve", "--port", "0"], ["ca", "show"]] {
      let run = try Program.run(command + ["--readonly"] + store, in: folder)
      #expect(run.status == .exit(2))
      #expect(run.err.contains("the store is open for reading only"))
    }
    let env = try Program.run(["serve", "env"] + store, in: folder)
    #expect(env.status == .exit(0))
    let again = try Program.run(["serve", "env", "--readonly"] + store, in: folder)
    #expect(again.status == .exit(0) && again.out == env.out)
  }

  @Test func thePathOfTheCertificateServesInAnyFolder() throws {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    let store = ["--store", String(repeating: "../", count: depth) + folder.path("s.sqlite").dropFirst()]
    #expect(try Program.run(["status", "--create"] + store, in: folder).status == .exit(0))
    let env = try Program.run(["serve", "env"] + store, in: folder)
    #expect(env.out.contains("SSOTERM_CA=\(folder.path("s.sqlite.ca.pem"))\n"), "\(env.out)")
  }

  @Test func aPortThatIsTakenIsSaidBeforeAnyScreenAndBeforeAnythingIsWritten() throws {
    let taken = try ListeningSocket()
    let terminal = try Terminal(program: ["serve", "--port", "\(taken.port)"] + store, in: folder)
    #expect(try terminal.ending() == .exit(2))
    #expect(terminal.shows("Port \(taken.port) of 127.0.0.1 cannot be used", "ssoterm serve --port 0"))
    #expect(!terminal.raw.contains(0x1b))
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")))
  }
}

/// Another program's socket on a loopback port.
private final class ListeningSocket {
  let port: Int
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        bind(descriptor, pointer, size) == 0, listen(descriptor, 1) == 0
      else { return -1 }
      return getsockname(descriptor, pointer, &size)
    }
    guard status == 0 else { throw EndToEndError("no socket: error \(errno)") }
    self.descriptor = descriptor
    port = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}
