import Foundation
import Testing

@testable import SSODoctor

@Suite struct SampleProjectTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../assets/projects").standardizedFileURL.path()

  @Test(arguments: SampleProject.all) func aSampleIsCheckedAsItsFolderIs(_ name: String) throws {
    func lines(_ root: String) throws -> [String] {
      let diagnosis = try Doctor.examine([root + name, "\(root)\(name)/registration.json"])
      return diagnosis.checks.map { "\($0.rule) \($0.hasFailed) \($0.place)".replacing(root, with: "") }
    }
    let lines = (try lines("sample:"), try lines(Self.folder + "/"))
    #expect(!lines.0.isEmpty && lines.0 == lines.1)
  }

  @Test func theProgramHasTheSamples() throws {
    #expect(try SampleProject.all == FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted())
  }

  @Test(arguments: ["sample:", "sample:mine", "sample:no-callback/other.json", "sample:../scenarios"])
  func anotherSampleIsRefused(_ path: String) {
    #expect(throws: UnreadableProject.self) { try Doctor.examine([path + "/registration.json"]) }
  }

  @Test func aSampleIsNotWatched() {
    #expect(ProjectFiles.watched(["sample:no-callback"]) == [])
  }
}
