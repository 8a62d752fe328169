import ArgumentParser

/// A command that performs one intent without a prompt, and shows what the intent changes for the apps.
protocol IntentCommand: LabCommand {
  func intent(on lab: Lab) throws -> any Intent
}

extension IntentCommand {
  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try console.show(try runUnattended(try intent(on: lab), on: lab), details: \.effectLines)
  }
}

/// `ssoterm expire CREDENTIAL…`.
struct ExpireCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "expire", "Mark credentials as expired.",
    examples: [
      "ssoterm expire t2", "ssoterm silent mytestapp1 && ssoterm expire t2 && ssoterm silent mytestapp1",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func intent(on lab: Lab) -> any Intent { ChangeCredentials(.expire, credentials) }
}

/// `ssoterm invalidate CREDENTIAL…`.
struct InvalidateCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "invalidate", "Mark credentials as invalid: the provider refuses them.",
    examples: ["ssoterm invalidate t3"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func intent(on lab: Lab) -> any Intent { ChangeCredentials(.invalidate, credentials) }
}

/// `ssoterm disturb APP KIND|off`: injects a fault into the app's next brokered call.
struct DisturbCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "disturb", "Inject a fault into an app's next call to the broker.",
    examples: [
      "ssoterm disturb mytestapp1 \(InjectedFault.allCases[0].rawValue)", "ssoterm disturb mytestapp1 off",
    ],
    after: "Kinds: off, and\n"
      + InjectedFault.allCases.flatMap {
        wrapped("\($0.rawValue): \($0.words)", 76, indent: "    ").map { "  " + $0 }
      }.joined(separator: "\n"))

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Argument(help: "One of the kinds above, or off.", completion: .list(Self.kinds))
  var kind: String

  private static var kinds: [String] { ["off"] + InjectedFault.allCases.map(\.rawValue) }

  func validate() throws {
    guard Self.kinds.contains(kind) else {
      throw ValidationError("The kind must be one of \(Self.kinds.joined(separator: ", ")), not “\(kind)”.")
    }
  }

  func intent(on lab: Lab) throws -> any Intent {
    InjectFault(app: try bundleID(app, in: lab), InjectedFault(rawValue: kind))
  }
}

/// `ssoterm reinstall APP`.
struct ReinstallCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "reinstall", "Delete an app and install it again: its keychain items stay.",
    examples: ["ssoterm reinstall mytestapp1"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  func intent(on lab: Lab) throws -> any Intent { ReinstallApp(app: try bundleID(app, in: lab)) }
}

/// `ssoterm end APP`.
struct EndCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "end", "End an app's process, with what its SDK keeps in memory.",
    examples: ["ssoterm end mytestapp1"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  func intent(on lab: Lab) throws -> any Intent { EndApp(app: try bundleID(app, in: lab)) }
}

/// `ssoterm open URL --from APP`.
struct OpenCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "open", "Let an app open a URL: a request to the broker, or another app's scheme.",
    examples: ["ssoterm open \"msauth.com.contoso.mytestapp1://auth\" --from mytestapp2"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "The URL, such as msauthv2://broker?…")
  var url: String

  @Option(help: "The app that opens it.", completion: .app)
  var from: String

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let intent = OpenURL(url, from: try bundleID(from, in: lab))
    let result = try runInteractively(intent, on: lab, with: &answerer)
    let status = try console.show(result)
    // This is not an error of a server or an SDK: no app opens the URL.
    return status == .fault && result.outcome.errorDomain == nil ? .nothingMatched : status
  }
}

/// `ssoterm revoke USER`: signs a user out everywhere.
struct RevokeCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "revoke", "Sign a person out everywhere, as an administrator does.",
    examples: ["ssoterm revoke ada@contoso.com"],
    after: """
      Refresh tokens and browser sessions from before are refused (AADSTS50173). An access token stays valid until it \
      expires, unless its client sent the capability cp1: Graph and /resource then answer with a claims challenge.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A username, or an unambiguous part of one.", completion: .records(.person))
  var person: String

  func intent(on lab: Lab) throws -> any Intent {
    RevokeSessions(account: try lab.read { try $0.records.row(.person, named: person).name })
  }
}

/// `ssoterm handover APP [--from OTHER]`: starts an app with an account that another app knows.
struct HandOverCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "handover", "Transfer an account from one app to another.",
    examples: ["ssoterm handover mytestapp2 --from mytestapp1"],
    after: """
      MSAL looks for the identifier, then for the username; ADAL takes the username as userId. Without an \
      account nothing happens; with several the app asks which one. Without --from the app uses its own list.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help: "The app that receives the account: a bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(help: "The app that has the account; by default the receiving app's own list.", completion: .app)
  var from: String?

  @OptionGroup(title: "Answers") var prompts: PromptOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    var answerer = try prompts.answerer(on: lab, console)
    let result = try runInteractively(TransferAccount(from: from, to: app), on: lab, with: &answerer)
    return try console.show(result, next: "ssoterm signin \(app)")
  }
}
