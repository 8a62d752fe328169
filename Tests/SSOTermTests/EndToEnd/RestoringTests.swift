import Glibc
import Testing

@testable import SSOCore

@Suite("Whatever ends the program, the terminal is as before", .serialized)
struct RestoringTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func leavingRestoresTheModesTheScreenTheCursorAndThePasteMode() throws {
    let terminal = try Terminal.suite(in: folder)
    #expect(terminal.modes.c_lflag & tcflag_t(ICANON) == 0)
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    terminal.expectRestored()
  }

  /// `fatalError` and a trap are SIGILL or SIGTRAP, `abort` is SIGABRT, a bad access SIGSEGV or SIGBUS.
  @Test(arguments: [
    SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE,
  ])
  func aSignalEndsTheProgramByThatSignalWithTheTerminalRestored(_ signal: Int32) throws {
    let terminal = try Terminal.suite(in: folder)
    terminal.child.send(signal)
    #expect(try terminal.ending() == .signal(signal))
    terminal.expectRestored()
    #expect(!String(decoding: terminal.raw, as: UTF8.self).contains("Backtrace"), "it may hold secrets")
  }

  @Test func aTerminalThatIsClosedEndsTheProgram() throws {
    let terminal = try Terminal.suite(in: folder)
    terminal.hangUp()
    #expect(try terminal.child.ending(within: 5) == .signal(SIGHUP))
  }
}
