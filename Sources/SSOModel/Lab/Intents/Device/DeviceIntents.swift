import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// The choice of the device that the lab's calls are made on.
///
/// Apps, caches, broker, and cookies stay on their device; directory, registrations, and clock belong to all devices.
package struct UseDevice: Intent {
  package static let verb = "useDevice"
  /// The device's ID or name, or a part of it.
  var device: String

  package init(_ device: String) { self.device = device }

  package var displayText: String { "use device \(device)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let stored = try RecordQueries(reader: transaction.reader).stored(.device, named: device)
    let chosen = try decodeJSON(Device.self, from: stored.body)
    let before = transaction.device
    guard chosen.id != before.id else { return Outcome(.succeeded, "The lab is on \(chosen.title) already.") }
    try transaction.moveCopies(from: before, to: chosen)
    transaction.state.deviceID = chosen.id
    try transaction.store.write(transaction.state, .lab, LabState.key)
    transaction.trace.add(.person, .system, "use \(chosen.id)", result: chosen.title)
    return Outcome(.succeeded, "The lab is on \(chosen.title) now.", next: "\(.apps)")
  }
}

/// The deletion of a device from the directory of each tenant in which it is registered, by the administrator.
///
/// The device keeps its part of the registration, and its broker the primary refresh tokens, which are refused from then
/// on. The next sign-in in the broker registers the device again.
package struct UnregisterDevice: Intent {
  package static let verb = "unregisterDevice"
  /// The device's ID or name, or a part of it.
  var device: String

  package init(_ device: String) { self.device = device }

  package var displayText: String { "delete device \(device) from the directory" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      let stored = try RecordQueries(reader: transaction.reader).stored(.device, named: device)
      let device = try decodeJSON(Device.self, from: stored.body)
      let deleted = try transaction.store.removeRegistrations(
        ofDevice: device.id, at: transaction.now)
      // The broker registers it at the sign-in of a work or school account.
      guard !deleted.isEmpty else {
        return Outcome(.succeeded, "\(device.name) is registered in no directory.")
      }
      let tenants = try deleted.map {
        try transaction.directory.tenant(byNameOrID: $0.tenantID)?.displayName ?? $0.tenantID
      }
      transaction.trace.add(
        .system, .provider, "delete device \(device.name)", result: "done",
        sent: deleted.map { NameValue("deviceId", $0.deviceID) })
      return Outcome(
        .succeeded, "\(device.name) is deleted from the directory of \(tenants.joined(separator: ", ")).",
        next: "To undo it: \(.undo)")
    }
  }
}

extension Device {
  /// The name with the platform.
  package var title: String { "\(name) (\(platform.rawValue))" }
}

extension IntentTransaction {
  /// Moves the copies of real programs' tokens, which do not belong to a device.
  fileprivate func moveCopies(from old: Device, to new: Device) throws {
    let groups = try store.items(ofDevice: old.id).accessGroups().filter {
      $0.hasPrefix(ExternalClient.teamID + ".")
    }
    guard !groups.isEmpty else { return }
    let (source, target) = (store.credentials(device: old.id), store.credentials(device: new.id))
    for item in try items(in: groups, of: source) {
      try target.insert(item)
      try source.delete(item.key)
    }
  }

  /// Returns the keychain items of access groups, of any class.
  func items(in groups: [String], of credentials: any CredentialStore) throws -> [KeychainItem] {
    try KeychainClass.allCases.flatMap {
      try credentials.items(matching: KeychainQuery(accessGroups: groups, itemClass: $0))
    }
  }

  /// Returns the device for an app: the current one, unless the app is built for another platform, and either another device
  /// has that platform or the current device has an app with the same ID.
  ///
  /// `placed` are the apps of the same import that have their device.
  func device(for app: InstalledApp, besides placed: [InstalledApp]) throws -> Device {
    try device(forApp: app.bundleID, on: app.platform, besides: placed)
  }

  /// Returns the device for an app with an ID that is built for a platform, or for any platform if it is `nil`.
  func device(forApp bundleID: String, on platform: Platform?, besides placed: [InstalledApp] = []) throws
    -> Device
  {
    guard let platform, platform != device.platform else { return device }
    let devices = try reader.devices()
    if let other = devices.first(where: { $0.platform == platform }) { return other }
    let twins = (installed + placed).filter { $0.bundleID == bundleID }
    guard twins.contains(where: { device.platform(of: $0) != platform }) else { return device }
    let number = (2...).first { number in !devices.contains { $0.id == "device-\(number)" } } ?? 2
    let new = Device(named: "device-\(number)", platform)
    try store.write(new, .device, new.id)
    return new
  }

  /// Returns the line about an app that is not on the current device, or an empty array.
  func homeAdvice(for app: InstalledApp, on home: Device) -> [Advice] {
    home.id == device.id
      ? [] : ["\(app.bundleID): on \(home.title); to use it: \(.useDevice, home.id)"]
  }

  /// Deletes everything on a device: its apps with their data, its broker's accounts, cookies, and keychain items.
  func clear(_ device: Device) throws {
    let kinds: [DocumentKind] = [
      .app, .browserSession, .brokerAccount, .appDefaults, .brokerApplication, .injectedFault, .pasteboard,
    ]
    for kind in kinds {
      for (key, _) in try store.documents(kind, keyPrefix: device.id + "/") { try store.delete(kind, key) }
    }
    let groups = try store.items(ofDevice: device.id).accessGroups()
    let credentials = store.credentials(device: device.id)
    for item in try items(in: groups, of: credentials) { try credentials.delete(item.key) }
  }
}

extension Device {
  /// Creates a new device of a platform.
  init(named id: String, _ platform: Platform) {
    self.init(id: id, name: platform.deviceName, platform: platform)
    addOwnBroker()
  }
}
