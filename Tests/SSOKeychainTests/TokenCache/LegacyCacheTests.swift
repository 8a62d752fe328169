import Foundation
import Testing

@testable import KeyedArchive
@testable import SSOCore
@testable import SSOKeychain

/// The items that one login writes (adal.md §3), how they are found (adal.md §5), and how they are removed
/// (adal.md §7).
struct LegacyCacheTests {
  private let group = "A1B2C3D4E5.com.microsoft.adalcache"
  private let store = MemoryCredentialStore()
  private let now = Instant(1_772_442_000)
  private let app = "d3590ed6-52b3-4102-aeff-aad2292ab01c"
  private let common = "https://login.windows.net/common"
  private let graph = "https://graph.windows.net"

  private var cache: LegacyCache {
    let caller = KeychainCaller(bundleID: "com.contoso.app", entitledGroups: [group])
    return LegacyCache(
      keychain: Keychain(store: store, app: caller, now: now, trace: TraceRecorder()), accessGroup: group)
  }

  private func idToken(_ user: String) -> String {
    let claims: JSONValue = ["ver": "1.0", "upn": .string(user), "oid": "oid", "tid": "tid"]
    let parts = [JSONValue.object(["alg": "none"]), claims].map { Base64URL.encode($0.bytes(.wire)) }
    return parts.joined(separator: ".") + ".c2ln"
  }

  private func response(user: String? = "ada@contoso.com", clientID: String? = nil) -> LegacySave {
    LegacySave(
      authority: common, clientID: clientID ?? app, resource: graph, requestedResource: graph,
      accessToken: "AT",
      tokenType: "Bearer", refreshToken: "RT", expiresOn: now.adding(seconds: 3600), cachedAt: now,
      idToken: user.map(idToken), isUnified: false)
  }

  private func services() throws -> [String] {
    try store.items(matching: KeychainQuery(accessGroups: [group])).map(\.key.service).sorted()
  }

  private func service(_ resource: String?, _ client: String) -> String {
    LegacyKey(authority: common, resource: resource, clientID: client, userID: nil).service
  }

  @Test func aMultiResourceLoginWritesAnAccessTokenAndARefreshTokenApart() throws {
    try cache.save(response())
    #expect(try services() == [service(graph, app), service(nil, app)].sorted())
    let access = try cache.item(
      userID: "ada@contoso.com", authorities: [common], resource: graph, clientID: app)
    #expect(
      access?.kind == .accessToken && access?.refreshToken == nil
        && access?.expiresOn == now.adding(seconds: 3600))
    let refresh = try cache.item(
      userID: "ada@contoso.com", authorities: [common], resource: nil, clientID: app)
    #expect(refresh?.kind == .refreshToken && refresh?.expiresOn == nil && refresh?.resource == nil)
    #expect(refresh?.user?.userID == "ada@contoso.com")
  }

  @Test func aFamilyLoginWritesACopyForTheFamilyToo() throws {
    var save = response()
    save.familyID = "1"
    try cache.save(save)
    #expect(
      try services() == [service(graph, app), service(nil, app), service(nil, "foci-1")].sorted())
    let copy = try cache.item(
      userID: "ada@contoso.com", authorities: [common], resource: nil, clientID: "foci-1")
    #expect(copy?.clientID == "foci-1" && copy?.familyID == "1" && copy?.refreshToken == "RT")
    #expect(copy?.displayText == "legacy family refresh token")
  }

  @Test func aResponseWithoutResourceIsOneItemOfTheUnknownUser() throws {
    var save = response(user: nil)
    save.resource = nil
    try cache.save(save)
    #expect(try services() == [service(graph, app)])
    let item = try cache.item(userID: "", authorities: [common], resource: graph, clientID: app)
    #expect(item?.kind == .singleResourceToken && item?.accessToken == "AT" && item?.refreshToken == "RT")
  }

  @Test(arguments: [
    (false, ["homeAccountId": false, "cachedAt": false, "sessionKey": true]),
    (true, ["homeAccountId": true, "cachedAt": true, "sessionKey": false]),
  ])
  func theGenerationDecidesTheKeys(_ isUnified: Bool, _ expected: [String: Bool]) throws {
    var save = response()
    save.isUnified = isUnified
    save.homeAccountID = "oid.tid"
    try cache.save(save)
    for item in try cache.items() {
      for (key, isThere) in expected { #expect((item.object.fields[key] != nil) == isThere) }
      #expect(item.homeAccountID == (isUnified ? "oid.tid" : nil))
    }
  }

  @Test func theFirstAuthorityThatHasTheItemWins() throws {
    let typed = "https://login.microsoftonline.com/common"
    var save = response()
    save.authority = typed
    save.accessToken = "typed"
    try cache.save(save)
    func found(_ authorities: [String]) throws -> String? {
      try cache.item(userID: "ada@contoso.com", authorities: authorities, resource: graph, clientID: app)?
        .accessToken
    }
    #expect(try found([common]) == nil)
    #expect(try found([common, typed]) == "typed")
    try cache.save(response())
    #expect(try found([common, typed]) == "AT")
  }

  @Test func withoutAUserThereMayBeOnlyOne() throws {
    try cache.save(response())
    let only = try cache.item(userID: nil, authorities: [common], resource: nil, clientID: app)
    #expect(only?.user?.userID == "ada@contoso.com")
    try cache.save(response(user: "grace@contoso.com"))
    #expect(throws: LegacyCacheError.multipleUsers(["ada@contoso.com", "grace@contoso.com"])) {
      try cache.item(userID: nil, authorities: [common], resource: nil, clientID: app)
    }
  }

  @Test func aTombstoneIsDeletedWhenItIsReadAndJunkIsPassedOver() throws {
    var save = response()
    save.refreshToken = "<tombstone>"
    try cache.save(save)
    let key = LegacyKey(authority: common, resource: "junk", clientID: app, userID: "ada@contoso.com")
    try store.insert(key.item(in: group, data: Data("bplist00".utf8), at: now))
    #expect(try cache.items().map(\.kind) == [.accessToken])
    #expect(try services().count == 2)
  }

  @Test func removingAUserOfAClientLeavesTheFamilysCopyAndOtherClients() throws {
    var save = response()
    save.familyID = "1"
    try cache.save(save)
    try cache.save(response(clientID: "other"))
    try cache.save(response(user: "grace@contoso.com"))
    #expect(try cache.removeAll(userID: "ADA@contoso.com", clientID: app.uppercased()) == 2)
    #expect(
      try cache.items(userID: "ada@contoso.com").map(\.clientID).sorted() == ["foci-1", "other", "other"])
    #expect(try cache.items(userID: "grace@contoso.com").count == 2)
    #expect(try cache.removeAll(clientID: app) == 2)
    #expect(try cache.wipe(userID: "ada@contoso.com", byAccountAlone: false) == 3)
    // Only the record of the last wipe remains (keychain.md §6(1)).
    #expect(try services() == [""])
  }

  @Test(arguments: [(true, 3), (false, 2)]) func upTo266AWipeTakesAnythingWithThatAccount(
    _ byAccountAlone: Bool, _ count: Int
  ) throws {
    try cache.save(response())
    let account = LegacyKey.account("ada@contoso.com")
    try store.insert(
      KeychainItem(
        key: KeychainKey(accessGroup: group, account: account, service: "somebody else's"), data: Data(),
        createdAt: now, modifiedAt: now))
    #expect(try cache.wipe(userID: "ada@contoso.com", byAccountAlone: byAccountAlone) == count)
  }
}
