import SSOCore

/// The values that code gives to Auth0's library.
extension VendorReader {
  /// Reads the schemes, hosts, and client IDs in the code of an Android app, or of the wrapper's project.
  mutating func readAuth0(
    _ modules: [String], _ place: FilePlace, _ strings: AndroidStrings, _ facts: inout VendorFacts.Module
  ) {
    switch fileName(place.path) {
    case "package.json": readAuth0Scripts(place, &facts)
    case "pubspec.yaml": readAuth0Dart(folder(of: place.path), &facts)
    default: readAuth0Code(modules, strings, &facts)
    }
  }

  // MARK: Kotlin and Java

  /// Source: Auth0.Android, `WebAuthProvider.Builder`, whose scheme is https unless code names another one, and `Auth0`,
  /// which reads two resources if it gets only a context.
  private func readAuth0Code(
    _ modules: [String], _ strings: AndroidStrings, _ facts: inout VendorFacts.Module
  ) {
    let files = modules.flatMap { module in
      ProjectFiles(module + "/src/main").find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
    }
    for path in files.prefix(Self.codeLimit) {
      guard let source = text(path), source.contains("com.auth0.android") else { continue }
      let tokens = SourceTokens.read(source, of: path)
      let builders = tokens.indices.dropFirst(2).filter {
        ["login", "logout"].contains(tokens[$0].word) && tokens[$0 - 2].word == "WebAuthProvider"
      }
      let chains = builders.map { start in
        tokens[(start + 1)...].prefix(160).prefix {
          !["start", "await", "WebAuthProvider"].contains($0.word) && !$0.isSymbol(";")
        }
      }
      // Code may also name the scheme apart from the chain.
      let calls = chains.reduce(0) { $0 + $1.count { $0.word == "withScheme" } }
      let isApart = tokens.count { $0.word == "withScheme" } > calls
      for (start, chain) in zip(builders, chains) {
        if let call = chain.firstIndex(where: { $0.word == "withScheme" }) {
          let scheme = value(
            of: arguments(after: call, in: tokens).first ?? [], tokens, path, strings, &facts)
          if let scheme { facts.redirectURIs.append(Found(scheme.value + "://", scheme.place)) }
        } else if !isApart, tokens.indices.contains(chain.endIndex),
          ["start", "await"].contains(tokens[chain.endIndex].word),
          !chain.contains(where: {
            ["withRedirectUri", "withReturnToUrl", "withParameters"].contains($0.word)
          })
        {
          facts.redirectURIs.append(Found("https://", FilePlace(path, line: tokens[start].line)))
        }
      }
      for index in tokens.indices.dropLast() where tokens[index].word == "Auth0" {
        let isNamed = tokens.indices.contains(index + 2) && tokens[index + 2].word == "getInstance"
        readAccount(arguments(after: isNamed ? index + 2 : index, in: tokens), tokens, path, strings, &facts)
      }
    }
  }

  /// Reads the arguments of `Auth0(clientID, domain)`, which may have names, or of `Auth0(context)`.
  private func readAccount(
    _ arguments: [ArraySlice<SourceToken>], _ tokens: [SourceToken], _ path: String,
    _ strings: AndroidStrings, _ facts: inout VendorFacts.Module
  ) {
    if arguments.count == 1, let first = arguments[0].first, arguments[0].allSatisfy({ $0.text == nil }) {
      let place = FilePlace(path, line: first.line)
      if let id = resource("com_auth0_client_id", place, strings, &facts) { facts.clientIDs.append(id) }
      if let host = resource("com_auth0_domain", place, strings, &facts) { facts.domains.append(host) }
    }
    guard arguments.count == 2 || arguments.count == 3 else { return }
    for (index, argument) in arguments.prefix(2).enumerated() {
      let isNamed = argument.count > 2 && argument.dropFirst().first?.isSymbol("=") == true
      let isDomain = isNamed ? argument.first?.word == "domain" : index == 1
      let own = value(of: argument.dropFirst(isNamed ? 2 : 0), tokens, path, strings, &facts)
      guard var value = own else { continue }
      // `getString(R.string.domain)` for the client ID: the call is wrong, and not the resource.
      let name = argument.last { $0.word != nil }?.word?.lowercased() ?? ""
      if name.contains(isDomain ? "client" : "domain") {
        value.place = FilePlace(path, line: argument.first?.line)
      }
      if isDomain { facts.domains.append(value) } else { facts.clientIDs.append(value) }
    }
  }

  /// Returns the arguments of a call, or an empty array if the word at an index is not one.
  private func arguments(after index: Int, in tokens: [SourceToken]) -> [ArraySlice<SourceToken>] {
    guard tokens.indices.contains(index + 1), tokens[index + 1].isSymbol("(") else { return [] }
    var (depth, start, found) = (0, index + 2, [ArraySlice<SourceToken>]())
    for place in (index + 1)..<min(tokens.count, index + 80) {
      if ["(", "{", "["].contains(where: { tokens[place].isSymbol($0) }) { depth += 1 }
      if [")", "}", "]"].contains(where: { tokens[place].isSymbol($0) }) { depth -= 1 }
      guard depth == 0 || depth == 1 && tokens[place].isSymbol(",") else { continue }
      if place > start { found.append(tokens[start..<place]) }
      if depth == 0 { return found }
      start = place + 1
    }
    return []
  }

  /// Returns the value of an argument: a literal, `getString(R.string.name)`, or a constant of the file.
  private func value(
    of argument: ArraySlice<SourceToken>, _ tokens: [SourceToken], _ path: String, _ strings: AndroidStrings,
    _ facts: inout VendorFacts.Module
  ) -> Found<String>? {
    if let place = argument.indices.dropLast(4).first(where: {
      tokens[$0].word == "R" && tokens[$0 + 2].word == "string"
    }) {
      // `getString(R.string.format, value)`
      guard let name = tokens[place + 4].word,
        !argument.contains(where: { $0.isSymbol(",") || $0.isSymbol("+") })
      else { return nil }
      return resource(name, FilePlace(path, line: tokens[place].line), strings, &facts)
    }
    guard argument.count == 1, let token = argument.first,
      let literal = literal(token, in: tokens), let text = literal.text, !text.contains("$")
    else { return nil }
    return Found(text, FilePlace(path, line: literal.line))
  }

  /// Returns the value of a string resource that code uses, or `nil` if builds have several.
  private func resource(
    _ name: String, _ place: FilePlace, _ strings: AndroidStrings, _ facts: inout VendorFacts.Module
  ) -> Found<String>? {
    guard let values = strings.values(of: name) else {
      facts.undeclared.append(strings.undeclared(name, place))
      return nil
    }
    return values.count == 1 ? values[0] : nil
  }

  // MARK: Wrappers

  /// Reads the scripts of a project with react-native-auth0, whose scheme is made from the package name unless code names
  /// another one.
  ///
  /// Source: react-native-auth0, `src/webauth/agent.ts` (3 and 4), `src/webauth/index.js` (2), and
  /// `NativeWebAuthProvider.ts` (5).
  func readAuth0Scripts(_ place: FilePlace, _ facts: inout VendorFacts.Module) {
    let files = ProjectFiles(folder(of: place.path)).find { name in
      SourceLanguage.scriptEndings.contains(where: name.hasSuffix)
        && ![".test.", ".spec."].contains(where: name.contains)
        || name.lowercased().contains("auth0") && name.hasSuffix(".json")
    }
    let unknown: Set = [
      "useLegacyCallbackUrl", "useLegacyCustomSchemeBehaviour", "redirectUrl", "redirectUri", "returnToUrl",
    ]
    var (domains, schemes, misspelt) = ([Found<String>](), [Found<String>](), [Found<String>]())
    var (hook, isProvided, readsID) = (FilePlace?.none, false, false)
    var (isCalled, isKnown) = (false, true)
    for path in files.prefix(Self.codeLimit) {
      guard let source = text(path),
        fileName(path).lowercased().contains("auth0") || source.lowercased().contains("auth0")
      else { continue }
      let tokens = SourceTokens.read(source, of: path)
      let isOwn = fileName(path).lowercased().contains("auth0") || source.contains("react-native-auth0")
      isProvided =
        isProvided || source.contains("Auth0Context")
        || source.lines.contains { $0.contains("Auth0Provider") && !$0.trimmed.hasPrefix("import") }
      for (index, token) in tokens.enumerated() {
        guard let name = token.word ?? token.text, index + 2 < tokens.count else { continue }
        if token.word != nil, unknown.contains(name) { isKnown = false }
        if token.word == "useAuth0", tokens[index + 1].isSymbol("("), source.contains("react-native-auth0") {
          hook = hook ?? FilePlace(path, line: token.line)
        }
        if name == "clientId", index > 0, tokens[index - 1].isSymbol(".") { readsID = true }
        if ["clientID", "client_id", "clientid", "ClientId"].contains(name), isOwn,
          tokens[index + 1].isSymbol(":"),
          let id = tokens[index + 2].text, id.utf8.count == 32
        {
          misspelt.append(Found(name, FilePlace(path, line: token.line)))
          // `new Auth0({ domain, clientID })`
          let before = tokens[..<index].suffix(12)
          let call = before[(before.lastIndex { $0.isSymbol("{") } ?? before.endIndex)...]
          if call.startIndex > 1, !call.contains(where: { $0.isSymbol("}") }),
            tokens[call.startIndex - 1].isSymbol("("), tokens[call.startIndex - 2].word == "Auth0"
          {
            readsID = true
          }
        }
        if token.word == "authorize", tokens[index + 1].isSymbol("(") { isCalled = true }
        if name == "clientId", tokens[index + 1].isSymbol(":") || tokens[index + 1].isSymbol("="),
          isOwn, let id = tokens[(index + 2)...].prefix(2).first(where: { $0.text != nil })?.text,
          tokens[index + 2].text != nil || tokens[index + 2].isSymbol("{"), !id.contains("$")
        {
          facts.clientIDs.append(Found(id, FilePlace(path, line: token.line)))
        }
        guard ["domain", "customScheme"].contains(name) else { continue }
        guard [":", "="].contains(where: { tokens[index + 1].isSymbol($0) }) else {
          // `{ customScheme }`
          if name == "customScheme" { isKnown = false }
          continue
        }
        let value = tokens[(index + 2)...].prefix(2).drop { $0.isSymbol("{") }.first
        if let text = value?.text, !text.contains("$"), !text.isEmpty {
          let found = Found(text, FilePlace(path, line: value?.line))
          if name == "domain" { domains.append(found) } else { schemes.append(found) }
        } else if name == "customScheme" {
          isKnown = false
        }
      }
    }
    if Set(domains.map(\.value)).count == 1, let domain = domains.first, domain.value.contains(".") {
      facts.domains = [domain]
    }
    facts.isCalled = isCalled
    if !isProvided { facts.unprovidedUse = hook }
    if readsID, facts.clientIDs.isEmpty, let key = misspelt.first, misspelt.count == 1 {
      facts.lackingKeys.append(
        VendorFacts.LackingKey(
          name: "clientId", isThere: false, misspelt: MisspeltKey(key: "clientId", written: key),
          place: key.place))
      facts.isConfigurationNamed = true
    }
    let line = (text(place.path) ?? "").lines[(place.line ?? 1) - 1]
    let major = line.drop(while: { $0 != ":" }).split(whereSeparator: { !$0.isNumber }).first.flatMap {
      Int($0)
    }
    let end = major.map { $0 < 3 } ?? false ? "" : ".auth0"
    facts.wrapperScheme = "${applicationId}" + end
    guard isKnown, isCalled else { return }
    facts.redirectURIs = schemes.map { Found($0.value + "://", $0.place) }
    guard schemes.isEmpty, !facts.packageNames.isEmpty, major != nil else { return }
    facts.usualSchemes = Found(facts.packageNames.map { $0.lowercased() + end }, place)
  }

  /// Reads the Dart of a project with auth0_flutter, whose scheme is https unless code names another one.
  ///
  /// Source: auth0_flutter, `Auth0.webAuthentication`.
  private func readAuth0Dart(_ project: String, _ facts: inout VendorFacts.Module) {
    for path in ProjectFiles(project + "/lib").find({ $0.hasSuffix(".dart") }).prefix(Self.codeLimit) {
      guard let source = text(path), source.contains("webAuthentication") || source.contains("auth0_flutter")
      else { continue }
      let tokens = SourceTokens.read(source, of: path)
      let platforms: Set = ["Platform", "kIsWeb", "defaultTargetPlatform"]
      if tokens.contains(where: { $0.word.map(platforms.contains) ?? false }) { facts.isPerPlatform = true }
      for index in tokens.indices.dropLast(2) where tokens[index + 1].isSymbol("(") {
        let place = FilePlace(path, line: tokens[index].line)
        let arguments = arguments(after: index, in: tokens)
        if tokens[index].word == "Auth0", arguments.count == 2, let host = arguments[0].first?.text,
          arguments[0].count == 1, !host.contains("$")
        {
          facts.domains.append(Found(host, place))
          if arguments[1].count == 1, let id = arguments[1].first?.text, !id.contains("$") {
            facts.clientIDs.append(Found(id, place))
          }
        }
        guard tokens[index].word == "webAuthentication", index > 0, tokens[index - 1].isSymbol(".") else {
          continue
        }
        let scheme = arguments.first { $0.first?.word == "scheme" }
        let literal = scheme?.dropFirst(2).first.flatMap { self.literal($0, in: tokens) }
        if scheme == nil {
          facts.redirectURIs.append(Found("https://", place))
        } else if scheme?.count == 3, let literal, let text = literal.text, !text.contains("$") {
          facts.redirectURIs.append(Found(text + "://", FilePlace(path, line: literal.line)))
        }
      }
    }
  }
}
