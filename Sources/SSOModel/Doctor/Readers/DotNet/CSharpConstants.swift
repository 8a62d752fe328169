import Essentials
import SSOCore

/// The values of constants, fields, and properties in C# code, by their names.
struct CSharpConstants {
  /// The values of `appsettings.json` by their paths, such as `AzureAd:ClientId`.
  private var settings: [String: Set<String>] = [:]
  /// All expressions that are assigned to a name.
  private var expressions: [String: [[SourceToken]]] = [:]
  private static let depthLimit = 5
  private static let lengthLimit = 40

  init(_ files: [[SourceToken]], settings: [JSONValue] = []) {
    for document in settings { take(document, "", 0) }
    for tokens in files {
      for index in tokens.indices.dropLast(2) {
        guard let name = tokens[index].word else { continue }
        // `name = …`, `name => …`, and `name { get; set; } = …`
        var start = index + 1
        if tokens[start].isSymbol("{") {
          let end = tokens[start...].prefix(10).firstIndex { $0.isSymbol("}") }
          // `name { get { return …; } }`
          if start + 4 < tokens.count, tokens[start + 1].word == "get", tokens[start + 3].word == "return" {
            expressions[name, default: []].append(Self.expression(in: tokens, from: start + 4))
            continue
          }
          guard let end, end + 2 < tokens.count else { continue }
          start = end + 1
        }
        guard tokens[start].isSymbol("=") else { continue }
        if tokens[start + 1].isSymbol(">") { start += 1 }
        guard start + 1 < tokens.count, !tokens[start + 1].isSymbol("=") else { continue }
        expressions[name, default: []].append(Self.expression(in: tokens, from: start + 1))
      }
    }
  }

  private mutating func take(_ value: JSONValue, _ path: String, _ depth: Int) {
    if let text = value.string { settings[path.lowercased(), default: []].insert(text) }
    guard let object = value.object, depth < Self.depthLimit else { return }
    for (key, value) in object { take(value, path.isEmpty ? key : "\(path):\(key)", depth + 1) }
  }

  /// Returns the values of `configuration["A:B"]` or `configuration.GetSection("A")["B"]`, or `nil` for other code.
  private func settingValues(_ part: [SourceToken]) -> [String]? {
    let words = part.dropFirst().compactMap(\.word)
    guard part.first?.word != nil, words.allSatisfy({ ["GetSection", "Value"].contains($0) }),
      part.contains(where: { $0.isSymbol("[") }) || words.contains("GetSection")
    else { return nil }
    let path = part.compactMap(\.text).joined(separator: ":")
    return settings[path.lowercased()].map { $0.sorted() }
  }

  /// Returns the names in expressions, including those in interpolated strings.
  static func names(in expressions: [[SourceToken]]) -> Set<String> {
    let words = expressions.joined().flatMap { token -> [String] in
      token.word.map { [$0] }
        ?? token.text.map { text in text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        } ?? []
    }
    return Set(words.filter { $0.count > 2 && $0.first?.isLetter == true })
  }

  func expressions(of name: String) -> [[SourceToken]] { expressions[name] ?? [] }

  /// Returns the tokens of an expression up to the comma, semicolon, or bracket that ends it.
  static func expression(in tokens: [SourceToken], from start: Int) -> [SourceToken] {
    var depth = 0
    var result: [SourceToken] = []
    for token in tokens[min(start, tokens.count)...].prefix(lengthLimit) {
      if ["(", "[", "{"].contains(where: { token.isSymbol($0) }) { depth += 1 }
      if [")", "]", "}"].contains(where: { token.isSymbol($0) }) { depth -= 1 }
      if depth < 0 || depth == 0 && (token.isSymbol(",") || token.isSymbol(";")) { break }
      result.append(token)
    }
    return result
  }

  /// Returns the values that an expression may have, without empty ones, or `nil` if one cannot be determined.
  func values(of expression: [SourceToken], depth: Int = 0) -> [String]? {
    guard depth < Self.depthLimit, !expression.isEmpty else { return nil }
    var results = [""]
    for part in expression.split(whereSeparator: { $0.isSymbol("+") }) {
      guard let values = partValues(Array(part), depth), !values.isEmpty else { return nil }
      results = results.flatMap { start in values.map { start + $0 } }
      guard results.count < 16 else { return nil }
    }
    return Array(Set(results)).sorted()
  }

  private func partValues(_ part: [SourceToken], _ depth: Int) -> [String]? {
    if let values = settingValues(part) { return values }
    if let text = part.last?.text {
      let prefix = part.dropLast()
      if prefix.isEmpty || prefix.count == 1 && prefix[0].isSymbol("@") { return [text] }
      guard prefix.count == 1, prefix[0].isSymbol("$") else { return nil }
      return interpolated(text, depth)
    }
    // `Type.name`, `instance.name`
    for (index, token) in part.enumerated() where index % 2 == 0 ? token.word == nil : !token.isSymbol(".") {
      return nil
    }
    guard part.count % 2 == 1, let name = part.last?.word else { return nil }
    return named(name, depth)
  }

  private func named(_ name: String, _ depth: Int) -> [String]? {
    var found: [String] = []
    for expression in expressions[name] ?? [] {
      // A property may begin with an empty value.
      if expression.last?.word == "Empty" || expression.last?.word == "null" { continue }
      guard let values = values(of: expression, depth: depth + 1) else { return nil }
      found += values.filter { !$0.isEmpty && !found.contains($0) }
    }
    return found.isEmpty ? nil : found
  }

  private func interpolated(_ text: String, _ depth: Int) -> [String]? {
    var results = [""]
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let code = rest[rest.index(after: open)..<close]
      guard let values = values(of: SourceTokens.read(String(code), of: ".cs"), depth: depth + 1) else {
        return nil
      }
      results = results.flatMap { start in values.map { start + rest[..<open] + $0 } }
      rest = rest[rest.index(after: close)...]
      guard results.count < 16 else { return nil }
    }
    return results.map { $0 + rest }
  }
}
