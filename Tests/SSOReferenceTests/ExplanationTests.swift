import Foundation
import Testing

@testable import SSOReference

@Suite struct ExplanationTests {
  @Test func everyLineOfEveryTableIsRead() {
    let lines = [
      stateTable, msalTable, msalInternalTable, adalTable, identityCoreTable, keychainTable, aadstsTable,
      oauthTable,
    ].flatMap { $0.split(separator: "\n") }
    #expect(Explanation.all.count == lines.count)
    #expect(Explanation.all.allSatisfy { !$0.code.isEmpty && !$0.meaning.isEmpty && !$0.remedy.isEmpty })
    #expect(Set(Explanation.all.map { $0.family.rawValue + $0.code }).count == lines.count)
  }

  @Test(arguments: [
    ("-50000", ["-50000"]), ("MSALErrorInternal", ["-50000"]), ("50011", ["AADSTS50011"]),
    ("aadsts50011", ["AADSTS50011"]), ("200", ["200"]), ("expiring", ["expiring"]), ("expires in 200 s", []),
    ("AD_ERROR_UI_USER_CANCEL", ["403"]), ("client_mismatch", ["client_mismatch"]),
    ("Error Domain=ADAuthenticationErrorDomain Code=200", ["200"]),
    (
      "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=-42700}",
      ["-50000", "-42700"]
    ), ("\u{1B}[31m", []),
  ])
  func findsWhatIsMeant(_ text: String, _ codes: [String]) {
    #expect(Explanation.find(in: text).map(\.code) == codes)
  }

  /// Reads our own sources: a code that can be raised must be explained.
  @Test func everyCodeThatTheSourcesRaiseIsExplained() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/SSOModel").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    let known = Set(Explanation.all.map(\.code))
    var seen = 0
    for case let file as URL in files
    where file.pathExtension == "swift" && !file.path().contains("/Reference/") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /aadsts: ([0-9_]+)|(-(?:50|42|51|34|25)[0-9]{3,4})\b/) {
        let number = match.output.1.map { "AADSTS" + $0.filter { $0 != "_" } }
        let code = try #require(number ?? match.output.2.map(String.init))
        seen += 1
        let isExplained = known.contains(code)
        #expect(isExplained, "\(file.lastPathComponent) raises \(code): add it to SSOModel/Reference")
      }
    }
    #expect(seen > 50)
  }
}
