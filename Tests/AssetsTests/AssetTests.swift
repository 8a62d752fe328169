import Assets
import Foundation
import Testing

@Suite struct AssetTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../assets").standardizedFileURL

  /// Returns every file below a folder of the repository's `assets`.
  private static func filesOnDisk(in name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: name).path)
      .filter { path in
        let file = folder.appending(path: "\(name)/\(path)")
        return try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
      }
      .map { "\(name)/\($0)" }.sorted()
  }

  @Test(arguments: ["scenarios", "projects"]) func aFolderHasItsFiles(_ folder: String) throws {
    let files = Asset.files(in: folder)
    #expect(try files.map(\.path).sorted() == Self.filesOnDisk(in: folder))
    for file in files {
      #expect(try Data(file.bytes) == Data(contentsOf: Self.folder.appending(path: file.path)))
    }
  }

  @Test func aFileIsFoundByItsPath() throws {
    for file in Asset.files(in: "scenarios") + Asset.files(in: "projects") {
      let found = try #require(Asset(file.path))
      #expect(found.text == file.text)
    }
    #expect(Asset("scenarios/two-vendors.yaml")?.name == "two-vendors.yaml")
  }

  @Test(arguments: ["", "scenarios", "scenarios/", "scenarios/two-vendors", "a", "zzz", "pictures/demo.svg"])
  func anotherPathHasNoFile(_ path: String) {
    #expect(Asset(path) == nil)
  }

  @Test(arguments: ["", "scenario", "scenarios/", "scenarios/two-vendors.yaml", "pictures", "zzz"])
  func anotherFolderHasNoFiles(_ folder: String) {
    #expect(Asset.files(in: folder).isEmpty)
  }
}
