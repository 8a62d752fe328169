import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOProvider

/// The values with which the lab stands in for the real app, its registration and its directory.
///
/// What no source shows is assumed, and listed as such.
struct LabSetting: Sendable {
  /// A value that no source shows.
  struct Assumption: Hashable, Sendable {
    var name: String
    var value: String
    var why: String
  }

  var device: Device
  var app: InstalledApp
  /// The app's registration, or `nil` if the registrations that were given are for other client IDs.
  var registration: ClientRegistration?
  var otherRegistrations: [ClientRegistration] = []
  var tenant: Tenant
  var person: DirectoryUser
  private(set) var assumptions: [Assumption] = []
  /// Whether the app is that of a project, as its files are.
  let isProject: Bool

  private static let tenantID = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  private static let otherTenantID = "8f7c2a10-5b3e-4d92-a1c6-7e4f90b2d385"
  private static let missingTenantID = "0d1e2f3a-4b5c-4d6e-8f90-a1b2c3d4e5f6"
  private static let clientID = "6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31"
  private static let resourceID = "3c9e1f04-72ab-4d5c-9e80-6b1a2c3d4e5f"
  private static let userID = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21"

  /// - Parameters:
  ///   - evidence: What the sources show.
  ///   - keepsIDs: Whether tenant and username are those of the sources.
  ///   - usesProject: Whether the app is that of the project, or one without a mistake.
  init(_ evidence: Evidence, keepsIDs: Bool, usesProject: Bool = true) {
    let facts = usesProject ? evidence.diagnosis.flatMap { evidence.app(in: $0) } : nil
    isProject = facts != nil
    let system = evidence.value(.system)
    let platform: Platform = facts?.platform ?? (system?.hasPrefix("macOS") == true ? .macOS : .iOS)
    device = Device(id: "device-1", name: platform == .macOS ? "Mac" : "iPhone", platform: platform)
    let realm = keepsIDs ? evidence.value(.tenant) : nil
    let isID = realm.map { $0.count == 36 && !$0.contains(".") } ?? false
    tenant = Tenant(
      id: isID ? realm ?? "" : Self.tenantID, displayName: "Contoso",
      domains: [realm.flatMap { isID ? nil : $0 } ?? "contoso.com"])
    let account = keepsIDs ? evidence.value(.account).flatMap { $0.contains("@") ? $0 : nil } : nil
    person = DirectoryUser(
      objectID: Self.userID, homeTenantID: tenant.id, username: account ?? "ada@\(tenant.domains[0])",
      displayName: "Ada", password: "analytical-engine")
    if let facts, let found = facts.installedApp(clientID: evidence.value(.clientID)) {
      app = found
      app.vendor = "Example"
      if app.teamID.isEmpty { app.teamID = "UNKNOWNTEAM" }
      app = app.withDefaultRedirectURI(on: platform)
      app.displayName = app.bundleID
    } else {
      let bundleID = evidence.value(.bundleID) ?? "com.example.app"
      app = PlatformDefaults(platform).app(
        bundleID: bundleID, teamID: "A1B2C3D4E5", clientID: evidence.value(.clientID) ?? Self.clientID,
        vendor: "Example")
    }
    app.authority = Self.authority(
      of: app.authority, evidence, tenant: tenant, keepsIDs: keepsIDs, isProject: facts != nil)
    takeRegistrations(evidence)
    assume(evidence, keepsIDs: keepsIDs)
  }

  /// The authority with the lab's tenant in place of the real one.
  private static func authority(
    of given: String, _ evidence: Evidence, tenant: Tenant, keepsIDs: Bool, isProject: Bool
  ) -> String {
    let shown = isProject ? given : evidence.value(.authority) ?? given
    guard let url = URLParts(shown), PublicCloud.aliases.contains(url.host.lowercased()),
      let realm = url.path.split(separator: "/").first?.lowercased(),
      !["common", "organizations", "consumers"].contains(realm), !keepsIDs
    else { return shown }
    return "https://\(url.host)/\(tenant.id)"
  }

  private mutating func takeRegistrations(_ evidence: Evidence) {
    let known = (evidence.diagnosis?.registrations ?? []).map(\.registration)
    registration = known.first { $0.clientID.lowercased() == app.clientID.lowercased() }
    otherRegistrations = known.filter { $0.clientID.lowercased() != app.clientID.lowercased() }.prefix(1).map(
      \.self)
    guard known.isEmpty, !app.clientID.isEmpty else { return }
    registration = ClientRegistration(
      clientID: app.clientID, displayName: "App", publisher: "",
      redirectURIs: app.redirectURI.isEmpty ? [] : [app.redirectURI])
  }

  /// Lists what is assumed, beginning with what matters most.
  private mutating func assume(_ evidence: Evidence, keepsIDs: Bool) {
    func assume(_ name: String, _ value: String, _ why: String) -> Assumption {
      Assumption(name: name, value: value, why: why)
    }
    if evidence.diagnosis?.registrations.isEmpty != false {
      assumptions.append(
        assume(
          "registration", "has the app's redirect URI, and allows any scope", "no registration was given"))
    }
    if evidence.value(.redirectURI) == nil, !app.redirectURI.isEmpty {
      assumptions.append(assume("redirect URI", app.redirectURI, "the SDK's default"))
    }
    if evidence.value(.clientID) == nil {
      assumptions.append(
        assume("client ID", app.clientID.isEmpty ? "none" : app.clientID, "no source shows it"))
    }
    if evidence.value(.bundleID) == nil {
      assumptions.append(assume("bundle ID", app.bundleID, "no source shows it"))
    }
    if evidence.value(.system) == nil, !isProject {
      assumptions.append(assume("system", device.platform.rawValue, "no source shows it"))
    }
    if evidence.value(.authority) == nil, !isProject {
      assumptions.append(assume("authority", app.authority, "the SDK's default"))
    }
    if !keepsIDs {
      assumptions.append(
        assume(
          "account", person.username, "names and tenants of the sources are replaced (--keep-ids keeps them)")
      )
    }
    assumptions.append(
      assume("SDK", "\(app.sdk.rawValue) \(app.sdkVersion)", "the version whose behaviour the lab follows"))
  }

  /// The world in which the app's calls succeed, unless the project has a mistake.
  var world: LabWorld {
    LabWorld(
      device: device, tenants: [tenant], people: [person],
      registrations: (registration.map { [$0] } ?? []) + otherRegistrations, apps: [app], brokerAccounts: [])
  }

  // MARK: - Causes

  /// Returns the world with the changes of a cause, or `nil` if a field does not take its value.
  func world(with changes: [Cause.Change], _ evidence: Evidence) -> LabWorld? {
    var world = world
    for change in changes {
      switch change {
      case .app(let text):
        guard let app = changed(world.apps[0], text, evidence) else { return nil }
        world.apps[0] = app
      case .registration(let text):
        guard let first = world.registrations.first, let changed = changed(first, text, evidence) else {
          return nil
        }
        world.registrations[0] = changed
      case .noRegistration: world.registrations.removeFirst(min(1, world.registrations.count))
      case .otherTenant:
        world.tenants.append(
          Tenant(id: Self.otherTenantID, displayName: "Fabrikam", domains: ["fabrikam.com"]))
      case .broker:
        guard device.platform.brokerCall == .url else { return nil }
        world.device.brokerVersion = Device.currentBrokerVersion
        world.brokerAccounts = [.init(username: person.username, state: .ready)]
      }
    }
    return world
  }

  private func changed<Record: DescribedRecord>(_ record: Record, _ text: String, _ evidence: Evidence)
    -> Record?
  {
    (try? FieldChange(filled(text, evidence))).flatMap { record.applying($0) }
  }

  /// Returns the value of a step with its placeholders replaced.
  func filled(_ value: YAMLValue, _ evidence: Evidence) -> YAMLValue {
    value.replacing { filled($0, evidence) }
  }

  /// Returns the text with its placeholders replaced.
  func filled(_ text: String, _ evidence: Evidence) -> String {
    guard text.contains("$") else { return text }
    let host = "https://" + PublicCloud.preferredNetwork
    let redirect =
      app.redirectURI.isEmpty ? PlatformDefaults.redirectURI(bundleID: app.bundleID) : app.redirectURI
    let resource =
      evidence.value(.resource) ?? evidence.scopes.first.flatMap(Self.resource) ?? "api://\(Self.resourceID)"
    // A longer name that begins with a shorter one comes first.
    let values = [
      ("$app", app.bundleID), ("$client", app.clientID), ("$user", person.username),
      ("$password", person.password), ("$redirect", redirect),
      ("$scheme", urlScheme(of: redirect) ?? ""), ("$scope", app.scopes.first ?? "User.Read"),
      ("$group", app.keychainSharingGroup ?? app.bundleID), ("$common", PublicCloud.commonAuthority),
      ("$tenantAuthority", "\(host)/\(tenant.id)"), ("$otherAuthority", "\(host)/\(Self.otherTenantID)"),
      ("$missingAuthority", "\(host)/\(Self.missingTenantID)"), ("$otherTenant", Self.otherTenantID),
      ("$tenant", tenant.id),
      ("$userFlow", "\(host)/tfp/\(tenant.domains.first ?? "")/B2C_1_signin"),
      ("$guestID", Self.missingTenantID), ("$domain", tenant.domains.first ?? ""),
      ("$unknownScope", resource + "/access"), ("$resourceID", Self.resourceID), ("$resource", resource),
      ("$misspelt", evidence.scopes.first ?? "User.Reed"),
    ].sorted { $0.0.count > $1.0.count }
    return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// The App ID URI of a scope such as `api://orders/read`, or `nil` for a scope of Graph.
  private static func resource(of scope: String) -> String? {
    guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return nil }
    return String(scope[..<slash])
  }
}
