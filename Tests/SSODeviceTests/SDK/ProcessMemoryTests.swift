import SSOCore
import SSOKeychain
import Testing

@testable import LabTestSupport
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// The state that an app's process keeps between calls: aliases, endpoints, and failures.
///
/// See docs/behaviour/msal-cache.md §9 and docs/behaviour/silent-call.md §4.
struct ProcessMemoryTests {
  private let app2 = "com.contoso.mytestapp2"

  @Test func discoveryIsOneNetworkCallForEachProcess() throws {
    let lab = try SilentLab()
    #expect(try lab.silent().hops.asked == [])
    #expect(try lab.silent(app2).hops.asked == ["discovery 200"])
    #expect(try lab.silent(app2).hops.asked == [])
    try lab.perform(EndApp(app: app2))
    let (outcome, hops) = try lab.silent(app2)
    #expect(hops.asked == ["discovery 200"])
    #expect(outcome.summary == "Token for ada@contoso.com from the cache, after instance discovery.")
  }

  @Test func undoTakesTheMemoryBackToo() throws {
    let lab = try SilentLab()
    try lab.wait(1)
    _ = try lab.silent(app2)
    #expect(try lab.lab.undo()?.contains("clock") == true)
    #expect(try lab.silent(app2).hops.asked == ["discovery 200"])
  }

  @Test(arguments: [
    ("503", 60, 2), ("429:30", 30, 1), ("429:0", 60, 1), ("429:3601", 3601, 1), ("429:7200", 7200, 1),
    ("429:7201", 3600, 1), ("429:86400", 3600, 1), ("403", 0, 1), ("404", 0, 1), ("500", 60, 2),
    ("599", 60, 2), ("invalid_grant", 120, 1), ("invalid_scope", 120, 1), ("interaction_required", 120, 1),
  ])
  func aFailureIsAnsweredFromMemoryForAWhile(_ kind: String, _ seconds: Int, _ requests: Int) throws {
    let lab = try SilentLab()
    try lab.wait(1)
    try lab.fault(.token, kind)
    let first = try lab.silent(force: true)
    #expect(first.hops.asked.count { $0.hasPrefix("token") } == requests)
    #expect(first.outcome.errorText?.contains("MSALThrottlingCacheHitKey") == false)
    if seconds > 0 {
      try lab.wait(seconds - 1)
      let second = try lab.silent(force: true)
      #expect(second.hops.asked == [])
      #expect(second.outcome.errorCode == first.outcome.errorCode)
      #expect(second.outcome.summary == first.outcome.summary)
      try lab.wait(1)
    }
    try lab.perform(ClearFaults())
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }

  @Test func otherScopesAreNotThrottled() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503", times: 2)
    _ = try lab.silent(force: true)
    let other = try lab.silent(scopes: ["openid2"], force: true)
    #expect(other.hops.asked == ["token 400 invalid_client AADSTS650053"])
  }

  /// The SDK's key for a 429 consists of the client, the scopes, and the refresh token.
  ///
  /// A new token ends the wait; another endpoint does not (`CCT/MSIDThrottlingServiceIntegrationTests.m`: the expected
  /// key is the hash of these three).
  @Test func aRequestIsKnownAgainByClientScopesAndRefreshToken() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503")
    _ = try lab.silent(force: true)
    let tenant = CallOptions(authority: "https://login.microsoftonline.com/contoso.com")
    #expect(try lab.silent(force: true, tenant).hops.asked.filter { $0.hasPrefix("token") } == [])
    try lab.change(.refreshToken) { $0[.secret] = "another-refresh-token" }
    #expect(try lab.silent(force: true).hops.asked == ["token 503", "token 503"])
  }

  @Test func theErrorSaysThatItCameFromMemory() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503")
    _ = try lab.silent(force: true)
    let printed = try #require(try lab.silent(force: true).outcome.errorText)
    let start = """
      Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=service \
      unavailable, MSALInternalErrorCodeKey=-42007, MSALHTTPHeadersKey={"Content-Type" = \
      "application/json; charset=utf-8"; "Cache-Control" = "no-store, no-cache"; Pragma = "no-cache"; \
      Expires = "-1";}, MSALHTTPResponseCodeKey=503, MSALThrottlingCacheHitKey=1, MSALCorrelationIDKey=
      """
    #expect(printed.hasPrefix(start))
  }

  @Test func aSignInByAPersonLiftsTheWaitInEveryAppOfTheGroup() throws {
    let lab = try SilentLab()
    try lab.wait(1)
    try lab.fault(.token, "invalid_grant", times: 1)
    _ = try lab.silent(force: true)
    #expect(try lab.silent(force: true).hops.asked == [])
    let intent = SignIn(app: app2, account: nil, scopes: [], prompt: .login)
    _ = try lab.lab.perform(intent, answers: SilentLab.answers)
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }

  @Test func theNextProcessKnowsNothingOfAFailure() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "503", times: 2)
    _ = try lab.silent(force: true)
    try lab.perform(EndApp(app: SilentLab.app))
    #expect(try lab.silent(force: true).outcome.source == "app refresh token")
  }
}
