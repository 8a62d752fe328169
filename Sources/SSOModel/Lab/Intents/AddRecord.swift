import Essentials

/// Adds a record, with what is usual for its kind and the given fields laid over it.
struct AddRecord: IntentAction {
  var kind: RecordKind
  var name: String
  var changes: [FieldChange]

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let keepsCase = [.app, .group, .role, .identity, .registration].contains(kind)
    let name = keepsCase ? name : name.lowercased()
    // A registration is named as people name it; what names it to programs is the client ID.
    let allowsSpaces = kind == .registration
    guard !name.isEmpty, name.count <= 120, name.first?.isWhitespace == false,
      name.allSatisfy({ allowsSpaces ? !$0.isNewline : !$0.isWhitespace && $0 != "/" })
    else {
      throw LabError(
        .badInput, "“\(name)” cannot name \(kind.article) \(kind.rawValue).",
        why: "Expected 1 to 120 characters "
          + (allowsSpaces ? "on one line, not beginning with a space." : "without spaces and slashes."),
        next: kind.addExample)
    }
    var (key, body) = try template(name, transaction)
    let known = try RecordQueries(reader: transaction.reader).stored(kind).contains { $0.key == key }
    let isDomain = try kind == .tenant && transaction.directory.tenant(byNameOrID: name) != nil
    guard !known, !isDomain else {
      throw LabError(
        .badInput, "\(kind.article) \(kind.rawValue) \(name) exists already.",
        why: "Names are unique.", next: "Change it: \(.set, kind.rawValue, name, "FIELD=VALUE")")
    }
    for change in changes { body = try change.applied(to: body, of: kind, named: name) }
    let effects = try ChangeEffects(before: transaction)
    try transaction.store.put(body, kind.documentKind, key)
    transaction.trace.add(
      .person, kind.owner, "add \(kind.rawValue) \(name)", result: "done", sent: changes.map(\.sent))
    let added = try StoredRecord(kind: kind, key: key, body: body).row()
    return Outcome(
      .succeeded, "The \(kind.rawValue) \(added.title) is added.",
      next: "\(.show, kind.rawValue, added.name); to undo it: \(.undo)",
      effects: try effects.lines(after: transaction))
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
        // As at Entra the client ID is a GUID, and made for a registration that is given a name only.
        let clientID = name.isGUID ? name.lowercased() : transaction.random.uuid()
        return (
          clientID,
          try encodeJSON(
            ClientRegistration(
              clientID: clientID, displayName: name, publisher: "", redirectURIs: [],
              allowedScopes: ["User.Read"]))
        )
      }()
    case .device: throw RecordKind.deviceIsFixed
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

  /// As the articles tell a developer to do it; team, vendor and client ID are those of the lab's first app.
  private func newApp(_ bundleID: String, _ transaction: IntentTransaction) -> InstalledApp {
    let mate = transaction.installed.first
    return PlatformDefaults(transaction.device.platform).app(
      bundleID: bundleID, teamID: mate?.teamID ?? "A1B2C3D4E5",
      clientID: mate?.clientID ?? transaction.random.uuid(), vendor: mate?.vendor ?? "Contoso")
  }

  /// The first organisation.
  private func organisation(for kind: RecordKind, _ transaction: IntentTransaction) throws -> Tenant {
    guard let tenant = try transaction.directory.tenants().first(where: { $0.id != Tenant.personalID }) else {
      throw LabError(
        .nothingMatched, "There is no tenant for the \(kind.rawValue).",
        why: "Each \(kind.rawValue) belongs to one.",
        next: "\(.add, "tenant", "contoso.com")")
    }
    return tenant
  }

  /// At home in the tenant that the username's domain names, else in that of personal accounts.
  private func newPerson(_ username: String, _ transaction: IntentTransaction) throws -> Person {
    let domain = username.split(separator: "@").last.map(String.init) ?? ""
    let directory = transaction.directory
    let home = try directory.tenant(byNameOrID: domain)
    guard username.contains("@"), let tenant = try home ?? directory.tenant(byNameOrID: Tenant.personalID)
    else {
      throw LabError.unknown(
        .nothingMatched, "tenant", domain, among: try directory.tenants().flatMap(\.domains),
        list: "\(.list, "tenant")")
    }
    let isPersonal = tenant.id == Tenant.personalID
    // A personal account's object ID is 64 bits behind zeros (docs/behaviour/msal-cache.md §7).
    let objectID =
      isPersonal ? "00000000-0000-0000-" + transaction.random.uuid().suffix(17) : transaction.random.uuid()
    return Person(
      objectID: objectID, homeTenantID: tenant.id, username: username, displayName: username,
      password: "password", isPersonal: isPersonal)
  }
}

extension String {
  fileprivate var isGUID: Bool { UUID(uuidString: self) != nil }
}

extension RecordKind {
  fileprivate var addExample: Advice {
    switch self {
    case .app: "\(.add, "app", "com.contoso.mytestapp4", "displayName=Four")"
    case .person: "\(.add, "person", "grace@contoso.com", "password=PASSWORD")"
    case .tenant: "\(.add, "tenant", "fabrikam.com", "displayName=Fabrikam")"
    case .registration: "\(.add, "registration", "My app", "redirectURIs+=URI")"
    case .device: "\(.list, "device")"
    case .policy: "\(.add, "policy", "NAME", with: [.require: "compliantDevice"])"
    case .identity: "\(.add, "identity", "batch-jobs")"
    case .group: "\(.add, "group", "engineers", "members+=ada@contoso.com")"
    case .role: "\(.add, "role", "Orders.Read", "clientID=CLIENTID", "members+=ada@contoso.com")"
    }
  }
}
