import ArgumentParser

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
