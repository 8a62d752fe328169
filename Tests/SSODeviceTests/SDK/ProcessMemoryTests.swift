import Testing

@testable import LabTestSupport
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// What an app's process remembers between calls: aliases, endpoints and failures (docs/behaviour/msal-cache.md §9, docs/behaviour/silent-call.md §4).
struct ProcessMemoryTests {
  private let app2 = "com.contoso.mytestapp2"

  @Test func discoveryIsOneNetworkCallForEachProcess() throws {
    let lab = try SilentLab()
    #expect(try lab.silent().hops.asked == [])
    #expect(try lab.silent(app2).hops.asked == ["discovery 200"])
    #expect(try lab.silent(app2).hops.asked == [])
    try lab.perform(.endApp(app: app2))
    let (outcome, hops) = try lab.silent(app2)
    #expect(hops.asked == ["discovery 200"])
    #expect(outcome.summary == "Token for ada@contoso.com from the cache, after instance discovery.")
  }

  @Test func undoTakesTheMemoryBackToo() throws {
    let lab = try SilentLab()
    _ = try lab.silent(app2)
    _ = try lab.lab.undo()
    #expect(try lab.silent(app2).hops.asked == ["discovery 200"])
  }

  @Test(arguments: [("503", 60, 2), ("429:30", 30, 1), ("429:7200", 3600, 1), ("invalid_grant", 120, 1)])
  func aFailureIsAnsweredFromMemoryForAWhile(_ kind: String, _ seconds: Int, _ requests: Int) throws {
    let lab = try SilentLab()
    try lab.wait(1)
    try lab.fault(.token, kind)
    let first = try lab.silent(force: true)
    #expect(first.hops.asked.count { $0.hasPrefix("token") } == requests)
    #expect(first.outcome.errorText?.contains("MSALThrottlingCacheHitKey") == false)
    try lab.wait(seconds - 1)
    let second = try lab.silent(force: true)
    #expect(second.hops.asked == [])
    #expect(second.outcome.errorCode == first.outcome.errorCode)
    #expect(second.outcome.summary == first.outcome.summary)
    try lab.perform(.clearFaults)
    try lab.wait(1)
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }

  @Test func otherScopesAreNotThrottled() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503", times: 2)
    _ = try lab.silent(force: true)
    let other = try lab.silent(scopes: ["openid2"], force: true)
    #expect(other.hops.asked == ["token 400 invalid_scope AADSTS70011"])
  }

  @Test func theErrorSaysThatItCameFromMemory() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503")
    _ = try lab.silent(force: true)
    let printed = try #require(try lab.silent(force: true).outcome.errorText)
    #expect(
      printed.hasPrefix(
        "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=service "
          + "unavailable, MSALInternalErrorCodeKey=-42007, MSALHTTPResponseCodeKey=503, "
          + "MSALThrottlingCacheHitKey=1, MSALCorrelationIDKey="))
  }

  @Test func aSignInByAPersonLiftsTheWaitInEveryAppOfTheGroup() throws {
    let lab = try SilentLab()
    try lab.wait(1)
    try lab.fault(.token, "invalid_grant", times: 1)
    _ = try lab.silent(force: true)
    #expect(try lab.silent(force: true).hops.asked == [])
    let intent = Intent.signIn(app: app2, account: nil, scopes: [], prompt: .login)
    _ = try lab.lab.perform(intent, answers: SilentLab.answers)
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }

  @Test func theNextProcessKnowsNothingOfAFailure() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503", times: 2)
    _ = try lab.silent(force: true)
    try lab.perform(.endApp(app: SilentLab.app))
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }
}
