import ArgumentParser
import Essentials
import SSOCore
import SSODoctor
import SSOLab
import SSOProvider
import SSOTermApp
import SafeText

/// `ssoterm app|person|tenant|registration|device|group|role|identity list|show|set|add|remove`: the lab's records, by
/// field.

struct RecordCommand<R: RecordsWithCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      R.command, R.abstract, examples: R.examples, after: R.after, subcommands: R.subcommands)
  }
}

struct RecordList<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "list", "List them.",
      examples: ["ssoterm \(R.command) list"])
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let rows = try console.openLabToRead(options).read { try $0.records.rows(R.kind) }
    let marksUse = rows.contains(where: \.isElsewhere)
    try console.show(["records": .array(rows.map(\.json))]) {
      return TextTable(["NAME", "TITLE"], of: rows) { row in
        [
          InkedText(row.name, .strong),
          InkedText(row.title + (marksUse && !row.isElsewhere ? " (in use)" : "")),
        ]
      }.text(console.ink)
    }
    return rows.isEmpty ? .nothingMatched : .done
  }
}

struct RecordShow<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "show", "Show all fields.",
      examples: ["ssoterm \(R.command) show \(R.example.name)"])
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
  var name: String

  func perform(on console: Console) throws -> ExitStatus {
    let row = try console.openLabToRead(options).read {
      try $0.records.row(R.kind, named: name, unmasked: console.unmask)
    }
    return try console.show(row.json) {
      let table = TextTable([], of: row.fields) { field in
        [
          InkedText(field.name, .strong), InkedText(field.value ?? "-"),
          InkedText(field.canChange ? field.choices?.joined(separator: ", ") ?? "" : "fixed", .faint),
        ]
      }.text(console.ink)
      return row.note.map { table + "\n" + $0 } ?? table
    }
  }
}

struct RecordSet<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "set", "Change fields, and show what changes for the apps.",
      examples: ["ssoterm \(R.command) set \(R.example.name) \(R.example.field)"],
      after:
        "FIELD=VALUE sets a field, and an empty value removes it; FIELD+=VALUE and FIELD-=VALUE change a list. "
        + secretHelp)
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
  var name: String

  @Argument(help: ArgumentHelp("The changes.", valueName: "field=value"))
  var changes: [String] = []

  @OptionGroup var password: PasswordInput

  func perform(on console: Console) throws -> ExitStatus {
    var secrets = SecretInput()
    let parsed = try password.changes(changes, of: R.kind, &secrets)
    guard !parsed.isEmpty else {
      if name.contains("=") {
        throw CommandFailure(
          usage: "No \(R.kind.noun) is named.",
          why: "“\(name)” is a change, but set takes NAME FIELD=VALUE",
          next: "ssoterm \(R.kind.rawValue) list")
      }
      throw CommandFailure(
        usage: "No changes specified.", why: "set takes FIELD=VALUE",
        next: "ssoterm \(R.kind.rawValue) show \(name)")
    }
    let lab = try console.openLab(options)
    let ended = try runUnattended(EditRecord(R.kind, record: name, parsed), on: lab)
    return try console.show(ended, details: { secrets.made + $0.effectLines })
  }
}

struct RecordAdd<R: Records>: LabCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "add", "Add one with default values and the given fields.",
      examples: ["ssoterm \(R.command) add \(R.example.new)"],
      after: "An app gets the team, vendor, and client ID of the lab's first app; a user gets the "
        + "tenant of the name's domain and the password “password”. " + secretHelp)
  }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Its name: a bundle ID, username, domain, or client ID.")
  var name: String

  @Argument(help: ArgumentHelp("Fields that differ from the defaults.", valueName: "field=value"))
  var changes: [String] = []

  @OptionGroup var password: PasswordInput

  func perform(on console: Console) throws -> ExitStatus {
    var secrets = SecretInput()
    let parsed = try password.changes(changes, of: R.kind, &secrets)
    let lab = try console.openLab(options)
    return try console.show(
      try runUnattended(AddRecord(R.kind, record: name, parsed), on: lab),
      details: { secrets.made + $0.effectLines })
  }
}

extension FieldChange {
  /// Replaces `@FILE` with the contents of a file: a public key, or a profile of the SSO extension.
  fileprivate func readingFile(of kind: RecordKind) throws -> FieldChange {
    try readingKeys(of: kind).readingProfile(of: kind)
  }

  /// Replaces `@FILE` in `ssoProfile=@FILE` with the payload in the profile, or with the JSON in the file.
  private func readingProfile(of kind: RecordKind) throws -> FieldChange {
    guard kind == .device, field == "ssoProfile", value.hasPrefix("@") else { return self }
    let (path, data) = try readFile(String(value.dropFirst()))
    var change = self
    do throws(ReadingError) {
      change.value = try SSOProfileFacts.payload(in: data, path: path).text(.wire)
    } catch {
      guard JSONValue(bounded: data)?.object != nil else {
        throw CommandFailure(
          usage: "\(path) holds no profile of the SSO extension.", why: error.description,
          next: "ssoterm doctor \(path)")
      }
      change.value = String(decoding: data, as: UTF8.self)
    }
    return change
  }

  /// Replaces `@FILE` in `publicKeys+=@FILE` with the JSON for the key in the PEM file.
  private func readingKeys(of kind: RecordKind) throws -> FieldChange {
    guard kind == .registration, field == "publicKeys", value.hasPrefix("@") else { return self }
    let (path, data) = try readFile(String(value.dropFirst()))
    guard let key = TokenVerificationKey(keyOrCertificate: String(decoding: data, as: UTF8.self)) else {
      throw CommandFailure(
        usage: "\(path) holds no public key.",
        why: "expected a certificate or an RSA public key of 2048 bits or more, in PEM",
        next: "openssl rsa -in KEY.pem -pubout, or openssl req -x509 -key KEY.pem -subj /CN=app")
    }
    var change = self
    change.value = JSONValue.array([key.json]).text(.wire)
    return change
  }
}

private let secretHelp =
  "A secret (a password, a client secret) is never written there: FIELD=- reads it from stdin, FIELD=@FILE from a file, "
  + "FIELD=new makes one and prints it. publicKeys+=@FILE takes a certificate or public key in PEM; ssoProfile=@FILE takes a .mobileconfig."

/// The `--password-stdin` option, as for `signin`.
///
/// It is the same as `password=-`.
struct PasswordInput: ParsableArguments {
  @Flag(name: .customLong("password-stdin"), help: "The user's password is the first line of stdin.")
  var isRead = false

  func changes(_ words: [String], of kind: RecordKind, _ secrets: inout SecretInput) throws -> [FieldChange] {
    if isRead, kind != .person {
      throw CommandFailure(
        usage: "--password-stdin is for users.", why: "no other record has a password",
        next: "the same command without --password-stdin")
    }
    var changes: [FieldChange] = []
    for word in words + (isRead ? ["password=-"] : []) {
      guard word.contains("=") else {
        throw CommandFailure(
          usage: "“\(word)” changes nothing.", why: "expected FIELD=VALUE, FIELD+=VALUE, or FIELD-=VALUE",
          next: (["ssoterm", kind.rawValue, "show"] + TypedLine.words.dropFirst(2).prefix(1).map(shellWord))
            .joined(separator: " "))
      }
      changes.append(try secrets.resolve(try FieldChange(word).readingFile(of: kind), of: kind))
    }
    return changes
  }
}

enum DeviceUse: IntentCommand {
  static let configuration = CommandConfiguration(
    "use", "Make all further calls on this device.", examples: ["ssoterm device use device-2"])

  struct Words: ParsableArguments {
    @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(.device))
    var name: String
  }

  static func intent(_ words: Words, on lab: Lab) -> any Intent { UseDevice(words.name) }
}

enum DeviceUnregister: IntentCommand {
  static let configuration = CommandConfiguration(
    "unregister", "Delete a device from the directory, as an administrator does.",
    examples: ["ssoterm device unregister device-1"])

  typealias Words = DeviceUse.Words

  static func intent(_ words: Words, on lab: Lab) -> any Intent { UnregisterDevice(words.name) }
}

enum RecordRemove<R: Records>: IntentCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "remove", R.kind == .app ? "Remove one; its keychain items stay, as on a real device." : "Remove one.",
      examples: ["ssoterm \(R.command) remove \(R.example.name)"])
  }

  struct Words: ParsableArguments {
    @Argument(help: "Its name, or an unambiguous part of it.", completion: .records(R.kind))
    var name: String
  }

  static func intent(_ words: Words, on lab: Lab) -> any Intent { RemoveRecord(R.kind, record: words.name) }
}

extension RecordRow {
  var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": .string(name), "title": .string(title),
      "fields": .array(
        fields.map {
          [
            "name": .string($0.name), "value": .optional($0.value), "canChange": .bool($0.canChange),
            "choices": $0.choices.map { .strings($0) } ?? .null,
          ]
        }),
    ]
  }
}

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
      Perform<RecordRemove<Self>>.self,
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
  static var subcommands: [any ParsableCommand.Type] {
    changing.map { $0 == RecordShow<Self>.self ? AppShow.self : $0 } + [AppImport.self]
  }
  static let example = RecordExample(
    name: "mytestapp1", field: "brokerUse=none", new: "com.contoso.mytestapp4 displayName=\"My Test App 4\"")
}

enum PersonRecords: RecordsWithCommand {
  static let kind = RecordKind.person
  static let abstract = "Show or change a user of the directory."
  static let examples = [
    "ssoterm person add lin@contoso.com displayName=Lin", "ssoterm person set grace isDisabled=yes",
  ]
  static let after = """
    guestIn='{"TENANTID":"OBJECTID"}' makes the user a guest in another tenant, under an object ID of your choice; \
    guestIn={} reverts this.
    """
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
  static let abstract = "Show, change, add, or choose a device: platform, lock, and name."
  static let examples = [
    "ssoterm device set device-1 platform=macOS", "ssoterm device add android platform=Android",
  ]
  static var subcommands: [any ParsableCommand.Type] {
    changing + [Perform<DeviceUse>.self, Perform<DeviceUnregister>.self]
  }
  static let example = RecordExample(
    name: "device-1", field: "platform=Android", new: "android platform=Android")
}

enum GroupRecords: RecordsWithCommand {
  static let kind = RecordKind.group
  static let abstract = "Show or change a group of users and other groups."
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
    Members are users, groups, apps (by client ID), and managed identities. Without clientID, the role is an application \
    permission of Microsoft Graph.
    """
  static let example = RecordExample(
    name: "Orders.Read", field: "members+=engineers",
    new: "Orders.Read clientID=b6c69a37-df96-4db0-9088-2ab96e1d8215")
}

enum IdentityRecords: RecordsWithCommand {
  static let kind = RecordKind.identity
  static let abstract = "Show or change a managed identity, which programs use at serve --managed-identity."
  static let examples = ["ssoterm identity list", "ssoterm identity add batch-jobs"]
  static let example = RecordExample(name: "build", field: "isSystemAssigned=yes", new: "build")
}

enum PolicyRecords: Records {
  static let kind = RecordKind.policy
  static let example = RecordExample(name: "phones", field: "requires=appProtection")
}

/// The source of the value of a secret field.
///
/// A value in an argument would be visible to every user of the machine and saved in the shell's history.
struct SecretInput {
  /// Reads the first line of standard input, which can be read only once.
  var readLine: () -> String? = StandardStreams.readLine
  /// The generated values, in the form `password: …`, to be shown once.
  private(set) var made: [String] = []

  /// Returns the change with its secret filled in.
  ///
  /// `-` stands for the first line of standard input, `@FILE` for the first line of a file, and `new` for a random
  /// value. A change that is not for a secret, or that removes one, is returned unchanged.
  mutating func resolve(_ change: FieldChange, of kind: RecordKind) throws -> FieldChange {
    guard change.isSecret, !change.value.isEmpty else { return change }
    var change = change
    switch change.value {
    case "-": change.value = try line(readLine(), of: change.field)
    case "new" where change.operation != .remove:
      change.value = Self.random()
      made.append("\(change.field): \(change.value)")
    case let word where word.hasPrefix("@"):
      let (_, data) = try readFile(String(word.dropFirst()))
      let text = String(decoding: data, as: UTF8.self)
      change.value = try line(text.split(separator: "\n").first.map(String.init), of: change.field)
    default:
      throw CommandFailure(
        usage: "The value of \(change.field) is not accepted on the command line.",
        why:
          "other users of this machine can see it in the process list, and the shell saves it in its history",
        next:
          "\(TypedLine.withoutSecret(of: change) ?? "ssoterm \(kind.rawValue) set NAME \(change.field)\(change.operation.rawValue)-") < FILE"
      )
    }
    return change
  }

  private func line(_ text: String?, of field: String) throws -> String {
    let text = text.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 } ?? ""
    guard !text.isEmpty else {
      throw CommandFailure(
        usage: "There is no value for \(field).", why: "the first line is empty",
        next: "the same command < FILE")
    }
    return text
  }

  /// Returns 160 random bits as characters that need no quoting in a shell or a URL.
  private static func random() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz234567")
    var system = SystemRandomNumberGenerator()
    return String((0..<28).map { _ in letters[Int.random(in: letters.indices, using: &system)] })
  }
}
