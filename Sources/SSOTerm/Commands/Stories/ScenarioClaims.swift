import ArgumentParser
import Assets
import Essentials

/// `ssoterm scenario claims`: lists which scenario to run for each claim of the articles.
struct ScenarioClaims: LabCommand {
  static let configuration = CommandConfiguration(
    "claims", "List the claims of the articles, and the scenarios that show them.",
    examples: ["ssoterm scenario claims", "ssoterm scenario claims --json | jq .guarantees"],
    after: "The JSON also lists the tests that prove each claim, and each guarantee of docs/security.md.")

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Print docs/claims.md.")
  var markdown = false

  func perform(on console: Console) throws -> ExitStatus {
    let claims = ClaimTable(ScenarioLibrary.ofProgram.all().compactMap { try? $0.file.get() })
    try console.show(Self.witnesses()) {
      guard !markdown else { return String(claims.markdown.dropLast()) }
      return TextTable(["CLAIM", "SCENARIOS", "WHAT IT SAYS"], of: claims.rows) { row in
        [
          InkedText(row.claim.id, .strong), InkedText(dashed(row.named.joined(separator: " "))),
          InkedText(row.claim.words),
        ]
      }.text(console.ink)
    }
    return claims.untold.isEmpty ? .done : .finding
  }

  /// Returns docs/witnesses.json, which lists the tests besides the scenarios, and the guarantees of docs/security.md.
  private static func witnesses() throws -> JSONValue {
    try JSONParser.parse(Data((Asset("witnesses.json")?.text ?? "").utf8))
  }
}
