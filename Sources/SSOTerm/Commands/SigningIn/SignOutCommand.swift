import ArgumentParser
import SSODevice
import SSOLab

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

  @Flag(help: "Also end the provider's session in the browser (signoutFromBrowser).")
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
      console.print(try blastRadiusText(lab.blastRadius(of: intent), of: lab, console.ink))
    }
    var answerer = PromptAnswerer(dialogue: console.dialogue())
    return try console.show(try runInteractively(intent, on: lab, with: &answerer))
  }
}
