import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// Every status and every error of the token endpoint (docs/behaviour/silent-call.md §2, §3, §5).
///
/// For each: the result for the app, the older token that is used instead, and what is deleted.
struct AnswerTableTests {
  struct Answer: CustomTestStringConvertible, Sendable {
    var fault: String
    /// The most specific code of a call without a fallback.
    var code: Int
    /// Whether an older access token is returned, as for 5xx.
    var helpsOut = false
    /// The number of refresh tokens of this client that remain.
    var refreshTokens = 1
    /// The number of access tokens of this client that remain after a forced refresh.
    var accessTokens = 1
    var testDescription: String { fault }
  }

  static let answers =
    [500, 501, 502, 503, 504, 599].map { Answer(fault: String($0), code: -42007, helpsOut: true) }
    + ["403", "404", "429", "429:30", "429:0"].map { Answer(fault: $0, code: -42007) }
    + [Answer(fault: "unreachable", code: -1004)]
    + [
      "invalid_grant", "invalid_grant:client_mismatch", "invalid_grant:consent_required", "invalid_request",
      "unauthorized_client", "interaction_required", "login_required", "consent_required", "access_denied",
      "server_error", "temporarily_unavailable", "unsupported_grant_type", "invalid_request:bad_token",
      "interaction_required:user_account_deleted",
    ].map { Answer(fault: $0, code: -50002) }
    + [
      Answer(fault: "invalid_grant:bad_token", code: -50002, refreshTokens: 0),
      Answer(fault: "invalid_grant:user_account_deleted", code: -50002, refreshTokens: 0, accessTokens: 0),
      Answer(fault: "invalid_scope", code: -42005), Answer(fault: "invalid_client", code: -42003),
      Answer(fault: "unauthorized_client:protection_policy_required", code: -50004),
    ]

  static let otherClient = "0f8a5d1c-93b7-4e26-b1c4-6d7e8f902a13"

  @Test(arguments: answers) func aForcedRefreshGetsTheErrorAndLosesWhatItNames(_ answer: Answer) throws {
    let lab = try twoClients()
    try lab.fault(.token, answer.fault)
    let outcome = try lab.silent(force: true).outcome
    #expect(outcome.errorCode == answer.code)
    let own = { (type: CredentialType) in
      try lab.items(type).count { $0.clientID != Self.otherClient }
    }
    #expect(try own(.refreshToken) == answer.refreshTokens)
    #expect(try own(.accessToken) == answer.accessTokens)
    #expect(try own(.idToken) == answer.accessTokens)
    // Other clients and the account items are never changed.
    for type in [CredentialType.refreshToken, .accessToken, .idToken] {
      #expect(try lab.items(type).count { $0.clientID == Self.otherClient } == 1)
    }
    #expect(try accountItems(lab) == 1)
    #expect(try lab.silent("com.contoso.mytestapp2", account: "ada@contoso.com").outcome.source == "cache")
  }

  @Test(arguments: answers) func pastRefreshOnOnlyAServerThatIsDownIsForgiven(_ answer: Answer) throws {
    let lab = try SilentLab()
    try lab.set(.accessToken, .refreshOn, secondsFromNow: -1)
    try lab.fault(.token, answer.fault)
    let first = try lab.silent().outcome
    #expect(first.source == (answer.helpsOut ? "cache" : nil))
    #expect(first.errorCode == (answer.helpsOut ? nil : answer.code))
    guard answer.helpsOut else { return }
    // There is no longer a fallback if the call is answered from memory.
    let second = try lab.silent()
    #expect(second.outcome.errorCode == answer.code)
    #expect(second.hops.asked == [])
  }

  @Test(arguments: answers) func anExpiredTokenOutlivesOnlyAServerThatIsDown(_ answer: Answer) throws {
    let lab = try SilentLab {
      $0.apps[0].extendedLifetimeEnabled = true
      $0.registrations[0].extExpiresIn = 7200
    }
    try lab.wait(4000)
    try lab.fault(.token, answer.fault)
    let outcome = try lab.silent().outcome
    #expect(outcome.source == (answer.helpsOut ? "cache" : nil))
    #expect(outcome.errorCode == (answer.helpsOut ? nil : answer.code))
  }

  /// Returns a lab in which Ada is signed in to two clients of one group.
  private func twoClients() throws -> SilentLab {
    let lab = try SilentLab { world in
      var other = world.registrations[0]
      other.clientID = Self.otherClient
      world.registrations.append(other)
      world.apps[1].clientID = other.clientID
    }
    try lab.perform(
      SignIn(app: "com.contoso.mytestapp2", account: nil, scopes: [], prompt: .whenRequired),
      answers: [.accept, .accept])
    return lab
  }

  private func accountItems(_ lab: SilentLab) throws -> Int {
    try lab.store {
      try $0.items(
        matching: KeychainQuery(
          accessGroups: [SilentLab.group], type: AccountType.mssts.attributeType)
      ).count
    }
  }
}
