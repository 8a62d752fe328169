import SSOCore

/// A reader of what other vendors' sign-in libraries need: build files, manifests, and property lists.
struct VendorReader {
  private static let fileLimit = 600
  private static let codeLimit = 1000
  private static let sizeLimit = 1 << 20

  /// The paths of all files that may matter, in order.
  private let paths: [String]
  private let root: String
  private let texts = SourceTexts(sizeLimit: sizeLimit)
  private var found: [VendorFacts] = []
  private var unread: [UnreadFile] = []

  static func read(_ files: ProjectFiles) -> (facts: [VendorFacts], unread: [UnreadFile]) {
    let names: Set<String> = [
      "pubspec.yaml", "package.json", "google-services.json", "Okta.plist", "Auth0.plist",
      "libs.versions.toml",
    ]
    let paths = files.find { name in
      names.contains(name) || name.hasSuffix(".gradle") || name.hasSuffix(".gradle.kts")
        || name.hasSuffix("Info.plist")
    }
    var reader = VendorReader(paths: Array(paths.prefix(fileLimit)), root: files.root)
    reader.readModules()
    reader.readLists()
    reader.readClients()
    return (reader.found, reader.unread)
  }

  private init(paths: [String], root: String) { (self.paths, self.root) = (paths, root) }

  private func named(_ name: String) -> [String] { paths.filter { fileName($0) == name } }
  private func text(_ path: String) -> String? { texts.text(path) }

  /// Adds a use of a library, under a unique name.
  private mutating func add(_ app: String, _ vendor: Vendor, _ origin: FilePlace, _ kind: VendorFacts.Kind) {
    let name = "\(app): \(vendor.name)"
    let count = found.count { $0.name == name || $0.name.hasPrefix(name + " (") }
    found.append(
      VendorFacts(
        name: count == 0 ? name : "\(name) (\(count + 1))", vendor: vendor, origin: origin, kind: kind))
  }

  // MARK: Android

  private mutating func readModules() {
    var builds: [String: [SourceToken]] = [:]
    // Of two build files in a folder, Gradle ignores the one in Kotlin.
    let ignored = Set(paths.filter { $0.hasSuffix(".gradle") }.map { $0 + ".kts" })
    for path in paths
    where path.hasSuffix(".gradle") || path.hasSuffix(".kts") && !ignored.contains(path) {
      builds[path] = text(path).map { SourceTokens.read($0, of: path) }
    }
    let modules = builds.keys.sorted().filter { path in
      fileName(path).hasPrefix("build.gradle")
        && builds[path]?.contains { $0.word == "applicationId" || $0.text == "com.android.application" }
          == true
    }
    let aliases = catalogAliases()
    for path in modules {
      let module = folder(of: path)
      let own = builds[path] ?? []
      // The build files of other apps say nothing about this one.
      let shared = builds.filter { !modules.contains($0.key) || $0.key == path }
      for vendor in Vendor.android {
        guard let place = dependency(on: vendor, in: own, path, aliases) ?? wrapper(of: vendor, module) else {
          continue
        }
        readModule(module, path, place, vendor, shared)
      }
      readServices(module, own)
    }
  }

  /// The aliases of the version catalogs, such as `libs.appauth`, by artifact.
  private func catalogAliases() -> [String: [String]] {
    var aliases: [String: [String]] = [:]
    for path in named("libs.versions.toml") {
      for line in (text(path) ?? "").lines {
        guard let equals = line.firstIndex(of: "=") else { continue }
        let name = line[..<equals].trimmed.replacing("-", with: ".").replacing("_", with: ".")
        for artifact in Vendor.android.flatMap(\.artifacts) {
          let parts = artifact.split(separator: ":").map { "\"\($0)\"" }
          guard
            line.contains("\"\(artifact)\"") || line.contains("\"\(artifact):")
              || parts.allSatisfy(line.contains)
          else { continue }
          aliases[artifact, default: []].append("libs." + name)
        }
      }
    }
    return aliases
  }

  private func dependency(
    on vendor: Vendor, in tokens: [SourceToken], _ path: String, _ aliases: [String: [String]]
  ) -> FilePlace? {
    let names = Set(vendor.artifacts.flatMap { aliases[$0] ?? [] })
    for (index, token) in tokens.enumerated() {
      let isOfTest = tokens[..<index].suffix(2).contains { $0.word?.lowercased().contains("test") == true }
      if let text = token.text, !isOfTest,
        let artifact = vendor.artifacts.first(where: { text == $0 || text.hasPrefix($0 + ":") })
      {
        let isNew = Self.isVersion(text.dropFirst(artifact.count + 1), since: vendor.since)
        return isNew ? FilePlace(path, line: token.line) : nil
      }
      guard token.word == "libs", !names.isEmpty else { continue }
      var alias = "libs"
      for next in tokens[(index + 1)...].prefix(12) {
        if let word = next.word { alias += word } else if next.isSymbol(".") { alias += "." } else { break }
      }
      if names.contains(alias) { return FilePlace(path, line: token.line) }
    }
    return nil
  }

  /// Returns whether a version, such as `2.13.3`, is not before another one; `true` if it is not known.
  private static func isVersion(_ text: Substring, since first: [Int]) -> Bool {
    let parts = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
    return parts.isEmpty || !parts.lexicographicallyPrecedes(first)
  }

  /// Returns the place of a Flutter or React Native package that brings in the library, or `nil` if the project does
  /// not use one.
  private func wrapper(of vendor: Vendor, _ module: String) -> FilePlace? {
    guard module.hasSuffix("/android/app") else { return nil }
    let project = folder(of: folder(of: module))
    for file in [project + "/pubspec.yaml", project + "/package.json"] {
      let lines = (text(file) ?? "").lines
      for wrapper in vendor.wrappers {
        guard
          let index = lines.firstIndex(where: {
            let line = $0.trimmed
            return line.hasPrefix("\(wrapper.name):") || line.hasPrefix("\"\(wrapper.name)\":")
          })
        else { continue }
        let version = lines[index].drop { $0 != ":" }.drop { !$0.isNumber }
        guard Self.isVersion(version, since: wrapper.since) else { continue }
        return FilePlace(file, line: index + 1)
      }
    }
    return nil
  }

  private mutating func readModule(
    _ module: String, _ build: String, _ place: FilePlace, _ vendor: Vendor, _ builds: [String: [SourceToken]]
  ) {
    // The values that a plugin or a function sets are unknown.
    guard !GradleReader.hasOwnPlugins(above: module, below: root),
      !builds.values.contains(where: Self.computesPlaceholders)
    else { return }
    var facts = VendorFacts.Module()
    facts.isKotlinScript = build.hasSuffix(".kts")
    let words = builds.values.reduce(into: Set<String>()) { words, tokens in
      for token in tokens { if let word = token.word ?? token.text { words.insert(word) } }
    }
    facts.missing = vendor.placeholders.map(\.name).filter { !words.contains($0) }
    let file = GradleBuildFile(module)
    for (path, tokens) in builds.sorted(by: {
      ($0.key == build ? "" : $0.key) < ($1.key == build ? "" : $1.key)
    }) {
      for name in vendor.placeholders.map(\.name) where facts.values[name, default: []].isEmpty {
        facts.values[name] = Self.values(of: name, in: tokens, path, module)
      }
    }
    var android = AndroidFacts(name: "", origin: place)
    file.take(into: &android)
    facts.packageName = android.packageName?.value
    // The manifests of libraries are merged with the app's.
    let libraries = builds.keys.filter { $0 != build && fileName($0).hasPrefix("build.gradle") }.sorted()
    for set in ([module] + libraries.map(folder(of:))).flatMap(GradleReader.sourceSets(of:)) {
      let manifest = set + "/AndroidManifest.xml"
      guard ProjectFiles.exists(manifest) else { continue }
      guard let element = (try? ProjectFiles.data(manifest)).flatMap({ try? XMLReader.read($0) }) else {
        return
      }
      for activity in element.elements("application").flatMap({ $0.elements("activity") }) {
        let isReplaced = ["replace", "remove"].contains(activity["tools:node"]?.value)
        if isReplaced, activity["android:name"]?.value == vendor.activity { facts.missing = [] }
        for data in activity.elements("intent-filter").flatMap({ $0.elements("data") }) {
          if let scheme = data["android:scheme"]?.value { facts.manifestSchemes.insert(scheme) }
        }
      }
    }
    // Okta's client without a browser does not receive a response.
    let isWithoutBrowser =
      vendor == .okta && calls("AuthBuilder", below: module) && !calls("WebAuthBuilder", below: module)
    if !isWithoutBrowser { readConfiguration(module, vendor, &facts) }
    if facts.redirectURIs.isEmpty, !isWithoutBrowser, [.appAuth, .okta].contains(vendor) {
      facts.redirectURIs = redirects(
        of: .code, in: ([module] + libraries.map(folder(of:))).map { $0 + "/src/main" })
    }
    if vendor == .auth0 {
      facts.redirectURIs = redirects(of: .auth0, in: [module + "/src/main"])
    }
    if vendor == .appAuth, fileName(place.path) == "package.json" {
      facts.redirectURIs += redirects(of: .script, in: [folder(of: place.path)])
    }
    if vendor == .appAuth, fileName(place.path) == "pubspec.yaml" {
      facts.redirectURIs += redirects(of: .dart, in: [folder(of: place.path) + "/lib"])
    }
    let line = builds[build]?.first { $0.word == "defaultConfig" }?.line
    let origin = facts.missing.isEmpty ? place : FilePlace(build, line: line ?? place.line)
    add(facts.packageName ?? fileName(module), vendor, origin, .module(facts))
  }

  /// Returns whether a build file sets placeholders from something other than a literal map.
  private static func computesPlaceholders(_ tokens: [SourceToken]) -> Bool {
    tokens.indices.contains { index in
      guard tokens[index].word == "manifestPlaceholders" else { return false }
      let next = tokens[(index + 1)...].drop { token in
        [".", "=", "+", "("].contains { token.isSymbol($0) } || ["putAll", "set"].contains(token.word)
      }.first
      guard let next else { return false }
      return !next.isSymbol("[") && !["mapOf", "mutableMapOf"].contains(next.word)
        && !tokens[(index + 1)...].prefix(2).contains { $0.isSymbol("[") }
    }
  }

  /// Returns the literals that a placeholder has, one for each build: `name: "value"`, `"name" to "value"`,
  /// `["name"] = "value"`; none if one of its values is not a literal.
  private static func values(
    of name: String, in tokens: [SourceToken], _ path: String, _ module: String
  ) -> [Found<String>] {
    var found: [Found<String>] = []
    for index in tokens.indices where (tokens[index].word ?? tokens[index].text) == name {
      let rest = tokens[(index + 1)...].prefix(3).drop { token in
        [":", "=", "]", ","].contains { token.isSymbol($0) } || token.word == "to"
      }
      guard let text = rest.first?.text, !text.contains("$") else { return [] }
      let resource = "@string/"
      if text.hasPrefix(resource) {
        let all = GradleReader.strings(named: String(text.dropFirst(resource.count)), in: module)
        // Of the values of several builds, only a wrong one is of interest: a host does not contain a slash.
        let isOfDomain = name == "auth0Domain"
        guard
          let one = all.count == 1 ? all[0] : isOfDomain ? all.first(where: { $0.value.contains("/") }) : nil
        else { return [] }
        found.append(one)
      } else if !text.hasPrefix("@") {
        found.append(Found(text, FilePlace(path, line: tokens[index].line)))
      }
    }
    return found
  }

  /// Reads the configuration that AppAuth's and Okta's samples have in `res/raw`; an app may use both libraries.
  private func readConfiguration(_ module: String, _ vendor: Vendor, _ facts: inout VendorFacts.Module) {
    guard let foreignKeys = vendor.foreignKeys else { return }
    let raw = ProjectFiles(module + "/src").find { $0.hasSuffix(".json") }.filter { $0.contains("/res/raw") }
    for path in raw.prefix(Self.fileLimit) {
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
        let document = JSONValue(bounded: data, maximumBytes: Self.sizeLimit),
        AndroidFacts.Configuration.isForeign(document),
        !foreignKeys.contains(where: { document[$0] != nil })
      else { continue }
      for key in ["discovery_uri", "issuer_uri"] {
        guard let issuer = document[key]?.string else { continue }
        facts.issuers.append(Found(issuer, FilePlace(path, line: TextLines(data).line(of: key))))
      }
      guard let uri = document["redirect_uri"]?.string else { continue }
      let name = fileName(path)
      guard facts.redirectURIs.allSatisfy({ fileName($0.place.path) == name }) else { continue }
      if facts.redirectURIs.isEmpty {
        // Okta's first library reads this name itself.
        facts.isConfigurationNamed =
          name == "okta_app_auth_config.json"
          || uses("R.raw." + name.prefix { $0 != "." }, below: module) != nil
      }
      facts.redirectURIs.append(
        Found(uri, FilePlace(path, line: TextLines(data).line(of: "redirect_uri"))))
    }
  }

  /// Returns the redirect URIs that code gives to a library as text, or by a constant of its file.
  private func redirects(of code: RedirectCode, in folders: [String]) -> [Found<String>] {
    let files = folders.flatMap { folder in
      ProjectFiles(folder).find { name in code.endings.contains(where: name.hasSuffix) }
    }.prefix(Self.codeLimit)
    return files.flatMap { path -> [Found<String>] in
      guard let source = text(path), code.marks.contains(where: source.contains) else { return [] }
      let tokens = SourceTokens.read(source, of: path)
      return tokens.indices.compactMap { index in
        guard let argument = code.argument(tokens, index).map({ tokens[$0] }) else { return nil }
        var literal = argument.text == nil ? argument.word.flatMap { constant($0, in: tokens) } : argument
        var file = path
        if literal == nil, code.readsOtherFiles, let name = argument.word {
          let others = files.filter { $0 != path }.compactMap { other in
            declaration(of: name, in: other).map { (other, $0) }
          }
          guard others.count == 1 else { return nil }
          (file, literal) = others[0]
        }
        guard let literal, var uri = literal.text, !uri.contains("$") else { return nil }
        if code.isOfScheme { uri += "://" }
        guard uri.contains(":") else { return nil }
        return Found(uri, FilePlace(file, line: literal.line))
      }
    }
  }

  /// Returns the text of a constant of another file, or `nil`.
  private func declaration(of name: String, in path: String) -> SourceToken? {
    guard let source = text(path), source.contains(name) else { return nil }
    let tokens = SourceTokens.read(source, of: path)
    let isDeclared = tokens.indices.dropFirst().contains {
      tokens[$0].word == name && ["val", "String"].contains(tokens[$0 - 1].word)
    }
    return isDeclared ? constant(name, in: tokens) : nil
  }

  /// Returns the text of a constant that is set once, or `nil`; Kotlin ends it with its line.
  private func constant(_ name: String, in tokens: [SourceToken]) -> SourceToken? {
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
  private func uses(_ part: String, below module: String) -> FilePlace? {
    let code = ProjectFiles(module + "/src").find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
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
  private func calls(_ name: String, below module: String) -> Bool {
    let code = GradleReader.sourceSets(of: module).flatMap { set in
      ProjectFiles(set).find { $0.hasSuffix(".kt") || $0.hasSuffix(".java") }
    }
    return code.prefix(Self.codeLimit).contains { path in
      guard let source = text(path), source.contains(name) else { return false }
      let tokens = SourceTokens.read(source, of: path)
      return tokens.indices.dropLast().contains { tokens[$0].word == name && tokens[$0 + 1].isSymbol("(") }
    }
  }

  /// Reads `google-services.json` of an app that uses Google Sign-In.
  private mutating func readServices(_ module: String, _ tokens: [SourceToken]) {
    let libraries = [
      "com.google.android.gms:play-services-auth:",
      "com.google.android.libraries.identity.googleid:googleid:",
    ]
    let path = module + "/google-services.json"
    let plugins: Set<String> = ["com.google.gms.google-services"]
    guard paths.contains(path), tokens.contains(where: { $0.text.map(plugins.contains) ?? false }),
      tokens.contains(where: { token in libraries.contains { token.text?.hasPrefix($0) ?? false } }),
      let data = try? ProjectFiles.data(path, limit: Self.sizeLimit),
      let document = JSONValue(bounded: data, maximumBytes: Self.sizeLimit),
      let clients = document["client"]?.array
    else { return }
    func package(_ client: JSONValue) -> String? {
      client["client_info"]?["android_client_info"]?["package_name"]?.string
    }
    let build = GradleBuildFile(module)
    var android = AndroidFacts(name: "", origin: FilePlace(path))
    build.take(into: &android)
    let wanted = android.packageNames
    let own = clients.filter { package($0).map(wanted.contains) ?? false }
    let isDeclared = ProjectFiles(module + "/src").find { $0.hasSuffix(".xml") }.contains { file in
      file.contains("/values") && text(file)?.contains("\"default_web_client_id\"") == true
    }
    let services = VendorFacts.Services(
      packageNames: clients.compactMap(package), wanted: build.hasUnknownID ? [] : wanted,
      hasWebClient: own.contains { client in
        client["oauth_client"]?.array?.contains { $0["client_type"]?.integer == 3 } ?? false
      }, webClientUse: own.isEmpty || isDeclared ? nil : uses("R.string.default_web_client_id", below: module)
    )
    let line = TextLines(data).line(of: "package_name")
    add(wanted.first ?? fileName(module), .google, FilePlace(path, line: line), .services(services))
  }

  // MARK: Property lists

  private mutating func readLists() {
    for (name, vendor) in [("Auth0.plist", Vendor.auth0), ("Okta.plist", .okta)] {
      for path in named(name) {
        guard let list = propertyList(path), let entries = list.dictionary else { continue }
        var values: [String: Found<String>] = [:]
        for entry in entries.prefix(Self.fileLimit) {
          values[entry.key] = entry.value.string.map {
            Found($0.trimmed, FilePlace(path, line: entry.value.line))
          }
        }
        var facts = VendorFacts.List(values: values, keys: Set(entries.map(\.key)))
        if vendor.rule == .auth0Callback, named(name).count == 1 {
          facts.secureCallback = secureCallback
          if facts.secureCallback != nil { facts.domains = associatedDomains }
        }
        add(fileName(folder(of: path)), vendor, FilePlace(path, line: list.line), .list(facts))
      }
    }
  }

  /// Returns a property list, or `nil` if it cannot be read, which is then a finding.
  private mutating func propertyList(_ path: String) -> PropertyListNode? {
    do throws(ReadingError) {
      return try PropertyListReader.read(try ProjectFiles.data(path, limit: Self.sizeLimit))
    } catch {
      unread.append(UnreadFile(path: path, error: error))
      return nil
    }
  }

  /// The place where code that signs in with the values of Auth0.plist asks for an https callback.
  ///
  /// Source: Auth0.swift, `WebAuth.swift` (`useHTTPS`, for iOS 17.4 and later).
  private var secureCallback: FilePlace? {
    let code = ProjectFiles(root).find { $0.hasSuffix(".swift") }
    return code.prefix(Self.codeLimit).lazy.compactMap { path -> FilePlace? in
      guard let source = text(path), source.contains("useHTTPS") else { return nil }
      let tokens = SourceTokens.read(source, of: path)
      for index in tokens.indices.dropLast(2)
      where tokens[index].word == "webAuth" && tokens[index + 2].isSymbol(")") {
        let chain = tokens[(index + 1)...].prefix(80)
          .prefix { !["start", "clearSession", "webAuth", "func"].contains($0.word) }
        guard chain.endIndex < tokens.count, tokens[chain.endIndex].word == "start",
          let call = chain.first(where: { $0.word == "useHTTPS" })
        else { continue }
        return FilePlace(path, line: call.line)
      }
      return nil
    }.first
  }

  private var associatedDomains: FoundList? {
    let lists = ProjectFiles(root).find { $0.hasSuffix(".entitlements") }.prefix(Self.fileLimit)
    var place: FilePlace?
    var items: [Found<String>] = []
    for path in lists {
      guard let list = (try? ProjectFiles.data(path)).flatMap({ try? PropertyListReader.read($0) }) else {
        continue
      }
      let domains = list["com.apple.developer.associated-domains"]
      place = place ?? FilePlace(path, line: domains?.line ?? list.line)
      items += (domains?.strings ?? []).map { Found($0.text, FilePlace(path, line: $0.line)) }
    }
    return place.map { FoundList(items, $0) }
  }

  // MARK: Google Sign-In on Apple's platforms

  private mutating func readClients() {
    for path in paths where path.hasSuffix("Info.plist") && !path.hasSuffix("GoogleService-Info.plist") {
      let isOfGoogle = text(path)?.contains("GIDClientID") == true
      let list =
        isOfGoogle
        ? propertyList(path) : (try? ProjectFiles.data(path)).flatMap { try? PropertyListReader.read($0) }
      guard let info = list,
        ["CFBundleIdentifier", "GIDClientID", "CFBundleURLTypes"].contains(where: { info[$0] != nil }),
        // Tests and frameworks do not receive a response.
        !["BNDL", "FMWK"].contains(info["CFBundlePackageType"]?.string)
      else { continue }
      let types = info["CFBundleURLTypes"]
      let lists = (types?.array ?? []).compactMap { $0["CFBundleURLSchemes"] }
      let schemes = FoundList(
        lists.flatMap(\.strings).prefix(Self.fileLimit).map {
          Found($0.text, FilePlace(path, line: $0.line))
        },
        FilePlace(path, line: lists.first?.line ?? types?.line ?? info.line))
      func add(_ node: PropertyListNode, _ file: String, isConfigured: Bool) {
        guard let id = node.string?.trimmed, !id.isEmpty else { return }
        let client = VendorFacts.Client(
          clientID: Found(id, FilePlace(file, line: node.line)), isConfigured: isConfigured, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, FilePlace(path, line: node.line), .client(client))
      }
      if let id = info["GIDClientID"] {
        add(id, path, isConfigured: true)
      } else if let id = clientInCode(near: path) {
        let client = VendorFacts.Client(clientID: id, isConfigured: true, schemes: schemes)
        self.add(fileName(folder(of: path)), .google, id.place, .client(client))
      } else if let file = servicesList(near: path),
        let list = (try? ProjectFiles.data(file)).flatMap({ try? PropertyListReader.read($0) }),
        let id = list["CLIENT_ID"], usesGoogle(near: path)
      {
        add(id, file, isConfigured: false)
      }
    }
  }

  /// Returns the client ID that code gives to Google's library as text, `GIDConfiguration(clientID: "…")`, or `nil` if
  /// no code beside an Info.plist does so.
  private func clientInCode(near path: String) -> Found<String>? {
    for file in ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit) {
      guard let source = text(file), source.contains("GIDConfiguration") else { continue }
      let tokens = SourceTokens.read(source, of: file)
      for (index, token) in tokens.enumerated() where token.word == "GIDConfiguration" {
        let next = tokens[(index + 1)...].prefix(8)
        if next.contains(where: { ["clientID", "initWithClientID"].contains($0.word) }),
          let literal = next.first(where: { $0.text != nil }), let id = literal.text,
          id.hasSuffix(".apps.googleusercontent.com")
        {
          return Found(id, FilePlace(file, line: literal.line))
        }
      }
    }
    return nil
  }

  /// Returns the GoogleService-Info.plist beside an Info.plist, or the only one below its folder.
  private func servicesList(near path: String) -> String? {
    let own = sourceFolder(near: path)
    let all = named("GoogleService-Info.plist")
    let below = all.filter { $0.hasPrefix(own + "/") }
    return all.first { folder(of: $0) == folder(of: path) } ?? (below.count == 1 ? below[0] : nil)
  }

  /// Returns the folder of an Info.plist, or the next one above it that has sources: property lists may have their own
  /// folder.
  private func sourceFolder(near path: String) -> String {
    var base = folder(of: path)
    while ProjectFiles(base).find(SourceLanguage.isSource).isEmpty, base.count > root.count {
      base = folder(of: base)
    }
    return base
  }

  /// Returns whether the app of an Info.plist uses Google Sign-In: its sources, or the wrapper's project file.
  private func usesGoogle(near path: String) -> Bool {
    let own = folder(of: path)
    let project = folder(of: folder(of: own))
    for (file, sign) in [
      (project + "/pubspec.yaml", "google_sign_in:"),
      (project + "/package.json", "\"@react-native-google-signin/google-signin\""),
    ] where paths.contains(file) && text(file)?.contains(sign) == true {
      return true
    }
    return ProjectFiles(sourceFolder(near: path)).find(SourceLanguage.isSource).prefix(Self.codeLimit)
      .contains { file in
        let source = text(file) ?? ""
        return ["import GoogleSignIn", "<GoogleSignIn/", "import FirebaseGoogleAuthUI"].contains(
          where: source.contains)
      }
  }
}
