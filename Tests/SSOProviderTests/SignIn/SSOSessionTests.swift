import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A browser session lasts for a day after it was last used.
@Suite struct SSOSessionTests {
  private let lab: ProviderLab
  private static let day = SSOSession.lifetime

  init() throws {
    lab = try ProviderLab()
    _ = try lab.signIn(ProviderLab.word)
  }

  private func wait(_ seconds: Int) { lab.now = lab.now.adding(seconds: seconds) }

  /// Returns the error of a silent attempt, or `nil` if it returned a code.
  private func silentError() throws -> String? {
    let answer = try lab.authorize(ProviderLab.word, ["prompt": "none"])
    let fields = try #require(answer.http.location.flatMap { URLParts($0)?.fields })
    #expect((fields["code"] == nil) == (fields["error"] != nil))
    return fields["error"]
  }

  @Test func aSecondBeforeItsEndItSignsIn() throws {
    wait(Self.day - 1)
    #expect(try silentError() == nil)
    #expect(try lab.authorize(ProviderLab.excel).page == nil)
  }

  @Test func atItsEndThePersonIsAskedAgainAndNobodyIsOffered() throws {
    wait(Self.day)
    #expect(try silentError() == "login_required")
    guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("a sign-in page was expected")
      return
    }
    #expect(page.asks == .username && page.accountsInSession.isEmpty)
  }

  @Test(arguments: ["none", "usual"]) func eachUseGivesItAnotherDay(_ prompt: String) throws {
    for _ in 0..<3 {
      wait(Self.day - 1)
      let change: [String: String?] = prompt == "none" ? ["prompt": "none"] : [:]
      #expect(try lab.authorize(ProviderLab.word, change).http.location?.contains("code=") == true)
    }
    wait(Self.day)
    #expect(try silentError() == "login_required")
  }

  @Test func aClockThatIsPutBackBringsItBack() throws {
    wait(Self.day)
    #expect(try silentError() == "login_required")
    wait(-Self.day)
    #expect(try silentError() == nil)
  }

  @Test func whoSignsInAfterItsEndGetsAnotherCookie() throws {
    let old = lab.cookies
    wait(Self.day)
    _ = try lab.signIn(ProviderLab.word)
    #expect(lab.cookies.map(\.name) == old.map(\.name) && lab.cookies != old)
  }

  @Test func aSessionOfAnOlderVersionCountsFromItsLastPassword() throws {
    let text = #"{"usernames": ["a"], "createdAt": 0, "authenticatedAt": {"a": 3600000}}"#
    let session = try JSONDecoder().decode(SSOSession.self, from: Data(text.utf8))
    let end = Instant(3600 + Self.day)
    #expect(!session.hasExpired(at: end.adding(seconds: -1)) && session.hasExpired(at: end))
  }
}
