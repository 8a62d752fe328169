/// Why a project cannot go into the lab.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// No app of iOS or macOS, and no registration.
  case nothingToImport
  /// No target has this name; those that there are.
  case unknownTarget(String, among: [String])
  /// Apps in whose files no client ID was found.
  case missingClientID([String])
}

extension Diagnosis {
  /// The apps of iOS and macOS and all registrations, as the lab has them.
  /// - Parameters:
  ///   - name: what the person named.
  ///   - target: only this app; nil: all.
  ///   - clientID: for apps whose files have none.
  ///   - source: where to find it again, from any working directory; nil: nowhere.
  package func records(
    named name: String, target: String?, clientID: String?, source: ProjectSource? = nil
  ) throws(ImportRefusal) -> ProjectRecords {
    let facts = apple.filter { $0.configuration == nil && (target == nil || $0.name == target) }
    if let target, facts.isEmpty { throw .unknownTarget(target, among: apple.map(\.name)) }
    let apps = facts.compactMap { facts -> InstalledApp? in
      guard var app = facts.installedApp(clientID: clientID) else { return nil }
      if app.teamID.isEmpty { app.teamID = AppleFacts.unknownTeam }
      app.project = source
      return app
    }
    let missing = apps.filter(\.clientID.isEmpty).map(\.displayName)
    guard missing.isEmpty else { throw .missingClientID(missing) }
    guard !apps.isEmpty || !registrations.isEmpty else { throw .nothingToImport }
    return ProjectRecords(name: name, apps: apps, registrations: registrations.map(\.registration))
  }
}
