import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Ten wrong passwords or numbers lock an account for a minute (Entra: smart lockout).
@Suite struct GuessLimitTests {
  enum Door: CaseIterable { case page, grant }

  private let lab: ProviderLab

  init() throws { lab = try ProviderLab() }

  /// Returns the AADSTS code, or `nil` if the password was accepted.
  private func enter(
    _ password: String, at door: Door = .page, as username: String = "alice@contoso.com"
  ) throws -> Int? {
    switch door {
    case .page:
      lab.cookies = []
      guard case .signIn(let page) = try lab.authorize(ProviderLab.word).page else { return 0 }
      let answer = try lab.post(
        "/common/login", ["flow": page.flowID, "username": username, "password": password])
      guard case .signIn(let next) = answer.page else { return nil }
      let text = next.failure?.prefix { $0 != ":" }.dropFirst("AADSTS".count)
      return text.flatMap { Int($0) }
    case .grant:
      let answer = try lab.post(
        "/organizations/oauth2/v2.0/token",
        [
          "grant_type": "password", "client_id": "word", "username": username, "password": password,
          "scope": "User.Read",
        ]
      ).http
      return answer.status == 200 ? nil : OAuthError(reading: answer).aadsts
    }
  }

  @Test(arguments: Door.allCases)
  func tenWrongPasswordsLockTheAccountForAMinute(_ door: Door) throws {
    for number in 0..<10 { #expect(try enter("wrong\(number)", at: door) == 50126) }
    for other in Door.allCases { #expect(try enter("right", at: other) == 50053) }
    #expect(lab.failedCheck == "wrong guesses")
    #expect(try enter("right", at: door, as: "BOB@contoso.com") == nil, "others are not locked")
    lab.now = lab.now.adding(seconds: 59)
    #expect(try enter("right", at: door) == 50053)
    lab.now = lab.now.adding(seconds: 1)
    #expect(try enter("wrong", at: door) == 50126)
    #expect(try enter("right", at: door) == 50053, "each further wrong one locks again")
    lab.now = lab.now.adding(seconds: 60)
    #expect(try enter("right", at: door) == nil)
    #expect(try enter("wrong", at: door) == 50126, "the right one begins anew")
    #expect(try enter("right", at: door) == nil)
  }

  @Test func nineWrongPasswordsAndARepeatedOneLockNothing() throws {
    for number in 0..<9 { _ = try enter("wrong\(number)") }
    for _ in 0..<5 { #expect(try enter("wrong8") == 50126) }
    #expect(try enter("right") == nil)
  }

  @Test(arguments: [(3599, 50053 as Int?), (3600, nil)])
  func anHourLaterAllAreForgotten(_ wait: Int, _ refusal: Int?) throws {
    for number in 0..<9 { _ = try enter("wrong\(number)") }
    lab.now = lab.now.adding(seconds: wait)
    _ = try enter("another")
    #expect(try enter("right") == refusal)
  }

  @Test func aClockThatIsPutBackLocksNobodyForLonger() throws {
    for number in 0..<10 { _ = try enter("wrong\(number)") }
    lab.now = lab.now.adding(seconds: -3600)
    #expect(try enter("right") == nil)
  }

  /// The right password alone is not a complete sign-in, so it does not reset the count of wrong numbers.
  @Test func wrongNumbersLockTheAccountToo() throws {
    guard case .signIn(let first) = try lab.authorize(ProviderLab.word).page else {
      Issue.record("no page")
      return
    }
    func failure(_ form: KeyValuePairs<String, String>) throws -> Int? {
      guard case .signIn(let page) = try lab.post("/common/login", form).page else { return nil }
      return page.failure.flatMap { Int($0.prefix { $0 != ":" }.dropFirst("AADSTS".count)) }
    }
    let right: KeyValuePairs = ["flow": first.flowID, "username": "mia@contoso.com", "password": "right"]
    for number in 0..<10 {
      #expect(try failure(right) == nil)
      #expect(try failure(["flow": first.flowID, "code": "\(number)"]) == 500_121)
    }
    #expect(try failure(right) == 50053)
  }
}
