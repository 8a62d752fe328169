import Foundation
import SSOCore
import SSODevice
import SSOKeychain
import SSOReference
import SSOStore

extension Stage {
  private func disturbanceKey(_ app: InstalledApp) -> String { device.id + "/" + app.bundleID }

  func disturbance(of app: InstalledApp) throws -> Disturbance? {
    try transaction.read(Disturbance.self, .disturbance, disturbanceKey(app))
  }

  func disturb(_ app: InstalledApp, _ disturbance: Disturbance?) throws -> Outcome {
    guard let disturbance else {
      try transaction.delete(.disturbance, disturbanceKey(app))
      return Outcome(.succeeded, "Nothing disturbs the next brokered call of \(app.displayName).")
    }
    try transaction.write(disturbance, .disturbance, disturbanceKey(app))
    trace.add(
      .person, .system, actor: app.bundleID, "disturb the next brokered call", result: disturbance.rawValue)
    return Outcome(
      .succeeded, "Armed for the next brokered call of \(app.displayName): \(disturbance.words)")
  }

  /// What was armed for this call; it is used up by it.
  func takeDisturbance(of app: InstalledApp) throws -> Disturbance? {
    guard let disturbance = try disturbance(of: app) else { return nil }
    try transaction.delete(.disturbance, disturbanceKey(app))
    trace.add(
      .person, .system, actor: app.bundleID, "disturbance: \(disturbance.rawValue)", result: disturbance.words
    )
    return disturbance
  }

  /// What changes on the device while the broker is in front.
  func disturbStorage(_ disturbance: Disturbance, of app: InstalledApp) throws {
    let defaults = surroundings(of: app).defaults
    switch disturbance {
    case .defaultsCleared: try defaults.setResumeState(nil)
    case .resumeStateDamaged:
      guard var state = try defaults.resumeState() else { return }
      state.values["redirect_uri"] = nil
      try defaults.setResumeState(state)
    case .keyLost, .keyReplaced:
      let query = KeychainQuery(
        accessGroups: app.entitledGroups, itemClass: .key, service: BrokerKeys.keyTag)
      for var item in try credentials.items(matching: query) {
        guard disturbance == .keyReplaced else {
          try credentials.delete(item.key)
          continue
        }
        item.data = Data(chance.bytes(32))
        item.modifiedAt = now
        _ = try credentials.update(item)
      }
    default: break
    }
  }

  /// The impatient app: a second interactive call while the first waits for the broker.
  func callAgain(_ app: InstalledApp) throws {
    var around = surroundings(of: app)
    around.isBusy = true
    let correlationID = chance.upperUUID()
    do {
      switch app.sdk {
      case .msal:
        _ = try MSALClient(around).acquireInteractively(
          InteractiveRequest(scopes: app.scopes, correlationID: correlationID))
      case .adal:
        var request = ADALRequest(resource: app.resource, correlationID: correlationID)
        request.prompt = .always
        _ = try ADALClient(around).acquireToken(request)
      }
    } catch let error as MSALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error of the second call", result: error.printed)
    } catch let error as ADALError {
      trace.add(.sdk, .app, actor: app.bundleID, "error of the second call", result: error.printed)
    }
  }

  /// Deleted and installed again: NSUserDefaults is empty, cookies of its own web view are gone, the keychain is as it was
  /// (fact sheet §1.1).
  func reinstall(_ app: InstalledApp) throws -> Outcome {
    try surroundings(of: app).defaults.clear()
    try transaction.setProcess(nil, of: app.bundleID, device: device.id)
    try transaction.delete(.browserSession, device.id + "/" + app.bundleID)
    let query = KeychainQuery(accessGroups: app.entitledGroups)
    let left = try credentials.items(matching: query).count
    trace.add(
      .person, .system, actor: app.bundleID, "delete and install \(app.displayName)",
      result: "defaults gone, \(left) keychain items stay")
    return Outcome(
      .succeeded,
      "\(app.displayName) is installed anew: its defaults are gone, its \(left) keychain items are still there."
    )
  }
}
