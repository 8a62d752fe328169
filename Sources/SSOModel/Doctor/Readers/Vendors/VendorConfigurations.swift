import SSOCore

/// The configurations of vendors' libraries in the resources and the code of an Android app.
extension VendorReader {
  /// Reads the configuration that AppAuth's and Okta's samples have in `res/raw`; an app may use both libraries.
  func readConfiguration(_ module: String, _ vendor: Vendor, _ facts: inout VendorFacts.Module) {
    guard let foreignKeys = vendor.foreignKeys else { return }
    let raw = ProjectFiles(Self.contents(of: module)).find { $0.hasSuffix(".json") }
      .filter { $0.contains("/res/raw") }
    for path in raw.prefix(Self.fileLimit) {
      // Android's JSON takes comments, as Gson does (`JSONTokener`).
      guard let json = text(path).flatMap({ try? LenientJSON($0) }), case let document = json.value,
        AndroidFacts.Configuration.isForeign(document),
        !foreignKeys.contains(where: { document[$0] != nil })
      else { continue }
      facts.lackingKeys += lackingKeys(of: document, vendor, path, module, json)
      for key in ["discovery_uri", "issuer_uri"] {
        guard let issuer = document[key]?.string else { continue }
        facts.issuers.append(Found(issuer, FilePlace(path, line: json.line(of: key))))
      }
      let name = fileName(path)
      // Okta's first library reads this name itself.
      let isNamed =
        name == "okta_app_auth_config.json"
        || uses("R.raw." + name.prefix { $0 != "." }, below: module) != nil
      guard let uri = document["redirect_uri"]?.string else {
        facts.isConfigurationNamed = facts.isConfigurationNamed || isNamed
        continue
      }
      if isNamed, !facts.isConfigurationNamed { facts.redirectURIs = [] }
      guard
        isNamed
          || !facts.isConfigurationNamed
            && facts.redirectURIs.allSatisfy({ fileName($0.place.path) == name })
      else { continue }
      if facts.redirectURIs.isEmpty {
        facts.isConfigurationNamed = isNamed
        facts.isSchemeCompared = uses("queryIntentActivities", below: module) != nil
      }
      facts.redirectURIs.append(
        Found(uri, FilePlace(path, line: json.line(of: "redirect_uri"))))
    }
  }

  /// Returns the keys that a configuration lacks and without which its reader gives up: Okta's library, or code like that
  /// of AppAuth's demo app.
  ///
  /// Source: AppAuth-Android, `Configuration` of its demo app; okta-oidc-android, `OIDCConfig.validate`.
  private func lackingKeys(
    of document: JSONValue, _ vendor: Vendor, _ path: String, _ module: String, _ lines: LenientJSON
  ) -> [VendorFacts.LackingKey] {
    let object = document.object ?? [:]
    var keys: [String]
    if vendor == .okta, uses("withJsonFile", below: module) != nil {
      keys = ["client_id", "redirect_uri", "end_session_redirect_uri", "scopes", "discovery_uri"]
    } else {
      let sources = ProjectFiles(Self.contents(of: module)).find {
        $0.hasSuffix(".kt") || $0.hasSuffix(".java")
      }
      let required = sources.prefix(Self.codeLimit).compactMap(text).filter {
        $0.contains("getRequiredConfig")
      }
      keys = ["client_id", "redirect_uri", "authorization_scope"].filter { key in
        required.contains { source in
          ["String", "Uri"].contains { source.contains("getRequiredConfig\($0)(\"\(key)\")") }
        }
      }
      let isWithAddresses = ["authorization_endpoint_uri", "token_endpoint_uri"].contains {
        object[$0] != nil
      }
      if !keys.isEmpty, !isWithAddresses { keys.append("discovery_uri") }
    }
    let written = object.keys.sorted().map { ($0, lines.line(of: $0)) }
    let misspelt = MisspeltKey.find(among: written, of: keys, in: path)
    return keys.compactMap { key in
      let value = object[key]
      let isSet = value?.string.map { !$0.trimmed.isEmpty } ?? (value?.array.map { !$0.isEmpty } ?? false)
      guard !isSet else { return nil }
      return VendorFacts.LackingKey(
        name: key, isThere: value != nil, misspelt: misspelt[key],
        place: FilePlace(path, line: value == nil ? 1 : lines.line(of: key)))
    }
  }

  /// Returns the redirect URIs that code gives to a library as text, or by a constant of its file or of the build.
  func redirects(
    of code: RedirectCode, in folders: [String], _ builds: [String: [SourceToken]] = [:]
  ) -> [Found<String>] {
    let files = folders.flatMap { folder in
      ProjectFiles(folder).find { name in code.endings.contains(where: name.hasSuffix) }
    }.prefix(Self.codeLimit)
    return files.flatMap { path -> [Found<String>] in
      guard let source = text(path), code.marks.contains(where: source.contains) else { return [] }
      let tokens = SourceTokens.read(source, of: path)
      return tokens.indices.compactMap { index in
        guard let last = code.argument(tokens, index), case let argument = tokens[last] else { return nil }
        if last > 1, tokens[last - 1].isSymbol("."), tokens[last - 2].word == "BuildConfig" {
          return argument.word.flatMap { Self.buildConfigField($0, in: builds) }
        }
        var literal = self.literal(argument, in: tokens)
        var file = path
        if literal == nil, code.readsOtherFiles, let name = argument.word {
          let others = files.filter { $0 != path }.compactMap { other in
            declaration(of: name, in: other).map { (other, $0) }
          }
          guard others.count == 1 else { return nil }
          (file, literal) = others[0]
        }
        guard let literal, let uri = literal.text, !uri.contains("$"), uri.contains(":") else { return nil }
        return Found(uri, FilePlace(file, line: literal.line))
      }
    }
  }

  /// Returns the URI of a constant that the build generates, or `nil` if builds have several:
  /// `buildConfigField "String", "NAME", '"…"'`.
  private static func buildConfigField(
    _ name: String, in builds: [String: [SourceToken]]
  ) -> Found<String>? {
    let all = builds.flatMap { path, tokens in
      tokens.indices.dropLast(2).filter { index in
        tokens[index].text == name && tokens[..<index].suffix(4).contains { $0.word == "buildConfigField" }
      }.map { index in
        Found(
          (tokens[index + 2].text ?? "").trimming { "\\\"".unicodeScalars.contains($0) },
          FilePlace(path, line: tokens[index].line))
      }
    }
    guard all.count == 1, all[0].value.contains(":"), !all[0].value.contains("$") else { return nil }
    return all[0]
  }

  /// Returns the text of a constant of another file, or `nil`.
  func declaration(of name: String, in path: String) -> SourceToken? {
    guard let source = text(path), source.contains(name) else { return nil }
    let tokens = SourceTokens.read(source, of: path)
    let isDeclared = tokens.indices.dropFirst().contains {
      tokens[$0].word == name && ["val", "String"].contains(tokens[$0 - 1].word)
    }
    return isDeclared ? constant(name, in: tokens) : nil
  }

  /// Returns a token that is a text, or the text of the constant that it names, or `nil` for other code.
  func literal(_ token: SourceToken, in tokens: [SourceToken]) -> SourceToken? {
    token.text == nil ? token.word.flatMap { constant($0, in: tokens) } : token
  }

  /// Returns the text of a constant that is set once, or `nil`; Kotlin ends it with its line.
  func constant(_ name: String, in tokens: [SourceToken]) -> SourceToken? {
    // `NAME = "…"`, `NAME: String = "…"`
    let values = tokens.indices.filter { tokens[$0].word == name }.compactMap { index in
      let rest = tokens[(index + 1)...]
      let isTyped = rest.first?.isSymbol(":") == true
      return rest.dropFirst(isTyped ? 2 : 0).first?.isSymbol("=") == true ? index + (isTyped ? 4 : 2) : nil
    }
    guard values.count == 1, tokens.indices.contains(values[0]), case let value = tokens[values[0]],
      value.text != nil
    else { return nil }
    guard let next = tokens[(values[0] + 1)...].first else { return value }
    return next.isSymbol(";") || next.isSymbol("}") || next.line != value.line && !next.isSymbol("+")
      ? value : nil
  }

  /// Returns the first place of a text in the code of a module.
  func uses(_ part: String, below module: String) -> FilePlace? {
    let code = ProjectFiles(Self.contents(of: module)).find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
    return code.prefix(Self.codeLimit).lazy.compactMap { path -> FilePlace? in
      guard let source = text(path), source.contains(part) else { return nil }
      let lines = source.lines
      return lines.firstIndex { line in
        line.contains(part) && !["//", "*", "/*"].contains(where: line.trimmed.hasPrefix)
      }
      .map { FilePlace(path, line: $0 + 1) }
    }.first
  }

  /// Returns whether the code of a module, except its tests, calls a function: `Okta.AuthBuilder()`.
  func calls(_ name: String, below module: String) -> Bool {
    let code = GradleReader.sourceSets(of: module).flatMap { set in
      ProjectFiles(set).find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
    }
    return code.prefix(Self.codeLimit).contains { path in
      guard let source = text(path), source.contains(name) else { return false }
      let tokens = SourceTokens.read(source, of: path)
      return tokens.indices.dropLast().contains { tokens[$0].word == name && tokens[$0 + 1].isSymbol("(") }
    }
  }
}
