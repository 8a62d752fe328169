/// What a code or a state means, what raises it in this lab, and what developers do about it.
package struct Explanation: Codable, Hashable, Sendable {
  /// Whose code it is.
  ///
  /// The order is that of `ssoterm explain` without a word.
  package enum Family: String, Codable, CaseIterable, Sendable {
    case state, msal, msalInternal, adal, identityCore, keychain, aadsts, oauth, library, linuxBroker

    /// The domain in which the code is printed, or where the word is seen.
    package var domain: String {
      switch self {
      case .state: "SSOTerm state"
      case .msal: "MSALErrorDomain"
      case .msalInternal: "MSALInternalErrorCodeKey, with code -50000"
      case .adal: "ADAuthenticationErrorDomain"
      case .identityCore: "MSIDErrorDomain, inside the SDKs"
      case .keychain: "NSOSStatusErrorDomain"
      case .aadsts: "error_description of the provider"
      case .oauth: "error or suberror of the provider"
      case .library: "MSAL for Android, MSAL.js or MSAL.NET"
      case .linuxBroker: "status of the broker on Linux"
      }
    }
  }

  package var family: Family
  /// "-50000", "AADSTS50011", "invalid_grant", "expiring".
  package var code: String
  /// Its name in the SDK's or Apple's headers, if it has one.
  package var name: String
  package var meaning: String
  /// What raises it in this lab.
  package var cause: String
  /// What developers do about it.
  package var remedy: Advice

  init(_ family: Family, _ entry: CodeEntry) {
    self.family = family
    let fields = entry.fields ?? (String(entry.code), "", "", "", "")
    (code, name, meaning, cause) = (fields.code, fields.name, fields.meaning, fields.cause)
    remedy = Advice(notation: fields.remedy)
  }

  /// The explanation of every code, family by family.
  package static let all: [Explanation] =
    explanations(of: ListedState.self) + explanations(of: MSALCode.self) + explanations(of: ADALCode.self)
    + explanations(of: IdentityCoreCode.self) + explanations(of: KeychainError.self)
    + explanations(of: AADSTSCode.self) + explanations(of: OAuthErrorCode.self)
    + explanations(of: OAuthSuberror.self) + explanations(of: LibraryCode.self)
    + explanations(of: LinuxBrokerStatus.self)

  private static func explanations<Code: ExplainedCode>(of type: Code.Type) -> [Explanation] {
    type.allCases.map(\.explanation)
  }
}

extension Explanation {
  /// What to do about it in an app of one's own, without what is done in the lab.
  package var remedyOutside: Advice {
    let advice = remedy.prefix(upTo: ["; in the lab: ", " In the lab: "])
    return advice.description.hasSuffix(".") ? advice : "\(advice)."
  }

  /// The same for an error of a real app.
  package var outside: Explanation {
    var explanation = self
    explanation.remedy = remedyOutside
    return explanation
  }

  /// Finds what is meant by a code, a name, a state, or a whole printed error in which codes occur.
  ///
  /// `-50000` and `MSALErrorInternal` are the same; `50011` is `AADSTS50011`. ADAL's numbers are small, so they count
  /// only when they are alone or beside ADAL's domain. In order of appearance, each once.
  package static func find(in text: String) -> [Explanation] {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")) }
      .map { $0.lowercased() }
    let hasSmallNumbers = words.count == 1 || words.contains("adauthenticationerrordomain")
    var found: [Int] = []
    for word in words {
      for index in meant[word, default: []] where !found.contains(index) {
        if all[index].family == .adal, word == all[index].code, !hasSmallNumbers { continue }
        found.append(index)
      }
    }
    return found.map { all[$0] }
  }

  /// Codes and names, for "the nearest is".
  package static var words: [String] { all.flatMap { [$0.code, $0.name] }.filter { !$0.isEmpty } }

  /// Where in `all` the explanations are for a word in small letters.
  ///
  /// The lists ask for every row they draw, so a word is looked up, not compared with each code.
  private static let meant: [String: [Int]] = {
    var indexes: [String: [Int]] = [:]
    for (index, one) in all.enumerated() {
      for word in one.spellings { indexes[word, default: []].append(index) }
    }
    return indexes
  }()

  /// The words in small letters that mean this code: `aadsts50011` and `50011`, `msalerrorinternal` and `internal`.
  private var spellings: Set<String> {
    var words: Set = [code.lowercased()]
    let name = name.lowercased()
    if !name.isEmpty { words.insert(name) }
    if family == .aadsts, code.hasPrefix("AADSTS") { words.insert(String(code.dropFirst(6))) }
    if family == .msal, name.hasPrefix("msalerror"), name.count > 12 {
      words.insert(String(name.dropFirst(9)))
    }
    return words
  }
}
