import Foundation
import SSOReference
import Testing

@testable import SSOCore
@testable import SSOKeychain

@Suite struct TokenCacheTests {
  let store = MemoryCredentialStore()
  let trace = TraceRecorder()
  static let environments = ["login.windows.net", "login.microsoftonline.com"]

  func cache(_ client: String = "word", groups: [String] = ["T.shared"]) -> TokenCache {
    let caller = KeychainCaller(bundleID: client, entitledGroups: groups)
    return TokenCache(
      keychain: Keychain(store: store, app: caller, now: Instant(1000), trace: trace), accessGroup: "T.shared"
    )
  }

  func account(_ home: String = "uid.utid", realm: String = "utid") -> AccountItem {
    AccountItem([
      .homeAccountID: home, .localAccountID: "oid", .username: "\(home)@contoso.com",
      .environment: "login.windows.net", .realm: realm,
    ])
  }

  func response(
    _ client: String = "word", _ target: String = "User.Read", home: String = "uid.utid",
    family: String? = "1",
    token: String = "at"
  ) -> CachedTokenResponse {
    CachedTokenResponse(
      account: account(home), clientID: client,
      accessToken: token, target: target, expiresOn: Instant(4600), refreshToken: "rt-" + client,
      familyID: family, idToken: "id")
  }

  func secrets(_ scopes: [String] = []) throws -> [String] {
    try cache().accessTokens(
      homeAccountID: "UID.utid", environments: Self.environments, realm: "UTID", clientID: "WORD",
      scopes: scopes
    ).map(\.secret)
  }

  func items(type: Int) throws -> [KeychainItem] {
    try store.items(matching: KeychainQuery(accessGroups: ["T.shared"], type: type))
  }

  @Test func saveWritesFamilyCopyAndPlainCopyOfTheRefreshToken() throws {
    try cache().save(response())
    #expect(try items(type: 2002).map(\.key.service) == ["refreshtoken-1--", "refreshtoken-word--"])
    #expect(try items(type: 2003).map(\.key.service) == ["idtoken-word-utid-"])
    #expect(try items(type: 1003).map(\.key.service) == ["utid"])
    #expect(try items(type: 3001).map(\.key.account) == ["login.windows.net"])
    #expect(try cache().familyID(clientID: "Word") == "1")
  }

  @Test func familyIsGuessedUntilTheClientIsKnownToBeInNone() throws {
    #expect(try cache().familyID(clientID: "word") == "1")
    try cache().save(response(family: nil))
    #expect(try cache().familyID(clientID: "word") == nil)
    #expect(try items(type: 2002).map(\.key.service) == ["refreshtoken-word--"])
  }

  @Test func saveDeletesAccessTokensWithIntersectingScopes() throws {
    try cache().save(response("word", "User.Read Mail.Read", token: "old"))
    try cache().save(response("word", "Files.Read", token: "files"))
    try cache().save(response("word", "MAIL.READ Tasks.Read", token: "new"))
    #expect(Set(try secrets()) == ["files", "new"])
    #expect(try secrets(["user.read"]).isEmpty)
  }

  @Test func intersectingScopesOfAnotherClientStay() throws {
    try cache().save(response("word", token: "word's"))
    try cache().save(response("excel", token: "excel's"))
    #expect(try secrets(["user.read"]) == ["word's"])
  }

  @Test func accessTokenIsFoundIfItHoldsAllScopesAskedFor() throws {
    try cache().save(response("word", "User.Read Mail.Read"))
    #expect(try secrets(["mail.read"]) == ["at"])
    #expect(try secrets(["Mail.Read", "Files.Read"]).isEmpty)
    #expect(try secrets(["User.Read", "Mail.Read"]) == ["at"])
  }

  @Test func accessTokenUnderAnotherHostOfTheCloudIsFound() throws {
    var item = CredentialItem(
      type: .accessToken,
      [
        .homeAccountID: "uid.utid", .environment: "login.microsoftonline.com", .realm: "utid",
        .clientID: "word", .target: "User.Read", .secret: "typed host",
      ])
    try cache().write(item)
    #expect(try secrets() == ["typed host"])
    item[.environment] = "login.windows.net"
    item[.secret] = "preferred cache"
    try cache().write(item)
    #expect(try secrets() == ["preferred cache", "typed host"])
  }

  @Test func tombstoneIsDeletedWhenRead() throws {
    var item = CredentialItem(
      type: .refreshToken,
      [.homeAccountID: "u", .environment: "e", .clientID: "c", .secret: "<tombstone>"])
    try cache().write(item)
    #expect(try cache().refreshToken(homeAccountID: "u", environments: ["e"], clientID: "c") == nil)
    #expect(try items(type: 2002).isEmpty)
    item[.secret] = "s"
    try cache().write(item)
    #expect(try cache().refreshToken(homeAccountID: "u", environments: [], clientID: "c") == item)
  }

  @Test func removalTakesTheFamilyTokenTooIfTheClientWroteItLast() throws {
    try cache().save(response("word"))
    try cache().save(response("excel"))
    let count = try cache().remove(
      homeAccountID: "uid.utid", clientID: "excel", environments: Self.environments)
    #expect(count == 4)
    #expect(try items(type: 2002).map(\.key.service) == ["refreshtoken-word--"])
    #expect(try items(type: 1003).count == 1)
  }

  @Test(arguments: [[], environments])
  func removalKeepsTheFamilyTokenIfAnotherMemberWroteItSince(environments: [String]) throws {
    try cache().save(response("word"))
    try cache().save(response("excel"))
    try cache().save(response("word", home: "other.utid"))
    let count = try cache().remove(
      homeAccountID: "UID.utid", clientID: "Word", environments: environments)
    #expect(count == 3)
    let mine = try items(type: 2002).filter { $0.key.account.hasPrefix("uid.") }
    #expect(mine.map(\.key.service) == ["refreshtoken-1--", "refreshtoken-excel--"])
    #expect(try items(type: 2002).count == 4)
  }

  @Test func wipeTakesTheAccountForAllClientsAndNoOtherAccount() throws {
    try cache().save(response("word"))
    try cache().save(response("excel"))
    try cache().save(response("word", home: "other.utid"))
    try cache().wipe(homeAccountID: "uid.utid", environments: Self.environments)
    let accounts = try store.items(matching: KeychainQuery(accessGroups: ["T.shared"])).map(\.key.account)
    #expect(!accounts.contains { $0.hasPrefix("uid.") })
    #expect(accounts.contains("other.utid-login.windows.net"))
  }

  @Test func appWithoutTheEntitlementCannotReadASharedToken() throws {
    try cache().save(response())
    let stranger = cache("stranger", groups: ["T.own"])
    #expect(throws: KeychainError.missingEntitlement) {
      try stranger.familyRefreshToken(
        homeAccountID: "uid.utid", environments: Self.environments, familyID: "1")
    }
    #expect(throws: KeychainError.missingEntitlement) { try stranger.save(response("stranger")) }
  }

  @Test func silentHitIsAFewExactQueriesWhateverTheStoreHolds() throws {
    try cache().save(response())
    let before = trace.hops.count
    #expect(try secrets(["user.read"]) == ["at"])
    let hops = trace.hops.dropFirst(before)
    // The SDK reads by type and generic attribute, and compares account and host itself.
    #expect(hops.map(\.result) == ["1 item"])
    #expect(hops.allSatisfy { $0.sent.map(\.name) == ["group", "generic", "type"] })
  }

  @Test func olderKeysOfAnAccountAreKeptOnSave() throws {
    var old = account()
    old.fields["future"] = .integer(1)
    old[.name] = "Adele"
    try cache().write(old)
    try cache().save(response())
    let found = try cache().account(
      homeAccountID: "uid.utid", environments: Self.environments, realm: "utid")
    #expect(found == old)
  }
}
