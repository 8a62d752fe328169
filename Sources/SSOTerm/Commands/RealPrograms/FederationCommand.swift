import ArgumentParser
import SSOCore
import SSOLab
import SSOProvider
import SSOTermApp
import SafeText

/// `ssoterm federation token|add`: workload identity federation, with the lab as the external issuer.
struct FederationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "federation",
    "Set up workload identity federation, in which a token of another issuer replaces a secret.",
    examples: [
      "ssoterm federation add Confidential --subject system:serviceaccount:shop:web",
      "ssoterm federation token --subject system:serviceaccount:shop:web > token",
      "AZURE_FEDERATED_TOKEN_FILE=token your-program",
    ],
    after:
      "The lab simulates the other issuer, such as a Kubernetes cluster or a CI service, at /federation of the server.",
    subcommands: [FederationTokenCommand.self, FederationAddCommand.self])
}

/// `ssoterm federation token`.
struct FederationTokenCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "token", "Print a token of the issuer that the lab simulates.",
    examples: ["ssoterm federation token --subject system:serviceaccount:shop:web > token"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var issuer: IssuerOption

  @Option(
    help: "Its subject (sub): system:serviceaccount:NAMESPACE:NAME, repo:OWNER/NAME:ref:refs/heads/main, …")
  var subject: String

  @Option(help: "Its audience (aud).")
  var audience = FederatedCredential.usualAudience

  @Option(help: "Its lifetime in seconds.")
  var lifetime = 3600

  func perform(on console: Console) throws -> ExitStatus {
    guard (1...31_536_000).contains(lifetime) else {
      throw CommandFailure(
        usage: "A token cannot be valid for \(lifetime) seconds.",
        why: "the lifetime is between 1 second and a year",
        next: "ssoterm federation token --subject \(shellWord(subject)) --lifetime 3600")
    }
    let lab = try console.openLab(options)
    let url = try issuer.url(in: lab)
    let token = try lab.federationToken(
      issuer: url, subject: subject, audience: audience, lifetime: lifetime)
    guard !console.json, !StandardStreams.isTerminal(StandardStreams.output) else {
      return try console.show(["issuer": .string(url), "subject": .string(subject), "token": .string(token)])
      {
        token
      }
    }
    // Programs use the entire contents of a file as the token, so do not print a line end.
    console.print(token, terminator: "")
    return .done
  }
}

/// `ssoterm federation add CLIENT --subject S`.
struct FederationAddCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "add", "Let an app authenticate with tokens of another issuer.",
    examples: ["ssoterm federation add Confidential --subject system:serviceaccount:shop:web"],
    after: "ssoterm registration set APP federatedCredentials=JSON changes the entire list.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var issuer: IssuerOption

  @Argument(
    help: "The app's client ID, or an unambiguous part of it or of its name.",
    completion: .records(.registration))
  var client: String

  @Option(help: "sub of its tokens.")
  var subject: String

  @Option(help: "aud of its tokens.")
  var audience = FederatedCredential.usualAudience

  @Option(help: "Its display name.")
  var name: String?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    try lab.registerExternalClients()
    let row = try lab.read { try $0.records.row(.registration, named: client) }
    let known = try lab.read { try $0.directory.registration(clientID: row.name) }?.federatedCredentials ?? []
    let added = FederatedCredential(
      name: name, issuer: try issuer.url(in: lab), subject: subject, audiences: [audience])
    let text = try JSONParser.parse(encodeJSON(known + [added])).text(.wire)
    let change = try FieldChange("federatedCredentials=" + text)
    return try console.show(
      try runUnattended(EditRecord(.registration, record: row.name, [change]), on: lab),
      details: \.effectLines)
  }
}

/// The `--issuer` option.
struct IssuerOption: ParsableArguments {
  @Option(help: "The issuer's URL (default: /federation of the server that started last).")
  var issuer: String?

  func url(in lab: Lab) throws -> String {
    if let issuer { return issuer }
    let port = try lab.read { try $0.provider.notedServerPort() } ?? 8443
    return ForeignIssuer.url(at: serverOrigin(port: port))
  }
}
