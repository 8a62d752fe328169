import Foundation
import Testing

@testable import Assets
@testable import SSOReference

/// The tables in `assets/reference`, and the code that reads them.
@Suite struct ReferenceTableTests {
  @Test(arguments: Asset.files(in: "reference").filter { $0.name.hasSuffix(".tsv") })
  func aRowHasNoMoreFieldsThanColumns(_ file: Asset) {
    let counts = file.text.split(separator: "\n").map { line in line.count(where: { $0 == "\t" }) }
    #expect(counts.max() == counts.first)
    let isReadByColumn = ["callers.tsv", "libraries.tsv", "microsoft-apis.tsv", "outside.tsv"].contains(
      file.name)
    #expect(!isReadByColumn || Set(counts).count == 1)
  }

  /// The code names each list of words, and only lists that exist; a name that ends with a dot is completed by the cases of
  /// an enum.
  @Test func eachListOfWordsIsNamed() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var named: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      named.formUnion(text.matches(of: /WordList\.named\("([\w.]+)"/).map { String($0.output.1) })
    }
    let lists = Set(ReferenceTable("words.tsv").pairs.map(\.0))
    #expect(named.filter { !$0.hasSuffix(".") }.subtracting(lists) == [])
    #expect(
      lists.filter { list in !named.contains { $0.hasSuffix(".") ? list.hasPrefix($0) : list == $0 } } == [])
  }
}
