import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// A reader of `world:`, which checks that everything it refers to exists.
struct WorldReader {
  private let fields: ScenarioFields
  private(set) var world: LabWorld

  init(_ tree: ScenarioTree) throws(ScenarioError) {
    fields = try ScenarioFields(
      tree, named: "world",
      allowed: [
        "device", "broker", "tenants", "people", "registrations", "apps", "brokerAccounts", "policies",
        "programs",
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
    for tree in try fields.list("programs") ?? [] { world.programs.append(try tree.program(in: world)) }
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
    "name", "platform", "systemVersion", "compliant", "certificates", "shared", "ssoProfile",
  ]

  private static func device(_ fields: ScenarioFields) throws(ScenarioError) -> Device {
    var device = Device(id: "device-1", name: Platform.iOS.deviceName, platform: .iOS)
    if let tree = fields["device"] {
      let keys = try ScenarioFields(tree, named: "device", allowed: Self.deviceKeys)
      try keys.lay(over: &device)
      // A world for another platform also inherits the usual name of its device.
      if keys["name"] == nil || Platform.allCases.contains(where: { $0.deviceName == device.name }) {
        device.name = device.platform.deviceName
      }
      device.isShared = try keys.flag("shared") ?? false
      device.ssoProfile = try keys["ssoProfile"].map { tree throws(ScenarioError) in try tree.ssoProfile() }
    }
    device.addOwnBroker()
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
  /// Reads the payload of a profile; a key that is not there has Microsoft's value.
  fileprivate func ssoProfile() throws(ScenarioError) -> SSOProfile {
    typealias Key = SSOProfile.ExtensionData.CodingKeys
    let keys = try ScenarioFields(
      self, named: "ssoProfile",
      allowed: [
        "ExtensionIdentifier", "TeamIdentifier", "URLs", "DeniedBundleIdentifiers", "ExtensionData",
        "PlatformSSO",
      ])
    var profile = SSOProfile()
    profile.extensionIdentifier = try keys.text("ExtensionIdentifier")
    profile.teamIdentifier = try keys.text("TeamIdentifier")
    profile.urls = try keys.texts("URLs")
    profile.deniedBundleIdentifiers = try keys.texts("DeniedBundleIdentifiers")
    if let tree = keys["PlatformSSO"] {
      let inner = try ScenarioFields(tree, named: "PlatformSSO", allowed: ["AuthenticationMethod"])
      var platformSSO = PlatformSSO()
      platformSSO.authenticationMethod = try inner.choice("AuthenticationMethod")
      profile.platformSSO = platformSSO
    }
    guard let tree = keys["ExtensionData"] else { return profile }
    let inner = try ScenarioFields(
      tree, named: "ExtensionData",
      allowed: Key.allCases.filter(\.isSimulated).map(\.rawValue))
    var data = SSOProfile.ExtensionData()
    data.admitsAllManagedApps = try inner.number(Key.admitsAllManagedApps.rawValue)
    data.appAllowList = try inner.text(Key.appAllowList.rawValue)
    data.appPrefixAllowList = try inner.text(Key.appPrefixAllowList.rawValue)
    data.appBlockList = try inner.text(Key.appBlockList.rawValue)
    data.disablesInAppSignIn = try inner.number(Key.disablesInAppSignIn.rawValue)
    data.disablesPagePrompt = try inner.number(Key.disablesPagePrompt.rawValue)
    data.disablesPagePromptAndPicks = try inner.number(Key.disablesPagePromptAndPicks.rawValue)
    data.disablesPrompt = try inner.number(Key.disablesPrompt.rawValue)
    data.disablesPromptAndPicks = try inner.number(Key.disablesPromptAndPicks.rawValue)
    profile.extensionData = data
    return profile
  }

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

  fileprivate func person(in tenants: [Tenant]) throws(ScenarioError) -> DirectoryUser {
    let keys = try ScenarioFields(self, named: "people", allowed: DirectoryUser.fieldNames)
    let home = try keys.required("homeTenantID").tenantID("homeTenantID", in: tenants)
    let username = try keys.requiredText("username")
    var guestIn: [String: String] = [:]
    if let guests = keys["guestIn"] {
      let ids = tenants.map(\.id)
      let inner = try ScenarioFields(guests, named: "guestIn", allowed: ids)
      for id in ids { guestIn[id] = try inner.text(id) }
    }
    var person = DirectoryUser(
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
    registration.optionalClaims = try keys["optionalClaims"].map { tree throws(ScenarioError) in
      try tree.optionalClaims()
    }
    for pem in try keys.texts("publicKeys") ?? [] {
      registration.publicKeys.append(try keys.required("publicKeys").publicKey(pem))
    }
    return registration
  }

  private func optionalClaims() throws(ScenarioError) -> OptionalClaims {
    let keys = try ScenarioFields(self, named: "optionalClaims", allowed: OptionalClaims.tokens)
    func claims(_ token: String) throws(ScenarioError) -> [OptionalClaim]? {
      try keys.list(token)?.map { tree throws(ScenarioError) in try tree.optionalClaim() }
    }
    return OptionalClaims(idToken: try claims("idToken"), accessToken: try claims("accessToken"))
  }

  private func optionalClaim() throws(ScenarioError) -> OptionalClaim {
    var claim: OptionalClaim
    var nameTree = self
    if case .map = value {
      let keys = try ScenarioFields(
        self, named: "optional claim", allowed: ["name", "source", "essential", "additionalProperties"])
      nameTree = try keys.required("name")
      claim = OptionalClaim(
        try keys.requiredText("name"), additionalProperties: try keys.texts("additionalProperties") ?? [])
    } else {
      claim = OptionalClaim(try text("name"))
    }
    guard OptionalClaims.problem(of: ["idToken": [.string(claim.name)]]) == nil else {
      throw nameTree.place.error(
        "optionalClaims", "has the claim '\(claim.name)', which Entra does not have", found: claim.name,
        among: OptionalClaims.names.sorted())
    }
    return claim
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

  /// Reads a program.
  ///
  /// Omitted keys: the authority is the world's first tenant, and the origin of a page that of its redirect URI.
  fileprivate func program(in world: LabWorld) throws(ScenarioError) -> Program {
    let keys = try ScenarioFields(
      self, named: "programs",
      allowed: [
        "name", "kind", "clientID", "authority", "redirectURI", "origin", "secret", "sdk", "sdkVersion",
      ])
    let kind: Program.Kind = try keys.required("kind").choice("kind")
    let tenant = world.tenants.first?.id ?? "common"
    var program = Program(
      name: try keys.requiredText("name"), kind: kind, clientID: try keys.requiredText("clientID"),
      authority: try keys.text("authority") ?? "https://\(PublicCloud.preferredNetwork)/\(tenant)",
      redirectURI: try keys.text("redirectURI") ?? "")
    if let origin = keys["origin"] {
      guard kind == .page else {
        throw origin.place.error("origin", "is for a program of the kind page only")
      }
      program.origin = try origin.text("origin")
    }
    if let secret = keys["secret"] {
      guard kind.isConfidential else {
        throw secret.place.error("secret", "is for a program of the kind webServer or daemon only")
      }
      program.secret = try secret.text("secret")
    }
    program.sdk = try keys.text("sdk")
    program.sdkVersion = try keys.text("sdkVersion")
    return program
  }

  /// Returns the program with a name.
  func program(_ key: String, in world: LabWorld) throws(ScenarioError) -> Program {
    let name = try text(key)
    if let program = world.programs.first(where: { $0.name == name }) { return program }
    throw place.error(
      key, "names the program '\(name)', which is not in this world", found: name,
      among: world.programs.map(\.name))
  }

  /// Returns the user with a username or home account ID.
  func person(_ key: String, in world: LabWorld) throws(ScenarioError) -> DirectoryUser {
    let name = try text(key)
    if let person = world.people.first(where: {
      $0.username == name || "\($0.objectID).\($0.homeTenantID)" == name
    }) {
      return person
    }
    let known = world.people.map(\.username)
    throw place.error(
      key, "names the user '\(name)', who is not in this world", found: name, among: known)
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

  static let appKeys = InstalledApp.fieldNames + ["resource", "credentialsType", "project"]

  /// Reads an installed app.
  ///
  /// Omitted keys have the platform's defaults: MSAL's redirect URI with its scheme registered, the broker's schemes
  /// declared, and Microsoft's keychain access group entitled and configured (claim C5).
  func installedApp(on platform: Platform) throws(ScenarioError) -> InstalledApp {
    let keys = try ScenarioFields(self, named: "apps", allowed: Self.appKeys)
    let bundleID = try keys.requiredText("bundleID")
    let sdk = try keys.choice("sdk") ?? SDKKind.msal
    let version = try keys.text("sdkVersion")
    let defaults = PlatformDefaults(try keys.choice("platform") ?? platform, sdk, version: version)
    var app = defaults.app(
      bundleID: bundleID, teamID: try keys.requiredText("teamID"),
      clientID: try keys.requiredText("clientID"),
      vendor: try keys.requiredText("vendor"))
    try keys.layADALKeys(over: &app)
    try keys.lay(over: &app)
    if let files = try keys.texts("project") {
      let folder = URL(filePath: place.file).deletingLastPathComponent()
      app.project = ProjectSource(
        paths: files.map {
          // A sample project is part of the program.
          $0.hasPrefix("sample:") ? $0 : folder.appending(path: $0).standardizedFileURL.path
        })
    }
    if keys["urlSchemes"] == nil { app.urlSchemes = defaults.urlSchemes(for: app.redirectURI) }
    return app
  }

  /// The keys that only an app with ADAL has.
  ///
  /// `resource` sets its `scopes`, and `credentialsType` sets its `brokerUse`.
  static let adalKeys = ["resource", "credentialsType", "userIDType"]
}

extension ScenarioFields {
  /// Applies the keys that only an app with ADAL has; such an app must specify a redirect URI.
  /// - Throws: `ScenarioError` if an app with MSAL has one of them.
  func layADALKeys(over app: inout InstalledApp) throws(ScenarioError) {
    guard app.sdk == .adal else {
      for key in ScenarioTree.adalKeys {
        guard let tree = self[key] else { continue }
        throw tree.place.error(key, "is for apps with sdk: ADAL only")
      }
      return
    }
    app.redirectURI = try requiredText("redirectURI")
    if let resource = try text("resource") { app.scopes = [resource] }
    if let tree = self["credentialsType"] {
      let type = try tree.word("credentialsType", among: ["AD_CREDENTIALS_AUTO", "AD_CREDENTIALS_EMBEDDED"])
      app.brokerUse = type == "AD_CREDENTIALS_AUTO" ? .auto : .none
    }
  }

  /// Applies the values of the map to a record, field by field.
  ///
  /// The caller reads the fields that identify the record and the fields that have their own structure.
  func lay<Record: DescribedRecord>(over record: inout Record) throws(ScenarioError) {
    for field in Record.fields where !field.description.isIdentity {
      let (name, form) = (field.description.name, field.description.form)
      if isNull(name), field.description.isOptional { _ = field.assign(&record, .null) }
      guard let tree = self[name], let value = try tree.value(name, form) else { continue }
      guard field.assign(&record, value) else { throw tree.wrongType(name, wanted: "another value") }
    }
  }
}

extension ScenarioTree {
  /// Returns the value for a field of a record, or `nil` for a structure.
  fileprivate func value(_ key: String, _ form: RecordFieldForm) throws(ScenarioError) -> JSONValue? {
    switch form {
    case .text: return .string(try text(key))
    case .flag: return .bool(try flag(key))
    case .number: return .integer(Int64(try number(key)))
    case .choice(let words): return .string(try word(key, among: words))
    case .texts:
      return .array(try list(key).map { element throws(ScenarioError) in .string(try element.text(key)) })
    case .structure: return nil
    }
  }
}
