/// A kind of record, as the type parameter of the commands that list, show and change its records.
protocol Records {
  static var kind: RecordKind { get }
  /// What the examples in the help are about.
  static var example: RecordExample { get }
}

extension Records {
  /// The command above `list`, `show`, `set`, `add` and `remove`.
  static var command: String { kind.rawValue }
}

/// What the examples of a kind's commands name.
struct RecordExample {
  /// An existing record, or a part of its name.
  var name: String
  /// A change of a field.
  var field: String
  /// A new record, with fields.
  var new = ""
}

enum AppRecords: Records {
  static let kind = RecordKind.app
  static let example = RecordExample(
    name: "mytestapp1", field: "brokerUse=never", new: "com.contoso.mytestapp4 displayName=\"My Test App 4\"")
}

enum PersonRecords: Records {
  static let kind = RecordKind.person
  static let example = RecordExample(
    name: "ada", field: "requiresMFA=yes", new: "eve@contoso.com password=- < password")
}

enum TenantRecords: Records {
  static let kind = RecordKind.tenant
  static let example = RecordExample(
    name: "contoso", field: "domains+=contoso.example", new: "fabrikam.com displayName=Fabrikam")
}

enum RegistrationRecords: Records {
  static let kind = RecordKind.registration
  static let example = RecordExample(
    name: "b6c69a37", field: "redirectURIs+=http://localhost:5000",
    new: "9c1e77aa-9f26-4417-8bde-3f0e3656f8e0 displayName=API")
}

enum DeviceRecords: Records {
  static let kind = RecordKind.device
  static let example = RecordExample(name: "device-1", field: "platform=Android")
}

enum GroupRecords: Records {
  static let kind = RecordKind.group
  static let example = RecordExample(
    name: "engineers", field: "members-=ada@contoso.com", new: "engineers members+=ada@contoso.com")
}

enum RoleRecords: Records {
  static let kind = RecordKind.role
  static let example = RecordExample(
    name: "Orders.Read", field: "members+=engineers", new: "Orders.Read clientID=CLIENTID")
}

enum IdentityRecords: Records {
  static let kind = RecordKind.identity
  static let example = RecordExample(name: "build", field: "isSystemAssigned=yes", new: "build")
}

enum PolicyRecords: Records {
  static let kind = RecordKind.policy
  static let example = RecordExample(name: "phones", field: "requires=appProtection")
}
