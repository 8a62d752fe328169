import ArgumentParser

/// `ssoterm tokens`: prints the tree of client IDs, redirect URIs, and credentials, or the rows with `--json`.
struct TokensCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "tokens", "Show the credentials by client ID and redirect URI.",
    examples: ["ssoterm tokens --account ada@contoso.com", "ssoterm tokens --expiring-in 10m --json"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Option(help: "Only this client ID.")
  var client: String?

  @Option(help: "Only this redirect URI.")
  var redirect: String?

  @Option(help: "Only this account: a username or home account ID.")
  var account: String?

  @Option(
    name: .customLong("expiring-in"), help: "Only what expires within this time: 10m, 1h30m, 2d.",
    transform: Self.seconds)
  var expiringIn: Int?

  func perform(on console: Console) throws -> ExitStatus {
    let filter = TokenFilter(
      clientID: client, redirectURI: redirect, account: account, expiringWithinSeconds: expiringIn)
    let lab = try console.openLabToRead(options)
    let rows = try lab.read { try $0.tokens.rows(filter, unmasked: console.unmask) }
    let isFiltered = client != nil || redirect != nil || account != nil || expiringIn != nil
    try console.show(.array(rows.map { $0.json(unmasked: console.unmask) })) {
      if rows.isEmpty { return isFiltered ? "" : "No credentials. Try: ssoterm signin APP" }
      return tokenTreeText(rows, unmasked: console.unmask, console.ink)
    }
    guard rows.isEmpty, isFiltered else { return .done }
    // With `--json`, the output is an empty list.
    if console.json { return .nothingMatched }
    throw CommandFailure(
      status: .nothingMatched, kind: "nothingMatched", what: "No credential matches.",
      why: "none matches all the options", next: "ssoterm tokens")
  }

  /// Parses a typed duration.
  private static func seconds(_ text: String) throws -> Int {
    guard let seconds = parseDuration(text) else {
      throw ValidationError("expected a time such as 10m, 1h30m or 2d")
    }
    return seconds
  }
}
