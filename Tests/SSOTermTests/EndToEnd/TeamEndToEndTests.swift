import Foundation
import Testing

@testable import SSOCore

@Suite("A lab that several people use", .serialized)
struct TeamEndToEndTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// The commands, one a line, each by a person: `anna: clock +1h`.
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
    #expect(refused.err.contains("There is nothing of yours to undo."))
    #expect(refused.err.contains("the last is “move the clock by 3600 s”, done by anna on "))
    #expect(refused.err.contains("try: ssoterm undo --anyone"))
    #expect(
      try tell("ben: status").out.contains(
        "undo    nothing; the last change is move the clock by 3600 s by anna on "))
    #expect(try tell("ben: trace list").out.contains("  anna on "))
    #expect(try tell("anna: trace list").out.contains(" BY ") == false)
    #expect(try tell("anna: trace show").out.contains("  by anna on "))
    #expect(try tell("anna: trace show --json").out.contains("\"person\" : \"anna\""))
    #expect(try tell("ben: undo --anyone").out.contains("Undone: move the clock by 3600 s (done by anna on "))
    let journal = try tell("ben: journal").out
    #expect(
      journal.contains("undo: move the clock by 3600 s")
        && journal.contains("move the clock by 3600 s (undone)"))
    #expect(try tell("ben: journal --json").out.contains("\"undone\" : true"))
    #expect(try tell("anna: redo").out.contains("Redone: move the clock by 3600 s"))
  }

  @Test func whatAnotherHasChangedSinceIsRefusedWithTheRow() throws {
    let run = try tell("anna: clock +1h\nben: clock +2h\nanna: undo")
    #expect(run.status == .exit(1))
    #expect(run.err.contains("“move the clock by 3600 s” cannot be undone."))
    #expect(run.err.contains("“move the clock by 7200 s”, done by ben on "))
    #expect(run.err.contains(", has changed document lab/"))
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
    try terminal.waitFor("nothing of yours; the last is move the clock by 3600 s by anna on ")
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
  }
}
