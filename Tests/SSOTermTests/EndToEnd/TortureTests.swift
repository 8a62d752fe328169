import Foundation
import Testing

/// A short form of `make torture`, whose script describes each part.
@Suite("The built program under torture", .serialized)
struct TortureTests {
  @Test(arguments: [
    "attacks", "kills", "commands", "files", "disk", "damage", "inputs", "refusals", "secrets",
  ])
  func holds(_ part: String) throws {
    let folder = try Folder()
    let child = try Child(
      ["/usr/bin/env", "python3", Program.repository + "/Tests/Torture/run", "--quick", part],
      environment: Program.environment(home: folder.root), terminal: nil, output: folder.path("out"),
      error: folder.path("err"))
    let ending = try child.ending(within: 600)
    #expect(ending == .exit(0), "\(folder.text("out"))\(folder.text("err"))")
  }
}
