import SSODevice
import SSOProvider

/// The reason that a project cannot be imported into the lab.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// The project does not contain an app or a registration.
  case nothingToImport
  /// No target has the given name; `among` lists the existing names.
  case unknownTarget(String, among: [String])
  /// No client ID was found in the files of these apps.
  case missingClientID([String])
}

/// The apps and registrations of a project, for an import into a lab.
package struct ProjectRecords: Hashable, Sendable {
  /// The name that the user specified.
  package var name: String
  package var apps: [InstalledApp]
  package var registrations: [ClientRegistration]
  /// The web apps: clients of the provider, which are not installed on a device.
  package var clients: [ClientRegistration]
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
  /// - Throws: `ImportRefusal` with the information that the files lack.
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
      var app = app.withTeam
      app.project = source
      return app
    }
    let pages = web.filter { isIncluded($0.name) }
    let missing =
      apps.filter(\.clientID.isEmpty).map(\.displayName)
      + pages.filter { $0.registration(clientID: clientID) == nil }.map(\.name)
    guard missing.isEmpty else { throw .missingClientID(missing) }
    guard !apps.isEmpty || !registrations.isEmpty || !pages.isEmpty else { throw .nothingToImport }
    return ProjectRecords(
      name: name, apps: apps, registrations: registrations.map(\.registration),
      clients: pages.compactMap { $0.registration(clientID: clientID) })
  }

  /// Returns the apps of one platform that can be compared with each other.
  ///
  /// Skips apps without a known client ID, which cannot be compared.
  /// - Parameter clientID: The client ID for apps whose files do not contain one.
  /// - Returns: The apps, each with its team or a placeholder for it, and their platform.
  package func comparableApps(clientID: String?) -> (apps: [InstalledApp], platform: Platform) {
    let facts = apple.filter { $0.configuration == nil }
    let platform = facts.first?.platform
    let found =
      platform == nil
      ? android.compactMap { $0.installedApp(clientID: clientID) }
      : facts.filter { $0.platform == platform }.compactMap { $0.installedApp(clientID: clientID) }
    var seen: Set<String> = []
    let known = found.filter { !$0.clientID.isEmpty && !Placeholders.contain($0.clientID) }
    let apps = known.filter { seen.insert($0.bundleID).inserted }.map(\.withTeam)
    return (apps, platform ?? .android)
  }
}

extension InstalledApp {
  /// The app with a placeholder for the team if its project does not specify one, the same for all of them.
  fileprivate var withTeam: InstalledApp {
    var app = self
    if teamID.isEmpty { app.teamID = "UNKNOWNTEAM" }
    return app
  }
}
