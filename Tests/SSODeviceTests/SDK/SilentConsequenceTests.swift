import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// The effects of a silent call (docs/behaviour/silent-call.md §1(7)–(8)) on the cache, the memory of the process, and
/// the error.
struct SilentConsequenceTests {
  @Test func aRefreshTokenRefusedAsBadIsDeletedAndAnyOtherStays() throws {
    for (kind, left) in [("invalid_grant", 1), ("invalid_grant:bad_token", 0)] {
      let lab = try SilentLab()
      try lab.fault(.token, kind)
      _ = try lab.silent(force: true)
      #expect(try lab.items(.refreshToken).count == left, "\(kind)")
    }
  }

  @Test func anAccountDeletedAtTheProviderIsDeletedHereToo() throws {
    let lab = try SilentLab()
    try lab.fault(.token, "invalid_grant:user_account_deleted")
    let (outcome, _) = try lab.silent(force: true)
    #expect(outcome.errorCode == -50002)
    let left = try lab.store { try $0.items(matching: KeychainQuery(accessGroups: [SilentLab.group])) }
    #expect(left.map { $0.type ?? 0 }.sorted() == [0, 0, 1003, 3001, 5001])
    let metadata = left.first { $0.type == 5001 }.flatMap { AccountMetadata(data: $0.data) }
    #expect(metadata?.entries == [:])
  }

  @Test func aStrangerLearnsThatItIsInNoFamilyAndTriesOnce() throws {
    let lab = try SilentLab(signIn: false) { world in
      world.registrations[0].familyID = "1"
      var stranger = world.registrations[0]
      (stranger.clientID, stranger.familyID) = ("0f8a5d1c-93b7-4e26-b1c4-6d7e8f902a13", nil)
      world.registrations.append(stranger)
      world.apps[1].clientID = stranger.clientID
    }
    try lab.signIn()
    let app2 = "com.contoso.mytestapp2"
    let (first, hops) = try lab.silent(app2)
    #expect(first.errorCode == -50002)
    #expect(first.errorText?.contains("MSALOAuthSubErrorKey=client_mismatch") == true)
    #expect(
      hops.asked == ["discovery 200", "configuration 200", "token 400 invalid_grant AADSTS700007"])
    let learnt = try lab.store {
      try $0.items(
        matching: KeychainQuery(
          accessGroups: [SilentLab.group], service: "appmetadata-0f8a5d1c-93b7-4e26-b1c4-6d7e8f902a13"))
    }.compactMap { AppMetadata(data: $0.data) }
    #expect(learnt.map(\.familyID) == [""])
    #expect(learnt.map(\.environment) == ["login.windows.net"])
    let (second, again) = try lab.silent(app2, account: SilentLab.ada)
    #expect(second.errorCode == -50002)
    #expect(again.asked == [])
  }

  @Test func theFamilysTokenHelpsWhenTheAppsOwnIsRefused() throws {
    let lab = try SilentLab(signIn: false) { $0.registrations[0].familyID = "1" }
    try lab.signIn()
    try lab.edit(.refreshToken) { token in
      guard token.familyID == nil else { return token }
      var token = token
      token[.secret] = "bad-refresh-token"
      return token
    }
    let (outcome, hops) = try lab.silent(force: true)
    #expect(outcome.source == "family refresh token")
    #expect(
      hops.asked == ["configuration 200", "token 400 invalid_grant AADSTS9002313", "token 200"])
  }

  @Test func declinedScopesAreFoundOutAfterTheTokensAreSaved() throws {
    let lab = try SilentLab(signIn: false) { $0.registrations[0].declinedScopes = ["Mail.Read"] }
    let outcome = try lab.perform(
      SignIn(app: SilentLab.app, account: nil, scopes: ["User.Read", "Mail.Read"], prompt: .whenRequired),
      answers: SilentLab.answers
    ).outcome
    #expect(outcome.errorCode == -50003)
    let printed = try #require(outcome.errorText)
    #expect(
      printed.contains(
        #"MSALDeclinedScopesKey=("Mail.Read"), MSALGrantedScopesKey=("User.Read"), MSALCorrelationIDKey="#))
    #expect(try lab.items(.accessToken).map(\.target) == ["User.Read openid profile"])
    #expect(try lab.lab.read { try $0.apps.rows() }.first?.accounts == ["ada@contoso.com"])
    #expect(try lab.silent(scopes: ["User.Read"]).outcome.source == "cache")
  }

  @Test func aTokenForClaimsIsKeptAsAnyOther() throws {
    let lab = try SilentLab()
    let claims = #"{"access_token":{"deviceid":null}}"#
    #expect(try lab.silent(options(claims)).outcome.source == "app refresh token")
    #expect(try lab.items(.accessToken).map { $0[.requestedClaims] } == [nil])
    let services = try lab.store {
      try $0.items(
        matching: KeychainQuery(
          accessGroups: [SilentLab.group], type: CredentialType.accessToken.attributeType))
    }.map(\.key.service)
    #expect(services.map { $0.contains("|") } == [false])
    // As a result, the next call without claims needs no refresh (msal-cache.md §2(8)).
    #expect(try lab.silent().outcome.source == "cache")
  }

  @Test func aTokenOfAnotherEnrolmentIsDeleted() throws {
    for extended in [0, 7200] {
      let lab = try SilentLab {
        $0.apps[0].extendedLifetimeEnabled = true
        $0.registrations[0].extExpiresIn = 7200
      }
      try lab.change(.accessToken) { $0[.enrollmentID] = "somebody-elses" }
      try lab.wait(extended == 0 ? 0 : 4000)
      try lab.fault(.token, "503")
      #expect(try lab.silent().outcome.errorCode == -42007)
      #expect(try lab.items(.accessToken).isEmpty, "\(extended)")
    }
  }

  private func options(_ claims: String) -> CallOptions { CallOptions(claims: claims) }

  @Test func refreshOnComesFromTheProvider() throws {
    let lab = try SilentLab(signIn: false) { $0.registrations[0].refreshIn = 1800 }
    try lab.signIn()
    let token = try #require(try lab.items(.accessToken).first)
    #expect(token.refreshOn == (try lab.now().adding(seconds: 1800)))
    try lab.wait(1799)
    #expect(try lab.silent().outcome.source == "cache")
    try lab.wait(1)
    #expect(try lab.silent().outcome.source == "app refresh token")
  }

  @Test func anExpiredTokenIsDeletedUnlessItsExtendedLifetimeRuns() throws {
    for (seconds, left) in [(7199, 1), (7200, 0)] {
      let lab = try SilentLab { $0.registrations[0].extExpiresIn = 7200 }
      try lab.wait(seconds)
      try lab.fault(.token, "503")
      _ = try lab.silent()
      #expect(try lab.items(.accessToken).count == left, "\(seconds) s later")
    }
  }
}

extension SilentLab {
  func silent(_ options: CallOptions) throws -> (outcome: Outcome, hops: [Hop]) {
    try silent(Self.app, account: nil, scopes: [], force: false, options)
  }
}

extension CacheKey {
  var itemKey: KeychainKey {
    KeychainKey(accessGroup: SilentLab.group, account: account, service: service)
  }
}
