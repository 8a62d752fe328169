/// An app as the sharing rule looks at it: what its entitlements, client, library and authority let it read.
///
/// Made once for a list, as each credential is compared with it.
struct SharingApp {
  let app: InstalledApp
  /// Normalized as the cache's keys are.
  let clientID: String
  let entitledGroups: [String]
  /// The full access group that its SDK is set to.
  let accessGroup: String
  let generation: CacheGeneration
  /// The family that the client is registered in, which the provider uses.
  let registeredFamilyID: String?
  /// The family whose refresh token the SDK looks for; nil: none.
  let triedFamilyID: String?
  /// Hosts under which it finds unified items; nil: any, as an external client's own cache is not the lab's.
  let environments: [String]?
  let surroundings: Surroundings

  /// What tells which of two apps has the other value than it should have.
  struct Surroundings {
    var device: Device?
    /// All apps of the device.
    var apps: [InstalledApp] = []
    /// What the registration of the app's client has.
    var redirectURIs: [String] = []
  }

  init(
    _ app: InstalledApp, registeredFamilyID: String?, triedFamilyID: String?,
    surroundings: Surroundings = Surroundings()
  ) {
    self.app = app
    self.surroundings = surroundings
    clientID = normalized(app.clientID)
    entitledGroups = app.entitledGroups
    accessGroup = app.sharedAccessGroup
    generation = CacheGeneration(app)
    self.registeredFamilyID = registeredFamilyID.flatMap { $0.isEmpty ? nil : $0 }
    self.triedFamilyID = triedFamilyID
    environments = app.teamID == ExternalClient.teamID ? nil : app.adalAuthority.environments
  }

  var runsOnDevice: Bool { surroundings.device?.runs(app) ?? true }

  /// The failed check of an app that does not run on the device; nil for all others.
  var platformCheck: Check? { surroundings.device?.platformCheck(of: app) }

  /// Without the team prefix.
  var bareGroup: String { Self.bare(accessGroup, teamID: app.teamID) }

  static func bare(_ group: String, teamID: String) -> String {
    guard group.hasPrefix(teamID) else { return group }
    let rest = group.dropFirst(teamID.count)
    return String(rest.first == "." ? rest.dropFirst() : rest)
  }

  /// The authorities under which it looks for a legacy item (docs/behaviour/adal.md §5, §6).
  /// - Parameter homeAccountID: of the item, if it has one: MSAL then asks the home tenant where it was set up for any.
  /// - Returns: URLs, preferred cache first.
  func legacyAuthorities(homeAccountID: String?) -> [String] {
    guard generation == .unified else { return app.adalAuthority.candidates }
    guard let typed = try? Authority(app.authority) else { return [] }
    let account = SDKAccount(identifier: homeAccountID ?? "", username: "", environment: "")
    let resolved = SilentFlow.resolve(typed, account: account, metadata: nil)
    return LegacyLookup.authorities(hosts: app.adalAuthority.environments, tenant: resolved.tenant)
  }
}

/// The formats that an SDK writes and reads (docs/behaviour/adal.md §4).
enum CacheGeneration: String, Hashable, CaseIterable {
  case legacyOnly = "ADAL up to 2.6.6"
  case both = "ADAL 2.7 and later"
  case unified = "MSAL"

  /// AD FS has no part in the unified format.
  init(_ app: InstalledApp) {
    self =
      app.sdk == .msal
      ? .unified : app.adalVersion.isUnified && !app.adalAuthority.isADFS ? .both : .legacyOnly
  }

  var reads: String {
    switch self {
    case .legacyOnly: "legacy items"
    case .both: "legacy items, then unified refresh tokens"
    case .unified: "unified items, then legacy refresh tokens"
    }
  }
}
