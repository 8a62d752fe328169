import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOProvider
import SSOReading
import SSOReference

/// A fact that a source shows, with its place.
package struct EvidenceFact: Hashable, Sendable {
  package enum Name: String, CaseIterable, Sendable {
    case error
    case page
    case oauthError = "OAuth error"
    case sdkCode = "SDK code"
    case call
    case caller
    case sdk = "SDK"
    case system, app
    case bundleID = "bundle ID"
    case clientID = "client ID"
    case redirectURI = "redirect URI"
    case authority, scopes, resource
    case broker, registration, cache, account, tenant
    /// Only assumed, because no source shows them.
    case cause, grant
    case origin
  }

  package var name: Name
  package var value: String
  /// The file with the line, the entry of a recording, or the path of a project's file.
  package var place: String
}

/// The facts that the sources of a failure show, the failure itself, and the steps before it.
///
/// It does not contain a name, token, cookie, or correlation ID, except in ``privateTexts``, which lists texts to be
/// replaced.
package struct Evidence: Sendable {
  package private(set) var facts: [EvidenceFact] = []
  package var failure = Failure()
  /// The steps of the call that failed.
  package var steps: [Hop] = []
  /// Whether the call was silent, or `nil` if no source says so.
  package var isSilent: Bool?
  /// The software that made the call.
  var caller = CallerEvidence()
  /// The number of lines with an error response in a redirect to a web address.
  fileprivate(set) var redirectedAnswers = 0
  /// The protocol, the SDK, and the proof of the call, as its texts show them.
  var signs = CallSigns()
  /// The diagnosis of the project and the registrations, or `nil` if no project and no registration were given.
  package var diagnosis: Diagnosis?
  /// The code of a system that the lab does not simulate, such as an HRESULT of Windows, or `nil` if no source shows one.
  var foreignCode: Explanation?
  /// The app or registration of the doctor's finding that is the failure, or `nil` if a source shows it.
  var subject: String?
  /// The parameter that the provider's error says is missing, or `nil` if it does not name one.
  package var parameter: String?
  /// The scopes of the call.
  package var scopes: [String] = []
  /// The scopes of the source that the lab's Graph has, for a call whose scopes are not the mistake.
  var usableScopes: [String] {
    let known = scopes.filter { ProtectedResource.isGraphPermission($0) }
    return known.count == scopes.count && !known.isEmpty ? known : ["User.Read"]
  }

  /// The numbers of accounts and refresh tokens in the given cache, or `nil` without one.
  var cachedAccounts: Int?
  var cachedRefreshTokens: Int?
  /// Whether a given log or text does not contain an error.
  var hasUnreadSource = false
  /// The texts of the failing call, to be compared with the SDK's sentences; they are never shown.
  var sentences: [String] = []
  /// The texts that name a user or an organisation.
  var privateTexts: Set<String> = []
  /// The number of calls in logs in which every call succeeded.
  package var successes = 0
  /// The clause about the first request of a recording that was refused with a response without a code, or `nil` if no
  /// request was.
  var refusalWithoutCode: String?
  /// The other calls of the logs that failed.
  package var otherFailures: [OtherFailure] = []

  /// A call that failed, beside the reproduced call.
  package struct OtherFailure: Hashable, Sendable {
    /// The number among the failing calls of its log, counted from one.
    package var number: Int
    /// The codes.
    package var text: String
  }

  /// Whether a source shows an entire call and not only its error.
  var showsSteps: Bool { steps.count > 1 }

  package init() {}

  /// The values that the user has set in place of assumptions.
  var chosen: [EvidenceFact.Name: String] = [:]

  /// The first value of a fact, or else the value that the user has set, or `nil` if there is neither.
  package func value(_ name: EvidenceFact.Name) -> String? { shown(name) ?? chosen[name] }

  /// The first value of a fact, or `nil` if no source shows it.
  func shown(_ name: EvidenceFact.Name) -> String? { facts.first { $0.name == name }?.value }

  /// Adds a fact, unless this place or another has already shown it.
  mutating func add(_ name: EvidenceFact.Name, _ value: String, at place: String) {
    guard !facts.contains(where: { $0.name == name }) else { return }
    facts.append(EvidenceFact(name: name, value: value, place: place))
  }

  /// Records the bundle ID in an app's redirect URI, unless it is a web address.
  mutating func takeBundleID(in redirectURI: String, at place: String) {
    guard let id = CallerEvidence.appID(in: redirectURI) else { return }
    add(.bundleID, id, at: place)
  }

  /// Replaces the value of each fact.
  mutating func mapFacts(_ value: (EvidenceFact) -> String) {
    for index in facts.indices { facts[index].value = value(facts[index]) }
  }

  mutating func remove(_ name: EvidenceFact.Name) { facts.removeAll { $0.name == name } }
}

/// A source that is a text or a document.
package struct EvidenceFile: Sendable {
  /// The name for places: `app.log`.
  package var name: String
  package var data: Data

  package init(name: String, data: Data) { (self.name, self.data) = (name, data) }

  /// The maximum size, in bytes.
  package static let sizeLimit = 64 << 20

  /// The kinds of sources, recognised by their contents.
  package enum Kind: Sendable { case log, recording, cache, registration }

  package var kind: Kind {
    if HARFile.isRecording(data.prefix(4096)) { return .recording }
    guard let first = data.first(where: { !$0.isJSONSpace }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let document = try? JSONParser.parse(data),
      let object = document.array?.first?.object ?? document.object
    else { return .log }
    if ["AccessToken", "RefreshToken", "Account", "AppMetadata"].contains(where: { object[$0]?.object != nil }
    ) {
      return .cache
    }
    return object["appId"] != nil ? .registration : .log
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

// MARK: - Facts in texts

/// The facts in the sentences of the SDKs and the provider, by the text around them.
struct TextFacts {
  private struct Template {
    var before: String
    var end: Character
    var name: EvidenceFact.Name
  }

  /// The words that a client ID follows, with quotes, signs, or the app's name in between.
  private static let clientWords = [
    "pplication", " app '", "lient app ID", "client_id", "lientId", "lient ID", "lientID", "lient Id",
  ]
  /// The words between an app and an ID that is not its own.
  private static let otherWords = [
    "tenant", "directory", "resource", "service", "trace", "correlation", "request", ". ",
  ]

  /// The words before a parameter that the provider reports as missing or repeated.
  private static let parameterWords = [
    "following parameter: '", "required field '", "properly formatted. The parameter '",
    "required parameter: ",
  ]

  private static let templates: [Template] = [
    Template(before: "redirect URI '", end: "'", name: .redirectURI),
    // The name of the redirect URI in Entra's sentences until 2021.
    Template(before: "reply URL '", end: "'", name: .redirectURI),
    Template(before: "reply url '", end: "'", name: .redirectURI),
    Template(before: "reply address '", end: "'", name: .redirectURI),
    Template(before: "redirectURi \"", end: "\"", name: .redirectURI),
    Template(before: "redirect_uri=", end: "&", name: .redirectURI),
    Template(before: "redirect_uri = ", end: " ", name: .redirectURI),
    Template(before: "Redirect Uri - ", end: " ", name: .redirectURI),
    Template(before: "resource principal named ", end: " ", name: .resource),
    Template(before: "asked for scope '", end: "'", name: .scopes),
    Template(before: "equest origin: '", end: "'", name: .origin),
    Template(before: "from origin '", end: "'", name: .origin),
    Template(before: "https://", end: " ", name: .authority),
    Template(before: "ser account '", end: "'", name: .account),
    Template(before: "he user account ", end: " ", name: .account),
    Template(before: "tenant named ", end: ".", name: .tenant),
    Template(before: "in tenant '", end: "'", name: .tenant),
    Template(before: "from tenant '", end: "'", name: .tenant),
    Template(before: "Tenant '", end: "'", name: .tenant),
    Template(before: "in the directory '", end: "'", name: .tenant),
  ]

  /// Adds the facts of one line to the evidence.
  static func add(_ line: Substring, at place: String, to evidence: inout Evidence) {
    if let answer = line.firstRange(of: "error_description="), line.utf8.contains(UInt8(ascii: "%")) {
      // A response in a redirect: the redirect URI precedes it, and the description is encoded.
      takeRedirect(line[..<answer.lowerBound], at: place, &evidence)
      let description = line[answer.upperBound...].prefix { $0 != "&" && !$0.isWhitespace }
      if let text = FormEncoding.decodeText(description, plusIsSpace: true) {
        return add(text[...], at: place, to: &evidence)
      }
    }
    if evidence.parameter == nil,
      let start = parameterWords.lazy.compactMap({ line.firstRange(of: $0) }).first
    {
      let name = line[start.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
      evidence.parameter = name.isEmpty ? nil : completed(name, isCut: name.endIndex == line.endIndex)
    }
    // In a response that a program printed as a literal, the quotes are escaped.
    let line = line.utf8.contains(UInt8(ascii: "\\")) ? line.replacing("\\'", with: "'") : line
    if evidence.shown(.clientID) == nil, let client = clientID(in: line) {
      evidence.add(.clientID, client, at: place)
    }
    for template in templates {
      guard let start = line.firstRange(of: template.before) else { continue }
      let rest = line[start.upperBound...]
      let raw = Self.value(at: rest, template)
      // A query value is encoded as a whole; the hash in an Android redirect URI is encoded separately.
      let isWhole = raw.contains("://")
      let value = isWhole ? String(raw) : FormEncoding.decodeText(raw, plusIsSpace: false) ?? String(raw)
      take(value, template.name, at: place, &evidence)
    }
  }

  /// The parameters whose names a terminal may cut at its edge.
  private static let longParameters = [
    "client_assertion", "client_assertion_type", "client_secret", "code_verifier", "device_code",
    "grant_type",
    "redirect_uri", "refresh_token", "response_type",
  ]

  /// Returns the name of a parameter, completed if the end of the line cuts it.
  private static func completed(_ name: Substring, isCut: Bool) -> String {
    let longer = isCut ? longParameters.filter { $0.hasPrefix(name) } : []
    return longer.count == 1 && name.count > 4 ? longer[0] : String(name)
  }

  /// Returns the value of a template, in which only the name of an organisation has spaces, periods, and commas.
  private static func value(at rest: Substring, _ template: Template) -> Substring {
    guard template.name == .tenant else {
      return rest.prefix { $0 != template.end && !$0.isWhitespace && !"\"'<>,;)".contains($0) }
    }
    let name = rest.prefix(120)
    if template.end == "'" { return name.prefix { $0 != "'" } }
    let end = name.firstRange(of: ". ")?.lowerBound ?? name.endIndex
    return name[..<end].hasSuffix(".") ? name[..<end].dropLast() : name[..<end]
  }

  /// Returns the client ID that a sentence such as `the application 'GUID'` or `the application Trips ('GUID')` names.
  private static func clientID(in line: Substring) -> String? {
    for word in clientWords {
      var rest = line
      while let found = rest.firstRange(of: word) {
        rest = rest[found.upperBound...]
        let near = rest.prefix(160)
        let starts = near.indices.lazy.filter { near[$0] == "-" }.compactMap {
          near.index($0, offsetBy: -8, limitedBy: near.startIndex)
        }
        guard let start = starts.first(where: { String(near[$0...].prefix(36)).isGUID }) else { continue }
        let between = near[..<start].lowercased()
        let id = near[start...].prefix(36).lowercased()
        if !otherWords.contains(where: between.contains), !id.isPlaceholderID { return id }
      }
    }
    return nil
  }

  /// Records the redirect URI at which an error response arrived; a response in a fragment is for a page.
  private static func takeRedirect(_ text: Substring, at place: String, _ evidence: inout Evidence) {
    guard let start = text.ranges(of: "http").last?.lowerBound,
      let end = text[start...].firstIndex(where: { $0 == "?" || $0 == "#" }),
      text[end...].hasSuffix("&")
        || text[end...].dropFirst().hasPrefix("error=")
    else { return }
    take(String(text[start..<end]), .redirectURI, at: place, &evidence)
    evidence.redirectedAnswers += 1
    if text[end] == "#" { evidence.caller.takeAnswerInFragment() }
  }

  private static func take(
    _ value: String, _ name: EvidenceFact.Name, at place: String, _ evidence: inout Evidence
  ) {
    switch name {
    case .account, .tenant:
      guard value.count > 2, value.contains(where: { $0.isLetter || $0.isNumber }) else { return }
      evidence.privateTexts.insert(value)
      evidence.add(name, value, at: place)
    case .redirectURI where value.isPlainURI:
      evidence.add(name, value, at: place)
      evidence.takeBundleID(in: value, at: place)
      evidence.caller.take(redirectURI: value)
    case .origin where value.isPlainURI:
      evidence.add(name, value, at: place)
      evidence.caller.takeOrigin()
    // A masked name is not an address.
    case .resource where value.contains(where: \.isLetter) && value.isPlainURI && !value.contains("*"):
      if let host = URLParts(value)?.host.lowercased(), tenantHosts.contains(where: host.hasSuffix) {
        evidence.privateTexts.insert(String(host.prefix { $0 != "." }))
      }
      evidence.add(name, value, at: place)
    case .scopes where value.isPlainURI:
      evidence.add(name, value, at: place)
      if evidence.scopes.isEmpty { evidence.scopes = [value] }
    case .authority: takeAuthority(value, at: place, &evidence)
    default: break
    }
  }

  /// The ends of hosts that begin with the name of an organisation.
  private static let tenantHosts = [
    ".sharepoint.com", ".dynamics.com", ".onmicrosoft.com", ".b2clogin.com", ".ciamlogin.com",
  ]

  /// Records the tenant of an authority on an Entra host.
  private static func takeAuthority(_ value: String, at place: String, _ evidence: inout Evidence) {
    guard let url = URLParts("https://" + value), PublicCloud.aliases.contains(url.host.lowercased()),
      let realm = url.path.split(separator: "/").first.map(String.init), realm.isPlainURI
    else { return }
    if ["common", "organizations", "consumers"].contains(realm.lowercased()) {
      evidence.add(.authority, "https://\(url.host.lowercased())/\(realm.lowercased())", at: place)
    } else if realm.isGUID || realm.contains(".") {
      evidence.privateTexts.insert(realm)
      evidence.add(.authority, "https://\(url.host.lowercased())/\(realm)", at: place)
      evidence.add(.tenant, realm, at: place)
    }
  }
}

extension String {
  /// The text without the escape sequences of colours, which may be within a number.
  var withoutEscapes: String {
    guard utf8.contains(0x1B) else { return self }
    var plain = String.UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let first = rest.popFirst() {
      guard first.value == 0x1B else {
        plain.append(first)
        continue
      }
      guard rest.first == "[" else { continue }
      rest = rest.dropFirst().drop { (0x20...0x3F).contains($0.value) }.dropFirst()
    }
    return String(plain)
  }

  /// Whether an ID has only zeros, because nothing was filled in.
  var isPlaceholderID: Bool { allSatisfy { "0-".contains($0) } }

  /// Whether the text has only the characters of URIs and scopes, and does not name a user.
  var isPlainURI: Bool {
    !isEmpty && utf8.count <= 200
      && unicodeScalars.allSatisfy { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }
      && !contains("@") && !contains { "\"'<>\\^`{|}".contains($0) }
  }
}

// MARK: - Codes in texts

extension Evidence {
  /// Records the first code of a system that the lab does not simulate.
  mutating func takeForeignCode(_ text: String, at place: String) {
    guard foreignCode == nil, failure.isEmpty,
      let code = Explanation.find(in: text).first(where: { Self.foreign.contains($0.family) })
    else { return }
    foreignCode = code
    add(.error, code.code, at: place)
  }

  private static let foreign: Set<Explanation.Family> = [.windows, .linuxBroker, .network, .webSession]
}

extension Failure {
  /// Adds the codes in a text, without replacing a code that was found before.
  mutating func take(_ text: String) {
    // The first number is the error's; another belongs to an earlier or later attempt.
    if number == nil {
      takeNumber(in: text)
    } else if let general = number, Explanation.isWrapper(general), todaysNumbers.isEmpty,
      text.contains(Self.numberPrefix)
    {
      // The cause's number may be on its own line.
      takeNumber(in: text)
      if number == nil { aadsts = Int(general.dropFirst(Self.numberPrefix.count)) }
    }
    takeInnerNumber(in: text)
    if text.contains("blocked by CORS policy"), Self.namesTokenEndpoint(text) { isBlocked = true }
    for code in Explanation.find(in: text) {
      switch code.family {
      case .msalInternal: takeInternal(Int(code.code))
      case .msal: if sdkCode == nil { (sdkCode, domain) = (Int(code.code), MSALError.domain) }
      // IdentityCore's other codes are converted before an app sees them (docs/behaviour/errors.md §2).
      case .identityCore where code.code == IdentityCoreCode.invalidInternalParameter.text:
        if sdkCode == nil { (sdkCode, domain) = (Int(code.code), "MSIDErrorDomain") }
      case .keychain where Self.isOfKeychain(code.code, in: text):
        if keychainStatus == nil { keychainStatus = Int(code.code) }
      case .aadsts: if number == nil { aadsts = Int(code.code.dropFirst(Self.numberPrefix.count)) }
      case .library where !Self.isOnlyClass(code.code): takeSymbol(code.code)
      case .message where Cause.codes.contains(code.code): takeSymbol(code.code)
      case .windows: takeResult(code.code)
      case .oauth where OAuthSuberror(rawValue: code.code) != nil: suberror = suberror ?? code.code
      case .oauth where OAuthErrorCode(rawValue: code.code) != nil: oauthError = oauthError ?? code.code
      default: break
      }
    }
  }

  private mutating func takeNumber(in text: String) {
    (aadsts, b2c) = (Self.number(in: text, Self.numberPrefix), nil)
    if let own = Self.number(in: text, Self.b2cPrefix) { (aadsts, b2c) = (nil, own) }
    // The beginning of a line may be cut off.
    if number == nil { aadsts = Self.number(in: text, Self.cutPrefix) }
    todaysNumbers = aadsts.map { EarlierNumber.today($0, text) } ?? []
  }

  /// Replaces a number that has no cause with that of an inner exception, if it has one.
  private mutating func takeInnerNumber(in text: String) {
    guard let outer = number, !Cause.codes.contains(outer), todaysNumbers.isEmpty,
      let mark = Self.innerMarks.lazy.compactMap({ text.firstRange(of: $0) }).first,
      let inner = Self.number(in: String(text[mark.upperBound...]), Self.numberPrefix),
      Cause.codes.contains(Self.numberPrefix + String(inner))
    else { return }
    (aadsts, b2c) = (inner, nil)
  }

  private static let innerMarks = ["--->", "Inner Exception", "InnerException", "Caused by:"]

  /// Returns whether a text has the address of Entra's token endpoint.
  private static func namesTokenEndpoint(_ text: String) -> Bool {
    text.split { "'\" ".contains($0) }.compactMap { URLParts(String($0)) }.contains { url in
      PublicCloud.aliases.contains(url.host.lowercased()) && url.path.hasSuffix("/token")
    }
  }

  /// Returns whether a number is a keychain status; a short one has other meanings, unless the text names the keychain.
  private static func isOfKeychain(_ code: String, in text: String) -> Bool {
    code.utf8.count > 4 || ["OSStatus", "eychain", "SecItem", "errSec"].contains { text.contains($0) }
  }

  /// Returns whether a word is the class of exceptions that have a code, which says more than the class.
  private static func isOnlyClass(_ word: String) -> Bool {
    word.first?.isUppercase == true && !word.contains("_") && word != "MsalUserCancelException"
  }

  /// Records the first word for which a cause is known, or else the first word.
  private mutating func takeSymbol(_ word: String) {
    if symbol == nil || !Cause.codes.contains(symbol ?? "") && Cause.codes.contains(word) { symbol = word }
  }

  /// Records a result of Windows that stands for an OAuth error of the provider.
  private mutating func takeResult(_ code: String) {
    guard let result = WindowsResult(code: code) else { return }
    takeSymbol(result.code)
    oauthError = oauthError ?? result.oauthError
  }

  private static let cutPrefix = "STS"

  /// Records the code behind -50000, which is more precise.
  private mutating func takeInternal(_ code: Int?) {
    guard let code, specificCode == nil else { return }
    (sdkCode, domain) = (code, MSALError.domain)
  }

  /// Returns a number in a text after its prefix, whether it is explained or not.
  private static func number(in text: String, _ prefix: String) -> Int? {
    guard let mark = text.firstRange(of: prefix) else { return nil }
    let rest = text[mark.upperBound...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (4...8).contains(digits.count), let number = Int(digits) else { return nil }
    // Entra's version 1 puts a general number before the cause's.
    return number == 70002 ? Self.number(in: String(rest), prefix) ?? number : number
  }
}
