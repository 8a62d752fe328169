import ArgumentParser
import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOStore
import SSOTermApp

/// `ssoterm silent APP`: the call that an app makes before every request, without anything but the call.
struct SilentCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "silent", "Get a token for an app without a prompt.",
    examples: [
      "ssoterm silent mytestapp2",
      "ssoterm silent mytestapp2 --scope Mail.Read",
      "curl -H \"$(ssoterm silent mytestapp2 --print header)\" URL",
    ])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "A bundle ID, or an unambiguous part of one.", completion: .app)
  var app: String

  @Option(
    help: "The account, as a username or home account ID (default: the app's only account).",
    completion: .account)
  var account: String?

  @Option(help: "The name by which the app looks up the account, as accountForUsername does.")
  var username: String?

  @Option(name: .customLong("scope"), parsing: .upToNextOption, help: "Scopes to request.")
  var scopes: [String] = []

  @OptionGroup var call: CallSettings

  enum Form: String, ExpressibleByArgument, CaseIterable { case token, header }

  @Option(
    name: .customLong("print"),
    help: "Print only the unmasked access token (token) or the Authorization header with it (header).")
  var form: Form?

  @Flag(name: .customLong("force-refresh"), help: "Do not use the access token in the cache.")
  var forceRefresh = false

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLab(options)
    let intent = AcquireSilently(
      app: app, account: try lab.read { try $0.names.name(account) }, username: username, scopes: scopes,
      forceRefresh: forceRefresh,
      options: try call.callOptions())
    let result = try runUnattended(intent, on: lab)
    lab.store.staysOpenToTheEnd()
    guard result.outcome.verdict == .succeeded, !console.json else {
      return try console.show(result, next: "ssoterm signin \(app)")
    }
    let token = safe(result.outcome.accessToken ?? "")
    // Print nothing else, for use as `T=$(ssoterm silent APP --print token)`.
    let only = form ?? (console.quiet && console.unmask ? .token : nil)
    switch only {
    case .token: console.print(token)
    case .header: console.print("Authorization: Bearer " + token)
    case nil:
      console.print(silentLine(result.outcome, console.ink))
      if console.unmask { console.print(token) }
    }
    return .done
  }
}

/// Returns a line such as `● User.Read 59m left, from cache`.
func silentLine(_ outcome: Outcome, _ ink: TextInk) -> String {
  var status = stateText(TokenStatus(.valid))
  if let end = outcome.expiresOn, let now = outcome.at {
    status = stateText(TokenStatus(until: end, at: now))
  }
  let glyph = InkedText(String(status.text.prefix(1)), status.tone)
  let scopes = outcome.grantedScopes.joined(separator: " ")
  let source = outcome.source.map { ", from " + $0 } ?? ""
  let words = "\(scopes) \(status.text.dropFirst(2))\(source)"
  return ink.draw(glyph) + " " + ink.draw(words)
}

/// The options of a token call besides the account, the scopes, and the prompt.
struct CallSettings: ParsableArguments {
  @Option(help: "The authority for this call, such as https://login.microsoftonline.com/contoso.com.")
  var authority: String?

  @Option(help: "Claims to request, as a JSON object.")
  var claims: String?

  /// - Throws: a usage error for claims that are not a JSON object.
  func callOptions() throws(CommandFailure) -> CallOptions {
    if let claims { try Self.check(claims) }
    return CallOptions(authority: authority, claims: claims)
  }

  private static func check(_ claims: String) throws(CommandFailure) {
    let value = try? JSONParser.parse(Data(claims.utf8))
    guard value?.object == nil else { return }
    throw CommandFailure(
      usage: "The value of --claims is not a JSON object.",
      why: value == nil ? "it cannot be read as JSON" : "it is JSON, but not an object",
      next: #"the same command with --claims '{"access_token":{"nbf":{"essential":true}}}'"#)
  }
}
