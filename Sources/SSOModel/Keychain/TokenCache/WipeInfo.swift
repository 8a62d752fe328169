import Essentials

/// The app that last deleted a refresh token of the access group, and the time at which it did.
///
/// The SDKs store it as an item, which they read only for their log (docs/behaviour/keychain.md §6(1)).
package struct WipeInfo: Hashable {
  package var bundleID: String
  package var wipedAt: Instant
}

extension WipeInfo {
  package static func key(in accessGroup: String) -> KeychainKey {
    KeychainKey(accessGroup: accessGroup, account: "TokenWipe", service: "")
  }
  package static let generic = Data("Microsoft.ADAL.WipeAll.1".utf8)

  /// Creates a value from `kSecValueData`, or returns `nil` if it is not such an archive.
  init?(data: Data) {
    guard let root = try? KeyedArchiveReader.value(of: data).dictionary,
      let bundleID = root[.string("bundleId")]?.string, let wipedAt = root[.string("wipeTime")]?.instant
    else { return nil }
    self.init(bundleID: bundleID, wipedAt: wipedAt)
  }

  var data: Data {
    KeyedArchiveWriter.data(
      of: .dictionary([.string("bundleId"): .string(bundleID), .string("wipeTime"): .date(wipedAt)]))
  }
}

extension Keychain {
  /// Records that this app deleted a refresh token.
  ///
  /// The record is only for the SDK's log, so a keychain error is ignored.
  func noteWipe(in accessGroup: String) throws {
    let item = KeychainItem(
      key: WipeInfo.key(in: accessGroup), generic: WipeInfo.generic,
      data: WipeInfo(bundleID: app.bundleID, wipedAt: now).data, createdAt: now, modifiedAt: now)
    do { try set(item, what: "wipe info") } catch is KeychainError {}
  }

  /// Returns the app that last deleted a refresh token of the group, or `nil` if no app did.
  package func lastWipe(in accessGroup: String) throws -> WipeInfo? {
    let key = WipeInfo.key(in: accessGroup)
    let query = KeychainQuery(accessGroups: [accessGroup], account: key.account, generic: WipeInfo.generic)
    return try items(matching: query, what: "wipe info").first.flatMap { WipeInfo(data: $0.data) }
  }
}
