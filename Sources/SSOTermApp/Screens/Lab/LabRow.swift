import SSOLab

/// A row of the Lab screen: a kind of record, or a record.
enum LabRow: Equatable, Sendable {
  case kind(RecordKind, count: Int)
  case record(RecordRow)
  /// The kinds of which the lab has no records.
  case unused([RecordKind])

  /// The kinds of records, with devices first because they determine most.
  ///
  /// Then come the records on a device, followed by the provider's records.
  static let kinds: [RecordKind] = [
    .device, .app, .person, .group, .policy, .registration, .role, .identity, .tenant,
  ]

  static func lines(of records: [RecordRow]) -> [LabRow] {
    let unused = kinds.filter { kind in !records.contains { $0.kind == kind } }
    let used = kinds.filter { !unused.contains($0) }.flatMap { kind in
      let own = records.filter { $0.kind == kind }
      return [LabRow.kind(kind, count: own.count)] + own.map { LabRow.record($0) }
    }
    return used + (unused.isEmpty ? [] : [.unused(unused)])
  }

  var id: String {
    switch self {
    case .kind(let kind, _): kind.rawValue
    case .record(let row): Self.id(row.kind, row.name)
    case .unused: "unused"
    }
  }

  static func id(_ kind: RecordKind, _ name: String) -> String { "\(kind.rawValue)/\(name.lowercased())" }

  var title: String {
    switch self {
    case .kind(let kind, _): kind.plural
    case .record(let row): row.title
    case .unused: "Nothing yet"
    }
  }

  /// A description of the records that the line represents.
  var sentence: String {
    switch self {
    case .kind(let kind, _): kind.sentence
    case .record(let row): row.title
    case .unused: "Kinds of records that the lab does not have yet."
    }
  }

  var record: RecordRow? {
    if case .record(let row) = self { row } else { nil }
  }
}

extension RecordKind {
  var plural: String {
    switch self {
    case .app: "Apps"
    case .person: "Users"
    case .tenant: "Tenants"
    case .registration: "Registrations"
    case .device: "Devices"
    case .policy: "Policies"
    case .identity: "Identities"
    case .group: "Groups"
    case .role: "App roles"
    }
  }

  /// The name of the field that identifies a new record.
  var nameOfNew: String {
    switch self {
    case .app: "bundle ID"
    case .person: "username"
    case .tenant: "domain"
    case .registration: "client ID"
    case .device, .policy, .identity, .group, .role: "name"
    }
  }

  var sentence: String {
    switch self {
    case .app: "Info.plist, entitlements and settings of each app."
    case .person: "The users who can sign in."
    case .tenant: "The directories of the identity provider."
    case .registration: "The app registrations at the provider: redirect URIs, family, scopes."
    case .device: "The device that the apps run on: broker, lock, certificates."
    case .policy: "Conditional Access: what the provider requires before it issues tokens."
    case .group: "Groups of users and of other groups: the values of the claim groups."
    case .role: "Permissions that an app defines, and who has them: the values of the claim roles."
    case .identity: "Identities of machines: what programs get at serve --managed-identity."
    }
  }
}
