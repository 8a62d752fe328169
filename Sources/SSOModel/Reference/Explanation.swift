/// The meaning of a code or a state, its cause, and the developer's remedy.
package struct Explanation: Codable, Hashable, Sendable {
  /// The family of a code.
  ///
  /// Each family is a file of `assets/reference`.
  ///
  /// The order is that of `ssoterm explain` without arguments.
  package enum Family: String, Codable, CaseIterable, Sendable {
    case state, msal, msalInternal, adal, identityCore, keychain, aadsts, b2c, oauth, library, linuxBroker,
      windows, network, webSession, message, term

    /// The domain in which the code is printed, or where the word appears, unless its row specifies another.
    var domain: String {
      switch self {
      case .state: "SSOTerm state"
      case .msal: "MSALErrorDomain"
      case .msalInternal: "MSALInternalErrorCodeKey, with code -50000"
      case .adal: "ADAuthenticationErrorDomain"
      case .identityCore: "MSIDErrorDomain, inside the SDKs"
      case .keychain: "NSOSStatusErrorDomain"
      case .aadsts: "error_description of the provider"
      case .b2c: "error_description of Azure AD B2C"
      case .oauth: "error or suberror of the provider"
      case .library: "MSAL for Android, MSAL.js or MSAL.NET"
      case .linuxBroker: "status of the broker on Linux"
      case .windows: "HRESULT of Windows"
      case .network: "NSURLErrorDomain"
      case .webSession: "com.apple.AuthenticationServices"
      case .message: "a message without a code"
      case .term: "a term"
      }
    }

    /// The letters before the number.
    var prefix: String { self == .aadsts ? "AADSTS" : self == .b2c ? "AADB2C" : "" }

    var table: ReferenceTable { ReferenceTable(rawValue + ".tsv") }

    /// Returns the explanation of a code, spelled as in the table.
    package func explanation(of code: String) -> Explanation? {
      let table = table
      return table.row(of: code).map { Explanation(self, table.fields($0)) }
    }
  }

  package var family: Family
  /// The code, such as "-50000", "AADSTS50011", "invalid_grant", or "expiring".
  package var code: String
  /// The name in the SDK's or Apple's headers, if it has one.
  package var name: String
  package var meaning: String
  /// The cause of the code.
  package var cause: String
  /// The developer's remedy.
  package var remedy: Advice
  /// The domain in which the code is printed, or where the word appears.
  package var domain: String

  /// Whether software without a sign-in has the code too, so that it counts only beside a sign-in.
  package var isOfAnySoftware = false
  /// Whether other servers have the words too, so that the advice counts only where the text names the server.
  package var isOfSeveralServers = false

  private enum CodingKeys: CodingKey { case family, code, name, meaning, cause, remedy, domain }

  /// Creates an explanation from the fields of its row.
  ///
  /// A field after the remedy specifies a domain other than the family's, and one after that who uses the code: `any`
  /// software, or other `servers`.
  init(_ family: Family, _ fields: [String]) {
    self.family = family
    let fields = fields + Array(repeating: "", count: max(0, 7 - fields.count))
    (code, name, meaning, cause) = (fields[0], fields[1], fields[2], fields[3])
    remedy = Advice(notation: fields[4])
    domain = fields[5].isEmpty ? family.domain : fields[5]
    (isOfAnySoftware, isOfSeveralServers) = (fields[6] == "any", fields[6] == "servers")
  }

  /// Creates an explanation that is not a row of a table.
  init(_ family: Family, _ fields: [String], remedy: Advice, domain: String) {
    self.init(family, fields)
    (self.remedy, self.domain) = (remedy, domain)
  }

  /// The explanations of all codes, by family.
  package static let all = Family.allCases.flatMap(all(of:))

  /// The explanation of a word that is not an error, such as `mobileconfig`, if the text contains nothing else.
  ///
  /// Logs and messages are not searched for these words.
  package static func term(_ text: String) -> Explanation? {
    let number = numberOfSQL(in: text) ?? numberOfEvent(in: text).map { "event id " + $0 }
    // A sentence may follow: `LAMP-01017: no lamp`.
    let texts = number.map { [$0] } ?? [text, String(text.prefix { $0 != ":" })] + nameOfTerm(in: text)
    let words = Set(texts.map(wordsOfTerm)).subtracting([[]])
    // Everyday words are not written as names.
    let isPlain = text.allSatisfy(\.isLowercase)
    return all(of: .term).first { term in
      if isPlain, term.code.contains(where: \.isUppercase) { return false }
      // The phrases of HTTP, such as `Not Found`, are everyday words.
      let forms = term.isHTTPStatus ? [term.code, term.code + " " + term.name] : [term.code, term.name]
      return forms.contains { words.contains(wordsOfTerm($0)) }
    }
  }

  /// Returns the name of a class without its package, and the only word of a short text that is written as a name:
  /// `com.lamp.LampException`, `Lamp::LampError`, `LampException in the hall`.
  private static func nameOfTerm(in text: String) -> [String] {
    func isName(_ word: Substring) -> Bool {
      word.first?.isUppercase == true && word.dropFirst().contains { $0.isUppercase || $0 == "_" }
        && word.contains(where: \.isLowercase)
    }
    let words = text.split(separator: " ")
    let names = words.compactMap { $0.split { ".:".contains($0) }.last }.filter(isName)
    return words.count < 4 && names.count == 1 ? [String(names[0])] : []
  }

  /// Returns the words of a term without what may stand before a code: `HTTP status 403`, `[Errno 5]`, `Code=5`; of curl,
  /// the number alone counts.
  private static func wordsOfTerm(_ text: String) -> [String] {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && !"_-.".contains($0) }.map(
      String.init
    )
    .filter { !["error", "code", "status", "http", "domain"].contains($0) }
    return words.first == "curl" ? Array(words.prefix(2)) : words
  }

  /// Returns the number of an error of SQL Server, or `nil` if the text is not about it: `SQL error 40615`, `Error: 18456,
  /// Severity: 14, State: 1`.
  private static func numberOfSQL(in text: String) -> String? {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard words.contains("sql") || words.contains("severity") else { return nil }
    return words.first { $0.count > 4 && $0.allSatisfy(\.isNumber) }.map(String.init)
  }

  /// Returns the number of an event of Windows, or `nil` if the text is not about one: `Event ID 1098`, `EventID: 1098`, or the
  /// number alone.
  private static func numberOfEvent(in text: String) -> String? {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    // A number of three digits alone is a status of HTTP.
    guard !text.hasPrefix("-"), let number = words.last, number.allSatisfy(\.isNumber),
      number.count == 4 || number.count == 3 && words.count > 1
    else {
      return nil
    }
    return ["", "event", "event id", "eventid"].contains(words.dropLast().joined(separator: " "))
      ? String(number) : nil
  }

  /// The state of the lists whose name is the text, such as `needs sign-in`, if the text contains nothing else.
  ///
  /// Logs and messages are not searched for these words.
  package static func state(named text: String) -> Explanation? {
    let words = text.lowercased()
    return all(of: .state).first { !$0.name.isEmpty && $0.name.lowercased() == words }
  }

  /// Whether the code is only the name of a class of exceptions.
  package var isClass: Bool {
    family == .library && code.first?.isUppercase == true && !code.contains { " _".contains($0) }
      && (code.hasSuffix("Error") || code.hasSuffix("Exception"))
  }

  /// Whether the term is the number of a response, such as 403.
  var isHTTPStatus: Bool { domain == "HTTP status" }

  /// A meaning of a number that is all that the user asks about.
  package struct NumberMeaning: Sendable {
    package var explanation: Explanation
    /// Whether the code has a minus sign, which the user may have omitted.
    package var lacksMinus = false
  }

  /// Returns the meanings of a number that stands alone, the most likely first: a status of HTTP, a code of the provider, the
  /// codes that libraries print beside their domain, and a code with a minus sign.
  ///
  /// In a log, such a number does not have these meanings (``find(in:)``). A number of fewer than three digits, or from
  /// 100 to 199, is an amount.
  package static func meanings(ofNumber text: String) -> [NumberMeaning] {
    guard let number = Int(text), number >= 200, text.first?.isNumber == true else { return [] }
    let term = term(text).map { [$0] } ?? []
    let others: [(Family, String)] = [
      (.adal, text), (.webSession, text), (.message, "ApiException: \(text)"),
    ]
    let plain = term + find(in: text) + others.compactMap { $0.explanation(of: $1) }
    let negative = [Family.msal, .msalInternal, .identityCore, .keychain, .network].compactMap { family in
      family.explanation(of: "-\(number)")
    }
    return plain.map { NumberMeaning(explanation: $0) }
      + negative.map { NumberMeaning(explanation: $0, lacksMinus: true) }
  }

  package static func all(of family: Family) -> [Explanation] {
    family.table.records.map { Explanation(family, $0) }
  }

  /// Returns whether the table of Entra's codes has a number with these digits.
  package static func isEntraNumber(_ digits: some StringProtocol) -> Bool {
    entraCodes.contains(Family.aadsts.prefix + digits)
  }

  private static let entraCodes = Set(all(of: .aadsts).map(\.code))
}

extension Explanation {
  /// The remedy for a real app, without the steps in the lab.
  package var remedyOutside: Advice {
    let advice = remedy.prefix(upTo: ["; in the lab: ", " In the lab: "])
    return advice.description.hasSuffix(".") ? advice : "\(advice)."
  }

  /// The explanation for an error of a real app.
  package var outside: Explanation {
    var explanation = self
    explanation.remedy = remedyOutside
    return explanation
  }

  /// Returns whether Entra puts the code before another one, which is closer to the cause: `AADSTS70002: Error
  /// validating credentials. AADSTS50126: …`.
  package static func isWrapper(_ code: String) -> Bool { code == "AADSTS70002" || code == "AADSTS50000" }

  /// Whether the code is the answer to a poll of the device flow before the user has answered.
  package var isOfPolling: Bool {
    [
      AADSTSCode.authorizationPending.text, OAuthErrorCode.authorizationPending.text,
      OAuthErrorCode.slowDown.text,
    ].contains(code)
  }

  /// The words with which `find` finds exactly this explanation.
  ///
  /// A state is an everyday word, so `state` precedes it.
  package var displayText: String { family == .state ? "state \(code)" : code }
}

/// An enum of the codes that the program raises or compares with.
///
/// The explanation of each is its row in `assets/reference`, which also has the codes that the program never raises.
package protocol ExplainedCode: RawRepresentable, CaseIterable, Hashable, Sendable {
  var family: Explanation.Family { get }
  /// The printed form, such as `-50000`, `AADSTS50011`, or `invalid_grant`.
  var text: String { get }
}

extension ExplainedCode {
  /// The explanation for `ssoterm explain`.
  ///
  /// A test verifies that each code has one.
  package var explanation: Explanation? { family.explanation(of: text) }
  /// The name in the SDK's or Apple's headers.
  ///
  /// Empty if it does not have one.
  package var name: String { explanation?.name ?? "" }
}

extension ExplainedCode where RawValue == String {
  package var text: String { rawValue }

  package init?(text: String) { self.init(rawValue: text) }
}

/// A numeric code, optionally with letters before the number: 50011 of `AADSTS50011`, -50000.
package protocol NumberedCode: ExplainedCode where RawValue == Int {}

extension NumberedCode {
  package var number: Int { rawValue }
  package var text: String { family.prefix + String(rawValue) }

  package init?(number: Int) { self.init(rawValue: number) }
}
