import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOProvider

/// The values with which the lab stands in for the real app, its registration, and its directory.
///
/// Values that no source shows are assumed, and listed as such.
struct LabSetting: Sendable {
  let caller: Caller
  var device: Device
  var app: InstalledApp
  /// The program that makes the call, or `nil` if the app does.
  private(set) var program: Program?
  /// The program whose token a call on behalf of a user presents, with its registration.
  private var client: (program: Program, registration: ClientRegistration)?
  /// The app's registration, or `nil` if the given registrations are for other client IDs.
  var registration: ClientRegistration?
  var otherRegistrations: [ClientRegistration] = []
  var tenant: Tenant
  var person: DirectoryUser
  private(set) var assumptions: [Assumption] = []
  /// Whether the app is a project's app as its files describe it.
  let isProject: Bool
  /// The values that are set in project code that was not read.
  let unread: [UnreadValue]
  /// Whether no registration can have the project's client ID.
  let hasImpossibleClientID: Bool
  /// The change of a request's scopes that are a mistake, or `nil` if they are not taken from the project.
  var scopesMend: Cause.Mend?
  /// Whether the call is made at a user flow of Azure AD B2C, which has no scopes of Graph.
  private(set) var isAtUserFlow = false

  static let tenantID = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  fileprivate static let otherTenantID = "8f7c2a10-5b3e-4d92-a1c6-7e4f90b2d385"
  fileprivate static let missingTenantID = "0d1e2f3a-4b5c-4d6e-8f90-a1b2c3d4e5f6"
  static let clientID = "6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31"
  fileprivate static let resourceID = "3c9e1f04-72ab-4d5c-9e80-6b1a2c3d4e5f"
  private static let clientClientID = "b2d6a0c4-9e13-4f58-8a27-4c1e5d7f9063"
  fileprivate static let secret = "the-secret-value"
  private static let personalUserID = "00000000-0000-0000-8a1e-2c7d5f904b68"
  private static let colleagueID = "7d3e5a18-0c94-4b6f-8a21-6f9c0e4d7b35"
  private static let userID = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21"

  /// - Parameters:
  ///   - evidence: The facts that the sources show.
  ///   - keepsIDs: Whether tenant and username are those of the sources.
  ///   - usesProject: Whether the app is that of the project, or one without a mistake.
  ///   - caller: The party that makes the call.
  init(_ evidence: Evidence, keepsIDs: Bool, usesProject: Bool = true, caller: Caller = .app) {
    let facts = usesProject && caller == .app ? evidence.diagnosis.flatMap { evidence.app(in: $0) } : nil
    let caller = facts?.platform == .android ? .androidApp : caller
    self.caller = caller
    isProject = facts != nil
    unread = facts?.unread ?? []
    hasImpossibleClientID = facts?.hasImpossibleClientID ?? false
    let system = evidence.value(.system)
    let platform: Platform =
      caller == .androidApp
      ? .android : facts?.platform ?? (system?.hasPrefix("macOS") == true ? .macOS : .iOS)
    device =
      switch (caller.isProgram, platform) {
      case (true, _): Device(id: "device-1", name: "Computer", platform: .macOS)
      case (_, .android): Device(id: "device-1", name: "Android phone", platform: .android)
      case (_, .macOS): Device(id: "device-1", name: "Mac", platform: .macOS)
      default: Device(id: "device-1", name: "iPhone", platform: platform)
      }
    let realm = keepsIDs ? evidence.value(.tenant) : nil
    let isID = realm.map { $0.count == 36 && !$0.contains(".") } ?? false
    let isDomain = realm.map { $0.contains(".") && !$0.contains(" ") } ?? false
    tenant = Tenant(
      id: isID ? realm ?? "" : Self.tenantID,
      displayName: realm.flatMap { isID || isDomain ? nil : $0 } ?? "Contoso",
      domains: [realm.flatMap { isDomain ? $0 : nil } ?? "contoso.com"])
    let account = keepsIDs ? evidence.value(.account).flatMap { $0.contains("@") ? $0 : nil } : nil
    person = DirectoryUser(
      objectID: Self.userID, homeTenantID: tenant.id, username: account ?? "ada@\(tenant.domains[0])",
      displayName: "Ada", password: "analytical-engine")
    if let facts, let found = facts.installedApp(clientID: evidence.value(.clientID)) {
      app = found
      app.vendor = "Example"
      if app.teamID.isEmpty, !facts.isUnsigned { app.teamID = "UNKNOWNTEAM" }
      if app.clientID.isEmpty, unread.contains(where: { $0.kind == .clientID }) {
        app.clientID = evidence.diagnosis?.clientIDOfRegistration(for: app.bundleID) ?? Self.clientID
      }
      app.displayName = app.bundleID
    } else {
      let bundleID = evidence.value(.bundleID) ?? "com.example.app"
      let hash =
        platform == .android ? evidence.value(.redirectURI).flatMap(AndroidFacts.signatureHash(in:)) : nil
      app = PlatformDefaults(platform).app(
        bundleID: bundleID, teamID: hash ?? PlatformDefaults(platform).teamID,
        clientID: evidence.value(.clientID) ?? Self.clientID,
        vendor: "Example")
    }
    if caller == .app || isProject, let uri = evidence.chosen[.redirectURI] {
      app.redirectURI = uri
      if facts == nil { app.urlSchemes = PlatformDefaults(platform).urlSchemes(for: uri) }
    }
    if !isProject, let authority = evidence.value(.authority) { app.authority = authority }
    takeAuthority(keepsIDs: keepsIDs, isForCustomers: facts?.isForCustomers ?? false)
    if facts?.isForUserFlow == true { takeUserFlow() }
    if facts?.isNativeAuth == true { takeSchemes() }
    // The scopes of a project are not read: the stand-ins must be scopes of the authority.
    if Self.isUserFlow(app.authority), app.authorityClass != .aad, !caller.isProgram { useOwnScope() }
    if caller == .app || isProject, app.authority.hasSuffix("/consumers"), !keepsIDs { usePersonalAccount() }
    if case .program(let kind, let grant) = caller { makeProgram(kind, grant, evidence) }
    takeRegistrations(evidence)
    if let scopes = facts?.mistakenScopes { takeScopes(scopes, facts?.mendedScopes) }
    assume(evidence, keepsIDs: keepsIDs)
  }

  /// Lets a personal account sign in, as the authority for them requires.
  private mutating func usePersonalAccount() {
    tenant = Self.personalTenant
    person = personalAccount
  }

  private static let personalTenant = Tenant(
    id: Tenant.personalID, displayName: "Personal accounts", domains: [])
  fileprivate static let personalName = "ada@outlook.example"

  /// The personal account of the user.
  private var personalAccount: DirectoryUser {
    var account = person
    account.homeTenantID = Self.personalTenant.id
    account.objectID = Self.personalUserID
    account.username = Self.personalName
    account.isPersonal = true
    return account
  }

  private mutating func makeProgram(_ kind: Program.Kind, _ grant: CallProgram.Grant, _ evidence: Evidence) {
    let usual =
      switch kind {
      case .page: "http://localhost:3000/"
      case .publicProgram: "http://localhost"
      case .webServer: "https://app.example/callback"
      case .daemon: ""
      }
    let origin = kind == .page ? evidence.value(.origin) : nil
    let shown =
      evidence.value(.redirectURI).flatMap {
        kind == .daemon || CallerEvidence.appID(in: $0) != nil ? nil : $0
      } ?? origin.map { $0 + "/" }
    let host = "https://" + PublicCloud.preferredNetwork
    // Only pages serve users of all organisations; a program that asks on its own needs a tenant.
    let common = ["common", "organizations"].first { app.authority.hasSuffix("/" + $0) }
    let realm = evidence.value(.authority) != nil && grant == .authorizationCode ? common : nil
    var program = Program(
      name: "program", kind: kind, clientID: app.clientID, authority: "\(host)/\(realm ?? tenant.id)",
      redirectURI: shown ?? usual)
    program.secret = kind.isConfidential ? Self.secret : nil
    program.origin = origin ?? program.origin
    self.program = program
    guard grant == .onBehalfOf else { return }
    let page = Program(
      name: "page", kind: .page, clientID: Self.clientClientID, authority: "\(host)/\(tenant.id)",
      redirectURI: "http://localhost:3000/")
    var registration = ClientRegistration(
      clientID: page.clientID, displayName: "Page", publisher: "", redirectURIs: [], isPreauthorized: true)
    registration.spaRedirectURIs = [page.redirectURI]
    client = (page, registration)
  }

  /// The registration that the caller needs.
  private var usualRegistration: ClientRegistration {
    guard case .program(let kind, let grant) = caller, let program else {
      return ClientRegistration(
        clientID: app.clientID, displayName: "App", publisher: "",
        redirectURIs: app.redirectURI.isEmpty ? [] : [app.redirectURI])
    }
    let uris = program.redirectURI.isEmpty ? [] : [program.redirectURI]
    var registration = ClientRegistration(
      clientID: program.clientID, displayName: "App", publisher: "",
      redirectURIs: kind == .publicProgram ? uris : [], secrets: program.secret.map { [$0] } ?? [])
    if kind == .page { registration.spaRedirectURIs = uris }
    if kind == .webServer { registration.webRedirectURIs = uris }
    if grant == .onBehalfOf { registration.exposedScopes = ["access_as_user"] }
    // No user can consent there, so an administrator has consented.
    registration.isPreauthorized = grant == .onBehalfOf || grant == .password
    return registration
  }

  private mutating func takeRegistrations(_ evidence: Evidence) {
    let known = (evidence.diagnosis?.registrations ?? []).map(\.registration)
    registration = known.first { $0.clientID.lowercased() == app.clientID.lowercased() }
    otherRegistrations = known.filter { $0.clientID.lowercased() != app.clientID.lowercased() }.prefix(1).map(
      \.self)
    if known.isEmpty, !app.clientID.isEmpty, !hasImpossibleClientID {
      registration = usualRegistration
      if isProject, device.platform != .android {
        let right = PlatformDefaults.redirectURI(bundleID: app.bundleID)
        if registration?.redirectURIs.contains(right) == false { registration?.redirectURIs.append(right) }
      }
    }
    // A separate cloud knows only its own registrations.
    if tenant.cloudHost != nil { registration?.homeTenantID = tenant.id }
    // The users of an external tenant cannot consent, so an administrator has.
    if Tenant.isExternalHost(URLParts(app.authority)?.authority ?? "") {
      registration?.isPreauthorized = true
    }
  }

  /// Lists the assumptions, beginning with the most important.
  private mutating func assume(_ evidence: Evidence, keepsIDs: Bool) {
    func assume(_ name: EvidenceFact.Name, _ value: String, _ why: String) {
      let why = evidence.chosen[name] == nil ? why : Assumption.chosen
      assumptions.append(Assumption(name: name, value: value, why: why))
    }
    if evidence.diagnosis?.registrations.isEmpty != false {
      if hasImpossibleClientID {
        assume(.registration, "none has the client ID", "no registration can have it, and none was given")
      } else {
        assume(
          .registration, "has the app's redirect URI, and allows any scope", "no registration was given")
      }
    }
    if let program {
      if evidence.shown(.caller) == nil || !evidence.caller.isKindShown {
        let isByAddress = evidence.caller.isKindByAddress
        assume(
          .caller, caller.displayText,
          isByAddress
            ? "such redirect URIs are \(kindByAddressText(program))" : "such programs get the error")
      }
      if evidence.shown(.redirectURI) != program.redirectURI, !program.redirectURI.isEmpty {
        let isOfOrigin = evidence.shown(.origin).map { program.redirectURI == $0 + "/" } ?? false
        assume(.redirectURI, program.redirectURI, isOfOrigin ? "the page's origin" : Assumption.unshown)
      }
    } else {
      if !isProject, evidence.showsNoCaller { assume(.caller, caller.displayText, Assumption.unshown) }
      if evidence.shown(.redirectURI) == nil, !app.redirectURI.isEmpty {
        let place = unread.first { $0.kind == .redirectURI }?.place
        let why = place.map { "the SDK's default: the value in \($0) is not checked" }
        assume(.redirectURI, app.redirectURI, why ?? "the SDK's default")
      }
    }
    if evidence.shown(.clientID) == nil {
      let isRegistered = isProject && registration?.clientID == app.clientID
      let isGiven = isRegistered && evidence.diagnosis?.registrations.isEmpty == false
      assume(
        .clientID, app.clientID.isEmpty ? "none" : app.clientID,
        isGiven ? "the registration has it" : Assumption.unshown)
    }
    if program == nil {
      if evidence.shown(.bundleID) == nil { assume(.bundleID, app.bundleID, Assumption.unshown) }
      if evidence.shown(.system) == nil, !isProject {
        assume(.system, device.platform.rawValue, Assumption.unshown)
      }
    }
    if evidence.shown(.authority) == nil, !isProject {
      let why = program == nil ? "the SDK's default" : Assumption.unshown
      assume(.authority, program?.authority ?? app.authority, why)
    }
    if !keepsIDs {
      assume(
        .account, person.username, "names and tenants of the sources are replaced (--keep-ids keeps them)")
    }
    guard program == nil else { return }
    assume(.sdk, "\(app.sdk.rawValue) \(app.sdkVersion)", "the version whose behaviour the lab follows")
  }

  /// Returns the callers that have redirect URIs like the source's.
  private func kindByAddressText(_ program: Program) -> String {
    if CallerEvidence.isOfProgram(program.redirectURI) { return "a program's" }
    return program.kind == .webServer ? "a web server's, or a page's" : "a desktop program's, or a page's"
  }

  /// The world in which the app's calls succeed, unless the project has a mistake.
  var world: LabWorld {
    var world = LabWorld(
      device: device, tenants: [tenant], people: [person],
      registrations: (registration.map { [$0] } ?? []) + otherRegistrations, apps: [], brokerAccounts: [])
    if let program {
      world.programs = [program]
      if let client {
        world.programs.append(client.program)
        world.registrations.append(client.registration)
      }
    } else {
      world.apps = [app]
    }
    return world
  }

  // MARK: - Causes

  /// Lets the app ask for a token for itself, as a user flow allows.
  private mutating func useOwnScope() {
    isAtUserFlow = true
    app.scopes = [app.clientID]
  }

  static func isUserFlow(_ authority: String) -> Bool {
    (try? Authority(secure(authority)))?.ownClass == .b2c
  }

  /// Returns the setting in which the app asks the user flow of a cause for a token for itself, and not for Graph.
  func adapted(to cause: Cause, _ evidence: Evidence) -> LabSetting {
    let changed = cause.changes.compactMap { change -> String? in
      if case .app(let text) = change { Self.authority(inChange: text) } else { nil }
    }
    let authority = changed.last.map { filled($0, evidence) } ?? (program == nil ? app.authority : "")
    guard !isProject, Self.isUserFlow(authority) else { return self }
    var setting = self
    setting.useOwnScope()
    return setting
  }

  /// Returns the world with the changes of a cause, or `nil` if a field does not accept its value.
  func world(with changes: [Cause.Change], _ evidence: Evidence) -> LabWorld? {
    var world = world
    for change in changes {
      switch change {
      case .app(let text) where program != nil:
        guard let authority = Self.authority(inChange: text) else { return nil }
        world.programs[0].authority = filled(authority, evidence)
      case .person(let text):
        guard let person = changed(world.people[0], text, evidence) else { return nil }
        world.people[0] = person
      case .tenant(let text):
        guard let tenant = changed(world.tenants[0], text, evidence) else { return nil }
        world.tenants[0] = tenant
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
      case .otherPerson:
        var colleague = DirectoryUser(
          objectID: Self.colleagueID, homeTenantID: tenant.id, username: colleagueName, displayName: "Grace",
          password: person.password)
        colleague.isPersonal = person.isPersonal
        world.people.append(colleague)
      case .personalAccount where person.isPersonal != true:
        world.tenants.append(Self.personalTenant)
        world.people.append(personalAccount)
      case .personalAccount: break
      case .broker:
        guard program == nil, device.platform.brokerCall == .url else { return nil }
        world.device.brokerVersion = Device.currentBrokerVersion
        world.brokerAccounts = [.init(username: person.username, state: .ready)]
      }
    }
    return world
  }

  fileprivate var colleagueName: String { "grace@" + (tenant.domains.first ?? "outlook.example") }

  /// Returns the authority that a change of an app sets, which a program has too, or `nil` for another change.
  static func authority(inChange text: String) -> String? {
    text.hasPrefix("authority=") ? String(text.dropFirst("authority=".count)) : nil
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
    text.contains("$") ? CausePlaceholders(setting: self, evidence: evidence).filled(text) : text
  }
}

/// The values of the placeholders in a cause's texts.
private struct CausePlaceholders {
  let setting: LabSetting
  let evidence: Evidence

  func filled(_ text: String) -> String {
    let (app, program, tenant, person) = (setting.app, setting.program, setting.tenant, setting.person)
    let host = "https://" + (tenant.cloudHost ?? PublicCloud.preferredNetwork)
    let redirect =
      program?.redirectURI
      ?? (app.redirectURI.isEmpty ? PlatformDefaults.redirectURI(bundleID: app.bundleID) : app.redirectURI)
    var redirects = (program?.kind ?? .publicProgram).redirectField
    if program != nil, evidence.caller.isKindByAddress, !CallerEvidence.isOfProgram(redirect) {
      redirects.portal += " (or Single-page application, if the page itself redeems the code)"
    }
    let shown = evidence.value(.resource) ?? evidence.scopes.first.flatMap(Self.resource)
    // Each directory of the lab has Microsoft's own APIs, so another API stands in for an API that the real tenant
    // lacks.
    // What is not a URI is not an API of version 2, either.
    let resource =
      shown.flatMap { ProtectedResource.isFirstParty($0) || !$0.contains("://") && !$0.isGUID ? nil : $0 }
      ?? "api://\(LabSetting.resourceID)"
    // A longer name that begins with a shorter one comes first.
    let values = [
      ("$app", app.bundleID), ("$client", app.clientID), ("$user", person.username),
      ("$authority", app.authority), ("$colleague", setting.colleagueName),
      ("$personal", LabSetting.personalName),
      ("$password", person.password), ("$redirect", redirect),
      ("$secureRedirect", LabSetting.secure(redirect)),
      ("$scheme", urlScheme(of: redirect) ?? ""), ("$scope", app.scopes.first ?? "User.Read"),
      ("$group", app.keychainSharingGroup ?? app.bundleID), ("$common", host + "/common"),
      ("$tenantAuthority", "\(host)/\(tenant.id)"),
      ("$otherAuthority", "\(host)/\(LabSetting.otherTenantID)"),
      ("$missingAuthority", "\(host)/\(LabSetting.missingTenantID)"),
      ("$otherTenant", LabSetting.otherTenantID),
      ("$tenant", tenant.id),
      ("$federation", host + "/adfs"),
      ("$userFlow", "\(host)/tfp/\(tenant.domains.first ?? "")/B2C_1_signin"),
      ("$otherFlow", "\(host)/tfp/\(tenant.domains.first ?? "")/B2C_1_edit"),
      ("$guestID", LabSetting.missingTenantID), ("$domain", tenant.domains.first ?? ""),
      ("$unknownScope", resource + "/access"), ("$resourceID", LabSetting.resourceID),
      ("$resource", resource),
      ("$redirects", redirects.name), ("$portalPlatform", redirects.portal), ("$secret", LabSetting.secret),
      ("$interactively", interactively),
      ("$assertion", Self.assertion(of: app.clientID, for: ["\(host)/\(tenant.id)/v2.0"])),
      (
        "$hmacAssertion",
        Self.assertion(of: app.clientID, for: ["\(host)/\(tenant.id)/v2.0"], header: ["alg": "HS256"])
      ),
      (
        "$unnamedAssertion",
        Self.assertion(of: app.clientID, for: ["\(host)/\(tenant.id)/v2.0"], header: ["alg": "RS256"])
      ),
      ("$issuerlessAssertion", Self.assertion(of: nil, for: ["\(host)/\(tenant.id)/v2.0"])),
      ("$labIssuer", host + "/federation"),
      (
        "$severalAudiences",
        Self.assertion(
          of: app.clientID, for: ["\(host)/\(tenant.id)/v2.0", "\(host)/\(tenant.id)/oauth2/v2.0/token"])
      ),
      ("$key", Self.key),
      ("$proof", program?.secret.map { "secrets+=" + $0 } ?? "isMultiTenant=yes"),
      ("$parameter", evidence.parameter ?? setting.caller.parameter),
      ("$askedParameter", evidence.parameter ?? setting.caller.askedParameter),
      ("$repeatedParameter", evidence.parameter ?? "scope"),
      ("$misspelt", evidence.scopes.first ?? "User.Reed"),
      (
        "$newScope",
        evidence.usableScopes.first { $0.lowercased() != "user.read" } ?? "Mail.Read"
      ),
    ].sorted { $0.0.count > $1.0.count }
    return values.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// A public key whose private key signed nothing.
  private static let key =
    #"{"kty":"RSA","kid":"a","e":"AQAB","n":"v9PxEC98o2ZAeB_IBl86E4EfyrbDMYL3LOaMsAUGvSaH_aGD6BGAmmn1t1_7-Wg7IemtolfA1WF1oFOk1SH25-92SCdgNzKS3CX0a-fjg2O2htzcK3XqdXTsvdx2fQZlpjOhgq7udAIKkHLh_pUcrz6Ib81atTPsWaWUdPX8v_6PghNmCFyULj-yKOdwn0s7kc_tHq7n48-jcT1x4MzeuwVq6ihKpgYe7Cd6MGzQ9SjWxrBVsLyFtmJNBvqb6LRiYFBQgihmWf0R27TeyxrD8F62t6JjtmIHdGONMneHQNP4gQQnRAQkW7bzT-x9PCkhmSW0Zlk_oNUrOvsiGmYi-Q"}"#

  /// Returns a client assertion that no key of the registration verifies.
  private static func assertion(
    of clientID: String?, for audiences: [String],
    header: JSONValue = ["alg": "RS256", "typ": "JWT", "x5t": "YQ"]
  ) -> String {
    let audience: JSONValue =
      audiences.count == 1 ? .string(audiences[0]) : .array(audiences.map(JSONValue.string))
    let client: JSONValue = clientID.map(JSONValue.string) ?? .null
    let claims: JSONValue = [
      "iss": client, "sub": client, "aud": audience, "exp": .integer(4_102_444_800),
    ]
    let parts = [header, claims]
    return parts.map { Base64URL.encode(Data($0.text(.wire).utf8)) }.joined(separator: ".") + ".YWFh"
  }

  /// Returns the call that asks the user, as the caller's SDK names it.
  private var interactively: String {
    switch (setting.program?.kind, evidence.caller.software) {
    case (nil, _) where setting.device.platform == .android:
      "acquireToken in place of acquireTokenSilentAsync"
    case (nil, _): "acquireToken(with:) in place of acquireTokenSilent(with:)"
    case (.page, _): "acquireTokenPopup or acquireTokenRedirect in place of acquireTokenSilent"
    case (_, "MSAL.NET"): "AcquireTokenInteractive in place of AcquireTokenSilent"
    case (_, "MSAL Python"): "acquire_token_interactive in place of acquire_token_silent"
    case (_, "Azure CLI"): "az login"
    default: "sign in again"
    }
  }

  /// The App ID URI of a scope such as `api://orders/read`, or `nil` for a scope of Graph.
  private static func resource(of scope: String) -> String? {
    guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return nil }
    return String(scope[..<slash])
  }
}
