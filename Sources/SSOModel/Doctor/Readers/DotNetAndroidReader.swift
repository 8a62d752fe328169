import Essentials
import SSOCore

/// A reader of the C# of an Android app that uses MSAL.NET: its redirect URI, and the activity that receives the answer.
///
/// Source: microsoft-authentication-library-for-dotnet, `Platforms/Android/BrowserTabActivity.cs` and
/// `AndroidPlatformProxy.cs`.
struct DotNetAndroidReader {
  private static let fileLimit = 2000
  private static let projectLimit = 200
  private static let sizeLimit = 1 << 20

  private var files: [(path: String, tokens: [SourceToken])] = []
  private var constants = CSharpConstants([])
  private static let roundLimit = 3

  /// Returns the apps below a folder whose redirect URI and filters can be determined.
  static func read(_ files: ProjectFiles) -> [AndroidFacts] {
    files.find { $0.hasSuffix(".csproj") }.prefix(projectLimit).compactMap { path in
      guard let text = try? ProjectFiles.text(path, limit: sizeLimit), isApp(text) else { return nil }
      return DotNetAndroidReader(path)?.facts(path, text)
    }
  }

  /// Returns whether a project is an app for Android: of MAUI, of .NET for Android, or of Xamarin.
  private static func isApp(_ text: String) -> Bool {
    // The files of a shared project are not read.
    guard !text.contains(".projitems") else { return false }
    return text.contains("-android") && text.contains("<OutputType>Exe")
      || text.contains("<AndroidApplication>True") || text.contains("<AndroidApplication>true")
  }

  private static let signs = [
    "PublicClientApplicationBuilder", "AcquireTokenInteractive", "BrowserTabActivity",
    "Microsoft.Identity.Client",
  ]

  /// Reads the sources of a project and of all projects that it refers to, or returns `nil` if none creates a client.
  private init?(_ project: String) {
    let others = ["iOS", "MacCatalyst", "Windows", "Tizen", "obj", "bin"].map { "/\($0)/" }
    let folders = DotNetSettings.projects(of: project).map { ProjectFiles(folder(of: $0.path)) }
    func isOfAndroid(_ path: String) -> Bool { !others.contains { path.contains($0) } }
    let paths = Set(folders.flatMap { $0.find { $0.hasSuffix(".cs") } })
    var rest: [(path: String, data: Data)] = []
    for path in paths.sorted().prefix(Self.fileLimit) where isOfAndroid(path) {
      if let data = try? ProjectFiles.data(path, limit: Self.sizeLimit) { rest.append((path, data)) }
    }
    take(Self.signs, from: &rest)
    guard has("PublicClientApplicationBuilder"), has("AcquireTokenInteractive") else { return nil }
    let documents = folders.flatMap { folder in
      folder.find { $0.hasPrefix("appsettings") && $0.hasSuffix(".json") }.filter(isOfAndroid)
    }.compactMap { path in
      (try? ProjectFiles.data(path, limit: Self.sizeLimit)).flatMap {
        JSONValue(bounded: $0, maximumBytes: Self.sizeLimit)
      }
    }
    // The other files only matter for the names that lead to the redirect URI and the filters.
    var names = CSharpConstants.names(in: settings)
    for _ in 0..<Self.roundLimit where !names.isEmpty {
      take(names.sorted(), from: &rest)
      constants = CSharpConstants(files.map(\.tokens), settings: documents)
      names = CSharpConstants.names(in: names.flatMap { constants.expressions(of: $0) }).subtracting(names)
    }
  }

  /// Reads those of the files that contain one of some texts.
  private mutating func take(_ texts: [String], from rest: inout [(path: String, data: Data)]) {
    for file in rest where texts.contains(where: { file.data.hasBytes($0) }) {
      let text = CSharpBranches.forAndroid(String(decoding: file.data, as: UTF8.self))
      files.append((file.path, SourceTokens.read(text)))
    }
    rest.removeAll { file in texts.contains(where: { file.data.hasBytes($0) }) }
  }

  /// The expressions of the redirect URI, the client ID, and the attributes of filters.
  private var settings: [[SourceToken]] {
    let attributes = files.flatMap { _, tokens in
      tokens.indices.filter { tokens[$0].word?.hasPrefix("Data") == true }
        .map { CSharpConstants.expression(in: tokens, from: $0 + 2) }
    }
    return (calls("WithRedirectUri") + calls("Create", of: "PublicClientApplicationBuilder")).map(\.tokens)
      + attributes
  }

  private func has(_ word: String) -> Bool {
    files.contains { file in file.tokens.contains { $0.word == word } }
  }

  private func facts(_ project: String, _ text: String) -> AndroidFacts? {
    // The embedded web view needs no activity; code with branches may use it on another platform.
    let views = Set(calls("WithUseEmbeddedWebView").map { $0.tokens.first?.word == "false" })
    guard views != [false], let redirects,
      let builder = calls("Create", of: "PublicClientApplicationBuilder").first?.place
    else { return nil }
    var facts = AndroidFacts(
      name: String(fileName(project).dropLast(".csproj".count)), origin: FilePlace(project))
    facts.usage = builder
    facts.manifest = builder
    facts.redirectsOfDotNet = redirects
    facts.mayNeedNoActivity =
      views.contains(false) || calls("WithBroker").contains { $0.tokens.first?.word != "false" }
    if let start = text.firstRange(of: "<ApplicationId>") {
      let id = String(text[start.upperBound...].prefix { $0 != "<" })
      facts.packageName = Found(id, FilePlace(project))
    }
    for (path, tokens) in files { takeActivities(tokens, path, into: &facts) }
    guard facts.activity == nil else { return facts }
    // Each configuration of a build may have its own manifest.
    let manifests = ProjectFiles(folder(of: project)).find {
      $0.hasPrefix("AndroidManifest") && $0.hasSuffix(".xml")
    }
    for path in manifests.prefix(Self.projectLimit) {
      guard !path.contains("/obj/"), !path.contains("/bin/"),
        let manifest = (try? ProjectFiles.data(path)).flatMap({ try? XMLReader.read($0) })
      else { continue }
      AndroidManifestReader.take(
        manifest, path: path, values: [:], activities: ["microsoft.identity.client.BrowserTabActivity"],
        into: &facts)
    }
    return facts
  }

  // MARK: The redirect URI

  /// Returns the arguments of all calls of a method, each with its place.
  private func calls(_ method: String, of type: String? = nil) -> [(tokens: [SourceToken], place: FilePlace)]
  {
    files.flatMap { path, tokens in
      tokens.indices.compactMap { index in
        guard tokens[index].word == method, index + 1 < tokens.count, tokens[index + 1].isSymbol("("),
          type == nil || index > 1 && tokens[index - 2].word == type
        else { return nil }
        return (
          CSharpConstants.expression(in: tokens, from: index + 2), FilePlace(path, line: tokens[index].line)
        )
      }
    }
  }

  /// The redirect URIs that the app may have on Android, or `nil` if one cannot be determined.
  private var redirects: [Found<String>]? {
    guard !has("CreateWithApplicationOptions") else { return nil }
    let given = calls("WithRedirectUri")
    if given.isEmpty {
      let clients = calls("Create", of: "PublicClientApplicationBuilder")
      var found: [Found<String>] = []
      for client in clients {
        guard let ids = constants.values(of: client.tokens), ids.allSatisfy(\.isGUID) else { return nil }
        found += ids.map { Found("msal\($0)://auth", client.place) }
      }
      return found.isEmpty ? nil : found
    }
    var found: [Found<String>] = []
    for call in given {
      guard let values = constants.values(of: call.tokens), !values.contains(where: Self.isTemplate) else {
        return nil
      }
      // Those for desktops and for iOS stand beside the one for Android.
      found += values.filter { !$0.hasPrefix("http") && !$0.hasPrefix("msauth.") }.map {
        Found($0, call.place)
      }
    }
    return found.isEmpty ? nil : found
  }

  /// Returns whether a redirect URI is that of a template, without a client ID of its own.
  private static func isTemplate(_ redirect: String) -> Bool {
    let scheme = redirect.prefix { $0 != ":" }
    return Placeholders.contain(redirect)
      || scheme.hasPrefix("msal") && scheme != "msal" && !String(scheme.dropFirst(4)).isGUID
  }

  // MARK: The activity

  /// Adds the filters of the classes that inherit from BrowserTabActivity.
  private func takeActivities(_ tokens: [SourceToken], _ path: String, into facts: inout AndroidFacts) {
    for index in tokens.indices where tokens[index].word == "class" && index + 2 < tokens.count {
      let bases = tokens[(index + 2)...].prefix(12).prefix { !$0.isSymbol("{") }
      guard bases.contains(where: { $0.word == "BrowserTabActivity" }) else { continue }
      facts.activity = FilePlace(path, line: tokens[index].line)
      let attributes = Array(tokens[attributesStart(before: index, tokens)..<index])
      let starts = attributes.indices.filter { attributes[$0].word == "IntentFilter" }
      for (number, start) in starts.enumerated() {
        let end = number + 1 < starts.count ? starts[number + 1] : attributes.count
        facts.filters += filters(Array(attributes[start..<end]), path)
      }
    }
  }

  /// Returns the index of the first token of the attributes of a class.
  private func attributesStart(before index: Int, _ tokens: [SourceToken]) -> Int {
    var (start, depth) = (index, 0)
    while start > 0 {
      let token = tokens[start - 1]
      if token.isSymbol("]") { depth += 1 }
      if token.isSymbol("[") { depth -= 1 }
      if depth == 0, token.isSymbol("{") || token.isSymbol("}") || token.isSymbol(";") { break }
      start -= 1
    }
    return start
  }

  private func filters(_ tokens: [SourceToken], _ path: String) -> [AndroidFacts.Filter] {
    let words = Set(tokens.compactMap { $0.word ?? $0.text })
    let isComplete =
      !words.isDisjoint(with: ["ActionView", "android.intent.action.VIEW"])
      && !words.isDisjoint(with: ["CategoryDefault", "android.intent.category.DEFAULT"])
      && !words.isDisjoint(with: ["CategoryBrowsable", "android.intent.category.BROWSABLE"])
    // A prefix or a pattern is not compared.
    func parts(_ names: [String]) -> [String?] {
      guard let index = tokens.indices.first(where: { names.contains(tokens[$0].word ?? "") }) else {
        return [nil]
      }
      guard index + 1 < tokens.count, tokens[index + 1].isSymbol("=") else { return ["@"] }
      let name = tokens[index].word ?? ""
      if name.hasSuffix("s") {
        let list = tokens[(index + 2)...].drop { !$0.isSymbol("{") && !$0.isSymbol("[") }
          .prefix { !$0.isSymbol("}") && !$0.isSymbol(")") }
        let texts = list.compactMap(\.text)
        return texts.isEmpty || list.count != 2 * texts.count ? ["@"] : texts
      }
      let value = CSharpConstants.expression(in: tokens, from: index + 2)
      return constants.values(of: value)?.map { $0.isEmpty ? "@" : $0 } ?? ["@"]
    }
    let line =
      tokens.first { $0.word == "DataScheme" || $0.word == "DataSchemes" }?.line ?? tokens.first?.line
    return parts(["DataScheme", "DataSchemes"]).flatMap { scheme in
      parts(["DataHost", "DataHosts"]).flatMap { host in
        parts(["DataPath", "DataPaths"]).map { end in
          AndroidFacts.Filter(
            scheme: scheme, host: host, path: end, isComplete: isComplete, place: FilePlace(path, line: line))
        }
      }
    }
  }
}

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

  /// Returns the names in expressions, also in interpolated strings.
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
      guard let values = values(of: SourceTokens.read(String(code)), depth: depth + 1) else { return nil }
      results = results.flatMap { start in values.map { start + rest[..<open] + $0 } }
      rest = rest[rest.index(after: close)...]
      guard results.count < 16 else { return nil }
    }
    return results.map { $0 + rest }
  }
}
