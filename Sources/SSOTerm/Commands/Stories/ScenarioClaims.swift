import ArgumentParser

/// `ssoterm scenario claims`: lists which scenario to run for each claim of the articles.
struct ScenarioClaims: LabCommand {
  static let configuration = CommandConfiguration(
    "claims", "List the claims of the articles, and the scenarios that show them.",
    examples: ["ssoterm scenario claims"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Flag(help: "Print docs/claims.md.")
  var markdown = false

  func perform(on console: Console) throws -> ExitStatus {
    let claims = ClaimTable(ScenarioLibrary.ofProgram.all().compactMap { try? $0.file.get() })
    let document = JSONValue.array(
      claims.rows.map {
        [
          "claim": .string($0.claim.id), "words": .string($0.claim.words), "scenarios": .strings($0.named),
          "also": .strings($0.others),
        ]
      })
    try console.show(document) {
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
}
