import Foundation
import SSOLab
import Testing

@testable import LabTestSupport
@testable import SSOScenarios

@Suite struct ScenarioLibraryTests {
  private static func text(_ name: String, inherit: String? = nil) -> String {
    inherit.map { "name: \(name)\ninherit: \($0)\ntitle: Theirs" }
      ?? "name: \(name)\ntitle: Theirs\nworld: {}"
  }

  /// Calls `body` with a folder that contains some scenario files.
  private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).yaml"))
    }
    try body(folder)
  }

  @Test func allScenariosAreInTheProgram() throws {
    let library = ScenarioLibrary()
    #expect(library.folders == [])
    let files = try FileManager.default.contentsOfDirectory(atPath: bundledScenarioFolder)
    #expect(library.names() == files.map { String($0.dropLast(".yaml".count)) }.sorted())
    let errors = library.all().compactMap { entry in
      if case .failure(let error) = entry.file { error } else { nil }
    }
    #expect(errors == [])
  }

  @Test func theFolderOfAssetsComesFirst() throws {
    try withFolder(["contoso-suite": Self.text("contoso-suite"), "mine": Self.text("mine")]) { folder in
      let library = ScenarioLibrary(assets: folder)
      #expect(library.folders == [folder + "/scenarios", folder])
      let suite = try library.scenario("contoso-suite")
      #expect(suite.title == "Theirs")
      let mine = try library.scenario("mine")
      #expect(mine.path == folder + "/mine.yaml")
      #expect(library.names().contains("two-vendors") && library.names().contains("mine"))
    }
  }

  /// An embedded scenario inherits only from embedded ones.
  @Test func anEmbeddedScenarioDoesNotInheritFromAFile() throws {
    let embedded = try ScenarioLibrary().scenario("contoso-suite-broken-team")
    try withFolder(["contoso-suite": Self.text("contoso-suite")]) { folder in
      let library = ScenarioLibrary(folders: [folder])
      let found = try library.scenario("contoso-suite-broken-team")
      #expect(found.world.apps == embedded.world.apps)
    }
  }

  @Test func aFileInheritsFromItsFolderAndThenFromTheProgram() throws {
    let files = [
      "own": Self.text("own", inherit: "parent"), "parent": Self.text("parent"),
      "suite": Self.text("suite", inherit: "contoso-suite"),
    ]
    try withFolder(files) { folder in
      let library = ScenarioLibrary()
      let own = try library.scenario(folder + "/own.yaml")
      #expect(own.world.apps == [])
      let suite = try library.scenario(folder + "/suite.yaml")
      #expect(suite.world.apps.count == 3)
    }
  }

  @Test func whatCannotBeReadIsSaid() throws {
    try withFolder([:]) { folder in
      try Data([0x6E, 0xFF]).write(to: URL(filePath: folder + "/bytes.yaml"))
      for (path, problem) in [
        (folder + "/none.yaml", "the file does not exist"), (folder + "/", "the file cannot be read"),
        (folder + "/bytes.yaml", "the file is not UTF-8 text"), ("/dev/zero", "the file is larger than 4 MB"),
      ] {
        let error = #expect(throws: ScenarioError.self) { try ScenarioLibrary().scenario(path) }
        #expect(error == ScenarioError(file: path, problem))
      }
    }
  }
}
