internal import ArgumentParser
internal import SSOModel

/// `ssoterm tokens`: the tree of client ID, redirect URI and credentials; with `--json` the rows.
struct TokensCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens", abstract: "Show the credentials by client ID and redirect URI.")

  @OptionGroup var options: GlobalOptions

  @Option(help: "Only this client ID.")
  var client: String?

  @Option(help: "Only this redirect URI.")
  var redirect: String?

  @Option(help: "Only this account: a username or home account ID.")
  var account: String?

  @Option(name: .customLong("expiring-in"), help: "Only what expires within this time: 10m, 1h30m, 2d.")
  var expiringIn: TimeSpan?

  func perform(on console: Console) throws -> ExitStatus {
    let filter = TokenFilter(
      clientID: client, redirectURI: redirect, account: account, expiringWithinSeconds: expiringIn?.seconds)
    let lab = try console.openLab(options)
    let rows = try lab.tokens(filter: filter, unmasked: console.unmask)
    let isFiltered = client != nil || redirect != nil || account != nil || expiringIn != nil
    try console.show(.array(rows.map { $0.json(unmasked: console.unmask) })) {
      if rows.isEmpty { return isFiltered ? "" : "No credentials. Try: ssoterm signin APP" }
      return tokenTreeText(rows, unmasked: console.unmask, console.ink)
    }
    guard rows.isEmpty, isFiltered else { return .done }
    if !console.json { console.note("no credential matches; see them all with: ssoterm tokens") }
    return .nothingMatched
  }
}

/// A length of time on the command line.
struct TimeSpan: ExpressibleByArgument, Equatable {
  var seconds: Int

  init?(argument: String) {
    guard let seconds = parseDuration(argument) else { return nil }
    self.seconds = seconds
  }
}
