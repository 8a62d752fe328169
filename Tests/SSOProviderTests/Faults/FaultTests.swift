import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Faults that are injected at the provider: their responses, the requests that they match, and their duration.
struct FaultTests {
  @Test(arguments: [
    ("500", Fault.Kind.status(500)), ("599", .status(599)), ("403", .status(403)), ("404", .status(404)),
    ("429", .throttled(retryAfter: 60)),
    ("503:30", .unavailable(retryAfter: 30)), ("invalid_resource", .refused(.invalidResource, suberror: nil)),
    ("429:0", .throttled(retryAfter: 0)), ("unreachable", .unreachable),
    ("invalid_grant", .refused(.invalidGrant, suberror: nil)),
    ("invalid_grant:bad_token", .refused(.invalidGrant, suberror: "bad_token")),
    ("slow:5", .slow(seconds: 5)), ("hang", .hang), ("truncated", .truncated(bytes: 20)),
    ("truncated:0", .truncated(bytes: 0)), ("token:issuer", .token(.issuer)),
    ("clock:-600", .clock(seconds: -600)),
    ("keys:forgotten", .keys(.forgotten)), ("require:mfa", .requires(.mfa)),
    ("expired_token", .refused(.expiredToken, suberror: nil)),
  ])
  func aKindIsReadFromItsTextAndBack(_ text: String, _ kind: Fault.Kind) {
    #expect(Fault.Kind(text) == kind)
    #expect(Fault.Kind(kind.text) == kind)
  }

  @Test(arguments: [
    "", "402", "405", "499", "600", "429:-1", "429:86401", "429:", "503:", "503:-1", "500:3", "broken",
    "invalid_grant:",
    "invalid_grant:bad token",
    "slow", "slow:0", "slow:3601", "hang:1", "truncated:65537", "token", "token:x", "keys:", "require:admin",
    "clock:",
    "clock:31536001", "invalid_grant:\u{1B}[31m", "invalid_grant:" + String(repeating: "x", count: 65),
  ])
  func anotherTextIsNoKind(_ text: String) {
    #expect(Fault.Kind(text) == nil)
  }

  @Test(arguments: [
    (Fault(.token, .status(503)), 503, "503", 90006), (Fault(.token, .status(500)), 500, "500", 50000),
    (Fault(.token, .unavailable(retryAfter: 30)), 503, "503", 90006),
    (Fault(.any, .throttled(retryAfter: 30)), 429, "429", 90055),
    (Fault(.token, .unreachable), 0, "no connection", 0),
    (
      Fault(.token, .refused(.invalidGrant, suberror: "bad_token")), 400, "400 invalid_grant AADSTS50173",
      50173
    ),
    (
      Fault(.token, .refused(.invalidResource, suberror: nil)), 400, "400 invalid_resource AADSTS500011",
      500011
    ),
  ])
  func aFaultAnswersInsteadOfTheRoute(_ fault: Fault, _ status: Int, _ words: String, _ aadsts: Int) throws {
    let lab = try ProviderLab()
    let secret = try #require(try lab.signIn(ProviderLab.notes).refreshToken)
    try lab.provider.addFault(fault)
    let response = try lab.refresh(secret, ProviderLab.notes)
    #expect(response.status == status)
    #expect(response.headers["Retry-After"] == (fault.kind.text.hasSuffix(":30") ? "30" : nil))
    if status != 0 { #expect(OAuthError(reading: response).aadsts == aadsts) }
    #expect(lab.trace.hops.last?.result == words)
    #expect(lab.failedCheck == "no fault is set")
    try lab.provider.clearFaults()
    #expect(try lab.refresh(secret, ProviderLab.notes).status == 200)
  }

  @Test(arguments: [Fault.Kind.status(503), .throttled(retryAfter: 30), .status(404)])
  func aBrowserIsShownAPage(_ kind: Fault.Kind) throws {
    let lab = try ProviderLab()
    try lab.provider.addFault(Fault(.any, kind))
    let answer = try lab.authorize(ProviderLab.notes)
    guard case .error = answer.page else {
      Issue.record("a blank page")
      return
    }
    #expect(answer.http.status >= 404)
  }

  @Test func oneFaultIsTakenAwayThoughRequestsHaveCountedIt() throws {
    let lab = try ProviderLab()
    let secret = try #require(try lab.signIn(ProviderLab.notes).refreshToken)
    let counted = Fault(.token, .status(500), remaining: 3)
    let other = Fault(.authorize, .status(503))
    for fault in [counted, other] { try lab.provider.addFault(fault) }
    #expect(try lab.refresh(secret, ProviderLab.notes).status == 500)
    #expect(try lab.provider.removeFault(counted))
    #expect(try lab.provider.faults() == [other])
    #expect(try !lab.provider.removeFault(counted))
  }

  @Test func aLimitedFaultHitsSoManyRequestsOfItsEndpointAndClient() throws {
    let lab = try ProviderLab()
    let notes = try #require(try lab.signIn(ProviderLab.notes).refreshToken)
    let word = try #require(try lab.signIn(ProviderLab.word).refreshToken)
    try lab.provider.addFault(Fault(.token, .status(500), clientID: "NOTES", remaining: 2))
    #expect(try lab.authorize(ProviderLab.notes).http.status != 500)
    #expect(try lab.refresh(word, ProviderLab.word).status == 200)
    let statuses = try (0..<3).map { _ in try lab.refresh(notes, ProviderLab.notes).status }
    #expect(statuses == [500, 500, 200])
    #expect(try lab.provider.faults().isEmpty)
  }
}
