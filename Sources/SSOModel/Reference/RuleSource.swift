/// What the source of a check names: `claim C1`, `fact sheet 5.7(2)`, `RFC 8252 §8.6`.
package struct RuleSource: Hashable, Sendable {
  /// The source as the check names it.
  package var text: String
  /// What stands there, a sentence for each part that is known; empty if none is.
  package var sentences: [String]

  package init(_ text: String) {
    self.text = text
    sentences = Self.claims(in: text) + Self.sections(in: text) + Self.documents(in: text)
  }

  /// A claim goes by its letter and number alone, wherever it stands: `claims B1, C3`.
  private static func claims(in text: String) -> [String] {
    guard text.hasPrefix("claim") else { return [] }
    let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.compactMap { word in Claim.all.first { $0.id == word }.map { "\($0.id): \($0.words)." } }
  }

  private static func sections(in text: String) -> [String] {
    let name = "fact sheet "
    guard text.hasPrefix(name) else { return [] }
    let number = text.dropFirst(name.count).prefix { $0.isNumber || $0 == "." }
    return factSheet.first { $0.section == number }.map { ["Section \($0.section): \($0.subject)."] } ?? []
  }

  private static func documents(in text: String) -> [String] {
    documents.filter { text.hasPrefix($0.name) }.map { "\($0.name): \($0.subject)." }
  }

  /// The sections of `apple-identity-sdks.md` that checks name: how Apple's SDKs were read to work.
  private static let factSheet: [(section: String, subject: String)] = [
    ("1.1", "the keychain operations of the SDKs"), ("1.2", "the keys of MSAL's credentials"),
    ("1.3", "the JSON of MSAL's credentials"), ("1.4", "MSAL's account items"),
    ("1.5", "app metadata: which client belongs to which family"), ("1.6", "who signed out of which app"),
    ("1.7", "access groups and team prefixes, and which group an SDK uses"),
    ("1.8", "other keychain items that the libraries make"), ("1.9", "what is different on macOS"),
    ("1.10", "which cached token answers a call"), ("2.1", "the keys of ADAL's items"),
    ("2.2", "the archive that ADAL keeps"), ("2.3", "what one sign-in with ADAL writes"),
    ("2.4", "which generation of the libraries sees what another left"),
    ("2.5", "the order in which ADAL looks for a token"), ("2.6", "how MSAL reads what ADAL left"),
    ("2.7", "what removing an account takes away"), ("3.1", "the home account ID"),
    ("3.2", "MSAL's account"), ("3.3", "hosts of an authority that are aliases of each other"),
    ("3.4", "kinds of authority"), ("3.5", "which accounts an app lists, and which one a call is for"),
    ("3.6", "the ways to remove an account"), ("3.7", "guests: one account, several tenants"),
    ("4.1", "the steps of MSAL's silent call"), ("4.2", "MSAL's interactive call"),
    ("4.3", "the steps of ADAL's calls"), ("5.1", "whether there is a broker that can be called"),
    ("5.2", "how the request reaches the broker"), ("5.3", "MSAL's request to the broker"),
    ("5.4", "ADAL's request to the broker"), ("5.5", "what the app keeps while the broker answers"),
    ("5.6", "the broker key and the app token"), ("5.7", "the checks of the broker's response"),
    ("5.8", "the fields of the broker's response"), ("5.9", "an app that ends or sleeps meanwhile"),
    ("5.10", "a server that asks for the broker"), ("5.11", "Intune's protection of an app"),
    ("5.12", "the rules of redirect URIs"), ("6.1", "MSAL's errors"), ("6.2", "IdentityCore's errors"),
    ("6.3", "ADAL's errors"), ("6.4", "which situation gives which error"),
  ]

  private static let documents: [(name: String, subject: String)] = [
    ("RFC 6749", "the OAuth 2.0 authorization framework"), ("RFC 6750", "how bearer tokens are presented"),
    ("RFC 7009", "how tokens are revoked"), ("RFC 7523", "a signed JWT instead of a client secret"),
    ("RFC 7591", "dynamic registration of clients"),
    ("RFC 7636", "PKCE: the code belongs to who asked for it"),
    ("RFC 7662", "how tokens are introspected"), ("RFC 8252", "OAuth 2.0 for native apps"),
    ("RFC 8628", "the device code"), ("OpenID Connect Core", "who signed in, on top of OAuth 2.0"),
    ("Entra", "the behaviour of Microsoft's provider, as its documents and answers show it"),
    ("real-clients", "what programs that nobody here wrote were seen to send"),
  ]
}
