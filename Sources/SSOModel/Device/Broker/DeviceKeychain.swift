import Essentials
import SSOCore
import SSOKeychain

/// The items of workplace join in the broker's own keychain group (docs/behaviour/keychain.md §7).
///
/// They are strings, with the name as the account and the value as the service, and the device's private key. The
/// private key for a second tenant goes into the second group.
///
/// On Android and Windows, the broker keeps the registration in its own storage, which is not public.
///
/// Throws `KeychainError` and `StoreError`, as ``Keychain`` does.
package struct DeviceKeychain {
  fileprivate static let prefix = "com.microsoft.workplacejoin."

  package var keychain: Keychain
  var now: Instant
  private let platform: Platform

  package init(keychain: Keychain, now: Instant, platform: Platform) {
    self.keychain = keychain
    self.now = now
    self.platform = platform
  }

  /// Writes the registration of the device in a tenant; for a second tenant, only the private key.
  package func keep(
    tenantID: String, username: String, deviceID: String, thumbprint: String, privateKey: [UInt8]
  )
    throws
  {
    guard platform.isApple else {
      return keychain.trace.add(
        .broker, .broker, "keep the registration of the device", result: "in the broker's own storage")
    }
    let known = KeychainQuery(accessGroups: [platform.workplaceJoinGroup], account: Self.prefix + "tenantId")
    if let first = try keychain.items(matching: known, what: "workplace join").first,
      first.key.service != tenantID
    {
      return try write(
        platform.secondWorkplaceJoinGroup, .key, "", Self.prefix + "privatekey\0#" + tenantID,
        Data(privateKey))
    }
    let strings = [
      ("tenantId", tenantID), ("registeredUserPrincipalName", username), ("thumbprint", thumbprint),
      ("certificateCommonNameIdentifier", deviceID), ("cloudEnvironment", PublicCloud.preferredNetwork),
    ]
    for (name, value) in strings {
      try write(platform.workplaceJoinGroup, .genericPassword, Self.prefix + name, value, Data())
    }
    try write(platform.workplaceJoinGroup, .key, "", Self.prefix + "privatekey\0", Data(privateKey))
  }

  private func write(
    _ group: String, _ itemClass: KeychainClass, _ account: String, _ service: String, _ data: Data
  ) throws {
    let key = KeychainKey(accessGroup: group, itemClass: itemClass, account: account, service: service)
    try keychain.set(
      KeychainItem(key: key, data: data, createdAt: now, modifiedAt: now), what: "workplace join")
  }
}

extension Platform {
  /// The broker's keychain group for the registration of the device.
  package var workplaceJoinGroup: String { brokerTeamID + ".com.microsoft.workplacejoin" }
  package var secondWorkplaceJoinGroup: String { workplaceJoinGroup + ".v2" }
}

extension KeychainKey {
  /// Whether the item belongs to the registration of the device.
  package var isOfWorkplaceJoin: Bool {
    (itemClass == .key ? service : account).hasPrefix(DeviceKeychain.prefix)
  }
}
