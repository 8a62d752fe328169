import ArgumentParser

/// A kind of record, used as the type parameter of the commands that list, show, and change its records.
protocol Records {
  static var kind: RecordKind { get }
  /// The example values in the help.
  static var example: RecordExample { get }
}

extension Records {
  /// The command whose subcommands are `list`, `show`, `set`, `add`, and `remove`.
  static var command: String { kind.rawValue }
}

/// A kind of record with its own command above `list`, `show`, and the others.
protocol RecordsWithCommand: Records {
  static var abstract: String { get }
  static var examples: [String] { get }
  /// The additional text in the help.
  static var after: String { get }
  static var subcommands: [any ParsableCommand.Type] { get }
}

extension RecordsWithCommand {
  static var after: String { "" }
  static var subcommands: [any ParsableCommand.Type] { changing }

  fileprivate static var changing: [any ParsableCommand.Type] {
    [
      RecordList<Self>.self, RecordShow<Self>.self, RecordSet<Self>.self, RecordAdd<Self>.self,
      RecordRemove<Self>.self,
    ]
  }
}

/// The example values in the help of a kind's commands.
struct RecordExample {
  /// The name of an existing record, or a part of it.
  var name: String
  /// A change to a field.
  var field: String
  /// A new record with its fields.
  var new = ""
}

enum AppRecords: RecordsWithCommand {
  static let kind = RecordKind.app
  static let abstract = "Show or change an app: client ID, team, groups, schemes, redirect URI, …"
  static let examples = [
    "ssoterm app list", "ssoterm app set mytestapp2 keychainSharingGroup=com.contoso.other",
  ]
  static var subcommands: [any ParsableCommand.Type] { changing + [AppImport.self] }
  static let example = RecordExample(
    name: "mytestapp1", field: "brokerUse=never", new: "com.contoso.mytestapp4 displayName=\"My Test App 4\"")
}

enum PersonRecords: RecordsWithCommand {
  static let kind = RecordKind.person
  static let abstract = "Show or change a user of the directory."
  static let examples = [
    "ssoterm person add lin@contoso.com displayName=Lin", "ssoterm person set grace isDisabled=yes",
  ]
  static let example = RecordExample(
    name: "ada", field: "requiresMFA=yes", new: "eve@contoso.com password=- < password")
}

enum TenantRecords: RecordsWithCommand {
  static let kind = RecordKind.tenant
  static let abstract = "Show or change a tenant."
  static let examples = ["ssoterm tenant list", "ssoterm tenant add fabrikam.com displayName=Fabrikam"]
  static let example = RecordExample(
    name: "contoso", field: "domains+=contoso.example", new: "fabrikam.com displayName=Fabrikam")
}

enum RegistrationRecords: RecordsWithCommand {
  static let kind = RecordKind.registration
  static let abstract = "Show or change an app registration at the provider."
  static let examples = ["ssoterm registration add \"My web app\" redirectURIs+=http://localhost:3000/"]
  static let after =
    "As at Entra, the client ID is a GUID. If the name is not a GUID, a new client ID is generated and printed."
  static let example = RecordExample(
    name: "b6c69a37", field: "redirectURIs+=http://localhost:5000",
    new: "9c1e77aa-9f26-4417-8bde-3f0e3656f8e0 displayName=API")
}

enum DeviceRecords: RecordsWithCommand {
  static let kind = RecordKind.device
  static let abstract = "Show or change a device: platform, lock, name."
  static let examples = ["ssoterm device show device-1", "ssoterm device set device-1 platform=macOS"]
  static var subcommands: [any ParsableCommand.Type] {
    [RecordList<Self>.self, RecordShow<Self>.self, RecordSet<Self>.self]
  }
  static let example = RecordExample(name: "device-1", field: "platform=Android")
}

enum GroupRecords: RecordsWithCommand {
  static let kind = RecordKind.group
  static let abstract = "Show or change a group of people, and of groups."
  static let examples = ["ssoterm group add engineers members+=ada@contoso.com"]
  static let example = RecordExample(
    name: "engineers", field: "members-=ada@contoso.com", new: "engineers members+=ada@contoso.com")
}

enum RoleRecords: RecordsWithCommand {
  static let kind = RecordKind.role
  static let abstract = "Show or change an app role, and who has it."
  static let examples = ["ssoterm role add Orders.Read members+=ada@contoso.com"]
  static let after =
    """
    Members are people, groups, apps (by client ID) and managed identities. Without clientID it is an application \
    permission of Microsoft Graph.
    """
  static let example = RecordExample(
    name: "Orders.Read", field: "members+=engineers", new: "Orders.Read clientID=CLIENTID")
}

enum IdentityRecords: RecordsWithCommand {
  static let kind = RecordKind.identity
  static let abstract = "Show or change a managed identity: what programs get at serve --managed-identity."
  static let examples = ["ssoterm identity list", "ssoterm identity add batch-jobs"]
  static let example = RecordExample(name: "build", field: "isSystemAssigned=yes", new: "build")
}

enum PolicyRecords: Records {
  static let kind = RecordKind.policy
  static let example = RecordExample(name: "phones", field: "requires=appProtection")
}
