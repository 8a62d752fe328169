import Foundation
import Testing

@testable import SSOReference

@Suite struct ExplanationTests {
  @Test func everyEntryIsComplete() {
    let all = Explanation.all
    #expect(all.count > 270)
    #expect(
      all.allSatisfy { !$0.code.isEmpty && !$0.meaning.isEmpty && !$0.cause.isEmpty && !$0.remedy.isEmpty })
    #expect(Set(all.map { $0.family.rawValue + $0.code }).count == all.count)
    let text = all.map { $0.meaning + $0.cause + $0.remedy.description }.joined()
    #expect(["Cause:", "Remedy:", "Not raised here"].allSatisfy { !text.contains($0) })
  }

  @Test func aCodeIsItsNumberAndItsText() {
    #expect((AADSTSCode.accountDisabled.number, AADSTSCode.accountDisabled.text) == (50057, "AADSTS50057"))
    #expect((MSALCode.internalError.number, MSALCode.internalError.name) == (-50000, "MSALErrorInternal"))
    #expect(ADALCode(number: 200) == .serverUserInputNeeded && ADALCode(number: 999) == nil)
    #expect(OAuthErrorCode(text: "invalid_grant") == .invalidGrant && OAuthErrorCode(text: "") == nil)
    #expect(MSALCode.allCases.allSatisfy { MSALCode(number: $0.number) == $0 })
    #expect(AADSTSCode.allCases.allSatisfy { AADSTSCode(text: $0.text) == $0 && $0.number > 0 })
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

  /// The advice to a user with a real app contains no command that works only on the lab.
  @Test func outsideOfTheLabNoLabCommandIsNamed() {
    let real = Explanation.all.filter { $0.family != .state }
    for explanation in real {
      let advice = explanation.remedyOutside
      let words = advice.description
      #expect(advice.actions.allSatisfy { [.explain, .doctor].contains($0.verb) }, "\(explanation.code)")
      #expect(!words.contains("the lab") && words.hasSuffix("."), "\(explanation.code): \(words)")
    }
  }

  /// docs/behaviour/provider.md §22 says for each number whether Entra documents it.
  @Test func theDocumentSaysOfEachNumberWhereItIsFrom() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/behaviour/provider.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "## 22. Numbers").last?.components(separatedBy: "\n## ").first)
    let numbers = Set(section.split { !$0.isNumber }.compactMap { Int($0) })
    #expect(AADSTSCode.allCases.map(\.number).filter { !numbers.contains($0) } == [])
  }
}
