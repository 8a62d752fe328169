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

extension Diagnosis {
  /// How many apps are compared at most: a pair each is a checklist.
  private static let appLimit = 12

  /// What the apps of one system are to each other; nil for fewer than two.
  func sharing(clientID: String?) throws -> DiagnosedSharing? {
    let facts = apple.filter { $0.configuration == nil }
    let platform = facts.first?.platform ?? .android
    let found =
      platform == .android
      ? android.compactMap { $0.installedApp(clientID: clientID) }
      : facts.filter { $0.platform == platform }.compactMap { $0.installedApp(clientID: clientID) }
    var seen: Set<String> = []
    let apps = found.filter { seen.insert($0.bundleID).inserted }.map { app in
      var app = app
      if app.teamID.isEmpty { app.teamID = AppleFacts.unknownTeam }
      return app
    }
    return try DiagnosedSharing(
      Array(apps.prefix(Self.appLimit)), registrations: registrations, platform: platform)
  }
}

extension AppleFacts {
  /// Stands for the team of a project that names none: one and the same for all of them.
  static let unknownTeam = "UNKNOWNTEAM"
}
