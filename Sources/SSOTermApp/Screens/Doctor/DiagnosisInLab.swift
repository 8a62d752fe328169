import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOStore

/// The sharing of sign-ins among the apps that were read, as `ssoterm why` and the matrix would report it.
///
/// The apps are put into an in-memory lab, and the lab computes the result, so there is no second sharing rule.
package struct DiagnosedSharing: Hashable, Sendable {
  /// A checklist for each pair.
  package let pairs: [Checklist]
  package let visibility: [Visibility]
  /// The apps as the lab stores them.
  package let apps: [InstalledApp]

  /// The maximum number of apps to compare; each pair produces a checklist.
  private static let appLimit = 12

  /// Creates the comparison, or returns `nil` if there are fewer than two apps of one platform.
  ///
  /// `clientID` is for apps whose files do not contain one.
  /// - Throws: `StoreError`, `LabError`.
  package init?(of diagnosis: Diagnosis, clientID: String?) throws {
    let (found, platform) = diagnosis.comparableApps(clientID: clientID)
    let apps = Array(found.prefix(Self.appLimit))
    guard apps.count > 1 else { return nil }
    self.apps = apps
    let device = Device(id: "doctor", name: "doctor", platform: platform, brokerVersion: "6.8.0")
    let lab = Lab(store: try WorldStore.open(.memory, create: true))
    try lab.create(
      named: "doctor", seed: 1,
      LabWorld(
        device: device, tenants: [], people: [],
        registrations: diagnosis.registrations.map(\.registration), apps: apps, brokerAccounts: []))
    (pairs, visibility) = try lab.read { reader in
      let pairs = try Self.couples(of: apps).map { try reader.why.app($0.bundleID, with: $1.bundleID) }
      return (pairs, try reader.why.visibility())
    }
  }

  /// Returns each pair of apps once, in the order of `pairs`.
  private static func couples(of apps: [InstalledApp]) -> [(InstalledApp, InstalledApp)] {
    apps.enumerated().flatMap { index, app in apps.dropFirst(index + 1).map { (app, $0) } }
  }
}

extension DiagnosedSharing {
  /// The condition, for each pair, that prevents the first app from using the other app's sign-in in the keychain, or
  /// `nil` if it can use it.
  package var keychainFailures: [Check?] {
    Self.couples(of: apps).map { app, other in
      visibility.first { $0.looking == app.bundleID && $0.signedIn == other.bundleID }?.checks.firstFailure
    }
  }
}

extension ImportProject {
  /// Creates the import of a project that was read.
  package init(_ project: ProjectRecords) {
    self.init(
      name: project.name, apps: project.apps, registrations: project.registrations, clients: project.clients)
  }
}
