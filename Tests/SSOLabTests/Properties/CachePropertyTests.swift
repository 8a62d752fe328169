import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOKeychain

/// Everything that was written to the token cache can be read again, whatever it is and whatever else is in the cache.
@Suite struct CachePropertyTests {
  static let group = "T.g"
  static let caller = KeychainCaller(bundleID: "app", entitledGroups: [group])
  static let clients = GeneratedWorld.clients
  static let people = ["9f4880d8.f645ad92", "00000000-0000-0000-8a1e.9188040d", "Ünïcode.tid"]
  static let realms = ["f645ad92-e38d-4d1a-b510-d1b09a74a8ca", "9188040d-6c67-4c5b-b112-36a304b66dad"]
  static let environment = "login.windows.net"
  static let now = Instant(1_772_442_000)

  private func keychain(_ store: MemoryCredentialStore) -> Keychain {
    Keychain(store: store, app: Self.caller, now: Self.now, trace: TraceRecorder())
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func unifiedItemsAreReadAsTheyWereWritten(seed: UInt64)
    throws
  {
    var random = Randomness(seed: seed)
    let cache = TokenCache(keychain: keychain(MemoryCredentialStore()), accessGroup: Self.group)
    var model = CacheModel()
    for _ in 0..<60 {
      let save = random.tokenSave()
      try cache.save(save)
      model.save(save, at: Self.now)
    }
    for person in Self.people {
      for client in Self.clients {
        let found = try cache.refreshToken(
          homeAccountID: person, environments: [Self.environment], clientID: client)
        #expect(found?.fields == model.refresh[person + " " + client])
        for realm in Self.realms {
          let tokens = try cache.accessTokens(
            homeAccountID: person, environments: [Self.environment], realm: realm, clientID: client)
          let key = [person, client, realm].joined(separator: " ")
          #expect(Set(tokens.map(\.fields)) == Set((model.access[key] ?? []).map(\.fields)))
          let idToken = try cache.idToken(
            homeAccountID: person, environments: [Self.environment], realm: realm, clientID: client)
          #expect(idToken?.fields == model.id[key])
        }
      }
      let family = try cache.familyRefreshToken(
        homeAccountID: person, environments: [Self.environment], familyID: "1")
      #expect(family?.fields == model.refresh[person + " family"])
      for realm in Self.realms {
        let account = try cache.account(
          homeAccountID: person, environments: [Self.environment], realm: realm)
        #expect(account?.fields == model.accounts[person + " " + realm])
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func legacyItemsAreReadAsTheyWereWritten(seed: UInt64) throws
  {
    var random = Randomness(seed: seed)
    let cache = LegacyCache(keychain: keychain(MemoryCredentialStore()), accessGroup: Self.group)
    var model: [LegacyKey: LegacyItem] = [:]
    for _ in 0..<40 {
      let save = random.legacySave()
      try cache.save(save)
      for item in save.items { model[LegacyKey(item)] = item }
    }
    #expect(Set(try cache.items()) == Set(model.values))
    for item in model.values {
      let found = try cache.item(
        userID: item.user?.userID ?? "", authorities: [item.authority], resource: item.resource,
        clientID: item.clientID)
      #expect(found == item)
    }
  }
}

/// The expected contents of the cache, in a simple form (docs/behaviour/silent-call.md §1(8)).
private struct CacheModel {
  var access: [String: [CredentialItem]] = [:]
  var refresh: [String: [String: JSONValue]] = [:]
  var id: [String: [String: JSONValue]] = [:]
  var accounts: [String: [String: JSONValue]] = [:]

  mutating func save(_ save: CachedTokenResponse, at now: Instant) {
    let person = save.account.homeAccountID
    let key = [person, save.clientID, save.account.realm].joined(separator: " ")
    if let token = save.accessTokenItem(at: now) {
      access[key, default: []].removeAll { !$0.scopes.isDisjoint(with: token.scopes) }
      access[key, default: []].append(token)
    }
    if let token = save.idTokenItem { id[key] = token.fields }
    for token in save.refreshTokenItems {
      refresh[person + " " + (token.familyID == nil ? save.clientID : "family")] = token.fields
    }
    let account = person + " " + save.account.realm
    accounts[account] = (accounts[account] ?? [:]).merging(save.account.fields) { $1 }
  }
}

extension Randomness {
  /// Returns text of any kind: letters, JSON's own characters, control characters, and other scripts.
  mutating func text(atMost count: Int) -> String {
    let parts = [
      "a", "Z", "7", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{202E}", "é", "日", "🙂", "|", "-", "=", "'",
    ]
    return (0...below(count)).map { _ in pick(parts) }.joined()
  }

  fileprivate mutating func tokenSave() -> CachedTokenResponse {
    var account = AccountItem([
      .homeAccountID: pick(CachePropertyTests.people), .environment: CachePropertyTests.environment,
      .realm: pick(CachePropertyTests.realms), .localAccountID: uuid(), .username: text(atMost: 12),
    ])
    if holds(40) { account[.name] = text(atMost: 20) }
    let scopes =
      ["User.Read", "Mail.Read", "Files.Read", "openid"].filter { _ in holds(40) } + ["S\(below(4))"]
    var save = CachedTokenResponse(
      account: account, clientID: pick(CachePropertyTests.clients),
      accessToken: holds(90) ? "at" + text(atMost: 60) : nil, target: scopes.joined(separator: " "),
      expiresOn: CachePropertyTests.now.adding(seconds: below(8000)),
      refreshToken: holds(80) ? "rt" + text(atMost: 60) : nil, familyID: holds(40) ? "1" : nil,
      idToken: holds(80) ? "id" + text(atMost: 60) : nil)
    if holds(30) { save.extendedExpiresOn = CachePropertyTests.now.adding(seconds: below(80_000)) }
    if holds(30) { save.refreshOn = CachePropertyTests.now.adding(seconds: below(4000)) }
    return save
  }

  fileprivate mutating func legacySave() -> LegacySave {
    let user = pick(["ada@contoso.com", "grace@contoso.com", "日本@contoso.com"])
    let claims = Base64URL.encode("{\"upn\":\"\(user)\",\"ver\":\"1.0\"}".utf8)
    let resource = pick(["https://graph.windows.net", "https://graph.microsoft.com", nil])
    var save = LegacySave(
      authority: "https://login.windows.net/" + pick(["common", "contoso.com"]),
      clientID: pick(CachePropertyTests.clients), resource: resource,
      requestedResource: "https://graph.windows.net", accessToken: "at" + text(atMost: 40),
      tokenType: "Bearer", refreshToken: holds(80) ? "rt" + text(atMost: 40) : nil,
      expiresOn: CachePropertyTests.now.adding(seconds: below(8000)), cachedAt: CachePropertyTests.now,
      idToken: "e30." + claims + ".", isUnified: holds(50))
    save.familyID = holds(30) ? "1" : nil
    save.homeAccountID = save.isUnified ? "uid.utid" : nil
    save.extendedExpiresOn = holds(30) ? CachePropertyTests.now.adding(seconds: 90_000) : nil
    return save
  }
}
