import Foundation
import SSOCore
import SSODevice
import SSOProvider
import SSOStore

/// Records that come and go: apps, people, tenants, registrations.
extension Stage {
  /// A record of this name, with what is usual for it, and `changes` laid over that.
  func add(_ kind: RecordKind, _ name: String, _ changes: [FieldChange]) throws -> Outcome {
    let name = kind == .app ? name : name.lowercased()
    guard !name.isEmpty, name.count <= 120, name.allSatisfy({ !$0.isWhitespace && $0 != "/" }) else {
      throw LabError(
        .badInput, "“\(name)” cannot name \(kind.article) \(kind.rawValue).",
        why: "Expected 1 to 120 characters without spaces and slashes.", next: kind.addExample)
    }
    var (key, body) = try template(kind, name)
    let known = try records(kind).contains { $0.key == key }
    let isDomain = try kind == .tenant && Directory(documents: transaction).tenant(byNameOrID: name) != nil
    guard !known, !isDomain else {
      throw LabError(
        .badInput, "There is \(kind.article) \(kind.rawValue) \(name) already.",
        why: "Names are used once.", next: "Change it: ssoterm \(kind.rawValue) set \(name) FIELD=VALUE")
    }
    for change in changes { body = try Self.apply(change, to: body, of: kind, named: name) }
    let before = try installed.map { try row(of: $0) }
    try transaction.put(body, kind.documentKind, key)
    trace.add(.person, kind.owner, "add \(kind.rawValue) \(name)", result: "done", sent: changes.map(\.sent))
    let added = try StoredRecord(kind: kind, key: key, body: body).row()
    return Outcome(
      .succeeded, "The \(kind.rawValue) \(added.title) is added.",
      next: "ssoterm \(kind.rawValue) show \(added.name); take it back: ssoterm undo",
      effects: try effects(since: before))
  }

  /// Takes a record away. What an app left in the keychain stays, as it does on iOS.
  func remove(_ kind: RecordKind, _ name: String) throws -> Outcome {
    let stored = try record(kind, named: name)
    guard kind != .device else { throw Self.fixedDevices }
    if kind == .tenant {
      let people = try Directory(documents: transaction).people().filter { $0.homeTenantID == stored.key }
      guard people.isEmpty else {
        throw LabError(
          .badInput, "The tenant \(try stored.row().title) is somebody's home.",
          why: "At home in it: \(people.map(\.username).joined(separator: ", ")).",
          next: "First: ssoterm person remove \(people[0].username)")
      }
    }
    let before = try installed.map { try row(of: $0) }
    try transaction.delete(kind.documentKind, stored.key)
    if kind == .app {
      try AppDefaults(documents: transaction, key: stored.key).clear()
      try transaction.setProcess(nil, of: stored.name, device: device.id)
    }
    trace.add(.person, kind.owner, "remove \(kind.rawValue) \(stored.name)", result: "done")
    return Outcome(
      .succeeded, "The \(kind.rawValue) \(try stored.row().title) is removed.",
      next: "Take it back: ssoterm undo",
      effects: try effects(since: before))
  }

  private static let fixedDevices = LabError(
    .badInput, "A lab's device stays.", why: "Its keychain, apps and broker hang on it.",
    next: "Change it: ssoterm device set NAME FIELD=VALUE")

  private func template(_ kind: RecordKind, _ name: String) throws -> (key: String, body: Data) {
    switch kind {
    case .app: (device.id + "/" + name, try encodeJSON(newApp(name)))
    case .person: (name, try encodeJSON(newPerson(name)))
    case .tenant:
      try {
        let id = name.isGUID ? name : guid(of: "tenant " + name)
        return (id, try encodeJSON(Tenant(id: id, displayName: name, domains: name.isGUID ? [] : [name])))
      }()
    case .registration:
      (
        name,
        try encodeJSON(
          ClientRegistration(
            clientID: name, displayName: name, publisher: "", redirectURIs: [], allowedScopes: ["User.Read"]))
      )
    case .device: throw Self.fixedDevices
    case .policy: (name, try encodeJSON(Policy(name: name, requires: .compliantDevice)))
    }
  }

  /// As the articles tell a developer to do it; team, vendor and client ID are those of the lab's first app.
  private func newApp(_ bundleID: String) throws -> InstalledApp {
    let mate = installed.first
    return InstalledApp(
      bundleID: bundleID, teamID: mate?.teamID ?? "A1B2C3D4E5", displayName: bundleID,
      vendor: mate?.vendor ?? "Contoso", clientID: mate?.clientID ?? chance.uuid(),
      redirectURI: "msauth.\(bundleID)://auth",
      keychainAccessGroups: ["$(AppIdentifierPrefix)com.microsoft.adalcache"],
      keychainSharingGroup: "com.microsoft.adalcache", urlSchemes: ["msauth.\(bundleID)"],
      queriesSchemes: ["msauthv2", "msauthv3"])
  }

  /// At home in the tenant that the username's domain names, else in that of personal accounts.
  private func newPerson(_ username: String) throws -> Person {
    let domain = username.split(separator: "@").last.map(String.init) ?? ""
    let directory = Directory(documents: transaction)
    let home = try directory.tenant(byNameOrID: domain)
    guard username.contains("@"), let tenant = try home ?? directory.tenant(byNameOrID: Tenant.personalID)
    else {
      throw LabError.unknown(
        .nothingMatched, "tenant", domain, among: try directory.tenants().flatMap(\.domains),
        list: "ssoterm tenant list")
    }
    let isPersonal = tenant.id == Tenant.personalID
    // A personal account's object ID is 64 bits behind zeros (fact sheet §3.1).
    let objectID = isPersonal ? "00000000-0000-0000-" + chance.uuid().suffix(17) : chance.uuid()
    return Person(
      objectID: objectID, homeTenantID: tenant.id, username: username, displayName: username,
      password: "password", isPersonal: isPersonal)
  }
}

extension String {
  fileprivate var isGUID: Bool { UUID(uuidString: self) != nil }
}

extension RecordKind {
  var article: String { self == .app ? "an" : "a" }

  fileprivate var addExample: String {
    switch self {
    case .app: "ssoterm app add com.contoso.mytestapp4 displayName=Four"
    case .person: "ssoterm person add grace@contoso.com password=…"
    case .tenant: "ssoterm tenant add fabrikam.com displayName=Fabrikam"
    case .registration: "ssoterm registration add CLIENTID redirectURIs+=URI"
    case .device: "ssoterm device list"
    case .policy: "ssoterm policy add NAME --require compliantDevice"
    }
  }
}
