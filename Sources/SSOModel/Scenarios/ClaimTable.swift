/// The scenarios that show each claim, for `docs/claims.md` and `ssoterm scenario claims`.
package struct ClaimTable: Sendable {
  package struct Row: Sendable {
    package var claim: Claim
    /// The scenarios whose names begin with the claim's ID.
    package var named: [String]
    /// The other scenarios that show the claim.
    package var others: [String]
  }

  package var rows: [Row]

  package init(_ files: [ScenarioFile]) {
    rows = Claim.all.map { claim in
      let showing = files.filter { $0.claims.contains(claim.id) }.map(\.name)
      let named = showing.filter { $0.hasPrefix(claim.id + "-") }
      return Row(claim: claim, named: named, others: showing.filter { !named.contains($0) })
    }
  }

  /// The claims for which no scenario is named.
  package var untold: [Claim] { rows.filter(\.named.isEmpty).map(\.claim) }

  /// The page in `docs/`.
  package var markdown: String {
    let head = """
      # Claims and their scenarios

      Made by `make claims` from the scenarios; a test fails if it is not what they say.

      Each claim of the articles has a scenario with its ID in the name. Watch one with `ssoterm demo NAME`, run it with
      `ssoterm scenario run NAME`, all of them with `ssoterm scenario run --all`. Each is also a test, a case of
      `ScenarioStoryTests`.

      | claim | what it says | its scenarios | also shown in |
      |---|---|---|---|

      """
    return head
      + rows.map { row in
        "| \(row.claim.id) | \(row.claim.words) | \(Self.links(row.named)) | \(Self.links(row.others)) |\n"
      }.joined()
  }

  private static func links(_ names: [String]) -> String {
    names.map { "[\($0)](../assets/scenarios/\($0).yaml)" }.joined(separator: ", ")
  }
}
