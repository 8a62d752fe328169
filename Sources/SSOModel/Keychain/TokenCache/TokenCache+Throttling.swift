/// When a person last signed in interactively in an app of the group: an item of its own, which lifts the other apps'
/// throttling (docs/behaviour/keychain.md §6(2), `com.microsoft.identity.throttling.metadata` / `Ver1`).
extension TokenCache {
  private var throttlingKey: KeychainKey {
    KeychainKey(
      accessGroup: accessGroup, account: "com.microsoft.identity.throttling.metadata", service: "Ver1")
  }

  /// Notes an interactive sign-in.
  ///
  /// The JSON key is our choice.
  package func noteInteraction() throws {
    let data = JSONValue.object(["last_refresh_time": .string(String(now.seconds))]).bytes(.keychain)
    try keychain.set(
      KeychainItem(key: throttlingKey, data: data, createdAt: now, modifiedAt: now),
      what: "throttling metadata")
  }

  /// When a person last signed in interactively in an app of the group (silent-call.md §4).
  package func lastInteraction() throws -> Instant? {
    let query = KeychainQuery(
      accessGroups: [accessGroup], account: throttlingKey.account, service: throttlingKey.service)
    let found = try keychain.items(matching: query, what: "throttling metadata").first
    return found.flatMap { try? JSONParser.parse($0.data) }?["last_refresh_time"]?.string
      .flatMap { Int($0) }.map { Instant($0) }
  }
}
