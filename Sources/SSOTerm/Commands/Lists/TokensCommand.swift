import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

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
    name: .customLong("expiring-in"),
    help: "Only credentials that expire within this time: 10m, 1h30m, or 2d.",
    transform: Self.seconds)
  var expiringIn: Int?

  func perform(on console: Console) throws -> ExitStatus {
    let filter = TokenFilter(
      clientID: client, redirectURI: redirect, account: account, expiringWithinSeconds: expiringIn)
    let lab = try console.openLabToRead(options)
    let rows = try lab.read { try $0.tokens.rows(filter, unmasked: console.unmask) }
    let isFiltered = client != nil || redirect != nil || account != nil || expiringIn != nil
    try console.show(["tokens": .array(rows.map { $0.json(unmasked: console.unmask) })]) {
      if rows.isEmpty { return isFiltered ? "" : try lab.emptyTokensText }
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
      throw ValidationError("expected a time such as 10m, 1h30m, or 2d")
    }
    return seconds
  }
}

extension Lab {
  /// The output for a lab in which no app holds a token, possibly because the broker holds them.
  fileprivate var emptyTokensText: String {
    get throws {
      let limit = try read { $0.cacheLimit }
      if let limit { return "No credentials. " + limit }
      return try read { try $0.brokerAccounts() }.isEmpty
        ? "No credentials. Try: " + signInCommand
        : "No app holds a token; the broker has accounts, and keeps their tokens. Try: ssoterm broker"
    }
  }
}

/// Returns the lines of the tree of claim C3.
///
/// A credential that several apps can use is listed once, under all their redirect URIs, because it is shared.
func tokenTreeText(_ rows: [TokenRow], unmasked: Bool, _ ink: TextInk) -> String {
  var lines: [String] = []
  for (clientID, client) in grouped(rows, by: \.clientID) {
    lines.append(ink.draw("client ", .faint) + ink.draw(dashed(clientID), .strong))
    for (redirects, tokens) in grouped(client, by: \.redirectURIs) {
      for redirect in redirects.isEmpty ? ["no installed app"] : redirects {
        lines.append("  " + ink.draw("redirect ", .faint) + ink.draw(redirect))
      }
      if redirects.count > 1 {
        lines.append("    " + ink.draw("for each of the \(redirects.count):", .faint))
      }
      lines += TextTable([], of: tokens) { token in tokenCells(token, unmasked: unmasked) }.lines(
        ink, indent: unmasked ? nil : 4
      ).map { "    " + $0 }
    }
  }
  return lines.joined(separator: "\n")
}

private func tokenCells(_ token: TokenRow, unmasked: Bool) -> [InkedText] {
  let cells = [
    InkedText(token.id, .faint), InkedText(token.type),
    stateText(token.status),
    InkedText(token.username ?? dashed(token.homeAccountID)), InkedText(token.remark),
  ]
  return unmasked ? cells + [InkedText(token.secret)] : cells
}

/// Returns the rows in groups, in the order of each group's first member.
private func grouped<Key: Hashable>(
  _ rows: [TokenRow], by key: (TokenRow) -> Key
) -> [(Key, [TokenRow])] {
  var places: [Key: Int] = [:]
  var groups: [(Key, [TokenRow])] = []
  for row in rows {
    let value = key(row)
    if let place = places[value] {
      groups[place].1.append(row)
    } else {
      places[value] = groups.count
      groups.append((value, [row]))
    }
  }
  return groups
}
