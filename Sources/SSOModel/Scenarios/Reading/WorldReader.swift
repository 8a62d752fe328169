/// A reader of `world:`, which checks that everything it refers to exists.
struct WorldReader {
  private let fields: ScenarioFields
  private(set) var world: LabWorld

  init(_ tree: ScenarioTree) throws(ScenarioError) {
    fields = try ScenarioFields(
      tree, named: "world",
      allowed: [
        "device", "broker", "tenants", "people", "registrations", "apps", "brokerAccounts", "policies",
      ])
    world = LabWorld(
      device: try Self.device(fields), tenants: [], people: [], registrations: [], apps: [],
      brokerAccounts: [])
    for tree in try fields.list("tenants") ?? [] { world.tenants.append(try tree.tenant()) }
    for tree in try fields.list("people") ?? [] { world.people.append(try tree.person(in: world.tenants)) }
    for tree in try fields.list("registrations") ?? [] {
      world.registrations.append(try tree.registration(in: world.tenants))
    }
    for tree in try fields.list("apps") ?? [] {
      world.apps.append(try tree.installedApp(on: world.device.platform))
    }
    if let tree = fields["broker"], world.device.brokerVersion != nil {
      let keys = try ScenarioFields(
        tree, named: "broker", allowed: ["installed", "version", "managedByAdmin", "apps"])
      world.device.brokerManagement = try keys.management(in: world)
    }
    for tree in try fields.list("policies") ?? [] { world.policies.append(try tree.policy(in: world)) }
    if let tree = fields["device"] {
      let keys = try ScenarioFields(tree, named: "device", allowed: Self.deviceKeys)
      world.isCompliant = try keys.flag("compliant")
      for tree in try keys.list("certificates") ?? [] {
        world.certificates.append(try tree.person("certificates", in: world).username)
      }
    }
    for tree in try fields.list("brokerAccounts") ?? [] {
      world.brokerAccounts.append(try tree.brokerHolding(in: world))
    }
  }

  private static let deviceKeys = [
    "name", "platform", "systemVersion", "compliant", "certificates", "shared",
  ]

  private static func device(_ fields: ScenarioFields) throws(ScenarioError) -> Device {
    var device = Device(id: "device-1", name: "Ada's iPhone", platform: .iOS)
    if let tree = fields["device"] {
      let keys = try ScenarioFields(tree, named: "device", allowed: Self.deviceKeys)
      try keys.lay(over: &device)
      device.isShared = try keys.flag("shared") ?? false
    }
    if device.platform.hasOwnBroker { device.brokerVersion = Device.currentBrokerVersion }
    if let tree = fields["broker"] {
      let keys = try ScenarioFields(
        tree, named: "broker", allowed: ["installed", "version", "managedByAdmin", "apps"])
      let version = try keys.text("version") ?? Device.currentBrokerVersion
      device.brokerVersion = try keys.flag("installed") ?? true ? version : nil
    }
    return device
  }
}

extension ScenarioTree {
  fileprivate func tenant() throws(ScenarioError) -> Tenant {
    let keys = try ScenarioFields(self, named: "tenants", allowed: Tenant.fieldNames)
    let subscriptions = try keys.list("subscriptions")?.map { tree throws(ScenarioError) in
      let inner = try ScenarioFields(tree, named: "subscriptions", allowed: ["id", "displayName"])
      return Subscription(
        id: try inner.requiredText("id"), displayName: try inner.requiredText("displayName"))
    }
    var tenant = Tenant(
      id: try keys.requiredText("id"), displayName: try keys.requiredText("displayName"), domains: [],
      subscriptions: subscriptions)
    try keys.lay(over: &tenant)
    tenant.domains = tenant.domains.map { $0.lowercased() }
    return tenant
  }

  fileprivate func person(in tenants: [Tenant]) throws(ScenarioError) -> Person {
    let keys = try ScenarioFields(self, named: "people", allowed: Person.fieldNames)
    let home = try keys.required("homeTenantID").tenantID("homeTenantID", in: tenants)
    let username = try keys.requiredText("username")
    var guestIn: [String: String] = [:]
    if let guests = keys["guestIn"] {
      let ids = tenants.map(\.id)
      let inner = try ScenarioFields(guests, named: "guestIn", allowed: ids)
      for id in ids { guestIn[id] = try inner.text(id) }
    }
    var person = Person(
      objectID: try keys.requiredText("objectID"), homeTenantID: home, username: username,
      displayName: username, password: try keys.requiredText("password"), guestIn: guestIn)
    try keys.lay(over: &person)
    return person
  }

  func tenantID(_ key: String, in tenants: [Tenant]) throws(ScenarioError) -> String {
    let id = try text(key).lowercased()
    let known = tenants.map(\.id)
    guard known.contains(id) else {
      throw place.error(
        key, "names the tenant '\(id)', which is not in this world", found: id, among: known)
    }
    return id
  }

  fileprivate func registration(in tenants: [Tenant]) throws(ScenarioError) -> ClientRegistration {
    let keys = try ScenarioFields(self, named: "registrations", allowed: ClientRegistration.fieldNames)
    var registration = ClientRegistration(
      clientID: try keys.requiredText("clientID"), displayName: try keys.requiredText("displayName"),
      publisher: "", redirectURIs: [], allowedScopes: ["User.Read"])
    try keys.lay(over: &registration)
    if let tree = keys["homeTenantID"] {
      registration.homeTenantID = try tree.tenantID("homeTenantID", in: tenants)
    }
    registration.federatedCredentials = try keys.list("federatedCredentials")?
      .map { tree throws(ScenarioError) in
        let inner = try ScenarioFields(
          tree, named: "federatedCredentials", allowed: ["name", "issuer", "subject", "audiences"])
        return FederatedCredential(
          name: try inner.text("name"), issuer: try inner.requiredText("issuer"),
          subject: try inner.requiredText("subject"), audiences: try inner.texts("audiences"))
      }
    for pem in try keys.texts("publicKeys") ?? [] {
      registration.publicKeys.append(try keys.required("publicKeys").publicKey(pem))
    }
    return registration
  }

  private func publicKey(_ pem: String) throws(ScenarioError) -> TokenVerificationKey {
    if let key = TokenVerificationKey(keyOrCertificate: pem) { return key }
    throw place.error(
      "publicKeys", "must hold RSA public keys or certificates in PEM, as openssl rsa -pubout writes them")
  }

  fileprivate func brokerHolding(in world: LabWorld) throws(ScenarioError) -> LabWorld.InitialBrokerAccount {
    let keys = try ScenarioFields(self, named: "brokerAccounts", allowed: ["person", "state"])
    let person = try keys.required("person").person("person", in: world)
    return LabWorld.InitialBrokerAccount(
      username: person.username, state: try keys.choice("state") ?? .ready)
  }

  /// Returns the user with a username or home account ID.
  func person(_ key: String, in world: LabWorld) throws(ScenarioError) -> Person {
    let name = try text(key)
    if let person = world.people.first(where: {
      $0.username == name || "\($0.objectID).\($0.homeTenantID)" == name
    }) {
      return person
    }
    let known = world.people.map(\.username)
    throw place.error(
      key, "names the person '\(name)', who is not in this world", found: name, among: known)
  }

  /// Returns the bundle ID of an app in this world.
  func app(_ key: String, in world: LabWorld) throws(ScenarioError) -> String {
    let name = try text(key)
    let known = world.apps.map(\.bundleID)
    guard known.contains(name) else {
      throw place.error(
        key, "names the app '\(name)', which is not in this world", found: name, among: known)
    }
    return name
  }
}
