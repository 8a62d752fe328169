import SSOCore

/// The configurations that scripts and Dart give to AppAuth through a wrapper.
///
/// Sources: react-native-app-auth, README and `index.js`, which demands strings for `clientId` and `redirectUrl`; flutter_appauth,
/// README; AppAuth-Android, `AuthorizationServiceConfiguration.buildConfigurationUriFromIssuer`, which adds
/// `/.well-known/openid-configuration` to the issuer.
extension VendorReader {
  private static let keys = ["clientId", "redirectUrl", "issuer", "serviceConfiguration"]
  private static let depthLimit = 2000

  /// Reads the objects in scripts that are configurations: they have an issuer, and a client ID or a redirect URI.
  func readAppAuthScripts(_ base: String, _ facts: inout VendorFacts.Module) {
    let scripts = ProjectFiles(base).find { SourceLanguage.scriptEndings.contains(where: $0.hasSuffix) }
    for path in scripts.prefix(Self.codeLimit) {
      guard let source = text(path), source.contains("react-native-app-auth") else { continue }
      let tokens = SourceTokens.read(source, of: path)
      for start in tokens.indices where tokens[start].isSymbol("{") {
        guard let object = Self.object(in: tokens, from: start), !object.isOpen else { continue }
        let names = Set(object.values.keys)
        guard !names.isDisjoint(with: ["issuer", "serviceConfiguration"]),
          !names.isDisjoint(with: ["clientId", "redirectUrl"])
        else { continue }
        func value(_ key: String) -> Found<String>? {
          object.values[key].flatMap { wholeValue(at: $0, in: tokens, path) }
        }
        if let issuer = value("issuer") { facts.bases.append(issuer) }
        if let id = value("clientId"), id.value.isEmpty { facts.clientIDs.append(id) }
        if let uri = value("redirectUrl"), !uri.value.contains(":") { facts.bareURIs.append(uri) }
        for key in ["clientId", "redirectUrl"] where !names.contains(key) {
          let written = object.values.map { (key: $0.key, line: Optional(tokens[$0.value].line)) }
            .sorted { $0.key < $1.key }
          let others = [
            "clientSecret", "scopes", "clientAuthMethod", "additionalParameters", "usePKCE", "useNonce",
          ]
          // A session is ended or a token revoked without all of them.
          guard
            let near = MisspeltKey.find(among: written, of: [key], others: Self.keys + others, in: path).first
          else { continue }
          facts.lackingKeys.append(
            VendorFacts.LackingKey(
              name: key, isThere: false, misspelt: near, place: FilePlace(path, line: tokens[start].line)))
          facts.isConfigurationNamed = true
        }
      }
      facts.signOutURIs += values(of: "postLogoutRedirectUrl", in: tokens, path)
    }
  }

  /// Reads the arguments of flutter_appauth's requests.
  func readAppAuthDart(_ project: String, _ facts: inout VendorFacts.Module) {
    for path in ProjectFiles(project + "/lib").find({ $0.hasSuffix(".dart") }).prefix(Self.codeLimit) {
      guard let source = text(path), source.contains("flutter_appauth") else { continue }
      let tokens = SourceTokens.read(source, of: path)
      facts.bases += values(of: "issuer", in: tokens, path)
      facts.issuers += values(of: "discoveryUrl", in: tokens, path)
      facts.signOutURIs += values(of: "postLogoutRedirectUrl", in: tokens, path)
    }
  }

  /// Returns the texts that code gives as arguments or values with a label.
  private func values(of label: String, in tokens: [SourceToken], _ path: String) -> [Found<String>] {
    tokens.indices.dropLast(2).compactMap { index in
      guard (tokens[index].word ?? tokens[index].text) == label, tokens[index + 1].isSymbol(":") else {
        return nil
      }
      return wholeValue(at: index + 2, in: tokens, path)
    }
  }

  /// Returns a whole value that is a text, or that of a constant of the file, or `nil` for other code.
  private func wholeValue(at index: Int, in tokens: [SourceToken], _ path: String) -> Found<String>? {
    guard tokens.indices.contains(index + 1),
      [",", "}", ")", ";"].contains(where: { tokens[index + 1].isSymbol($0) }),
      let literal = literal(tokens[index], in: tokens), let text = literal.text, !text.contains("$")
    else { return nil }
    return Found(text, FilePlace(path, line: literal.line))
  }

  /// Returns the indices of the values of an object, by their keys, and whether it takes those of another object.
  private static func object(
    in tokens: [SourceToken], from start: Int
  ) -> (values: [String: Int], isOpen: Bool)? {
    var values: [String: Int] = [:]
    var (depth, isOpen) = (0, false)
    for index in start..<min(tokens.count, start + depthLimit) {
      let token = tokens[index]
      if ["{", "(", "["].contains(where: { token.isSymbol($0) }) { depth += 1 }
      if ["}", ")", "]"].contains(where: { token.isSymbol($0) }) { depth -= 1 }
      if depth == 0 { return (values, isOpen) }
      guard depth == 1, index > start,
        tokens[index - 1].isSymbol("{") || tokens[index - 1].isSymbol(","), index + 1 < tokens.count
      else { continue }
      if token.isSymbol(".") || token.isSymbol("[") { isOpen = true }
      guard let name = token.word ?? token.text else { continue }
      if tokens[index + 1].isSymbol(":") {
        values[name] = index + 2
      } else if tokens[index + 1].isSymbol(",") || tokens[index + 1].isSymbol("}") {
        values[name] = index
      }
    }
    return nil
  }
}
