import Essentials
import SSOCore
import SSODevice
import SSOProvider

/// The kinds of records that a user may edit field by field.
package enum RecordKind: String, Codable, CaseIterable, Sendable {
  case app, person, tenant, registration, device, policy, identity, group, role

  /// The kind in texts.
  ///
  /// The raw value is the name of the command, and of the key in files.
  package var noun: String { self == .person ? "user" : rawValue }

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
    case .person: DirectoryUser.self
    case .tenant: Tenant.self
    case .registration: ClientRegistration.self
    case .device: Device.self
    case .policy: Policy.self
    case .identity: ManagedIdentity.self
    case .group: Group.self
    case .role: AppRole.self
    }
  }

  /// The fields of such a record, in the order of lists.
  package var fields: [RecordFieldDescription] { type.descriptions }

  /// The fields whose value is masked unless requested.
  static let secretFields = Set(allCases.flatMap(\.fields).filter(\.isSecret).map(\.name))

  /// Returns each field of a record with its value.
  ///
  /// - Throws: `DecodingError` if the bytes are not such a record.
  func read(_ body: Data) throws -> [(field: RecordFieldDescription, value: JSONValue)] {
    try type.read(body)
  }

  /// Returns the reason that a field does not accept a value of the right form, or `nil` if it does.
  func problem(of change: FieldChange) -> String? { type.problem(of: change) }

  /// Returns the record's bytes after the change, or `nil` if the field cannot have the value.
  func applying(_ change: FieldChange, to body: Data) throws -> Data? { try type.applying(change, to: body) }
}

/// A record for display: its name, and each field with its value as text.
package struct RecordRow: Codable, Hashable, Sendable, Identifiable {
  package struct Field: Codable, Hashable, Sendable {
    package var name: String
    /// The value, or `nil` if the field is not set.
    ///
    /// Secrets are masked unless requested, and lists are joined by commas.
    package var value: String?
    package var canChange: Bool
    /// The allowed values, if they are a closed set.
    package var choices: [String]?
    /// Whether the value is masked unless requested.
    package var isSecret: Bool
    /// Whether the field may be removed.
    package var isOptional: Bool
    /// Whether the field is a list, whose parts are joined by commas.
    package var hasParts: Bool
  }
  package var id: String { name }
  package var kind: RecordKind
  /// The bundle ID, username, tenant ID, client ID, device ID, or name of a policy.
  package var name: String
  package var title: String
  package var fields: [Field]
  /// The limitation of the simulation that hides some of the fields, or `nil` if all are listed.
  package var note: String?
  /// Whether it is a device that the lab is not on.
  package var isElsewhere = false
}
