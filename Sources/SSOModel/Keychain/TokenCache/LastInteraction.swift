import Essentials
import SSOCore

/// The record of the last interactive sign-in in an app of an access group.
///
/// It is a separate item, which lifts the other apps' throttling (docs/behaviour/keychain.md §6(2),
/// `com.microsoft.identity.throttling.metadata` / `Ver1`).
///
/// Throws `KeychainError` and `StoreError`, as `Keychain` does.
package struct LastInteraction {
  private let keychain: Keychain
  private let key: KeychainKey
  fileprivate static let account = "com.microsoft.identity.throttling.metadata"

  /// Creates the record of the cache's access group.
  package init(of cache: TokenCache) {
    keychain = cache.keychain
    key = KeychainKey(
      accessGroup: cache.accessGroup, account: Self.account, service: "Ver1")
  }

  /// Records an interactive sign-in.
  ///
  /// The JSON key is SSOTerm's choice.
  package func save() throws {
    let now = keychain.now
    let data = JSONValue.object(["last_refresh_time": .string(String(now.seconds))]).bytes(.keychain)
    try keychain.set(
      KeychainItem(key: key, data: data, createdAt: now, modifiedAt: now), what: "throttling metadata")
  }

  /// Returns the time of the last interactive sign-in, or `nil` if the user never signed in interactively
  /// (silent-call.md §4).
  package func moment() throws -> Instant? {
    let query = KeychainQuery(accessGroups: [key.accessGroup], account: key.account, service: key.service)
    let found = try keychain.items(matching: query, what: "throttling metadata").first
    return found.flatMap { try? JSONParser.parse($0.data) }?["last_refresh_time"]?.string
      .flatMap { Int($0) }.map { Instant($0) }
  }
}

extension KeychainKey {
  /// Whether the item is the record of the last interactive sign-in.
  package var isOfThrottling: Bool { account == LastInteraction.account }
}
