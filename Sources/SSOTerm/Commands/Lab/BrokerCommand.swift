import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOTermApp
import TerminalUI

/// `ssoterm broker status|install|remove|platform-sso|serve|env`: the broker app on the lab's device.
struct BrokerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "broker", "Install, remove, or serve the broker, or show its accounts.",
    examples: ["ssoterm broker install", "ssoterm broker status"],
    subcommands: [
      BrokerStatusCommand.self, BrokerInstallCommand.self, Perform<BrokerRemove>.self,
      PlatformSSOCommand.self, BrokerServeCommand.self,
      BrokerEnvironmentCommand.self,
    ],
    defaultSubcommand: BrokerStatusCommand.self)
}

struct BrokerStatusCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "status", "Show the broker, who manages it, and its accounts.",
    examples: ["ssoterm broker status"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let broker = try console.openLabToRead(options).read { try $0.status.broker() }
    return try console.show(broker.json) {
      let version = broker.version.map { "installed, version \($0)" } ?? "not installed"
      let lines =
        [
          ("broker", version), ("for", broker.servedWords),
          ("accounts", broker.accounts.isEmpty ? "none" : broker.accounts.joined(separator: ", ")),
        ] + (broker.platformSSO.map { [("Platform SSO", $0)] } ?? [])
      let width = broker.platformSSO == nil ? 10 : 14
      return lines.map { console.ink.draw($0.padding(to: width), .strong) + console.ink.draw($1) }
        .joined(separator: "\n")
    }
  }
}

struct BrokerInstallCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "install", "Install the broker, or change how it is managed.",
    examples: ["ssoterm broker install"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(name: .customLong("broker-version"), help: "The version of the broker app.")
  var version: String?

  @Flag(name: .customLong("managed-by-admin"), help: "Install it as an administrator who manages the device.")
  var isManaged = false

  @Option(
    name: .customLong("for"), parsing: .upToNextOption,
    help: "The only apps that the administrator lets it serve (default: all).", completion: .app)
  var apps: [String] = []

  @OptionGroup(title: "Answers, if an app waits for it") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    guard apps.isEmpty || isManaged else {
      // The same command with one word more must not fail because of another.
      if let lab = try console.openLabIfPresent(options) {
        try lab.read { reader in for app in apps { _ = try reader.app(app) } }
      }
      throw CommandFailure(
        usage: "--for needs --managed-by-admin.", why: "",
        next: "the same command with --managed-by-admin")
    }
    let lab = try console.openLab(options)
    let ids = try lab.read { reader in try apps.map { try reader.app($0).bundleID } }
    let managed = isManaged ? BrokerManagement(apps: ids.isEmpty ? nil : ids) : nil
    var answerer = try prompts.answerer(on: lab, console)
    let intent = InstallBroker(version: version, managed: managed)
    return try console.show(try runInteractively(intent, on: lab, with: &answerer), details: \.effectLines)
  }
}

struct PlatformSSOCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "platform-sso", "Register a Mac and its user for Platform SSO.",
    examples: ["ssoterm broker platform-sso --account ada@contoso.com"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "The account: a username.")
  var account: String

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let intent = RegisterPlatformSSO(account: account)
    return try console.show(try runInteractively(intent, on: lab, with: &answerer))
  }
}

extension BrokerStatus {
  fileprivate var servedWords: String {
    guard version != nil else { return "no app" }
    guard !isOfSystem else { return "the whole device, as a part of the system" }
    guard isManaged else { return "the whole device, installed by the user" }
    return (apps.map { $0.joined(separator: ", ") } ?? "the whole device") + ", managed by an administrator"
  }

  fileprivate var json: JSONValue {
    [
      "brokerVersion": .optional(version), "isManaged": .bool(isManaged),
      "apps": apps.map { .strings($0) } ?? .null, "accounts": .strings(accounts),
      "platformSSO": .optional(platformSSO),
    ]
  }
}
