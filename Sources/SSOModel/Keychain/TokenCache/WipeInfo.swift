import Essentials

/// Who deleted a refresh token of the access group last, and when: an item that the SDKs leave and read for their log only
/// (docs/behaviour/keychain.md §6(1)).
package struct WipeInfo: Hashable {
  package var bundleID: String
  package var wipedAt: Instant
}

extension WipeInfo {
  package static func key(in accessGroup: String) -> KeychainKey {
    KeychainKey(accessGroup: accessGroup, account: "TokenWipe", service: "")
  }
  package static let generic = Data("Microsoft.ADAL.WipeAll.1".utf8)

  /// From `kSecValueData`; nil if it is no such archive.
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
  /// Notes that this app deleted a refresh token.
  ///
  /// It is for the log only, so a failure is one of the log.
  func noteWipe(in accessGroup: String) throws {
    let item = KeychainItem(
      key: WipeInfo.key(in: accessGroup), generic: WipeInfo.generic,
      data: WipeInfo(bundleID: app.bundleID, wipedAt: now).data, createdAt: now, modifiedAt: now)
    do { try set(item, what: "wipe info") } catch is KeychainError {}
  }

  /// Who last deleted refresh tokens of the group; nil if no app did.
  package func lastWipe(in accessGroup: String) throws -> WipeInfo? {
    let key = WipeInfo.key(in: accessGroup)
    let query = KeychainQuery(accessGroups: [accessGroup], account: key.account, generic: WipeInfo.generic)
    return try items(matching: query, what: "wipe info").first.flatMap { WipeInfo(data: $0.data) }
  }
}
