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
  package static let all: [Claim] = [
    Claim(
      "A1", "Non-brokered: the sign-in happens in the app, and its credentials stay with the app or suite"),
    Claim("A2", "Without a broker: no Conditional Access, no Intune, no certificates; the refusal says why"),
    Claim("A3", "Brokered: credentials are in the broker's storage, and every app on the device gets SSO"),
    Claim("A4", "The broker is installed by the person, or pushed for some apps or the whole device"),
    Claim("A5", "What the person sees: the transition on iOS, an overlay on Android and Windows"),
    Claim(
      "A6", "A compatible installed broker is invoked automatically, for any account of the platform"),
    Claim("B1", "The system says who calls; it must be the bundle ID in the registered redirect URI"),
    Claim("B2", "An app that sends another's client ID and redirect URI gets no token"),
    Claim("B3", "Two apps with one URL scheme: the wrong app gets a ciphertext that it cannot decrypt"),
    Claim("B4", "The developer decides whether the SDK calls the broker; ADAL does not by default"),
    Claim("C1", "Client ID, team, keychain group and configured group agree: the second app is silent"),
    Claim("C2", "One of the four is broken: the second app asks, and the failed condition is named"),
    Claim("C3", "Redirect URIs nest under one client ID; token state is shown along this tree"),
    Claim("C4", "Without the broker any redirect URI works; with it only the formats of D"),
    Claim("C5", "The entitlements and settings of the articles, and the default groups"),
    Claim("C6", "Any app of the group can remove users of all the others; shown before, and can be undone"),
    Claim("C7", "The list of users is shared by all apps of the group"),
    Claim("C8", "The second app reads the refresh token that another wrote and redeems it for its own token"),
    Claim("D1", "Broker mode is switched on in code"),
    Claim("D2", "The app registers a URL scheme"),
    Claim("D3", "The redirect URI carries the bundle ID, in the app and in its registration"),
    Claim("D4", "Certificate-based sign-in needs the second redirect URI, msauth://code/…"),
    Claim("D5", "Without the query scheme canOpenURL returns false, even with the broker installed"),
    Claim("D6", "The app forwards the answer to the SDK, or the SDK never receives it"),
    Claim("D7", "With D1 to D6 set up, another vendor's app signs in through the broker with no password"),
    Claim("E1", "Silent SSO between apps"),
    Claim("E2", "SSO through the broker, with the device registered in the directory"),
    Claim("E3", "The system web session shares cookies with Safari and other apps' sessions"),
    Claim("E4", "A private web view shares nothing"),
    Claim("E5", "Silent SSO between ADAL and MSAL apps of one publisher"),
    Claim("E6", "The redirect URI must have MSAL's format"),
    Claim("E7", "There is no broker flow on macOS"),
    Claim("F1", "ADAL 2.7 reads MSAL's cache format: nothing to do for SSO"),
    Claim("F2", "ADAL before 2.7 does not; MSAL reads the older format, so no new sign-in is needed"),
    Claim("F3", "The identifiers of both libraries, displayable and unique"),
    Claim("F4", "MSAL to ADAL: username is handed over as userId"),
    Claim("F5", "ADAL to MSAL: homeAccountId to accountForIdentifier, else userId to accountForUsername"),
    Claim("F6", "No account: nothing happens; several: the account picker; one: it is used"),
  ]

  private init(_ id: String, _ words: String) {
    self.id = id
    self.displayText = words
  }
}

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
