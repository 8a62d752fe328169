/// An app as the input of the sharing rule: its entitlements, client, library, and authority.
///
/// It is created once for a list, because each credential is compared with it.
struct SharingApp {
  let app: InstalledApp
  /// The client ID, normalized as in cache keys.
  let clientID: String
  let entitledGroups: [String]
  /// The full access group that its SDK is configured to use.
  let accessGroup: String
  let generation: CacheGeneration
  /// The family that the client is registered in, according to the provider.
  let registeredFamilyID: String?
  /// The family whose refresh token the SDK looks for, or `nil` for none.
  let triedFamilyID: String?
  /// The hosts for which it finds unified items, or `nil` for any, because an external client's own cache is
  /// not in the lab.
  let environments: [String]?
  let surroundings: Surroundings

  /// The device, its apps, and the registered redirect URIs: the context for deciding which of two apps has
  /// the wrong value.
  struct Surroundings {
    var device: Device?
    /// All apps of the device.
    var apps: [InstalledApp] = []
    /// The redirect URIs in the registration of the app's client.
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

  /// The failed check of an app that cannot run on the device, or `nil` for other apps.
  var platformCheck: Check? { surroundings.device?.platformCheck(of: app) }

  /// The access group without the team prefix.
  var bareGroup: String { Self.bare(accessGroup, teamID: app.teamID) }

  static func bare(_ group: String, teamID: String) -> String {
    guard group.hasPrefix(teamID) else { return group }
    let rest = group.dropFirst(teamID.count)
    return String(rest.first == "." ? rest.dropFirst() : rest)
  }

  /// Returns the authorities for which the app looks for a legacy item (docs/behaviour/adal.md §5, §6).
  ///
  /// - Parameter homeAccountID: The home account ID of the item, if it has one. MSAL then uses the home
  ///   tenant if it is configured for any tenant.
  /// - Returns: The URLs, with the preferred cache host first.
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

  /// Creates the generation of an app.
  ///
  /// AD FS does not use the unified format.
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
