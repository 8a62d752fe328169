/// The reason that a project cannot be imported into the lab.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// There is no app and no registration.
  case nothingToImport
  /// No target has the given name; `among` lists the existing names.
  case unknownTarget(String, among: [String])
  /// No client ID was found in the files of these apps.
  case missingClientID([String])
}

extension Diagnosis {
  /// Returns the apps and all registrations as records of the lab.
  ///
  /// A web app becomes a client of the provider and is not installed on a device.
  /// - Parameters:
  ///   - name: The name that the user specified.
  ///   - target: The only app to include, or `nil` for all apps.
  ///   - clientID: The client ID for apps whose files do not contain one.
  ///   - source: Where to find the project again, from any working directory, or `nil` if it is not to be found again.
  /// - Returns: One record for each app, and one for each registration.
  /// - Throws: `ImportRefusal` with what the files lack.
  package func records(
    named name: String, target: String?, clientID: String?, source: ProjectSource? = nil
  ) throws(ImportRefusal) -> ProjectRecords {
    func isIncluded(_ name: String) -> Bool { target == nil || name == target }
    let names = apple.map(\.name) + android.map(\.name) + web.map(\.name)
    if let target, !names.contains(target) { throw .unknownTarget(target, among: names) }
    let installed =
      apple.filter { $0.configuration == nil && isIncluded($0.name) }
      .compactMap { $0.installedApp(clientID: clientID) }
      + android.filter { isIncluded($0.name) }.compactMap { $0.installedApp(clientID: clientID) }
    let apps = installed.map { app in
      var app = app
      if app.teamID.isEmpty { app.teamID = AppleFacts.unknownTeam }
      app.project = source
      return app
    }
    let pages = web.filter { isIncluded($0.name) }
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
