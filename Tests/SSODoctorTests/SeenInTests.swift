import DoctorTestSupport
import Foundation
import Testing

@testable import SSODoctor

/// The table of docs/behaviour/real-apps.md §1, which lists the files in which each of the 15 mistakes is visible.
@Suite struct SeenInTests {
  /// Returns the rules by column, with `yes` and `no` as in the document.
  private func table() throws -> [[String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/behaviour/real-apps.md").standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells: [String] = line.split(separator: "|").map { String($0).trimmed }
      return cells.count == 7 && Int(cells[0]) != nil ? cells : nil
    }
  }

  /// Each `yes` has a fixture with that mistake, and each fixture has its `yes`.
  @Test func everyMistakeIsTriedWhereItIsSeen() throws {
    let table = try table()
    #expect(table.map { $0[0] } == (1...15).map(String.init))
    let fifteen = Set(table.map { $0[1].replacing("`", with: "") })
    #expect(fifteen.count == 15)
    let tried: [[DoctorRule]] = [
      XcodeMistake.all.map(\.rule), BuiltAppTests.mistakes.map(\.rule) + [.macTeam],
      OtherPlatformTests.mistakes.map(\.rule), SignedAPKTests.samples.compactMap(\.rule),
      [.spaRedirect, .nestedApp],
    ]
    for (index, rules) in tried.enumerated() {
      let seen = table.filter { $0[index + 2] == "yes" }.map { $0[1].replacing("`", with: "") }
      #expect(Set(seen) == fifteen.intersection(rules.map(\.name)), "column \(index + 1)")
    }
  }
}
