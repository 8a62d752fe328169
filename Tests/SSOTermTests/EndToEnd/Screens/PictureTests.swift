import Foundation
import Testing

/// The pictures of the README and of docs, whose screens `Scripts/pictures` makes again with the built program.
@Suite(.serialized) struct PictureTests {
  /// The names of the pictures, without the animation of a journey, which `JourneyTests` compares.
  static var names: [String] {
    let files = try? FileManager.default.contentsOfDirectory(atPath: Program.repository + "/docs/pictures")
    return (files ?? []).map { String($0.prefix { $0 != "." }) }.filter { $0 != "silent-sign-on" }.sorted()
  }

  @Test(arguments: names) func theTextOfAPictureIsThatOfTodaysProgram(_ name: String) throws {
    let folder = try Folder()
    let run = try Program.shell("\(Program.repository)/Scripts/pictures --compare \(name)", in: folder)
    #expect(run.status == .exit(0), "\(run.err)")
  }

  @Test func eachPictureOfThePagesHasItsText() throws {
    let folder = try Folder()
    #expect(
      try Program.shell("\(Program.repository)/Scripts/pictures --check", in: folder).status == .exit(0))
    #expect(Self.names.count >= 10)
  }
}
