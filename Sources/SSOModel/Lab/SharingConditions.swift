import SSOCore
import SSODevice
import SSOKeychain
import SSOReference

/// The four conditions of claim C1, between two apps of one device; if one is ADAL's, that the format is read too.
struct SharingConditions {
  var with: InstalledApp
  var checks: [Check]

  init(_ app: InstalledApp, and other: InstalledApp) {
    with = other
    let group = other.sharedAccessGroup
    let bareGroup = other.keychainSharingGroup ?? other.bundleID
    let own = app.keychainSharingGroup ?? app.bundleID
    checks = [
      Check(
        "same client ID", expected: other.clientID, found: app.clientID,
        app.clientID.lowercased() == other.clientID.lowercased(), source: "claim C1"),
      Check(
        "same team", expected: other.teamID, found: app.teamID, app.teamID == other.teamID, source: "claim C1"
      ),
      Check(
        "access group in its entitlements", expected: group,
        found: app.entitledGroups.joined(separator: ", "),
        app.entitledGroups.contains(group), source: "claim C1"),
      Check(
        "configured sharing group", expected: bareGroup, found: own, own == bareGroup, source: "claim C1"),
    ]
    if app.sdk == .adal || other.sdk == .adal {
      let (writer, reader) = (other.cacheGeneration, app.cacheGeneration)
      checks.append(
        Check(
          "format is read", expected: writer.writes, found: reader.reads, reader.understands(writer),
          source: "claim F2"))
    }
  }

  var hold: Bool { !checks.contains { $0.verdict == .failed } }

  /// For an app that must ask: the conditions towards the first other app that is signed in, if one of them fails.
  static func firstFailed(for app: InstalledApp, on stage: Stage) throws -> SharingConditions? {
    for other in stage.installed where other.bundleID != app.bundleID {
      let conditions = SharingConditions(app, and: other)
      guard !conditions.hold, try stage.isSomebodySignedIn(in: other) else { continue }
      return conditions
    }
    return nil
  }
}

extension Stage {
  /// Whether the app lists an account, read without leaving a mark in the trace.
  func isSomebodySignedIn(in app: InstalledApp) throws -> Bool {
    do {
      if app.sdk == .adal { return try !quietADALClient(app).users().isEmpty }
      return try !quietClient(app).accounts(limit: 1).isEmpty
    } catch is MSALError {
      return false
    } catch is ADALError {
      return false
    }
  }

  /// A client whose calls do not show in this intent's trace: for looking, not for doing.
  func quietClient(_ app: InstalledApp) -> MSALClient {
    var around = surroundings(of: app)
    around.trace = TraceRecorder(isQuiet: true)
    around.keychain = Keychain(
      store: credentials,
      app: KeychainCaller(
        bundleID: app.bundleID, displayName: app.displayName, entitledGroups: app.entitledGroups),
      now: now, trace: around.trace, isLocked: device.isLocked)
    return MSALClient(around)
  }
}
