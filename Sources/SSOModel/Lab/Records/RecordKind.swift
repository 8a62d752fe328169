import Essentials

/// The records of a lab that a person may edit field by field.
package enum RecordKind: String, Codable, CaseIterable, Sendable {
  case app, person, tenant, registration, device, policy, identity, group, role

  var documentKind: DocumentKind {
    switch self {
    case .app: .app
    case .person: .person
    case .tenant: .tenant
    case .registration: .clientRegistration
    case .device: .device
    case .policy: .policy
    case .identity: .managedIdentity
    case .group: .group
    case .role: .appRole
    }
  }

  private var type: any DescribedRecord.Type {
    switch self {
    case .app: InstalledApp.self
    case .person: Person.self
    case .tenant: Tenant.self
    case .registration: ClientRegistration.self
    case .device: Device.self
    case .policy: Policy.self
    case .identity: ManagedIdentity.self
    case .group: Group.self
    case .role: AppRole.self
    }
  }

  /// The fields of such a record, in the order in which they are listed.
  package var fields: [RecordFieldDescription] { type.descriptions }

  /// Fields whose value is masked, unless it is asked for.
  static let secretFields = Set(allCases.flatMap(\.fields).filter(\.isSecret).map(\.name))

  /// Each field of a record with its value.
  /// - Throws: `DecodingError` if the bytes are not such a record.
  func read(_ body: Data) throws -> [(field: RecordFieldDescription, value: JSONValue)] {
    try type.read(body)
  }

  /// The record's bytes after the change; nil if the field cannot have the value.
  func applying(_ change: FieldChange, to body: Data) throws -> Data? { try type.applying(change, to: body) }
}

/// One record as it is shown: its name, and each field with its value as text.
package struct RecordRow: Codable, Hashable, Sendable, Identifiable {
  package struct Field: Codable, Hashable, Sendable {
    package var name: String
    /// Secrets are masked, unless they were asked for; a list is joined with commas; nil: not set.
    package var value: String?
    package var canChange: Bool
    /// What it may be, if that is a closed set.
    package var choices: [String]?
    /// Its value is masked unless it was asked for.
    package var isSecret: Bool
    /// Whether it may be taken away.
    package var isOptional: Bool
    /// Whether it is a list, whose parts are joined with commas.
    package var hasParts: Bool
  }
  package var id: String { name }
  package var kind: RecordKind
  /// A bundle ID, username, tenant ID, client ID, device ID or the name of a policy.
  package var name: String
  package var title: String
  package var fields: [Field]
}
