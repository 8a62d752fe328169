import Foundation
import Testing

@testable import SSOReference

@Suite struct BehaviourSectionTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/behaviour").standardizedFileURL

  @Test func theSectionsAreTheHeadingsOfTheDocuments() throws {
    let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
    var headings: [String] = []
    for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^## ([0-9]+)\. (.+)$/) {
        headings.append("\(file.lastPathComponent) §\(match.1): \(match.2)")
      }
    }
    #expect(RuleSource.behaviour.map { "\($0.place): \($0.title)" } == headings)
  }

  /// Every other document that a check cites as its source has a description.
  @Test func everyCitedDocumentIsKnown() throws {
    let sources = Self.folder.appending(path: "../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /"((?:RFC [0-9]|Open|OAuth 2|Fetch |RP-)[^"]*§[^"]*)"/) {
        count += 1
        #expect(!RuleSource(String(match.1)).sentences.isEmpty, "\(file.lastPathComponent): \(match.1)")
      }
    }
    #expect(count > 100)
  }

  /// Every section that is cited in the sources and on the screens exists.
  @Test func everyCitedSectionExists() throws {
    let sources = Self.folder.appending(path: "../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let known = Set(RuleSource.behaviour.map(\.place))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /([a-z-]+\.md) (§[0-9]+)/) {
        count += 1
        #expect(known.contains("\(match.1) \(match.2)"), "\(file.lastPathComponent)")
      }
    }
    #expect(count > 100)
  }
}
