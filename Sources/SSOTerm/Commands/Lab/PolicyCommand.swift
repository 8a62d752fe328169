import ArgumentParser
import SSOCore
import SSOLab
import SSOProvider
import SSOTermApp
import TerminalUI

/// `ssoterm policy list|add|remove|show|set`: the Conditional Access policies of the lab's provider.
struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "policy", "Require a second factor, a device, an app, or a certificate before tokens are issued.",
    examples: ["ssoterm policy add phones --require compliantDevice", "ssoterm policy list"],
    subcommands: [
      PolicyListCommand.self, Perform<PolicyAdd>.self, Perform<PolicyRemove>.self,
      RecordShow<PolicyRecords>.self,
      RecordSet<PolicyRecords>.self,
    ],
    defaultSubcommand: PolicyListCommand.self)
}

struct PolicyListCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "list", "Show the policies and the registration of the device.",
    examples: ["ssoterm policy list"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let access = try console.openLabToRead(options).read { try $0.status.conditionalAccess() }
    return try console.show(access.json) {
      let policies = access.policies.map { "\($0.name): \($0.displayText)" }
      let devices = access.registrations.map { "registered by \($0.username) as \($0.deviceID)" }
      let management = access.isCompliant.map { $0 ? "compliant" : "not compliant" } ?? "not managed"
      let lines = [
        ("policies", policies.isEmpty ? ["none"] : policies),
        ("device", [management] + (devices.isEmpty ? ["not registered"] : devices)),
      ]
      return lines.flatMap { name, values in
        values.enumerated().map { index, value in
          console.ink.draw((index == 0 ? name : "").padding(to: 10), .strong) + console.ink.draw(value)
        }
      }.joined(separator: "\n")
    }
  }
}

enum PolicyAdd: IntentCommand {
  static let configuration = CommandConfiguration(
    "add", "Add a policy, or change the one with this name.",
    examples: [
      "ssoterm policy add phones --require compliantDevice --person ada@contoso.com",
      "ssoterm policy add finance --require mfa --client CLIENTID",
    ])

  struct Words: ParsableArguments {
    @Argument(help: "Its name.")
    var name: String

    @Option(
      help:
        """
        registeredDevice, compliantDevice, managedDevice, joinedDevice, approvedApp, appProtection, certificate, mfa, \
        externalControl, tokenProtection, supportedPlatform, deviceAuthentication, securityDefaults, block, \
        signInFrequency, or allowedExecutable.
        """,
      completion: .list(Policy.Requirement.allCases.map(\.rawValue)), transform: PolicyAdd.requirement)
    var require: Policy.Requirement

    @Option(help: "Only for this user: a username.")
    var person: String?

    @Option(help: "Only for this tenant: its ID.")
    var tenant: String?

    @Option(help: "Only for this app: a client ID.")
    var client: String?

    @Option(help: "Only for sign-ins with a device code: deviceCode.", completion: .list(["deviceCode"]))
    var flow: Policy.Flow?

    @Option(help: "For signInFrequency: the hours for which a sign-in counts (default: 24).")
    var hours: Int?

    @Option(
      name: .customLong("executable"),
      help: "For allowedExecutable: the path of a Linux program; repeatable.", completion: .file())
    var executables: [String] = []
  }

  private static func requirement(_ word: String) throws -> Policy.Requirement {
    guard let requirement = Policy.Requirement(rawValue: word) else {
      let known = Policy.Requirement.allCases.map(\.rawValue)
      throw ValidationError("--require must be one of \(known.joined(separator: ", ")), not “\(word)”")
    }
    return requirement
  }

  static func intent(_ words: Words, on lab: Lab) -> any Intent {
    SetPolicy(
      Policy(
        name: words.name, requires: words.require, tenantID: words.tenant, username: words.person,
        clientID: words.client, flow: words.flow, hours: words.hours,
        executables: words.executables.isEmpty ? nil : words.executables))
  }
}

extension Policy.Flow: ExpressibleByArgument {}

enum PolicyRemove: IntentCommand {
  static let configuration = CommandConfiguration(
    "remove", "Remove a policy.", examples: ["ssoterm policy remove phones"])

  struct Words: ParsableArguments {
    @Argument(help: "Its name.", completion: .records(.policy))
    var name: String
  }

  static func intent(_ words: Words, on lab: Lab) -> any Intent { RemovePolicy(name: words.name) }
}

extension ConditionalAccess {
  fileprivate var json: JSONValue {
    [
      "policies": .array(
        policies.map {
          [
            "name": .string($0.name), "requires": .string($0.requires.rawValue),
            "tenant": .optional($0.tenantID), "person": .optional($0.username),
            "client": .optional($0.clientID), "flow": .optional($0.flow?.rawValue),
            "hours": $0.hours.map { .integer(Int64($0)) } ?? .null,
            "executables": $0.executables.map { .strings($0) } ?? .null,
          ]
        }),
      "isCompliant": isCompliant.map { .bool($0) } ?? .null,
      "registrations": .array(
        registrations.map {
          [
            "deviceID": .string($0.deviceID), "tenantID": .string($0.tenantID),
            "username": .string($0.username), "at": .moment($0.registeredAt),
          ]
        }),
    ]
  }
}
