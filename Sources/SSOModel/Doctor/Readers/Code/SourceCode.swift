import SSOCore
import SSODevice

/// The code of a file, and what its syntax shows.
struct SourceCode {
  let path: String
  let language: SourceLanguage?
  let tokens: [SourceToken]

  /// The maximum number of tokens to search backwards for the start of a method.
  static let methodLimit = 2000
  /// The maximum number of tokens between the start of a class and the name of a protocol.
  static let headLimit = 24
  static let listLimit = 80

  init(_ source: String, path: String) {
    self.path = path
    language = SourceLanguage(path)
    tokens = SourceTokens.read(source, of: path)
  }

  func place(_ index: Int) -> FilePlace { FilePlace(path, line: tokens[index].line) }
  func token(_ index: Int) -> SourceToken? { tokens.indices.contains(index) ? tokens[index] : nil }
  func isSymbol(_ symbol: Unicode.Scalar, at index: Int) -> Bool {
    token(index)?.isSymbol(symbol) ?? false
  }
}

/// The values of code, as it writes them.
extension SourceCode {
  /// A value as written in code.
  indirect enum Expression: Hashable, Sendable {
    case text(String)
    /// The last part of a name, and the type to which it belongs, such as `clientID` of `Constants` in
    /// `Constants.shared.clientID`.
    case name(String, of: String? = nil)
    /// The last part of a name that is a member of a value, such as `clientID` in `settings.clientID`, which may be
    /// another one's.
    case member(String)
    /// A key of Info.plist, whose value code reads at run time.
    case infoKey(String)
    /// A key that code passes to a function, which may read Info.plist by it.
    case infoCall(String, key: String)
    /// A key of a dictionary, which code may read from a property list of the app.
    case listKey(String)
    /// A parameter of a function, as `function:label`, for which calls pass values, and its default value.
    case parameter(String, usual: Expression)
    /// The name of a case in an enumeration, whose raw value is used.
    case rawValue(String)
    /// The parts of a concatenation.
    case joined([Expression])
    /// A format with `%@`, and its arguments.
    case format(Expression, [Expression])
    case absent
    case other

    var isKnown: Bool { self != .other }

    /// Whether it is the name of something.
    var isNamed: Bool {
      switch self {
      case .name, .member: true
      default: false
      }
    }

    /// Creates the expression of the words of a name, which dots join.
    init(_ words: [String]) {
      let own = ["self", "Self", "super"].contains(words.first ?? "") ? words.dropFirst() : words[...]
      guard let name = own.last else {
        self = .other
        return
      }
      let isOfValue = own.count > 1 && own.first?.first?.isLowercase == true
      self =
        isOfValue ? .member(name) : .name(name, of: own.dropLast().last { $0.first?.isUppercase == true })
    }
  }
}

/// The values that a scan finds.
extension SourceScan {
  enum Key: Hashable {
    case clientID, redirectURI, authority, keychainGroup, brokerUse, bypass, knownAuthority, tenantSubdomain
  }

  /// The scopes of a request: a list in the call, or the name of one.
  enum Scopes {
    case list(List)
    case name(Declaration)
  }

  /// A delegate method that uses the URL which the system passes to it.
  struct Forwarder {
    var method: Found<URLForwarding>
    /// Whether it may pass the URL to another delegate.
    var isRelay: Bool
    /// The functions to which it passes the URL.
    var callees: Set<String> = []
    /// The token after which its body begins.
    var body: Int
  }

  struct Use {
    var key: Key
    var expression: SourceCode.Expression
    var place: FilePlace
    var block: Int
    /// The class that creates the authority, if the value is an authority.
    var className: String?
  }
}

extension SourceScan {
  /// A value that a name represents in a block.
  struct Declaration: Hashable {
    /// The code that sees the name.
    enum Reach: Hashable {
      case block
      /// The member of another value, as in `settings.clientID = …`.
      case otherMember
    }

    var value: SourceCode.Expression
    var place: FilePlace
    var block: Int
    var reach = Reach.block
    /// Whether the declaration has no initial value; another statement assigns it.
    var isUnset = false
    /// The list of strings that the name represents, if it is one.
    var list: List?
  }

  /// A list of strings, as code writes it.
  struct List: Hashable {
    var items: [Declaration]
    var place: FilePlace
  }

  /// The maximum number of declarations of one name in a file.
  private static let declarationLimit = 64

  mutating func add(_ declaration: Declaration, to name: String) {
    guard constants[name, default: []].count < Self.declarationLimit else { return }
    constants[name, default: []].append(declaration)
  }
}

/// The expressions of values in code.
extension SourceCode {
  /// Returns the last word of an expression such as `.none` or `MSALBrokeredAvailability.none`.
  func lastWord(from start: Int) -> String? { words(from: start).last }

  /// Returns the words of an expression such as `.none` or `Settings.shared.clientID`, without the conversion of a URL to
  /// its text.
  private func words(from start: Int) -> [String] {
    var index = start
    var words: [String] = []
    while let token = token(index), token.word != nil || token.isSymbol(".") {
      if let word = token.word {
        if !words.isEmpty, !isSymbol(".", at: index - 1) { break }
        words.append(word)
      }
      index += 1
    }
    return words.count > 1 && words.last == "absoluteString" ? Array(words.dropLast()) : words
  }

  /// Returns the expression that begins here: a string, a name, or a URL that is created from one of them.
  func expression(at start: Int, depth: Int = 0) -> Expression {
    guard depth < PropertyListNode.depthLimit else { return .other }
    var index = start
    while isSymbol("@", at: index) || isSymbol("(", at: index) || isSymbol("[", at: index)
      || ["try", "await", "new"].contains(token(index)?.word)
    {
      index += 1
    }
    guard let first = token(index) else { return .other }
    if let text = first.text {
      // `"…".replacingOccurrences(…)`, `[@"…" stringByAppendingString:…]`
      let isChanged =
        isSymbol(".", at: index + 1) || token(index + 1)?.word != nil && isSymbol("[", at: start)
      return isChanged ? .other : joined(.text(text), before: index + 1, depth)
    }
    guard let word = first.word else { return .other }
    if ["nil", "null", "undefined", "NULL"].contains(word) { return .absent }
    if word.first?.isNumber ?? true { return .other }
    if let format = format(at: index, depth) { return format }
    let makers: Set<String> = ["URL", "NSURL", "MSALAADAuthority", "MSALB2CAuthority", "MSALCIAMAuthority"]
    guard makers.contains(word) else {
      if let key = tokens[index...].prefix(14).infoKey { return .infoKey(key) }
      let words = words(from: index)
      let name = words.last ?? word
      var end = index + 1
      while isSymbol(".", at: end) || isSymbol("!", at: end) || isSymbol(".", at: end - 1) { end += 1 }
      if let key = listKey(from: index, to: end) { return .listKey(key) }
      if let key = soleText(at: end) { return .infoCall(name, key: key) }
      // The value of a function call or a subscript cannot be determined.
      guard !["(", "["].contains(where: { isSymbol($0, at: end) || isSymbol($0, at: index + 1) }) else {
        return .other
      }
      if name == "rawValue", isSymbol(".", at: end - 2), let own = token(end - 3)?.word {
        return joined(.rawValue(own), before: end, depth)
      }
      return joined(Expression(words), before: end, depth)
    }
    for current in index + 1..<min(index + 8, tokens.count) where isSymbol(":", at: current) {
      return expression(at: current + 1, depth: depth + 1)
    }
    return .other
  }

  /// Returns the only argument of a call whose arguments begin here, if it is a text: `("Key")`, `(key: "Key")`.
  private func soleText(at start: Int) -> String? {
    guard isSymbol("(", at: start) else { return nil }
    let place = isSymbol(":", at: start + 2) ? start + 3 : start + 1
    return isSymbol(")", at: place + 1) ? token(place)?.text : nil
  }

  /// Returns an expression with what a plus sign adds to it, if one follows.
  private func joined(_ first: Expression, before end: Int, _ depth: Int) -> Expression {
    guard isSymbol("+", at: end) else {
      let isText = if case .text = first { true } else { false }
      guard isLiteralContinued(at: end, afterText: isText) else { return first }
      let next = expression(at: end, depth: depth + 1)
      return next.isKnown ? .joined([first, next]) : .other
    }
    guard !isSymbol("+", at: end + 1), !isSymbol("=", at: end + 1) else { return .other }
    switch expression(at: end + 1, depth: depth + 1) {
    case .absent, .other: return .other
    case .joined(let rest): return .joined([first] + rest)
    case let next: return .joined([first, next])
    }
  }

  /// Returns whether a literal of Objective-C goes on here, with another literal or a macro: `@"…" @"…"`, `@"…" kHost`.
  private func isLiteralContinued(at index: Int, afterText: Bool) -> Bool {
    guard language == .objectiveC else { return false }
    let next = isSymbol("@", at: index) ? index + 1 : index
    if token(next)?.text != nil { return true }
    return afterText && token(next)?.word != nil && next == index
      && token(index)?.line == token(index - 1)?.line
      && !isSymbol(":", at: index + 1)
  }

  /// Returns the call `String(format: …)` or `[NSString stringWithFormat:…]` that begins here, or `nil`.
  private func format(at index: Int, _ depth: Int) -> Expression? {
    let isSwift =
      token(index)?.word == "String" && isSymbol("(", at: index + 1) && token(index + 2)?.word == "format"
    let isObjectiveC = token(index)?.word == "NSString" && token(index + 1)?.word == "stringWithFormat"
    guard isSwift || isObjectiveC else { return nil }
    let start = index + (isSwift ? 4 : 3)
    var arguments = [expression(at: start, depth: depth + 1)]
    var level = 0
    for current in start..<min(start + Self.listLimit, tokens.count) {
      if ["(", "[", "{"].contains(where: { isSymbol($0, at: current) }) { level += 1 }
      if [")", "]", "}"].contains(where: { isSymbol($0, at: current) }) {
        level -= 1
        if level < 0 { return .format(arguments[0], Array(arguments.dropFirst())) }
      }
      if level == 0, isSymbol(",", at: current) {
        arguments.append(expression(at: current + 1, depth: depth + 1))
      }
    }
    return nil
  }

  /// Returns the key with which an expression reads a dictionary: `list["Key"]`, `list?.object(forKey: "Key")`,
  /// `[list objectForKey:@"Key"]`, or `nil` for any other expression, as for the user's defaults and the environment.
  ///
  /// The expression begins at `start`, and a dot joins its words up to `end`.
  private func listKey(from start: Int, to end: Int) -> String? {
    let stores: Set = ["UserDefaults", "NSUserDefaults", "standard", "defaults", "environment", "userInfo"]
    guard !(start..<max(start, end)).contains(where: { stores.contains(token($0)?.word ?? "") }) else {
      return nil
    }
    var place = end
    while isSymbol("?", at: place) || isSymbol("!", at: place) { place += 1 }
    if isSymbol(".", at: place) { place += 1 }
    if isSymbol("[", at: place) {
      let key = isSymbol("@", at: place + 1) ? place + 2 : place + 1
      return isSymbol("]", at: key + 1) ? token(key)?.text : nil
    }
    let last = token(place)?.word ?? ""
    let calls: Set = ["object", "value", "objectForKey", "valueForKey"]
    let call = calls.contains(last) ? place : calls.contains(token(place - 1)?.word ?? "") ? place - 1 : nil
    guard let call else { return nil }
    // `(forKey: "Key"`, `:@"Key"`
    return tokens[(call + 1)...].prefix(5).prefix { token in
      token.text != nil || token.word == "forKey" || ["(", ":", "@"].contains { token.isSymbol($0) }
    }.first { $0.text != nil }?.text
  }
}

/// The words of code that read Info.plist.
enum InfoKey {
  static let names = ["forInfoDictionaryKey", "infoDictionary", "objectForInfoDictionaryKey"]
}

extension ArraySlice<SourceToken> {
  /// The key of Info.plist that an expression at the beginning of the tokens reads, or `nil` for any other expression.
  ///
  /// `bundle.object(forInfoDictionaryKey: "Key")`, `Bundle.main.infoDictionary?["Key"]`, and
  /// `[[NSBundle mainBundle] objectForInfoDictionaryKey:@"Key"]`.
  var infoKey: String? {
    for index in indices {
      let token = self[index]
      if let word = token.word, InfoKey.names.contains(word) {
        let rest = self[(index + 1)...].drop { token in
          ["?", "!", "[", ":", "@", "]"].contains { token.isSymbol($0) }
        }
        return rest.first?.text
      }
      // Two words side by side are two statements, except in a call of Objective-C.
      if token.word != nil, index > startIndex, self[index - 1].word != nil,
        self[index - 1].word != "NSBundle"
      {
        return nil
      }
      let isPart = token.word != nil || [".", "?", "!", "]", "("].contains { token.isSymbol($0) }
      guard isPart, token.line - self[startIndex].line < 3 else { return nil }
    }
    return nil
  }
}

/// The authorities that code makes of a cloud, an audience, and a tenant.
///
/// Source: microsoft-authentication-library-for-objc, `MSALAADAuthority.h` and `MSALAADAuthority.m`.
extension SourceCode {
  /// The hosts of `MSALAzureCloudInstance`, by a part of the case's name.
  private static let clouds: [(part: String, host: String)] = [
    ("Public", "login.microsoftonline.com"), ("China", "login.chinacloudapi.cn"),
    ("Germany", "login.microsoftonline.de"), ("UsGovernment", "login.microsoftonline.us"),
    ("France", "login.sovcloud-identity.fr"), ("Delos", "login.sovcloud-identity.de"),
    ("GovSG", "login.sovcloud-identity.sg"),
  ]
  /// The words for the tenants of `MSALAudienceType`, by a part of the case's name.
  private static let audiences: [(part: String, tenant: String)] = [
    ("AndPersonal", "common"), ("MultipleOrgs", "organizations"), ("PersonalMicrosoft", "consumers"),
  ]
  private static let argumentLimit = 80

  /// Returns the address of an authority that code makes with a tenant or an audience, or `nil` for any other call:
  /// `MSALAADAuthority(cloudInstance: .azurePublicCloudInstance, audienceType: .azureADMyOrgOnlyAudience, rawTenant: id)`.
  func authorityWithTenant(at index: Int) -> Expression? {
    var places: [String: Int] = [:]
    var depth = 0
    for current in index + 1..<min(index + Self.argumentLimit, tokens.count) {
      if isSymbol("(", at: current) { depth += 1 }
      if isSymbol(")", at: current) { depth -= 1 }
      if isSymbol(";", at: current) || isSymbol("}", at: current) { break }
      guard isSymbol(":", at: current + 1), let label = token(current)?.word else {
        if depth == 0, isSymbol(")", at: current), isSymbol("(", at: index + 1) { break }
        continue
      }
      switch label {
      case "cloudInstance", "initWithCloudInstance": places["cloud"] = current + 2
      case "environment", "initWithEnvironment": places["host"] = current + 2
      case "url", "initWithURL": places["url"] = current + 2
      case "audienceType", "rawTenant": places[label] = current + 2
      default: break
      }
    }
    let given = places["rawTenant"].map { expression(at: $0) }
    guard places["audienceType"] != nil || given != nil && given != .absent else { return nil }
    guard let host = host(places), let tenant = tenant(places, given) else { return .other }
    return .joined([.text("https://"), host, .text("/"), tenant])
  }

  private func host(_ places: [String: Int]) -> Expression? {
    if let place = places["cloud"], let name = lastWord(from: place) {
      return Self.clouds.first { name.lowercased().contains($0.part.lowercased()) }.map { .text($0.host) }
    }
    if let place = places["host"] { return expression(at: place) }
    guard let place = places["url"], case .text(let url) = expression(at: place) else { return nil }
    return URLParts(url).map { .text($0.authority) }
  }

  /// Returns the tenant, or `nil` if the class refuses the arguments or if it cannot be determined.
  private func tenant(_ places: [String: Int], _ given: Expression?) -> Expression? {
    let audience = places["audienceType"].map { lastWord(from: $0)?.lowercased() ?? "" }
    if let given, given != .absent {
      return given != .other && audience?.contains("myorg") != false ? given : nil
    }
    return audience.flatMap { name in
      Self.audiences.first { name.contains($0.part.lowercased()) }.map { .text($0.tenant) }
    }
  }
}
