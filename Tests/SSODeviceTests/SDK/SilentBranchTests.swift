import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab

/// Every branch of a silent call (docs/behaviour/silent-call.md §1): the cache lookups and errors, the requests to the
/// provider, and the result.
struct SilentBranchTests {
  struct Branch: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var world: @Sendable (inout LabWorld) -> Void = { _ in }
    var before: @Sendable (SilentLab) throws -> Void = { _ in }
    var scopes: [String] = []
    var force = false
    var options = CallOptions()
    /// The source of the token, or the domain, the code, and the first words of the error.
    var gives: String
    /// The failed check in the outcome.
    var failed: String?
    var asked: [String] = []
  }

  static let refreshed = ["configuration 200", "token 200"]
  static let refreshedBySelf = "app refresh token"
  static let fromCache = "cache"
  static let needsPerson = "MSALErrorDomain -50002 User interaction is required"

  @Test(arguments: precheckBranches + accessTokenBranches + outageBranches + refusalBranches)
  func theBranch(_ branch: Branch) throws {
    let lab = try SilentLab(branch.world)
    try branch.before(lab)
    let (outcome, hops) = try lab.silent(scopes: branch.scopes, force: branch.force, branch.options)
    let words =
      outcome.source
      ?? "\(outcome.errorDomain ?? "") \(outcome.errorCode ?? 0) \(outcome.summary)"
    #expect(words == branch.gives)
    #expect(hops.asked == branch.asked)
    if let failed = branch.failed { #expect(outcome.failedCheck?.name == failed) }
    #expect(outcome.prompted == false)
  }

  static let precheckBranches = [
    Branch(
      testDescription: "no account",
      before: { lab in
        try lab.edit(.refreshToken) { _ in nil }
        try lab.store {
          try $0.delete(CacheKey(accountMetadataOf: "b6c69a37-df96-4db0-9088-2ab96e1d8215").itemKey)
        }
      },
      gives: "MSALErrorDomain -50002 No account provided for the silent request. Please call interactive "
        + "acquireToken request to get an account identifier before calling acquireTokenSilent.",
      failed: "an account is given"),
    Branch(
      testDescription: "reserved scope", scopes: ["User.Read", "OpenID"],
      gives:
        "MSALErrorDomain -42000 {(openid, profile, \"offline_access\")} are reserved scopes and may not be "
        + "specified in the acquire token call.", failed: "no reserved scopes"),
    Branch(
      testDescription: "client ID as a scope", scopes: ["b6c69a37-df96-4db0-9088-2ab96e1d8215"],
      gives: "MSALErrorDomain -42000 Passing clientId b6c69a37-df96-4db0-9088-2ab96e1d8215 as scope is not "
        + "supported by https://login.microsoftonline.com/common. Please remove "
        + "b6c69a37-df96-4db0-9088-2ab96e1d8215 from your scopes list"),
    Branch(
      testDescription: "authority without a tenant",
      options: CallOptions(authority: "https://login.microsoftonline.com"),
      gives: "MSALErrorDomain -42008 authority must have AAD tenant."),
    Branch(
      testDescription: "authority of an unknown host",
      options: CallOptions(authority: "https://login.example.com/common"),
      gives: "MSALErrorDomain -42010 AADSTS50049: Unknown or invalid instance.", failed: "authority host",
      asked: ["discovery 400 invalid_instance AADSTS50049"]),
    Branch(
      testDescription: "authority of an unknown host that is declared as known",
      world: { $0.apps[0].knownAuthorities = ["https://login.example.com/common"] },
      options: CallOptions(authority: "https://login.example.com/common"),
      gives:
        "MSALErrorDomain -50002 No token matching arguments found in the cache, user interaction is required",
      asked: ["discovery 400 invalid_instance AADSTS50049"]),
  ]

  static let accessTokenBranches = [
    Branch(testDescription: "300 s before expiry", before: { try $0.wait(3300) }, gives: fromCache),
    Branch(
      testDescription: "299 s before expiry", before: { try $0.wait(3301) }, gives: refreshedBySelf,
      asked: refreshed),
    Branch(
      testDescription: "a buffer of 600 s, 599 s before expiry",
      world: { $0.apps[0].tokenExpirationBuffer = 600 }, before: { try $0.wait(3001) },
      gives: refreshedBySelf,
      asked: refreshed),
    Branch(
      testDescription: "a buffer of 600 s, 600 s before expiry",
      world: { $0.apps[0].tokenExpirationBuffer = 600 }, before: { try $0.wait(3000) }, gives: fromCache),
    Branch(testDescription: "the clock moved on", before: { try $0.wait(1) }, gives: fromCache),
    Branch(
      testDescription: "cached_at in the future", before: { try $0.wait(-1) }, gives: refreshedBySelf,
      asked: refreshed),
    Branch(
      testDescription: "scopes in another case", scopes: ["user.READ"], gives: fromCache),
    Branch(
      testDescription: "scopes that the token does not hold", scopes: ["User.Read", "Mail.Read"],
      gives: needsPerson, asked: ["configuration 200", "token 400 invalid_grant AADSTS65001"]),
    Branch(testDescription: "forceRefresh", force: true, gives: refreshedBySelf, asked: refreshed),
    Branch(
      testDescription: "claims", options: CallOptions(claims: #"{"access_token":{"deviceid":null}}"#),
      gives: refreshedBySelf, asked: refreshed),
    Branch(testDescription: "blank claims", options: CallOptions(claims: "  "), gives: fromCache),
    Branch(
      testDescription: "an access token for other claims",
      before: { try $0.change(.accessToken) { $0[.requestedClaims] = "{}" } }, gives: refreshedBySelf,
      asked: refreshed),
    Branch(
      testDescription: "an access token of another enrolment",
      before: { try $0.change(.accessToken) { $0[.enrollmentID] = "somebody-elses" } },
      gives: refreshedBySelf, asked: refreshed),
    Branch(
      testDescription: "no ID token of the realm", before: { try $0.edit(.idToken) { _ in nil } },
      gives: refreshedBySelf, asked: refreshed),
    Branch(
      testDescription: "refresh_on in 1 s",
      before: { try $0.set(.accessToken, .refreshOn, secondsFromNow: 1) }, gives: fromCache),
    Branch(
      testDescription: "refresh_on is now",
      before: { try $0.set(.accessToken, .refreshOn, secondsFromNow: 0) }, gives: refreshedBySelf,
      asked: refreshed),
    Branch(
      testDescription: "no refresh token at all",
      before: { lab in
        try lab.edit(.refreshToken) { _ in nil }
        try lab.wait(4000)
      },
      gives:
        "MSALErrorDomain -50002 No token matching arguments found in the cache, user interaction is required",
      failed: "refresh token of this client"),
  ]
}
