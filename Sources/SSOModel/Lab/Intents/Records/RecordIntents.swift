import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// A new record with the defaults of its kind, in which the specified fields are replaced.
package struct AddRecord: Intent {
  package static let verb = "add"
  var kind: RecordKind
  var name: String
  var changes: [FieldChange]

  package init(_ kind: RecordKind, record name: String, _ changes: [FieldChange]) {
    self.kind = kind
    self.name = name
    self.changes = changes
  }

  package var displayText: String {
    (["add \(kind.rawValue) \(name)"] + changes.map(\.displayText)).joined(separator: " ")
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let keepsCase = [.app, .group, .role, .identity, .registration].contains(kind)
    let name = keepsCase ? name : name.lowercased()
    // Use the name by which users know a registration; programs know it by its client ID.
    let allowsSpaces = kind == .registration
    guard !name.isEmpty, name.count <= 120, name.first?.isWhitespace == false,
      name.allSatisfy({ allowsSpaces ? !$0.isNewline : !$0.isWhitespace && $0 != "/" })
    else {
      throw LabError(
        .badInput, "“\(name)” cannot name \(kind.article) \(kind.noun).",
        why: "Expected 1 to 120 characters "
          + (allowsSpaces ? "on one line, not beginning with a space." : "without spaces and slashes."),
        next: kind.addExample)
    }
    var (key, body) = try template(name, transaction)
    let records = try RecordQueries(reader: transaction.reader).stored(kind)
    let known = records.first?.name
    let isDomain = try kind == .tenant && transaction.directory.tenant(byNameOrID: name) != nil
    var home = transaction.device
    if kind == .app {
      let platform = changes.last { $0.field == "platform" }.flatMap { Platform(rawValue: $0.value) }
      home = try transaction.device(forApp: name, on: platform)
      key = home.id + "/" + name
    }
    guard !records.contains(where: { $0.key == key }), !isDomain,
      try transaction.store.document(kind.documentKind, key) == nil
    else {
      throw LabError(
        .badInput, "\(kind.article) \(kind.noun) \(name) exists already.",
        why: "Names are unique.", next: "See it: \(.show, kind.rawValue, name)")
    }
    // The values of these fields decide the others' defaults.
    let deciding: [String]
    switch kind {
    case .app: deciding = ["platform", "sdk", "teamID", "clientID"]
    case .device: deciding = ["platform"]
    default: deciding = []
    }
    body = try applying({ deciding.contains($0) }, to: body, known: known)
    if kind == .app { body = try encodeJSON(newApp(name, like: body, transaction)) }
    if kind == .device {
      body = try encodeJSON(Device(named: name, decodeJSON(Device.self, from: body).platform))
    }
    body = try applying({ !deciding.contains($0) }, to: body, known: known)
    body = try transaction.placingPersonalAccount(body, of: kind)
    if kind == .app { try transaction.requireSDK(of: decodeJSON(InstalledApp.self, from: body)) }
    try transaction.requireFields(of: changes, in: body, kind, named: known ?? name)
    let effects = try ChangeEffects(before: transaction)
    try transaction.store.put(body, kind.documentKind, key)
    transaction.trace.add(
      .person, kind.owner, "add \(kind.rawValue) \(name)", result: "done", sent: changes.map(\.sent))
    let added = try StoredRecord(kind: kind, key: key, body: body).row()
    let registered =
      kind == .app
      ? try transaction.registerRedirectURI(
        of: decodeJSON(InstalledApp.self, from: body),
        isChosen: changes.contains { $0.field == "redirectURI" })
      : []
    let isElsewhere = home.id != transaction.device.id
    let notes = kind == .app ? home.limits + (isElsewhere ? [Advice("It is on \(home.title).")] : []) : []
    let show: Advice =
      isElsewhere || kind == .device
      ? "\(.useDevice, kind == .device ? key : home.id)" : "\(.show, kind.rawValue, added.name)"
    return Outcome(
      .succeeded, "The \(kind.noun) \(added.title) is added.", next: "\(show); to undo it: \(.undo)",
      effects: notes + registered + (try effects.lines(after: transaction)))
  }

  /// Returns the record with the changes of the fields that are selected.
  ///
  /// `known` is a record of the kind that exists, whose fields an error proposes to look at.
  private func applying(_ isSelected: (String) -> Bool, to body: Data, known: String?) throws -> Data {
    try changes.filter { isSelected($0.field) }.reduce(body) {
      try $1.applied(to: $0, of: kind, named: known ?? name)
    }
  }

  private func template(_ name: String, _ transaction: IntentTransaction) throws -> (key: String, body: Data)
  {
    switch kind {
    case .app: (transaction.device.id + "/" + name, try encodeJSON(newApp(name, transaction)))
    case .person: (name, try encodeJSON(newPerson(name, transaction)))
    case .tenant:
      try {
        let id = name.isGUID ? name : guid(of: "tenant " + name)
        return (id, try encodeJSON(Tenant(id: id, displayName: name, domains: name.isGUID ? [] : [name])))
      }()
    case .registration:
      try {
        // As at Entra, the client ID is a GUID, and is generated for a registration with only a name.
        let clientID = name.isGUID ? name.lowercased() : transaction.random.uuid()
        return (
          clientID,
          try encodeJSON(
            ClientRegistration(
              clientID: clientID, displayName: name, publisher: "", redirectURIs: []))
        )
      }()
    case .device: (name, try encodeJSON(Device(named: name, .iOS)))
    case .policy: (name, try encodeJSON(Policy(name: name, requires: .compliantDevice)))
    case .identity:
      (
        name.lowercased(),
        try encodeJSON(ManagedIdentity(name: name, tenant: organisation(for: kind, transaction)))
      )
    case .group:
      (
        name.lowercased(),
        try encodeJSON(Group(name: name, tenantID: organisation(for: kind, transaction).id))
      )
    case .role:
      (name.lowercased(), try encodeJSON(AppRole(name: name, clientID: ProtectedResource.graphAppID)))
    }
  }

  /// Returns an app that is configured as the articles describe, with the team, vendor, and client ID of the same app on
  /// another device, or else of the lab's first app.
  ///
  /// `body` is the app with the fields that the user chose and that determine the others.
  private func newApp(_ bundleID: String, like body: Data? = nil, _ transaction: IntentTransaction) throws
    -> InstalledApp
  {
    let chosen = try body.map { try decodeJSON(InstalledApp.self, from: $0) }
    let platform = chosen?.platform ?? transaction.device.platform
    let known = transaction.installed + (try transaction.reader.appsElsewhere().map(\.app))
    // The same app on another device.
    let twin = known.first { $0.bundleID == bundleID }
    let mate = twin ?? known.first
    let team =
      changes.contains { $0.field == "teamID" }
      ? chosen?.teamID : known.first { $0.builtDefaults.platform == platform }?.teamID
    let defaults = PlatformDefaults(platform, chosen?.sdk ?? .msal)
    var app = defaults.app(
      bundleID: bundleID, teamID: team ?? defaults.teamID,
      clientID: chosen?.clientID ?? mate?.clientID ?? transaction.random.uuid(),
      vendor: mate?.vendor ?? "Contoso")
    if let platform = chosen?.platform { app.platform = platform }
    if let twin { app.displayName = twin.displayName }
    return app
  }

  /// Returns the first tenant of an organisation.
  private func organisation(for kind: RecordKind, _ transaction: IntentTransaction) throws -> Tenant {
    guard let tenant = try transaction.directory.tenants().first(where: { $0.id != Tenant.personalID }) else {
      throw LabError(
        .nothingMatched, "There is no tenant for the \(kind.noun).",
        why: "Each \(kind.noun) belongs to one.",
        next: "\(.add, "tenant", "contoso.com")")
    }
    return tenant
  }

  /// Returns a member of the tenant with the username's domain, or of the tenant for personal accounts.
  private func newPerson(_ username: String, _ transaction: IntentTransaction) throws -> DirectoryUser {
    let domain = username.split(separator: "@").last.map(String.init) ?? ""
    let directory = transaction.directory
    let home = try directory.tenant(byNameOrID: domain)
    guard username.contains("@"), let tenant = try home ?? directory.tenant(byNameOrID: Tenant.personalID)
    else {
      throw LabError.unknown(
        .nothingMatched, "tenant", domain, among: try directory.tenants().flatMap(\.domains),
        list: "\(.list, "tenant")")
    }
    return DirectoryUser(
      objectID: transaction.random.uuid(), homeTenantID: tenant.id, username: username, displayName: username,
      password: "password", isPersonal: tenant.id == Tenant.personalID)
  }
}

extension RecordKind {
  fileprivate var addExample: Advice {
    switch self {
    case .app: "\(.add, "app", "com.contoso.mytestapp4", "displayName=Four")"
    case .person: "\(.add, "person", "grace@contoso.com", "password=PASSWORD")"
    case .tenant: "\(.add, "tenant", "fabrikam.com", "displayName=Fabrikam")"
    case .registration: "\(.add, "registration", "My app", "redirectURIs+=URI")"
    case .device: "\(.add, "device", "android", "platform=Android")"
    case .policy: "\(.add, "policy", "NAME", with: [.require: "compliantDevice"])"
    case .identity: "\(.add, "identity", "batch-jobs")"
    case .group: "\(.add, "group", "engineers", "members+=ada@contoso.com")"
    case .role: "\(.add, "role", "Orders.Read", "clientID=CLIENTID", "members+=ada@contoso.com")"
    }
  }
}

/// A change of fields of one record, whose outcome describes the effects on the apps.
package struct EditRecord: Intent {
  package static let verb = "set"
  var kind: RecordKind
  /// The record's name or a part of it.
  var name: String
  var changes: [FieldChange]

  package init(_ kind: RecordKind, record name: String, _ changes: [FieldChange]) {
    self.kind = kind
    self.name = name
    self.changes = changes
  }

  package var displayText: String {
    "set \(kind.rawValue) \(name) \(changes.map(\.displayText).joined(separator: " "))"
  }
  package func displayText(_ names: KnownAccounts) throws -> String {
    guard kind == .registration else { return displayText }
    let title = try names.reader.directory.registration(clientID: name)?.displayName
    return Self(kind, record: title ?? name, changes).displayText
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let stored = try RecordQueries(reader: transaction.reader).stored(kind, named: name)
    var body = stored.body
    for change in changes { body = try change.applied(to: body, of: kind, named: stored.name) }
    if changes.contains(where: { $0.field == "isPersonal" }) {
      body = try transaction.placingPersonalAccount(body, of: kind)
    }
    try transaction.requireFields(of: changes, in: body, kind, named: stored.name)
    let effects = try ChangeEffects(before: transaction)
    let moved = try transaction.followPlatform(
      of: kind, before: stored.body, after: &body, isNamed: changes.contains { $0.field == "platform" })
    let key = try transaction.key(of: stored, renamedIn: body)
    try transaction.store.put(body, kind.documentKind, key)
    try transaction.revokeTokens(after: (stored.body, body), of: kind)
    let words = changes.map(\.displayText).joined(separator: ", ")
    transaction.trace.add(
      .person, kind.owner, "set \(kind.rawValue) \(stored.name)",
      result: "done", sent: changes.map(\.sent))
    let lines = moved + changes.flatMap(\.withoutEffect) + (try effects.lines(after: transaction))
    return Outcome(
      .succeeded, "\(try stored.row().title): \(words)." + (lines.isEmpty ? " Nothing else changes." : ""),
      next: lines.isEmpty ? nil : "\(.why, "APP"); to undo it: \(.undo)", effects: lines)
  }
}

extension IntentTransaction {
  /// Returns the key of a changed record; a user's key is the username, to which other records refer.
  fileprivate func key(of stored: StoredRecord, renamedIn body: Data) throws -> String {
    guard stored.kind == .person else { return stored.key }
    let (old, new) = try (
      decodeJSON(DirectoryUser.self, from: stored.body).username,
      decodeJSON(DirectoryUser.self, from: body).username
    )
    guard old != new else { return stored.key }
    try changeUsername(old, to: new)
    return new.lowercased()
  }
}

extension Device {
  /// A line about the part of the platform that the lab does not simulate, if any.
  fileprivate var limits: [Advice] { simulationCheck.map { ["\($0.reason)"] } ?? [] }
}

extension IntentTransaction {
  /// Returns the record with a personal account at home in the tenant of all such accounts, whatever domain its username has.
  ///
  /// Its object ID is 64 bits behind zeros (docs/behaviour/msal-cache.md §7).
  fileprivate func placingPersonalAccount(_ body: Data, of kind: RecordKind) throws -> Data {
    guard kind == .person else { return body }
    var person = try decodeJSON(DirectoryUser.self, from: body)
    let zeros = "00000000-0000-0000-"
    guard person.isPersonal, person.homeTenantID != Tenant.personalID || !person.objectID.hasPrefix(zeros)
    else { return body }
    person.homeTenantID = Tenant.personalID
    person.objectID = zeros + person.objectID.suffix(17)
    return try encodeJSON(person)
  }
}

/// The consequences of an app's platform and redirect URI for the other records.
extension IntentTransaction {
  /// Adds the redirect URI of a new app to the registration of its client, as a developer does in the portal.
  ///
  /// A redirect URI that the user chose is only compared with the registration.
  ///
  /// - Returns: A line for the outcome, or no line if the redirect URI is registered.
  func registerRedirectURI(of app: InstalledApp, isChosen: Bool = false) throws -> [Advice] {
    let uri = app.redirectURI
    guard !uri.isEmpty, !app.clientID.isEmpty else { return [] }
    guard var registration = try directory.registration(clientID: app.clientID) else {
      return [
        """
        No registration has the client ID \(app.clientID); add one: \
        \(.add, "registration", app.clientID, "redirectURIs=\(uri)")
        """
      ]
    }
    guard !registration.redirectURIs.contains(uri) else { return [] }
    guard !isChosen else {
      return [
        """
        The registration \(registration.displayName) does not have the redirect URI \(uri); add it: \
        \(.set, "registration", registration.clientID, "redirectURIs+=\(uri)")
        """
      ]
    }
    registration.redirectURIs.append(uri)
    try store.save(registration)
    return ["The redirect URI \(uri) is added to the registration \(registration.displayName)."]
  }

  /// Throws if the lab does not simulate the app's SDK on its platform.
  func requireSDK(of app: InstalledApp) throws {
    guard let check = device.sdkCheck(of: app) else { return }
    throw LabError(
      .badInput, "\(app.bundleID) cannot have ADAL on \(device.platform(of: app).rawValue).",
      why: "\(check.reason).",
      next: "\(.set, "app", app.bundleID, "sdk=MSAL")"
    ).replacing(SDKKind.adal.rawValue, with: [SDKKind.msal.rawValue])
  }

  /// Throws for a field, or a value of a field, that apps or devices of the platform do not have.
  func requireFields(of changes: [FieldChange], in body: Data, _ kind: RecordKind, named name: String) throws
  {
    let platform: Platform
    switch kind {
    case .app: platform = try decodeJSON(InstalledApp.self, from: body).platform ?? device.platform
    case .device: platform = try decodeJSON(Device.self, from: body).platform
    default: return
    }
    let subject = "\(kind.article.capitalized) \(kind.noun) on \(platform.rawValue)"
    let missing = platform.missingFields(of: kind).union(platform.unsimulatedFields(of: kind))
    for change in changes where !change.value.isEmpty {
      guard !missing.contains(change.field) else {
        throw LabError(
          .badInput, "\(change.field) is a field of another platform.", why: "\(subject) does not have it.",
          next: "See the fields: \(.show, kind.rawValue, name)")
      }
      guard let choices = platform.choices(of: change.field, kind), !choices.contains(change.value) else {
        continue
      }
      throw LabError(
        .badInput, "\(change.field)=\(change.value) is a value of another platform.",
        why: "\(subject) can have \(choices.joined(separator: ", ")).",
        next: "\(.set, kind.rawValue, name, "\(change.field)=\(choices[0])")")
    }
  }

  /// Gives the defaults of a new platform or SDK to an app, or those of a new platform to the apps of a device that are
  /// built for the device's platform.
  ///
  /// Naming the platform again (`isNamed`) repairs apps in which platforms are mixed up.
  ///
  /// - Returns: A line for each app that changed.
  func followPlatform(of kind: RecordKind, before: Data, after: inout Data, isNamed: Bool) throws -> [Advice]
  {
    switch kind {
    case .app:
      let app = try decodeJSON(InstalledApp.self, from: after)
      let old = try decodeJSON(InstalledApp.self, from: before)
      guard isNamed || app.sdk != old.sdk else { return [] }
      try requireSDK(of: app)
      let platform = app.platform ?? device.platform
      let moved = PlatformDefaults(platform, app.sdk).moving(app, from: old.sdk)
      after = try encodeJSON(moved)
      if device.platform(of: old) == platform { try moveCache(of: moved, before: app, on: device) }
      return try changeAdvice(for: moved, before: app, on: platform)
    case .device:
      var device = try decodeJSON(Device.self, from: after)
      let old = try decodeJSON(Device.self, from: before)
      let platform = device.platform
      guard isNamed else { return [] }
      // The system's own broker stays with the system.
      if old.platform.hasOwnBroker, platform != old.platform, device.brokerVersion == old.brokerVersion {
        device.brokerVersion = nil
      }
      device.addOwnBroker()
      let hasUsualName = device.name == old.name && Platform.allCases.contains { $0.deviceName == old.name }
      if hasUsualName { device.name = platform.deviceName }
      let name: [Advice] = device.name == old.name ? [] : ["The device is called \(device.name)"]
      after = try encodeJSON(device)
      let records = try store.documents(.app, keyPrefix: device.id + "/")
      let lines = try records.flatMap { record -> [Advice] in
        let app = try decodeJSON(InstalledApp.self, from: record.body)
        guard app.platform ?? platform == platform else { return [] }
        let moved = PlatformDefaults(platform, app.sdk).moving(app)
        try store.write(moved, .app, record.key)
        if platform == old.platform { try moveCache(of: moved, before: app, on: device) }
        return try changeAdvice(for: moved, before: app, on: platform)
      }
      let apps = try records.map { try decodeJSON(InstalledApp.self, from: $0.body) }
      let adal = apps.compactMap { app in
        device.sdkCheck(of: app).map { "\(app.displayName): \($0.reason)" as Advice }
      }
      return name + (platform == old.platform ? [] : device.limits) + adal + lines
    case .person, .tenant, .registration, .policy, .identity, .group, .role: return []
    }
  }

  /// Moves the items of an app's own cache if the repair of the app changes the signature hash, which names the cache.
  private func moveCache(of app: InstalledApp, before: InstalledApp, on home: Device) throws {
    let (old, new) = (before.asInstalled(on: home.platform), app.asInstalled(on: home.platform))
    guard old.sharedAccessGroup != new.sharedAccessGroup, !new.builtDefaults.hasSharedCache else { return }
    let credentials = store.credentials(device: home.id)
    for item in try items(in: [old.sharedAccessGroup], of: credentials) {
      var moved = item
      moved.key.accessGroup = new.sharedAccessGroup
      try credentials.insert(moved)
      try credentials.delete(item.key)
    }
  }

  private func changeAdvice(for app: InstalledApp, before: InstalledApp, on platform: Platform) throws
    -> [Advice]
  {
    guard app != before else { return [] }
    let changed = InstalledApp.fields.filter { $0.value(app) != $0.value(before) }.map(\.description.name)
    let names = changed.joined(separator: ", ")
    return ["\(app.displayName): \(names) as on \(platform.rawValue)"] + (try registerRedirectURI(of: app))
  }
}

extension FieldChange {
  /// - Throws: `LabError` with the field, the expected value, and the value found.
  func applied(to body: Data, of kind: RecordKind, named name: String) throws -> Data {
    let show: Advice = "\(.show, kind.rawValue, name)"
    let described = kind.fields.first { $0.name == field }
    let open = kind.fields.filter { !$0.isIdentity }.map(\.name)
    guard let described, !described.isIdentity else {
      if described != nil {
        throw LabError(
          .badInput, "\(field) is the key of the \(kind.noun) and cannot be changed.",
          why: "Other records refer to it.", next: "See the fields: \(show)")
      }
      throw LabError(
        .badInput, "\(kind.article.capitalized) \(kind.noun) has no field “\(field)”.",
        why: nearestName(to: field, among: open).map { "It is called \($0)." }
          ?? "It has \(open.listed(near: field, as: "fields")).",
        next: nearestName(to: field, among: open).map { "Did you mean \($0)?" } ?? "See them: \(show)")
    }
    if let changed = try kind.applying(self, to: body) { return changed }
    throw LabError(
      .badInput,
      "\(field) cannot be \(operation == .set ? "" : operation.rawValue)“\(shownValue)”.",
      why: kind.problem(of: self) ?? described.expected, next: nearest(of: described) ?? show)
  }

  /// A line about the keys of an SSO profile without an effect in the lab, or no line.
  fileprivate var withoutEffect: [Advice] {
    guard field == "ssoProfile", let payload = JSONValue(bounded: Data(value.utf8)) else { return [] }
    let keys = SSOProfile.keysWithoutEffect(in: payload)
    return keys.isEmpty ? [] : ["Without an effect in the lab: \(keys.joined(separator: ", "))"]
  }

  /// Returns the advice to use the nearest value of a choice.
  private func nearest(of field: RecordFieldDescription) -> Advice? {
    let words: [String]
    switch field.form {
    case .choice(let choices): words = choices
    case .flag: words = ["yes", "no"]
    default: return nil
    }
    return (nearestName(to: value, among: words) ?? words.first).map { "Did you mean \($0)?" }
  }

  var sent: NameValue { NameValue(field + operation.rawValue, shownValue) }
  private var shownValue: String { RecordKind.secretFields.contains(field) ? masked(value) : value }
}

extension RecordKind {
  /// The party that has the record in a trace.
  var owner: Party { self == .app || self == .device ? .app : .provider }
  package var article: String { self == .app || self == .identity ? "an" : "a" }
}

/// The removal of a record from the lab.
///
/// The app's keychain items stay, as they do on iOS. A device is removed with everything on it.
package struct RemoveRecord: Intent {
  package static let verb = "remove"
  var kind: RecordKind
  /// The record's name or a part of it.
  var name: String

  package init(_ kind: RecordKind, record name: String) {
    self.kind = kind
    self.name = name
  }

  package var displayText: String { "remove \(kind.rawValue) \(name)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let stored = try RecordQueries(reader: transaction.reader).stored(kind, named: name)
    guard kind != .device || stored.key != transaction.device.id else {
      let other = try RecordQueries(reader: transaction.reader).rows(.device).first { $0.name != stored.key }
      throw RecordKind.deviceIsInUse(other: other?.name)
    }
    if kind == .tenant {
      let people = try transaction.directory.people().filter { $0.homeTenantID == stored.key }
      guard people.isEmpty else {
        throw LabError(
          .badInput, "The tenant \(try stored.row().title) is the home tenant of users.",
          why: "Its users: \(people.map(\.username).joined(separator: ", ")).",
          next: "First: \(.remove, "person", people[0].username)")
      }
    }
    let effects = try ChangeEffects(before: transaction)
    try transaction.store.delete(kind.documentKind, stored.key)
    if kind == .device { try transaction.clear(decodeJSON(Device.self, from: stored.body)) }
    if kind == .app {
      try AppDefaults(documents: transaction.store, key: stored.key).clear()
      try transaction.store.setProcess(nil, of: stored.name, device: transaction.device.id)
    }
    transaction.trace.add(.person, kind.owner, "remove \(kind.rawValue) \(stored.name)", result: "done")
    return Outcome(
      .succeeded, "The \(kind.noun) \(try stored.row().title) is removed.",
      next: "To undo it: \(.undo)", effects: try effects.lines(after: transaction))
  }
}

extension RecordKind {
  /// Returns the error for the removal of the device that the lab is on; `other` is another device, if there is one.
  static func deviceIsInUse(other: String?) -> LabError {
    LabError(
      .badInput, "The device that the lab is on cannot be deleted.",
      why: "Its keychain, apps and broker belong to it.",
      next: other.map { "Use another one first: \(.useDevice, $0)" } ?? "List them: \(.list, "device")")
  }
}
