/// The source of a check, such as `claim C1`, `broker.md §7(2)`, or `RFC 8252 §8.6`.
package struct RuleSource: Hashable, Sendable {
  /// The source as in the check.
  package var text: String
  /// The contents of the source, with a sentence for each known part.
  ///
  /// Empty if none is known.
  package var sentences: [String]

  package init(_ text: String) {
    self.text = text
    sentences = Self.claims(in: text) + Self.sections(in: text) + Self.documents(in: text)
  }

  /// Returns the claims in a source, identified by letter and number anywhere in it: `claims B1, C3`.
  private static func claims(in text: String) -> [String] {
    guard text.hasPrefix("claim") else { return [] }
    let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.compactMap { word in Claim.all.first { $0.id == word }.map { "\($0.id): \($0.words)." } }
  }

  /// Returns the section in a source: `silent-call.md §1(7)` is in section 1 of that document.
  private static func sections(in text: String) -> [String] {
    let place = text.prefix { $0 != "(" && $0 != "," }
    return behaviour.first { $0.place == place }.map { ["docs/behaviour/\($0.place): \($0.title)."] } ?? []
  }

  /// The sections of the documents in `docs/behaviour` that describe the real system, with their headings.
  ///
  /// A test compares them with the documents.
  static let behaviour: [(place: String, title: String)] = {
    let table = ReferenceTable("behaviour.tsv")
    return table.rows.map { table.fields($0) }.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
  }()

  private static func documents(in text: String) -> [String] {
    documents.filter { text.hasPrefix($0.name) }.map { "\($0.name): \($0.subject)." }
  }

  private static let documents: [(name: String, subject: String)] = [
    ("RFC 6749", "the OAuth 2.0 authorization framework"), ("RFC 6750", "how bearer tokens are sent"),
    ("RFC 7009", "how tokens are revoked"), ("RFC 7515", "JSON web signatures"),
    ("RFC 7519", "JSON web tokens"), ("RFC 7523", "a signed JWT instead of a client secret"),
    ("RFC 7591", "dynamic registration of clients"),
    ("RFC 7636", "PKCE: only the client that asked for a code can redeem it"),
    ("RFC 7662", "how tokens are introspected"), ("RFC 7800", "which key a token is bound to"),
    ("RFC 8252", "OAuth 2.0 for native apps"), ("RFC 8628", "the device code"),
    ("RFC 8725", "what to check in JSON web tokens"), ("RFC 9110", "HTTP"),
    ("RFC 9700", "the security of OAuth 2.0 in practice"), ("Fetch", "what a web page may request"),
    ("OAuth 2.0 Multiple Response Types", "several tokens from one authorization request"),
    ("OpenID Connect Core", "sign-in on top of OAuth 2.0"),
    ("RP-Initiated Logout", "how a client signs a person out"),
    ("Entra", "the behaviour of Microsoft's provider, by its documents and answers"),
  ]
}
