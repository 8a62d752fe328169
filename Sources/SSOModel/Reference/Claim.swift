/// A claim of the articles that this project demonstrates (docs/claims.md): its ID and a short text.
///
/// A scenario lists the claims that it shows. The table of both is `docs/claims.md`.
package struct Claim: Hashable, Sendable, Identifiable {
  /// The ID, such as "C1": the section's letter and a number.
  package var id: String
  package var displayText: String

  /// All claims that scenarios must show, A1 to F6.
  ///
  /// Section G is the terminal itself.
  package static let all = ReferenceTable("claims.tsv").pairs.map { Claim(id: $0, displayText: $1) }
}

/// The source of a check, such as `claim C1`, `broker.md §7(2)`, or `RFC 8252 §8.6`.
package struct RuleSource: Hashable, Sendable {
  /// The source as in the check.
  package var text: String
  /// The contents of the source, with a sentence for each known part.
  ///
  /// Empty if no part is known.
  package var sentences: [String]

  package init(_ text: String) {
    self.text = text
    sentences = Self.claims(in: text) + Self.sections(in: text) + Self.documents(in: text)
  }

  /// Returns the claims in a source, identified by letter and number anywhere in it: `claims B1, C3`.
  private static func claims(in text: String) -> [String] {
    guard text.hasPrefix("claim") else { return [] }
    let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.compactMap { word in Claim.all.first { $0.id == word }.map { "\($0.id): \($0.displayText)." }
    }
  }

  /// Returns the section in a source: `silent-call.md §1(7)` is in section 1 of that document.
  private static func sections(in text: String) -> [String] {
    let place = text.prefix { $0 != "(" && $0 != "," }
    return behaviour.first { $0.place == place }.map { ["docs/behaviour/\($0.place): \($0.title)."] } ?? []
  }

  /// The sections of the documents in `docs/behaviour` that describe the real system, with their headings.
  ///
  /// A test compares them with the documents.
  static let behaviour: [(place: String, title: String)] = ReferenceTable("behaviour.tsv").pairs.map {
    ($0, $1)
  }

  /// The explanation of the source, or `nil` if no part of it is known.
  package var explanation: Explanation? {
    guard !sentences.isEmpty else { return nil }
    let number = text.drop { !$0.isNumber }.prefix(while: \.isNumber)
    let place: Advice =
      if text.hasPrefix("claim") {
        "See the scenarios that show it: \(.scenarios)"
      } else if text.hasPrefix("RFC") {
        "Read it at https://www.rfc-editor.org/rfc/rfc\("\(number)")"
      } else {
        "Read it in SSOTerm's source code, where the section names the files of the SDKs that it was read from."
      }
    return Explanation(
      .term,
      [
        text, "", sentences.joined(separator: " "),
        "Checks and explanations of SSOTerm cite it as their source.",
      ], remedy: place, domain: "a source")
  }

  private static func documents(in text: String) -> [String] {
    documents.filter { text.hasPrefix($0.0) }.map { "\($0): \($1)." }
  }

  private static let documents = ReferenceTable("documents.tsv").pairs
}
