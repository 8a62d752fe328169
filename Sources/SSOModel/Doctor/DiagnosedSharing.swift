/// Whether the apps that were read share a sign-in, as `ssoterm why` and the matrix would say of them.
///
/// They are put into a lab in memory as they are, and the lab is asked: there is no second sharing rule.
package struct DiagnosedSharing: Hashable, Sendable {
  /// A checklist for each pair.
  package let pairs: [Checklist]
  package let visibility: [Visibility]
  /// The apps as the lab has them.
  package let apps: [InstalledApp]

  /// Nil if there are not two apps to compare.
  init?(_ apps: [InstalledApp], registrations: [RegistrationFacts], platform: Platform) throws {
    guard apps.count > 1 else { return nil }
    self.apps = apps
    let device = Device(id: "doctor", name: "doctor", platform: platform, brokerVersion: "6.8.0")
    let lab = Lab(store: try WorldStore.open(.memory, create: true))
    try lab.create(
      named: "doctor", seed: 1,
      LabWorld(
        device: device, tenants: [], people: [], registrations: registrations.map(\.registration), apps: apps,
        brokerAccounts: []))
    (pairs, visibility) = try lab.read { reader in
      let pairs = try apps.enumerated().flatMap { index, app in
        try apps.dropFirst(index + 1).map { try reader.why.app(app.bundleID, with: $0.bundleID) }
      }
      return (pairs, try reader.why.visibility())
    }
  }
}

extension DiagnosedSharing {
  /// Of each pair, the condition that keeps the first app from the other's sign-in in the keychain; nil: it finds it there.
  package var keychainFailures: [Check?] {
    let couples = apps.enumerated().flatMap { index, app in apps.dropFirst(index + 1).map { (app, $0) } }
    return couples.map { app, other in
      visibility.first { $0.looking == app.bundleID && $0.signedIn == other.bundleID }?.checks.firstFailure
    }
  }
}

extension Diagnosis {
  /// How many apps are compared at most: a pair each is a checklist.
  private static let appLimit = 12

  /// What the apps of one system are to each other; nil for fewer than two.
  func sharing(clientID: String?) throws -> DiagnosedSharing? {
    let facts = apple.filter { $0.configuration == nil }
    let platform = facts.first?.platform
    let found =
      platform == nil
      ? android.compactMap { $0.installedApp(clientID: clientID) }
      : facts.filter { $0.platform == platform }.compactMap { $0.installedApp(clientID: clientID) }
    var seen: Set<String> = []
    // Of apps whose client ID is not known it cannot be said whether they have the same one.
    let known = found.filter { !$0.clientID.isEmpty && !Placeholders.contain($0.clientID) }
    let apps = known.filter { seen.insert($0.bundleID).inserted }.map { app in
      var app = app
      if app.teamID.isEmpty { app.teamID = AppleFacts.unknownTeam }
      return app
    }
    return try DiagnosedSharing(
      Array(apps.prefix(Self.appLimit)), registrations: registrations, platform: platform ?? .android)
  }
}

extension Diagnosis {
  /// Where the value of an app is that a remedy changes, or the app itself where no file has the value; nil: of no app here.
  package func place(of remedy: Remedy) -> FilePlace? {
    guard remedy.kind == .app else { return nil }
    if let facts = apple.first(where: { $0.bundleID?.value == remedy.record }) {
      return place(of: remedy.change, in: facts) ?? facts.origin
    }
    let facts = android.first { $0.packageName?.value == remedy.record }
    let client = remedy.change.hasPrefix("clientID=") ? facts?.configurations.first?.clientID?.place : nil
    return client ?? facts?.origin
  }

  /// Of the field of a change: `clientID=…`, `keychainAccessGroups+=…`.
  private func place(of change: String, in facts: AppleFacts) -> FilePlace? {
    switch change.prefix(while: \.isLetter) {
    case "clientID": return facts.clientID?.place
    case "teamID": return facts.teamID?.place
    case "redirectURI": return facts.source?.redirectURI.place
    case "authority": return facts.source?.authority.place
    case "keychainSharingGroup": return facts.source?.keychainGroup.place ?? facts.source?.clientID.place
    case "urlSchemes": return facts.urlSchemes?.place
    case "queriesSchemes": return facts.querySchemes?.place
    case "keychainAccessGroups":
      switch facts.entitlements {
      case .groups(let list, let file): return list?.place ?? file
      case .none(let place, _): return place
      case .unread: return nil
      }
    default: return nil
    }
  }
}

extension AppleFacts {
  /// Stands for the team of a project that names none: one and the same for all of them.
  static let unknownTeam = "UNKNOWNTEAM"
}
