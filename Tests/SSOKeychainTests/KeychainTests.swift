import Foundation
import SSOReference
import Testing

@testable import SSOCore
@testable import SSOKeychain

@Suite struct KeychainTests {
  let store = MemoryCredentialStore()
  let trace = TraceRecorder()

  func keychain(_ groups: [String], locked: Bool = false) -> Keychain {
    Keychain(
      store: store,
      app: KeychainCaller(bundleID: "com.contoso.notes", entitledGroups: groups),
      now: Instant(1000), trace: trace, isLocked: locked)
  }

  func item(
    _ group: String, account: String = "a", service: String = "s", generic: String? = nil, type: Int? = 2002
  ) -> KeychainItem {
    KeychainItem(
      key: KeychainKey(accessGroup: group, account: account, service: service),
      generic: generic.map { Data($0.utf8) }, type: type, data: Data("secret".utf8), createdAt: Instant(0),
      modifiedAt: Instant(0))
  }

  @Test(arguments: [
    (["T.shared"], ["T.shared"], true),
    (["T.shared", "T.own"], ["T.own"], true),
    (["T.shared", "T.own"], ["T.shared", "T.own"], true),
    (["T.own"], ["T.shared"], false),
    (["T.own"], ["T.own", "T.shared"], false),
    (["T.SHARED"], ["T.shared"], false),
    ([], ["T.shared"], false),
  ])
  func onlyEntitledGroupsCanBeUsed(entitled: [String], asked: [String], allowed: Bool) throws {
    let keychain = keychain(entitled)
    let query = KeychainQuery(accessGroups: asked)
    guard !allowed else {
      #expect(try keychain.items(matching: query).isEmpty)
      #expect(try keychain.delete(matching: query) == 0)
      return
    }
    #expect(throws: KeychainError.missingEntitlement) { try keychain.items(matching: query) }
    #expect(throws: KeychainError.missingEntitlement) { try keychain.delete(matching: query) }
    #expect(throws: KeychainError.missingEntitlement) { try keychain.set(item("T.shared")) }
    #expect(throws: KeychainError.missingEntitlement) { try keychain.add(item("T.shared")) }
  }

  @Test func missingEntitlementIsApplesNumber() {
    #expect(KeychainError.missingEntitlement.number == -34018)
  }

  @Test func addWithoutGroupGoesToTheFirstEntitledGroup() throws {
    let added = try keychain(["T.first", "T.second"]).add(item(""))
    #expect(added.key.accessGroup == "T.first")
    #expect(try store.items(matching: KeychainQuery(accessGroups: ["T.first"])).count == 1)
  }

  @Test func queryWithoutGroupSearchesAllEntitledGroupsAndNoOther() throws {
    for group in ["T.first", "T.second", "T.other"] { try store.insert(item(group)) }
    let found = try keychain(["T.first", "T.second"]).items(matching: KeychainQuery(account: "a"))
    #expect(found.map(\.key.accessGroup) == ["T.first", "T.second"])
  }

  @Test func sameAccountAndServiceCollideEvenIfTheTypeDiffers() throws {
    let keychain = keychain(["T.g"])
    try keychain.add(item("T.g", type: 2002))
    #expect(throws: KeychainError.duplicateItem) { try keychain.add(item("T.g", type: 1003)) }
    #expect(throws: KeychainError.duplicateItem) { try keychain.set(item("T.g", type: 1003)) }
    try keychain.add(item("T.g", account: "b", type: 1003))
  }

  @Test func setUpdatesAndOtherwiseAdds() throws {
    let keychain = keychain(["T.g"])
    #expect(throws: KeychainError.itemNotFound) { try keychain.update(item("T.g")) }
    try keychain.set(item("T.g"))
    var changed = item("T.g", generic: "new")
    changed.data = Data("changed".utf8)
    try keychain.set(changed)
    let found = try keychain.items(matching: KeychainQuery(accessGroups: ["T.g"]))
    #expect(found.map(\.data) == [Data("changed".utf8)])
    #expect(try keychain.items(matching: KeychainQuery(generic: Data("new".utf8))).count == 1)
  }

  @Test func deviceThatWasNotYetUnlockedRefusesEveryCall() throws {
    let keychain = keychain(["T.g"], locked: true)
    #expect(throws: KeychainError.interactionNotAllowed) { try keychain.items(matching: KeychainQuery()) }
    #expect(throws: KeychainError.interactionNotAllowed) { try keychain.set(item("T.g")) }
  }

  @Test func callLeavesOneHopWithAttributesAndNeverData() throws {
    _ = try? keychain(["T.own"]).items(
      matching: KeychainQuery(accessGroups: ["T.shared"], account: "a", type: 2002), what: "refreshtoken")
    let check = Check(
      "access group is in the entitlements", expected: "T.shared", found: "T.own", verdict: .failed,
      source: "keychain.md §2")
    let hop = Hop(
      from: .sdk, to: .keychain, actor: "com.contoso.notes", action: "read refreshtoken",
      result: "errSecMissingEntitlement (-34018)",
      sent: [NameValue("group", "T.shared"), NameValue("account", "a"), NameValue("type", "2002")],
      checks: [check])
    #expect(trace.hops == [hop])
  }

  @Test func resultSaysHowManyItems() throws {
    let keychain = keychain(["T.g"])
    _ = try keychain.items(matching: KeychainQuery())
    try keychain.add(item("T.g"))
    _ = try keychain.items(matching: KeychainQuery())
    try keychain.add(item("T.g", service: "t"))
    _ = try keychain.items(matching: KeychainQuery())
    #expect(trace.hops.map(\.result) == ["no item", "added", "1 item", "added", "2 items"])
    let text = try String(decoding: encodeJSON(trace.hops), as: UTF8.self)
    #expect(!text.contains("secret"))
  }

  @Test(arguments: [
    ("com.microsoft.adalcache", "TEAM1.com.microsoft.adalcache"),
    ("TEAM1.com.microsoft.adalcache", "TEAM1.com.microsoft.adalcache"),
    ("TEAM1x", "TEAM1x"),
    ("com.TEAM1.x", "TEAM1.com.TEAM1.x"),
    (nil, "TEAM1.com.contoso.notes"),
  ])
  func teamPrefixIsLeftOutOnlyIfTheGroupStartsWithTheTeamID(group: String?, full: String) {
    #expect(fullAccessGroup(group, teamID: "TEAM1", bundleID: "com.contoso.notes") == full)
  }
}
