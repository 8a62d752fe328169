import CVTerm
import Foundation
import Glibc
import Testing

/// The state in which a transcript begins.
enum TranscriptStart: String {
  /// Without a store.
  case nothing = ""
  /// With the lab of `contoso-suite`, seed 1.
  case lab = "ssoterm status --create"
  /// With that lab, and Ada signed in to the first app.
  case signedIn = """
    ssoterm status --create
    echo analytical-engine | ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent
    """
}

/// Runs the commands of a terminal session with the built program, and compares the session with the text given.
///
/// A line that begins with `$ ` is a command for `sh`, and lines that begin with `> ` continue it. Below it are the
/// lines of its standard output, those of its standard error after `! `, and its exit status in brackets unless it is
/// 0. The clock stands at 2026-03-02T09:00:00Z, the user is ada on workshop, and the lab's random numbers come from
/// its seed, so that only a change of the program changes the session. The home folder, which is also the working
/// folder, is shown as `/home/ada`; `samples` in it is the folder of Tests/TestSamples.
///
/// `RECORD_INLINE=1` writes the session into the test's source in place of the expected one; of a new test, only the
/// commands have to be written.
///
/// With `columns`, standard output is a terminal of this width.
func transcript(
  after start: TranscriptStart = .lab, columns: UInt16? = nil, _ expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = try Folder()
  try FileManager.default.createSymbolicLink(
    atPath: folder.path("samples"), withDestinationPath: Program.repository + "/Tests/TestSamples/Samples")
  let session = TranscriptSession(folder: folder, columns: columns)
  if start != .nothing { _ = try session.output(of: start.rawValue) }
  let found = try TranscriptSession.commands(in: expected).map { try session.shown($0) }.joined(
    separator: "\n")
  guard found != expected else { return }
  if ProcessInfo.processInfo.environment["RECORD_INLINE"] == "1" {
    try InlineText.replace(with: found, at: sourceLocation)
  } else {
    Issue.record("\(InlineText.difference(from: expected, to: found))", sourceLocation: sourceLocation)
  }
}

/// The commands of one transcript, which share a home folder.
private struct TranscriptSession {
  let folder: Folder
  let columns: UInt16?

  /// The environment of the commands: no colour, and nothing from the user who runs the tests.
  private var environment: [String: String] {
    Program.environment(home: folder.root).merging([
      "LD_PRELOAD": Program.repository + "/.build/debug/libFixedClock.so", "NO_COLOR": "1",
      "PATH": Program.repository + "/.build/debug:/usr/bin:/bin", "SSOTERM_USER": "ada",
    ]) { $1 }
  }

  /// Returns the commands of a session, with their continuation lines.
  static func commands(in session: String) -> [[Substring]] {
    var commands: [[Substring]] = []
    var continues = false
    for line in session.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        commands.append([line])
      } else if continues, line.hasPrefix("> ") {
        commands[commands.count - 1].append(line)
      }
      continues = line.hasPrefix("$ ") || continues && line.hasPrefix("> ")
    }
    return commands
  }

  /// Runs a command, and returns it with its output.
  func shown(_ lines: [Substring]) throws -> String {
    let run = try output(of: lines.map { $0.dropFirst(2) }.joined(separator: "\n"))
    var shown = lines.map(String.init)
    shown += Self.lines(hidden(run.out))
    shown += Self.lines(hidden(run.err)).map { $0.isEmpty ? "!" : "! " + $0 }
    switch run.status {
    case .exit(0): break
    case .exit(let status): shown.append("[\(status)]")
    case .signal(let signal): shown.append("[signal \(signal)]")
    }
    return shown.joined(separator: "\n")
  }

  private static func lines(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines[lines.count - 1] += "(no newline)" }
    return lines
  }

  /// Returns an output with the parts that differ from run to run replaced: the folder, ports, process IDs, and random
  /// numbers of the system.
  private func hidden(_ text: String) -> String {
    text.replacing(folder.root, with: "/home/ada")
      .replacing(/localhost:\d{5}/, with: "localhost:PORT")
      .replacing(/in session \d+/, with: "in session PID")
      .replacing(/lab CA [0-9a-f]{8}/, with: "lab CA NUMBER")
      .replacing(/(?:[0-9A-F]{2}:){31}[0-9A-F]{2}/, with: "FINGERPRINT")
      .replacing(/<hash:[a-z]{8}>/, with: "<hash>")
      .replacing(/Code: [0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}/, with: "Code: CODE")
  }

  func output(of script: String) throws -> Run {
    let words = ["/bin/sh", "-c", "cd '\(folder.root)'\n" + script]
    guard let columns else {
      let child = try Child(
        words, environment: environment, terminal: nil, output: folder.path(".out"),
        error: folder.path(".err"))
      let status = try child.ending(within: 60)
      return Run(status: status, out: folder.text(".out"), err: folder.text(".err"))
    }
    let pipe = try TerminalPipe(columns: columns)
    let child = try Child(
      words, environment: environment, terminal: nil, output: pipe.path, error: folder.path(".err"))
    let status = try child.ending(within: 60) { pipe.read() }
    pipe.read()
    return Run(status: status, out: String(decoding: pipe.bytes, as: UTF8.self), err: folder.text(".err"))
  }
}

/// A terminal that collects what is written to it, and controls no process.
private final class TerminalPipe {
  let path: String
  private(set) var bytes: [UInt8] = []
  private let master: Int32

  init(columns: UInt16) throws {
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0 else {
      throw EndToEndError("no pty: error \(errno)")
    }
    var name = [CChar](repeating: 0, count: 128)
    _ = ptsname_r(master, &name, 128)
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    var modes = termios()
    tcgetattr(master, &modes)
    cfmakeraw(&modes)
    tcsetattr(master, TCSANOW, &modes)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  deinit { close(master) }

  /// Reads what has been written, or waits a millisecond.
  func read() {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var count = Glibc.read(master, &buffer, buffer.count)
    if count <= 0 { usleep(1000) }
    while count > 0 {
      bytes += buffer.prefix(count)
      count = Glibc.read(master, &buffer, buffer.count)
    }
  }
}
