/// Why a project cannot go into the lab.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// No app and no registration.
  case nothingToImport
  /// No target has this name; those that there are.
  case unknownTarget(String, among: [String])
  /// Apps in whose files no client ID was found.
  case missingClientID([String])
}

extension Diagnosis {
  /// The apps and all registrations, as the lab has them: a web app is a client of the provider, and on no device.
  /// - Parameters:
  ///   - name: what the person named.
  ///   - target: only this app; nil: all.
  ///   - clientID: for apps whose files have none.
  ///   - source: where to find it again, from any working directory; nil: nowhere.
  /// - Returns: one record for each app, and one for each registration.
  /// - Throws: `ImportRefusal` with what the files lack.
  package func records(
    named name: String, target: String?, clientID: String?, source: ProjectSource? = nil
  ) throws(ImportRefusal) -> ProjectRecords {
    func isMeant(_ name: String) -> Bool { target == nil || name == target }
    let names = apple.map(\.name) + android.map(\.name) + web.map(\.name)
    if let target, !names.contains(target) { throw .unknownTarget(target, among: names) }
    let installed =
      apple.filter { $0.configuration == nil && isMeant($0.name) }
      .compactMap { $0.installedApp(clientID: clientID) }
      + android.filter { isMeant($0.name) }.compactMap { $0.installedApp(clientID: clientID) }
    let apps = installed.map { app in
      var app = app
      if app.teamID.isEmpty { app.teamID = AppleFacts.unknownTeam }
      app.project = source
      return app
    }
    let pages = web.filter { isMeant($0.name) }
    let missing =
      apps.filter(\.clientID.isEmpty).map(\.displayName)
      + pages.filter { $0.registration(clientID: clientID) == nil }.map(\.name)
    guard missing.isEmpty else { throw .missingClientID(missing) }
    guard !apps.isEmpty || !registrations.isEmpty || !pages.isEmpty else { throw .nothingToImport }
    var records = ProjectRecords(name: name, apps: apps, registrations: registrations.map(\.registration))
    records.clients = pages.compactMap { $0.registration(clientID: clientID) }
    return records
  }
}
