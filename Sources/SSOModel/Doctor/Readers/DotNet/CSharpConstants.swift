import Essentials
import SSOCore

/// The values of constants, fields, and properties in C# code, by their names.
struct CSharpConstants {
  /// A value that code may have, with the place of the setting that it comes from.
  struct Value: Hashable {
    var text: String
    var place: FilePlace?
  }

  /// The values of `appsettings.json` by their paths, such as `azuread:clientid`.
  private var settings: [String: [Found<String>]] = [:]
  /// The keys of the settings, as they are written.
  private var settingNames: [FilePlace: String] = [:]
  /// The sections whose values code copies to the properties of an object, in lowercase: `GetSection("AzureAd").Get<Options>()`.
  private var boundSections: Set<Substring> = []
  /// Whether code copies the values of settings to the properties of an object.
  private var isBound = false
  /// All expressions that are assigned to a name.
  private var expressions: [String: [[SourceToken]]] = [:]
  private static let depthLimit = 5
  private static let lengthLimit = 40

  init(_ files: [[SourceToken]], settings: [AppSettings] = []) {
    for file in settings { take(file.document.value, file, "", 0) }
    for tokens in files {
      takeBinding(tokens)
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

  private mutating func take(_ value: JSONValue, _ file: AppSettings, _ path: String, _ depth: Int) {
    if let text = value.string {
      let key = path.split(separator: ":").last.map(String.init) ?? path
      let found = Found(text, FilePlace(file.path, line: file.document.line(of: key)))
      settings[path.lowercased(), default: []].append(found)
      settingNames[found.place] = key
    }
    guard let object = value.object, depth < Self.depthLimit else { return }
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      take(value, file, path.isEmpty ? key : "\(path):\(key)", depth + 1)
    }
  }

  /// Records the sections that code copies to objects.
  ///
  /// Source: Microsoft, “Options pattern in .NET”; `ConfigurationBinder`, which compares names without their case.
  private mutating func takeBinding(_ tokens: [SourceToken]) {
    for index in tokens.indices.dropLast(2) {
      switch tokens[index].word {
      case "GetSection", "GetRequiredSection":
        guard tokens[index + 1].isSymbol("("), let name = tokens[index + 2].text else { continue }
        boundSections.insert(name.lowercased().split(separator: ":").first ?? "")
      case "Get" where tokens[index + 1].isSymbol("<"), "Bind" where tokens[index + 1].isSymbol("("),
        "Configure" where tokens[index + 1].isSymbol("<"):
        isBound = true
      default: continue
      }
    }
  }

  /// Returns the values that settings give to a property of an object, or `nil` if code does not copy them.
  private func boundValues(_ name: String) -> [Value]? {
    guard isBound else { return nil }
    let end = ":" + name.lowercased()
    let found = settings.filter { path, _ in
      path.hasSuffix(end)
        && (boundSections.isEmpty || path.split(separator: ":").first.map(boundSections.contains) == true)
    }.sorted { $0.key < $1.key }.flatMap { $0.value.map { Value(text: $0.value, place: $0.place) } }
      .filter { !$0.text.isEmpty }
    return found.isEmpty ? nil : found
  }

  /// Returns the key of the settings that resembles a property to which code copies them and which has no value, or `nil`.
  func misspeltSetting(_ name: String) -> MisspeltKey? {
    guard isBound, named(name, 0) == nil, (expressions[name] ?? []).isEmpty else { return nil }
    let written = settings.filter { path, _ in
      boundSections.isEmpty || path.split(separator: ":").first.map(boundSections.contains) == true
    }.sorted { $0.key < $1.key }.flatMap(\.value)
    return written.lazy.compactMap { found -> MisspeltKey? in
      guard let key = settingNames[found.place], key.lowercased() != name.lowercased() else { return nil }
      return MisspeltKey.find(among: [(key, found.place.line)], of: [name], in: found.place.path).first
    }.first
  }

  /// Returns the last names of the members in an expression: `ClientId` of `Create(options.ClientId)`.
  static func members(in expression: [SourceToken]) -> [String] {
    expression.indices.dropFirst().compactMap { index in
      let isLast =
        index + 1 == expression.count
        || !expression[index + 1].isSymbol(".") && !expression[index + 1].isSymbol("(")
      return isLast && expression[index - 1].isSymbol(".") ? expression[index].word : nil
    }
  }

  /// Returns the values of `configuration["A:B"]` or `configuration.GetSection("A")["B"]`, or `nil` for other code.
  private func settingValues(_ part: [SourceToken]) -> [Value]? {
    let words = part.dropFirst().compactMap(\.word)
    guard part.first?.word != nil, words.allSatisfy({ ["GetSection", "Value"].contains($0) }),
      part.contains(where: { $0.isSymbol("[") }) || words.contains("GetSection")
    else { return nil }
    let path = part.compactMap(\.text).joined(separator: ":")
    return settings[path.lowercased()].map { $0.map { Value(text: $0.value, place: $0.place) } }
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
  func values(of expression: [SourceToken]) -> [String]? {
    values(of: expression, depth: 0).map { Set($0.map(\.text)).sorted() }
  }

  /// Returns the values that an expression may have, each with the place of its setting, or else that of the expression.
  func found(_ expression: [SourceToken], at place: FilePlace) -> [Found<String>]? {
    values(of: expression, depth: 0).map { values in
      values.reduce(into: []) { all, value in
        if !all.contains(where: { $0.value == value.text }) {
          all.append(Found(value.text, value.place ?? place))
        }
      }
    }
  }

  private func values(of expression: [SourceToken], depth: Int) -> [Value]? {
    guard depth < Self.depthLimit, !expression.isEmpty else { return nil }
    var results: [Value] = [Value(text: "")]
    for part in expression.split(whereSeparator: { $0.isSymbol("+") }) {
      guard let values = partValues(Array(part), depth), !values.isEmpty else { return nil }
      results = Self.combined(results, values)
      guard results.count < 16 else { return nil }
    }
    return Array(Set(results)).sorted { $0.text < $1.text }
  }

  private static func combined(_ starts: [Value], _ ends: [Value]) -> [Value] {
    starts.flatMap { start in
      ends.map { Value(text: start.text + $0.text, place: start.place ?? $0.place) }
    }
  }

  private func partValues(_ part: [SourceToken], _ depth: Int) -> [Value]? {
    if let values = settingValues(part) { return values }
    if let values = formatted(part, depth) { return values }
    if let text = part.last?.text {
      let prefix = part.dropLast()
      if prefix.isEmpty || prefix.count == 1 && prefix[0].isSymbol("@") { return [Value(text: text)] }
      guard prefix.count == 1, prefix[0].isSymbol("$") else { return nil }
      return interpolated(text, depth)
    }
    guard let name = Self.member(part) else { return nil }
    return named(name, depth)
  }

  /// Returns the last name of `Type.name` or `instance.name`, or `nil` for other code.
  private static func member(_ part: [SourceToken]) -> String? {
    for (index, token) in part.enumerated() where index % 2 == 0 ? token.word == nil : !token.isSymbol(".") {
      return nil
    }
    return part.count % 2 == 1 ? part.last?.word : nil
  }

  private func named(_ name: String, _ depth: Int) -> [Value]? {
    var found: [Value] = []
    for expression in expressions[name] ?? [] {
      // A property may begin with an empty value.
      if expression.last?.word == "Empty" || expression.last?.word == "null" { continue }
      // Another property of the same name has an object.
      if expression.first?.word == "new", let bound = boundValues(name) { return bound }
      // `Name = settings.Name` replaces the value with which the property begins.
      if expression.count > 1, Self.member(expression) == name { return boundValues(name) }
      guard let values = values(of: expression, depth: depth + 1) else { return nil }
      found += values.filter { !$0.text.isEmpty && !found.contains($0) }
    }
    return found.isEmpty ? boundValues(name) : found
  }

  /// Returns the values of `string.Format("…{0}…", value)`, or `nil` for other code.
  private func formatted(_ part: [SourceToken], _ depth: Int) -> [Value]? {
    guard part.count > 5, ["string", "String"].contains(part[0].word), part[2].word == "Format",
      part[3].isSymbol("(")
    else { return nil }
    var arguments: [[SourceToken]] = []
    var start = 4
    while start < part.count, arguments.count < Self.depthLimit {
      let argument = Self.expression(in: part, from: start)
      arguments.append(argument)
      start += argument.count + 1
    }
    // An empty argument ends the list, and a culture may begin it.
    arguments = arguments.filter { !$0.isEmpty && $0.first?.word != "CultureInfo" }
    guard let first = arguments.first, var results = values(of: first, depth: depth + 1) else { return nil }
    for (index, argument) in arguments.dropFirst().enumerated() {
      guard let values = values(of: argument, depth: depth + 1) else { return nil }
      results = results.flatMap { result in
        values.map {
          Value(
            text: result.text.replacing("{\(index)}", with: $0.text), place: result.place ?? $0.place)
        }
      }
      guard results.count < 16 else { return nil }
    }
    return results
  }

  private func interpolated(_ text: String, _ depth: Int) -> [Value]? {
    var results: [Value] = [Value(text: "")]
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let code = rest[rest.index(after: open)..<close]
      guard let values = values(of: SourceTokens.read(String(code), of: ".cs"), depth: depth + 1) else {
        return nil
      }
      results = Self.combined(results, [Value(text: String(rest[..<open]))])
      results = Self.combined(results, values)
      rest = rest[rest.index(after: close)...]
      guard results.count < 16 else { return nil }
    }
    return Self.combined(results, [Value(text: String(rest))])
  }
}

/// A file `appsettings.json`, or that of one environment, with the values of an app's configuration.
struct AppSettings {
  var path: String
  var document: LenientJSON

  private static let sizeLimit = 1 << 20

  /// Reads a file, or returns `nil` if it is not a JSON document.
  init?(_ path: String) {
    guard let text = try? ProjectFiles.text(path, limit: Self.sizeLimit),
      let document = try? LenientJSON(text)
    else { return nil }
    (self.path, self.document) = (path, document)
  }

  static func isName(_ name: String) -> Bool { name.hasPrefix("appsettings") && name.hasSuffix(".json") }
}
