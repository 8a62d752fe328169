import ArgumentParser

/// `ssoterm signout APP`: removes an account from one app.
struct SignOutCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "signout", "Sign an account out of an app and of the apps that share its tokens.",
    examples: ["ssoterm signout mytestapp1 --account ada@contoso.com"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(
    help: "The account, as a username or home account ID (default: the app's only account).",
    completion: .account)
  var account: String?

  @Flag(help: "End the provider's session in the browser too (signoutFromBrowser).")
  var browser = false

  @Flag(
    name: .customLong("wipe-account"),
    help: "Remove it from all clients of the group, with the account items (wipeAccount).")
  var wipeAccount = false

  @Flag(name: .customLong("wipe-cache"), help: "Remove every item of the group (wipeCacheForAllAccounts).")
  var wipeCache = false

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let intent = SignOut(
      app: try bundleID(app, in: lab), account: try lab.read { try $0.names.name(account) },
      options: SignOutOptions(fromBrowser: browser, wipeAccount: wipeAccount, wipeCache: wipeCache))
    if !console.json, !console.quiet {
      console.print(blastRadiusText(try lab.blastRadius(of: intent), console.ink))
    }
    var answerer = PromptAnswerer(dialogue: console.dialogue())
    return try console.show(try runInteractively(intent, on: lab, with: &answerer))
  }
}

/// `ssoterm current APP`: shows the signed-in account of an app that is written for a single account.
struct CurrentAccountCommand: IntentCommand {
  static let configuration = CommandConfiguration(
    "current", "Get an app's current account: who is signed in, and who was before.",
    examples: ["ssoterm current mytestapp1"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  func intent(on lab: Lab) throws -> any Intent { GetCurrentAccount(app: try bundleID(app, in: lab)) }
}

/// `ssoterm forget ACCOUNT`: removes an account from every app that shares it, after showing the consequences.
struct ForgetCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "forget", "Remove an account from all apps and the broker.",
    examples: ["ssoterm forget ada@contoso.com"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var agreement: Agreement

  @Argument(help: "A username or home account ID.", completion: .account)
  var account: String

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    return try agreement.perform(
      ForgetAccount(account: lab.read { try $0.names.name(account) }), on: lab, console)
  }
}

/// `ssoterm delete CREDENTIAL…`: removes credentials, after showing which apps lose them.
struct DeleteCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "delete", "Delete credentials from the keychain.",
    examples: ["ssoterm delete t12"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var agreement: Agreement

  @Argument(help: "IDs that ssoterm tokens prints, such as t12.", completion: .credential)
  var credentials: [String]

  func perform(on console: Console) throws -> ExitStatus {
    try agreement.perform(ChangeCredentials(.delete, credentials), on: console.openLab(options), console)
  }
}

/// The confirmation of a removal, by `--yes` or by the user.
struct Agreement: ParsableArguments {
  @Flag(help: "Do not ask for a confirmation.")
  var yes = false

  func perform(_ intent: any Intent, on lab: Lab, _ console: Console) throws -> ExitStatus {
    let radius = try lab.blastRadius(of: intent)
    if !console.json, !console.quiet { console.print(blastRadiusText(radius, console.ink)) }
    let items = counted(radius.itemCount, "item")
    try require("This removes \(items)", "Remove \(items)?", console)
    return try console.show(try runUnattended(intent, on: lab)) { $0.summary + " Undo: ssoterm undo" }
  }

  /// Requires a confirmation.
  ///
  /// `effect` is part of the error if there is no terminal for the question.
  func require(_ effect: String, _ question: String, _ console: Console) throws(CommandFailure) {
    if yes { return }
    guard let dialogue = console.dialogue() else {
      throw CommandFailure(
        usage: "\(effect) and needs a confirmation.", why: "there is no terminal to ask on",
        next: "the same command with --yes")
    }
    guard dialogue.confirm(question) else {
      throw CommandFailure(
        status: .cancelled, kind: "cancelled", what: "Nothing was removed.", why: "the answer was no",
        next: "the same command with --yes")
    }
  }
}

/// Returns the accounts and tokens that each app would lose in a removal (claim C6).
func blastRadiusText(_ radius: BlastRadius, _ ink: Ink) -> String {
  var lines = [ink.draw(radius.title, .strong)]
  for loss in radius.losses {
    let mark = loss.losesSignIn ? InkedText("✗", .bad) : InkedText("·", .faint)
    lines.append("  " + ink.draw(mark) + " " + ink.draw("\(loss.app) \(loss.effect)"))
  }
  lines.append("  " + ink.draw("\(counted(radius.itemCount, "keychain item")) in all", .faint))
  return lines.joined(separator: "\n")
}
