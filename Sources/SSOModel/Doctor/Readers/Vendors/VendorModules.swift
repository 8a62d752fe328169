import SSOCore

/// The parts of a vendor's library in the modules of an Android app: build files, manifests, configurations, and code.
extension VendorReader {
  mutating func readModules() {
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
      // The build files of other apps say nothing about this one, and neither do scripts that no build applies.
      let shared = builds.filter { other in
        (!modules.contains(other.key) || other.key == path)
          && (["build.", "settings."].contains(where: fileName(other.key).hasPrefix)
            || Self.isApplied(fileName(other.key), builds))
      }
      var uses = false
      // A build that sets AppAuth's placeholder has it through another library, if not by itself.
      for vendor in Vendor.android.filter({ $0 != .appAuth }) + [.appAuth] {
        guard
          let place = dependency(on: vendor, in: own, path, aliases) ?? wrapper(of: vendor, module)
            ?? (vendor == .appAuth && !uses ? Self.placeholder(vendor.schemeName, in: own, path) : nil)
        else {
          readMissingDependency(on: vendor, module, path)
          // Before, an app declared the filter itself.
          if let place = wrapper(of: vendor, module, isOld: true) {
            readModule(module, path, place, vendor, shared, isFilterOwn: true)
          }
          continue
        }
        uses = true
        readModule(module, path, place, vendor, shared)
      }
      readServices(module, own)
    }
  }

  /// Returns whether a build file names a script: `apply from: "../config/lamp.gradle"`.
  private static func isApplied(_ name: String, _ builds: [String: [SourceToken]]) -> Bool {
    builds.contains { path, tokens in
      fileName(path) != name
        && tokens.contains { $0.text.map { $0 == name || $0.hasSuffix("/" + name) } ?? false }
    }
  }

  /// Returns the folder of a module's sources and resources; as Eclipse had them, they are in the module's own.
  static func contents(of module: String) -> String {
    ProjectFiles.isFolder(module + "/src") ? module + "/src" : module
  }

  /// Reads a dependency that is misspelt or a comment in the build file of a module whose code imports the library.
  private mutating func readMissingDependency(on vendor: Vendor, _ module: String, _ path: String) {
    // `com.auth0.android.provider`
    let package = vendor.activity.split(separator: ".").dropLast().joined(separator: ".")
    let builds = paths.filter { $0.hasSuffix(".gradle") || $0.hasSuffix(".kts") || $0.hasSuffix(".toml") }
      .map { ($0, text($0) ?? "") }
    guard vendor != .oktaAppAuth, !module.hasSuffix("/android/app"),
      let found = GradleReader.missingDependency(
        builds, of: vendor.artifacts[0],
        signs: vendor.artifacts.compactMap { $0.split(separator: ":").last.map(String.init) }),
      uses("import \(package)", below: module) != nil
    else { return }
    var facts = VendorFacts.Module()
    facts.missingDependency = found
    add(fileName(module), vendor, FilePlace(path), .module(facts))
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

  /// Returns the place where a build file sets a placeholder.
  private static func placeholder(_ name: String, in tokens: [SourceToken], _ path: String) -> FilePlace? {
    let token = tokens.first { ($0.word ?? $0.text) == name }
    return tokens.contains { $0.word == "manifestPlaceholders" }
      ? token.map { FilePlace(path, line: $0.line) } : nil
  }

  /// Returns whether a version, such as `2.13.3`, is not before another one; `true` if it is not known.
  static func isVersion(_ text: Substring, since first: [Int]) -> Bool {
    let parts = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
    return parts.isEmpty || !parts.lexicographicallyPrecedes(first)
  }

  /// Returns the place of a Flutter or React Native package that brings in the library, or `nil` if the project does
  /// not use one; the version without a filter in its own manifest is old.
  private func wrapper(of vendor: Vendor, _ module: String, isOld: Bool = false) -> FilePlace? {
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
        guard Self.isVersion(version, since: wrapper.since) != isOld else { continue }
        return FilePlace(file, line: index + 1)
      }
    }
    return nil
  }

  private mutating func readModule(
    _ module: String, _ build: String, _ place: FilePlace, _ vendor: Vendor,
    _ builds: [String: [SourceToken]], isFilterOwn: Bool = false
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
    facts.missing = isFilterOwn ? [] : vendor.placeholders.map(\.name).filter { !words.contains($0) }
    let file = GradleBuildFile(module)
    var android = AndroidFacts(name: "", origin: place)
    file.take(into: &android)
    facts.packageNames = file.hasUnknownID ? [] : android.packageNames
    // The resources and manifests of libraries are merged with the app's.
    let libraries = builds.keys.filter { $0 != build && fileName($0).hasPrefix("build.gradle") }.sorted()
    let modules = [module] + libraries.map(folder(of:))
    let strings = AndroidStrings(modules: modules, declaredBy: words)
    for (path, tokens) in builds.sorted(by: {
      ($0.key == build ? "" : $0.key) < ($1.key == build ? "" : $1.key)
    }) {
      facts.misnamed = facts.misnamed ?? Self.misnamedPlaceholders(in: tokens, path)
      for name in vendor.placeholders.map(\.name) where facts.values[name, default: []].isEmpty {
        facts.values[name] = values(of: name, in: tokens, path, strings, &facts)
      }
    }
    readProperties(build, module, vendor, &facts)
    // An entry of a map that another one replaces is not set.
    let own = builds[build] ?? []
    for name in vendor.placeholders.map(\.name) where !isFilterOwn && !facts.missing.contains(name) {
      let places = builds.values.flatMap { tokens in
        tokens.indices.filter { (tokens[$0].word ?? tokens[$0].text) == name }.map { (tokens, $0) }
      }
      if own.contains(where: { ($0.word ?? $0.text) == name }),
        places.allSatisfy({ Self.isReplaced($0.1, in: $0.0) })
      {
        facts.missing.append(name)
      }
    }
    guard readManifests(modules, vendor, strings, isFilterOwn: isFilterOwn, words, &facts) else { return }
    if !facts.hasOwnActivity {
      facts.lackingVariant =
        vendor.placeholders.lazy.compactMap { Self.variant(lacking: $0.name, in: builds[build] ?? [], build) }
        .first
    }
    // Okta's client without a browser does not receive a response.
    let isWithoutBrowser =
      vendor == .okta && calls("AuthBuilder", below: module) && !calls("WebAuthBuilder", below: module)
    if !isWithoutBrowser { readConfiguration(module, vendor, &facts) }
    if facts.redirectURIs.isEmpty, !isWithoutBrowser, [.appAuth, .okta].contains(vendor) {
      facts.redirectURIs = redirects(
        of: .code, in: modules.map { $0 + "/src/main" }, builds)
      facts.signOutURIs += redirects(of: .signOut, in: modules.map { $0 + "/src/main" }, builds)
    }
    if vendor == .auth0 { readAuth0(modules, place, strings, &facts) }
    if isFilterOwn, facts.isCalled, facts.manifestSchemes.isEmpty {
      let manifest = module + "/src/main/AndroidManifest.xml"
      facts.lackingFilter = ProjectFiles.exists(manifest) ? FilePlace(manifest) : nil
    }
    if vendor == .appAuth, fileName(place.path) == "package.json" {
      facts.redirectURIs += redirects(of: .script, in: [folder(of: place.path)])
      readAppAuthScripts(folder(of: place.path), &facts)
    }
    if vendor == .appAuth, fileName(place.path) == "pubspec.yaml" {
      facts.redirectURIs += redirects(of: .dart, in: [folder(of: place.path) + "/lib"])
      readAppAuthDart(folder(of: place.path), &facts)
    }
    let line = builds[build]?.first { $0.word == "defaultConfig" }?.line
    // The plugin sets the keys of a file that is not published.
    let setsKeys = words.contains {
      $0.hasSuffix("secrets-gradle-plugin") || $0.hasSuffix("secrets.gradle.plugin")
    }
    facts.unset.removeAll { unset in setsKeys || facts.missing.contains(unset.name) }
    let origin =
      facts.missing.isEmpty && facts.unset.isEmpty ? place : FilePlace(build, line: line ?? place.line)
    facts.undeclared = facts.undeclared.reduce(into: []) { all, resource in
      if !all.contains(where: { $0.name.value == resource.name.value }) { all.append(resource) }
    }
    facts.isWithheld = Self.isWithheld(facts.undeclared.map(\.name.value), below: root)
    add(facts.packageName ?? fileName(module), vendor, origin, .module(facts))
  }

  /// Reads the manifests of modules, and returns whether all can be read.
  private func readManifests(
    _ modules: [String], _ vendor: Vendor, _ strings: AndroidStrings, isFilterOwn: Bool, _ words: Set<String>,
    _ facts: inout VendorFacts.Module
  ) -> Bool {
    // A build may name the manifest in the module's folder (`srcFile`), where Eclipse had it.
    for folder in modules.flatMap(GradleReader.sourceSets(of:)) + modules {
      let manifest = folder + "/AndroidManifest.xml"
      guard ProjectFiles.exists(manifest) else { continue }
      guard let element = (try? ProjectFiles.data(manifest)).flatMap({ try? XMLReader.read($0) }) else {
        return false
      }
      for activity in element.elements("application").flatMap({ $0.elements("activity") }) {
        let isReplaced = ["replace", "remove"].contains(activity["tools:node"]?.value)
        let isOfVendor = activity["android:name"]?.value == vendor.activity
        if isReplaced, isOfVendor { facts.missing = [] }
        if isOfVendor {
          facts.hasOwnActivity = true
          facts.pageHosts = Self.pageHosts(of: activity, facts)
        }
        for data in activity.elements("intent-filter").flatMap({ $0.elements("data") }) {
          if let scheme = data["android:scheme"]?.value { facts.manifestSchemes.insert(scheme) }
          for attribute in data.attributes where attribute.value.hasPrefix("@string/") {
            let name = String(attribute.value.dropFirst("@string/".count))
            guard strings.values(of: name) == nil else { continue }
            facts.undeclared.append(strings.undeclared(name, FilePlace(manifest, line: attribute.line)))
          }
          if isFilterOwn, let prefix = data["android:pathPrefix"], prefix.value.hasSuffix("/callback") {
            if let id = facts.packageName {
              let path = prefix.value.replacing("${applicationId}", with: id)
              facts.callbackPath = Found(path, FilePlace(manifest, line: prefix.line))
            }
            for placeholder in vendor.placeholders {
              let part = data["android:" + placeholder.attribute]
              let value = part?.value.replacing("${applicationId}", with: facts.packageName ?? "@")
              guard let value, !value.hasPrefix("@"), !value.contains("$") else { continue }
              facts.values[placeholder.name, default: []].append(
                Found(value, FilePlace(manifest, line: part?.line)))
            }
          }
          facts.unset += Self.placeholders(of: data, manifest).filter { unset in
            !words.contains(unset.name) && !facts.unset.contains { $0.name == unset.name }
          }
        }
      }
    }
    return true
  }

  /// Returns the hosts of the https addresses that an activity takes, or none if one of them is not known.
  private static func pageHosts(of activity: XMLElement, _ facts: VendorFacts.Module) -> Set<String> {
    var hosts: Set<String> = []
    for filter in activity.elements("intent-filter") {
      let data = filter.elements("data")
      guard data.contains(where: { $0["android:scheme"]?.value == "https" }) else { continue }
      let written = data.compactMap { $0["android:host"]?.value }
      let known = written.map { host in
        facts.values.reduce(host) { text, value in
          value.value.count == 1 ? text.replacing("${\(value.key)}", with: value.value[0].value) : text
        }
      }
      guard !known.isEmpty,
        !known.contains(where: { $0.contains("$") || $0.contains("@") || $0.contains("*") })
      else { return [] }
      hosts.formUnion(known)
    }
    return hosts
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

  /// Returns the build type or flavour without a value of a placeholder that others have, or `nil` if all builds have one.
  ///
  /// Source: developer.android.com/build/build-variants: the types `debug` and `release` are always there, and a build has a
  /// flavour of each dimension.
  private static func variant(
    lacking name: String, in tokens: [SourceToken], _ path: String
  ) -> Found<String>? {
    let places = tokens.indices.filter { (tokens[$0].word ?? tokens[$0].text) == name }
    guard let first = places.first else { return nil }
    for (block, usual) in [("buildTypes", ["debug", "release"]), ("productFlavors", [])] {
      let bodies = GradleSigning.blocks(of: block, in: tokens)
      let isThere = places.allSatisfy { place in bodies.values.contains { $0.indices.contains(place) } }
      guard isThere, bodies["all"] == nil, bodies["configureEach"] == nil,
        !bodies.values.contains(where: { $0.contains { $0.word == "initWith" } }),
        usual.count > 1 || GradlePackageNames.dimensions(of: bodies).count < 2
      else { continue }
      let lacking = Set(bodies.keys).union(usual).sorted().first { name in
        bodies[name].map { body in !places.contains { body.indices.contains($0) } } ?? true
      }
      return lacking.map { Found($0, FilePlace(path, line: tokens[first].line)) }
    }
    return nil
  }

  /// Returns the placeholders in the attributes of a `<data>`, except the ones set by Gradle itself.
  private static func placeholders(of data: XMLElement, _ path: String) -> [VendorFacts.Unset] {
    data.attributes.compactMap { attribute in
      VendorFacts.Unset(
        String(attribute.name.split(separator: ":").last ?? ""), of: attribute.value,
        at: FilePlace(path, line: attribute.line))
    }
  }

  /// Returns whether a later assignment in the same block replaces the map with an entry: `manifestPlaceholders = […]`.
  private static func isReplaced(_ index: Int, in tokens: [SourceToken]) -> Bool {
    let name = "manifestPlaceholders"
    guard let own = tokens[..<index].lastIndex(where: { $0.word == name }) else { return false }
    var depth = 0
    for place in tokens.indices[(own + 1)...] {
      if tokens[place].isSymbol("{") { depth += 1 }
      if tokens[place].isSymbol("}") { depth -= 1 }
      guard depth >= 0 else { return false }
      if depth == 0, place > index, tokens[place].word == name, tokens.indices.contains(place + 1),
        tokens[place + 1].isSymbol("=")
      {
        return true
      }
    }
    return false
  }

  /// Returns the misspelt name of the placeholders' map, which Gradle does not know: `manifestPlaceholder = […]`.
  private static func misnamedPlaceholders(in tokens: [SourceToken], _ path: String) -> Found<String>? {
    let name = "manifestPlaceholders"
    return tokens.indices.dropFirst().dropLast(2).lazy.compactMap { index in
      guard let word = tokens[index].word, word != name,
        !["def", "val", "var"].contains(tokens[index - 1].word),
        ["=", "[", "+"].contains(where: { tokens[index + 1].isSymbol($0) }),
        [name].closestSpelling(to: word, most: 3) != nil
      else { return nil }
      return Found(word, FilePlace(path, line: tokens[index].line))
    }.first
  }

  /// Returns the values of a placeholder, each of a build: `name: "value"`, `"name" to "value"`, `["name"] = "value"`;
  /// none if one of them is not known.
  private func values(
    of name: String, in tokens: [SourceToken], _ path: String, _ strings: AndroidStrings,
    _ facts: inout VendorFacts.Module
  ) -> [Found<String>] {
    var found: [Found<String>] = []
    for index in tokens.indices
    where (tokens[index].word ?? tokens[index].text) == name && !Self.isReplaced(index, in: tokens) {
      let rest = tokens[(index + 1)...].prefix(3).drop { token in
        [":", "=", "]", ","].contains { token.isSymbol($0) } || token.word == "to"
      }
      // `name: applicationId`
      guard var text = rest.first?.text ?? (rest.first?.word == "applicationId" ? "${applicationId}" : nil)
      else { return [] }
      for id in facts.packageNames.prefix(1) { text = text.replacing("${applicationId}", with: id) }
      guard !text.contains("$") else { return [] }
      let place = FilePlace(path, line: tokens[index].line)
      guard let resource = text.hasPrefix("@string/") ? text.dropFirst("@string/".count) : nil else {
        found.append(Found(text, place))
        continue
      }
      guard let all = strings.values(of: String(resource)) else {
        facts.undeclared.append(strings.undeclared(String(resource), place))
        return []
      }
      guard !all.isEmpty else { return [] }
      found += all
    }
    return found
  }

  /// Returns whether a file of the project says that resources are not published: their names, or those of files with
  /// resources.
  static func isWithheld(_ names: [String], below root: String) -> Bool {
    guard !names.isEmpty else { return false }
    let ends = [".md", ".yml", ".yaml", ".sh", ".properties", ".example"]
    let others = ProjectFiles(root).find { name in
      name == ".gitignore" || ends.contains(where: name.hasSuffix)
    }
    return others.prefix(codeLimit).contains { path in
      guard let data = try? ProjectFiles.data(path, limit: sizeLimit) else { return false }
      return names.contains { data.hasBytes($0) }
        || path.hasSuffix(".gitignore")
          && ["/values", "strings.xml", "auth0.xml", "secrets"].contains { data.hasBytes($0) }
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
    let isOfWrapper = googleWrapper(above: module) != nil
    guard
      isOfWrapper
        || tokens.contains(where: { token in libraries.contains { token.text?.hasPrefix($0) ?? false } })
    else { return }
    let document = (try? ProjectFiles.data(path, limit: Self.sizeLimit)).flatMap { data in
      JSONValue(bounded: data, maximumBytes: Self.sizeLimit).map { ($0, TextLines(data)) }
    }
    let wrong = wrongWebClients(module, document?.0["client"]?.array ?? [])
    guard paths.contains(path), tokens.contains(where: { $0.text.map(plugins.contains) ?? false }),
      let (document, lines) = document, let clients = document["client"]?.array
    else {
      guard let first = wrong.first else { return }
      return add(
        fileName(module), .google, first.place,
        .services(
          VendorFacts.Services(
            packageNames: [], wanted: [], hasWebClient: true, webClientUse: nil, wrongClients: wrong)))
    }
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
      },
      webClientUse: own.isEmpty || isDeclared ? nil : uses("R.string.default_web_client_id", below: module),
      wrongClients: wrong)
    let line = lines.line(of: "package_name")
    add(wanted.first ?? fileName(module), .google, FilePlace(path, line: line), .services(services))
  }
}
