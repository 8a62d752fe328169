import ArgumentParser
import SSODevice
import SSOLab
import SSOTermApp
import TerminalUI

/// All commands by group, each with the word that names it.
///
/// The first word of a command line chooses the type, and only that type is parsed: ArgumentParser would describe the
/// arguments of every command first.
enum CommandTable {
  typealias Commands = KeyValuePairs<String, any ParsableCommand.Type>

  /// The groups and their commands, in the order of docs/commands.md.
  static let groups: KeyValuePairs<String, Commands> = [
    "The screens": ["tui": TuiCommand.self, "demo": DemoCommand.self, "notes": NotesCommand.self],
    "Your own app": [
      "doctor": DoctorCommand.self, "read": ReadCommand.self, "reproduce": ReproduceCommand.self,
      "explain": ExplainCommand.self, "import": ImportCommand.self, "view": ViewCommand.self,
      "token": TokenCommand.self, "cache": CacheCommand.self, "export": ExportCommand.self,
    ],
    "Signing in and out": [
      "signin": SignInCommand.self, "silent": SilentCommand.self, "signout": SignOutCommand.self,
      "current": Perform<Current>.self, "handover": HandOverCommand.self, "pick": PickCommand.self,
    ],
    "What is in the lab, and why": [
      "status": StatusCommand.self, "apps": AppsCommand.self, "accounts": AccountsCommand.self,
      "tokens": TokensCommand.self, "keychain": KeychainCommand.self, "why": WhyCommand.self,
      "trace": TraceCommand.self, "journal": JournalCommand.self,
    ],
    "Changing the lab": [
      "forget": Remove<Forget>.self, "expire": Perform<Expire>.self, "invalidate": Perform<Invalidate>.self,
      "delete": Remove<Delete>.self, "revoke": Perform<Revoke>.self, "undo": UndoCommand.self,
      "redo": RedoCommand.self, "clock": ClockCommand.self, "app": RecordCommand<AppRecords>.self,
      "person": RecordCommand<PersonRecords>.self, "tenant": RecordCommand<TenantRecords>.self,
      "registration": RecordCommand<RegistrationRecords>.self, "group": RecordCommand<GroupRecords>.self,
      "role": RecordCommand<RoleRecords>.self, "identity": RecordCommand<IdentityRecords>.self,
      "lab": LabsCommand.self, "key": LabKeyCommand.self,
    ],
    "The device and the provider": [
      "device": RecordCommand<DeviceRecords>.self, "broker": BrokerCommand.self,
      "disturb": Perform<Disturb>.self, "open": OpenCommand.self, "reinstall": Perform<Reinstall>.self,
      "end": Perform<End>.self, "policy": PolicyCommand.self, "compliance": Perform<Compliance>.self,
      "enroll": Perform<Enroll>.self, "fault": FaultCommand.self,
    ],
    "Real programs and CI": [
      "serve": ServeCommand.self, "run": RunCommand.self, "federation": FederationCommand.self,
      "ca": CertificateAuthorityCommand.self,
    ],
    "Scenarios and checklists": ["scenario": ScenarioCommand.self, "checklist": ChecklistCommand.self],
    "The program itself": [
      "config": ConfigCommand.self, "paths": PathsCommand.self, "completion": CompletionCommand.self,
    ],
  ]

  /// Returns whether a word names a command about the contents of a store.
  static func isOfLab(_ word: String) -> Bool {
    groups.contains { group in groupsOfLab.contains(group.key) && group.value.contains { $0.key == word } }
  }

  private static let groupsOfLab = [
    "Signing in and out", "What is in the lab, and why", "Changing the lab", "The device and the provider",
  ]

  /// Returns the command that a word names.
  static func command(named word: String) -> (any ParsableCommand.Type)? {
    groups.lazy.flatMap(\.value).first { $0.key == word }?.value
  }
}

/// A command that only performs an intent: its help, its arguments, and the intent that they specify.
protocol IntentCommand {
  associatedtype Words: ParsableArguments
  static var configuration: CommandConfiguration { get }
  static func intent(_ words: Words, on lab: Lab) throws -> any Intent
}

/// Performs an intent without a prompt, and shows what it changes for the apps.
struct Perform<Command: IntentCommand>: LabCommand {
  static var configuration: CommandConfiguration { Command.configuration }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var words: Command.Words

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(
      try runUnattended(try Command.intent(words, on: lab), on: lab), details: \.effectLines)
  }
}

/// Performs an intent that removes something, after showing the consequences and getting a confirmation.
struct Remove<Command: IntentCommand>: LabCommand {
  static var configuration: CommandConfiguration { Command.configuration }

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var agreement: Agreement
  @OptionGroup var words: Command.Words

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try agreement.perform(try Command.intent(words, on: lab), on: lab, console)
  }
}

// MARK: An app

struct AppWord: ParsableArguments {
  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  func id(in lab: Lab) throws -> String { try lab.read { try $0.app(app).bundleID } }
}

enum Current: IntentCommand {
  static let configuration = CommandConfiguration(
    "current", "Show an app's current account and the previous one.",
    examples: ["ssoterm current mytestapp1"])

  static func intent(_ words: AppWord, on lab: Lab) throws -> any Intent {
    GetCurrentAccount(app: try words.id(in: lab))
  }
}

enum Reinstall: IntentCommand {
  static let configuration = CommandConfiguration(
    "reinstall", "Delete an app and install it again; its keychain items stay.",
    examples: ["ssoterm reinstall mytestapp1"])

  static func intent(_ words: AppWord, on lab: Lab) throws -> any Intent {
    ReinstallApp(app: try words.id(in: lab))
  }
}

enum End: IntentCommand {
  static let configuration = CommandConfiguration(
    "end", "Terminate an app, so that its SDK loses what it has in memory.",
    examples: ["ssoterm end mytestapp1"])

  static func intent(_ words: AppWord, on lab: Lab) throws -> any Intent {
    EndApp(app: try words.id(in: lab))
  }
}

enum Disturb: IntentCommand {
  static let configuration = CommandConfiguration(
    "disturb", "Inject a fault into an app's next call to the broker.",
    examples: [
      "ssoterm disturb mytestapp1 \(InjectedFault.allCases[0].rawValue)", "ssoterm disturb mytestapp1 off",
    ],
    after: "Kinds: off, and\n"
      + InjectedFault.allCases.flatMap {
        wrapped("\($0.rawValue): \($0.displayText)", 76, indent: "    ").map { "  " + $0 }
      }.joined(separator: "\n"))

  struct Words: ParsableArguments {
    @OptionGroup var app: AppWord

    @Argument(help: "One of the kinds above, or off.", completion: .list(Self.kinds))
    var kind: String

    private static var kinds: [String] { ["off"] + InjectedFault.allCases.map(\.rawValue) }

    func validate() throws {
      guard Self.kinds.contains(kind) else {
        throw ValidationError("The kind must be one of \(Self.kinds.joined(separator: ", ")), not “\(kind)”.")
      }
    }
  }

  static func intent(_ words: Words, on lab: Lab) throws -> any Intent {
    InjectFault(app: try words.app.id(in: lab), InjectedFault(rawValue: words.kind))
  }
}

enum Enroll: IntentCommand {
  static let configuration = CommandConfiguration(
    "enroll", "Enroll an app in Intune app protection for one account.",
    examples: ["ssoterm enroll mytestapp1 --account ada@contoso.com"])

  struct Words: ParsableArguments {
    @OptionGroup var app: AppWord

    @Option(help: "The account: a username.")
    var account: String
  }

  static func intent(_ words: Words, on lab: Lab) throws -> any Intent {
    EnrollApp(app: try words.app.id(in: lab), account: words.account)
  }
}

// MARK: Credentials and accounts

struct CredentialWords: ParsableArguments {
  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]
}

enum Expire: IntentCommand {
  static let configuration = CommandConfiguration(
    "expire", "Mark credentials as expired.",
    examples: [
      "ssoterm expire t2", "ssoterm silent mytestapp1 && ssoterm expire t2 && ssoterm silent mytestapp1",
    ])

  static func intent(_ words: CredentialWords, on lab: Lab) -> any Intent {
    ChangeCredentials(.expire, words.credentials)
  }
}

enum Invalidate: IntentCommand {
  static let configuration = CommandConfiguration(
    "invalidate", "Mark credentials as invalid, so that the provider rejects them.",
    examples: ["ssoterm invalidate t3"])

  static func intent(_ words: CredentialWords, on lab: Lab) -> any Intent {
    ChangeCredentials(.invalidate, words.credentials)
  }
}

enum Delete: IntentCommand {
  static let configuration = CommandConfiguration(
    "delete", "Delete credentials from the keychain.", examples: ["ssoterm delete t12"])

  static func intent(_ words: CredentialWords, on lab: Lab) -> any Intent {
    ChangeCredentials(.delete, words.credentials)
  }
}

enum Forget: IntentCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove an account from all apps and the broker.",
    examples: ["ssoterm forget ada@contoso.com"])

  struct Words: ParsableArguments {
    @Argument(help: "A username or home account ID.", completion: .account)
    var account: String
  }

  static func intent(_ words: Words, on lab: Lab) throws -> any Intent {
    ForgetAccount(account: try lab.read { try $0.names.name(words.account) })
  }
}

enum Revoke: IntentCommand {
  static let configuration = CommandConfiguration(
    "revoke", "Sign a user out everywhere, as an administrator does.",
    examples: ["ssoterm revoke ada@contoso.com"],
    after: """
      Earlier refresh tokens and browser sessions are rejected (AADSTS50173). An access token stays valid until it expires, \
      unless its client sent the capability cp1: Graph and /resource then respond with a claims challenge.
      """)

  struct Words: ParsableArguments {
    @Argument(help: "A username, or an unambiguous part of one.", completion: .records(.person))
    var user: String
  }

  static func intent(_ words: Words, on lab: Lab) throws -> any Intent {
    RevokeSessions(account: try lab.read { try $0.records.row(.person, named: words.user).name })
  }
}

// MARK: The device and its policies

struct NoWords: ParsableArguments {}

enum BrokerRemove: IntentCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove the broker from the device.", examples: ["ssoterm broker remove"])

  static func intent(_ words: NoWords, on lab: Lab) -> any Intent { RemoveBroker() }
}

enum Compliance: IntentCommand {
  static let configuration = CommandConfiguration(
    "compliance", "Report the device as compliant or not, as device management does.",
    examples: ["ssoterm compliance on"])

  struct Words: ParsableArguments {
    @Argument(help: "on or off.", completion: .list(["on", "off"]))
    var word: String

    func validate() throws {
      guard ["on", "off"].contains(word) else {
        throw ValidationError("Compliance must be on or off, not “\(word)”.")
      }
    }
  }

  static func intent(_ words: Words, on lab: Lab) -> any Intent { SetCompliance(words.word == "on") }
}
