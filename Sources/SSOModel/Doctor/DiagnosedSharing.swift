/// The sharing of sign-ins among the apps that were read, as `ssoterm why` and the matrix would report it.
///
/// The apps are put into an in-memory lab, and the lab computes the result, so there is no second sharing rule.
package struct DiagnosedSharing: Hashable, Sendable {
  /// A checklist for each pair.
  package let pairs: [Checklist]
  package let visibility: [Visibility]
  /// The apps as the lab stores them.
  package let apps: [InstalledApp]

  /// Creates the comparison, or returns `nil` if there are fewer than two apps.
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
  /// The condition, for each pair, that prevents the first app from using the other app's sign-in in the keychain, or
  /// `nil` if it can use it.
  package var keychainFailures: [Check?] {
    let couples = apps.enumerated().flatMap { index, app in apps.dropFirst(index + 1).map { (app, $0) } }
    return couples.map { app, other in
      visibility.first { $0.looking == app.bundleID && $0.signedIn == other.bundleID }?.checks.firstFailure
    }
  }
}

extension Diagnosis {
  /// The maximum number of apps to compare; each pair produces a checklist.
  private static let appLimit = 12

  /// Compares the apps of one platform with each other, or returns `nil` if there are fewer than two.
  func sharing(clientID: String?) throws -> DiagnosedSharing? {
    let facts = apple.filter { $0.configuration == nil }
    let platform = facts.first?.platform
    let found =
      platform == nil
      ? android.compactMap { $0.installedApp(clientID: clientID) }
      : facts.filter { $0.platform == platform }.compactMap { $0.installedApp(clientID: clientID) }
    var seen: Set<String> = []
    // Leave out apps with an unknown client ID: there is no way to tell whether they share one.
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
  /// Returns the place of the value that a remedy changes, or of its app if no file has the value, or `nil` if it is
  /// for no app here.
  package func place(of remedy: Remedy) -> FilePlace? {
    guard remedy.kind == .app else { return nil }
    if let facts = apple.first(where: { $0.bundleID?.value == remedy.record }) {
      return place(of: remedy.change, in: facts) ?? facts.origin
    }
    let facts = android.first { $0.packageName?.value == remedy.record }
    let client = remedy.change.hasPrefix("clientID=") ? facts?.configurations.first?.clientID?.place : nil
    return client ?? facts?.origin
  }

  /// Returns the place of the field in a change such as `clientID=…` or `keychainAccessGroups+=…`.
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
  /// The placeholder for the team of projects that do not specify one, the same for all of them.
  static let unknownTeam = "UNKNOWNTEAM"
}
