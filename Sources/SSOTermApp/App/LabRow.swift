import SSODevice
import SSOLab
import SSOProvider

/// A line of the Lab screen: a kind of record, or a record.
enum LabRow: Equatable, Sendable {
  case kind(RecordKind, count: Int)
  case record(RecordRow)

  /// Devices first: what they are decides most. Then what lies on them, then the provider's side.
  static let order: [RecordKind] = [.device, .app, .person, .policy, .registration, .tenant]

  static func lines(of records: [RecordRow]) -> [LabRow] {
    order.flatMap { kind in
      let own = records.filter { $0.kind == kind }
      return [LabRow.kind(kind, count: own.count)] + own.map { LabRow.record($0) }
    }
  }

  var id: String {
    switch self {
    case .kind(let kind, _): kind.rawValue
    case .record(let row): Self.id(row.kind, row.name)
    }
  }

  static func id(_ kind: RecordKind, _ name: String) -> String { "\(kind.rawValue)/\(name.lowercased())" }

  package var kind: RecordKind {
    switch self {
    case .kind(let kind, _): kind
    case .record(let row): row.kind
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
    case .person: "People"
    case .tenant: "Tenants"
    case .registration: "Registrations"
    case .device: "Devices"
    case .policy: "Policies"
    }
  }

  /// What a new one is known by.
  var nameOfNew: String {
    switch self {
    case .app: "bundle ID"
    case .person: "username"
    case .tenant: "domain"
    case .registration: "client ID"
    case .device, .policy: "name"
    }
  }

  var sentence: String {
    switch self {
    case .app: "What Info.plist, entitlements and code of each app say."
    case .person: "Who can sign in, and how."
    case .tenant: "The directories of the identity provider."
    case .registration: "What the provider knows of each client: redirect URIs, family, scopes."
    case .device: "What the apps run on: its broker, its lock, its certificates."
    case .policy: "Conditional Access: what the provider demands before it issues tokens."
    }
  }
}

/// A line of the right panel: a field to change, or something to do with the record.
enum FieldRow: Equatable, Sendable {
  case field(RecordRow.Field)
  case deed(Deed)

  package var id: String {
    switch self {
    case .field(let field): field.name
    case .deed(let deed): deed.words
    }
  }
}

/// What can be done with a record besides changing a field.
struct Deed: Equatable, Sendable {
  enum Way: Equatable, Sendable {
    case perform(Intent)
    /// One of several has to be chosen first.
    case choose(Choice)
    /// A name has to be typed first.
    case type(FieldEdit)
  }
  var words: String
  var way: Way

  static func perform(_ words: String, _ intent: Intent) -> Deed { Deed(words: words, way: .perform(intent)) }
}

extension LabRow {
  /// What Enter may do besides editing, in the order of the list.
  var deeds: [Deed] {
    switch self {
    case .kind(.policy, _):
      let demands = Policy.Requirement.allCases.map {
        Candidate($0.rawValue, Policy(name: "", requires: $0).words)
      }
      return [
        Deed(words: "set a policy…", way: .choose(Choice(.newPolicy, title: "What to demand", demands)))
      ]
    case .kind(.device, _): return []
    case .kind(let kind, _):
      return [
        Deed(words: "add \(kind == .app ? "an" : "a") \(kind.rawValue)…", way: .type(FieldEdit(adding: kind)))
      ]
    case .record(let row):
      switch row.kind {
      case .device: return row.deviceDeeds
      case .app: return row.appDeeds + [row.removal]
      case .policy: return [.perform("remove the policy", .removePolicy(name: row.name))]
      case .person, .tenant, .registration: return [row.removal]
      }
    }
  }
}

extension RecordRow {
  private func isSet(_ field: String) -> Bool { fields.contains { $0.name == field && $0.value != nil } }

  fileprivate var removal: Deed { .perform("remove the \(kind.rawValue)", .remove(kind, record: name)) }

  fileprivate var deviceDeeds: [Deed] {
    [
      isSet("brokerVersion")
        ? .perform("remove the broker", .removeBroker)
        : .perform("install the broker, as the person", .installBroker(version: nil, managed: nil)),
      .perform(
        "push the broker to all apps by MDM", .installBroker(version: nil, managed: BrokerManagement())),
      .perform("let MDM call the device compliant", .setCompliance(true)),
      .perform("let MDM call it not compliant", .setCompliance(false)),
    ]
  }

  fileprivate var appDeeds: [Deed] {
    let disturbances =
      [Candidate("nothing", "The next brokered call goes as it should.")]
      + Disturbance.allCases.map { Candidate($0.rawValue, $0.words) }
    return [
      Deed(
        words: "disturb its next brokered call…",
        way: .choose(Choice(.disturbance(app: name), title: "What goes wrong", disturbances))),
      .perform("end its process", .endApp(app: name)),
      .perform("delete it and install it again", .reinstall(app: name)),
    ]
  }
}
