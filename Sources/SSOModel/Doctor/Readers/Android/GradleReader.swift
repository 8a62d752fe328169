import SSOCore
import SSODevice

/// A reader of the facts of each app module in a Gradle project.
///
/// A module's files are in its source sets: `src/main`, and one for each flavour and build type. A library's files
/// belong to each app of the project.
enum GradleReader {
  static let codeLimit = 2000
  private static let setLimit = 100
  /// The maximum size of a configuration, in bytes.
  private static let configurationLimit = 1 << 20

  /// Returns the apps below a folder that use MSAL, and the files that cannot be read.
  static func read(_ files: ProjectFiles) -> (apps: [AndroidFacts], unread: [UnreadFile]) {
    var apps: [AndroidFacts] = []
    var libraries: [AndroidFacts] = []
    var unread: [UnreadFile] = []
    let manifests = files.find { $0 == "AndroidManifest.xml" }
    for path in manifests where isMain(path, manifests) {
      let main = folder(of: path)
      let module = folder(of: folder(of: main))
      let build = GradleBuildFile(module)
      var facts = AndroidFacts(name: fileName(module), origin: FilePlace(path))
      build.take(into: &facts)
      let sets = [main] + sourceSets(of: module).filter { $0 != main }
      // Code says which resources are configurations.
      for set in sets { takeCode(set, &facts) }
      for set in sets {
        takeManifest(set + "/AndroidManifest.xml", build, &facts, &unread)
        for raw in ProjectFiles(set + "/res").folders(depth: 1) where fileName(raw).hasPrefix("raw") {
          facts.rawResources.formUnion(ProjectFiles.names(in: raw).map(fileStem))
        }
        let raw = ProjectFiles(set + "/res").find { $0.hasSuffix(".json") }.filter { $0.contains("/raw") }
        for file in raw + ProjectFiles(set + "/assets").find({ $0.hasSuffix(".json") }) {
          take(file, &facts, &unread)
        }
      }
      takeDefault(&facts)
      unread += facts.removeOtherMalformed()
      takeSigning(build, module, files.root, &facts)
      takeFlutter(module, &facts, &unread)
      // Animations and other resources of any size are beside a configuration that code names.
      unread.removeAll { file in
        file.path.hasPrefix(module + "/") && file.error == .tooLarge(Self.configurationLimit)
          && !facts.made.contains { $0.names(file.path) }
      }
      if build.hasUnknownID { facts.packageName = nil }
      // Android Studio gives the module of every app this name.
      if facts.name == "app", let own = facts.packageName?.value.split(separator: ".").last {
        facts.name = String(own)
      }
      // A copy of MSAL beside the app has its defaults in a configuration.
      if build.isLibrary, facts.packageName?.value.hasPrefix("com.microsoft.identity.") == true { continue }
      if build.isLibrary { libraries.append(facts) } else { apps.append(facts) }
    }
    if apps.isEmpty {
      // A library's own manifest does not name an app, and its app may declare the activity.
      apps = libraries.map { library in
        var app = library
        (app.packageName, app.manifest) = (nil, nil)
        return app
      }
    } else {
      for index in apps.indices {
        let own = root(of: apps[index])
        for library in libraries {
          if root(of: library) == own {
            apps[index].merge(library)
          } else if isExample(apps[index], of: library) {
            apps[index].usage = apps[index].usage ?? library.usage
          }
        }
      }
    }
    takeUnpublished(below: files, &apps)
    for index in apps.indices { takeBuild(below: files, &apps[index]) }
    return (apps.filter { $0.showsMSAL && ($0.usage != nil || mayDepend($0, files.root)) }, unread)
  }

  /// Returns whether an app is below the package of a wrapper, whose module for Android is a library.
  private static func isExample(_ app: AndroidFacts, of library: AndroidFacts) -> Bool {
    let package = folder(of: folder(of: folder(of: folder(of: library.origin.path))))
    return app.origin.path.hasPrefix(package + "/")
      && ["pubspec.yaml", "package.json"].contains { ProjectFiles.exists(package + "/" + $0) }
  }

  /// Records the missing raw resources of calls that another file names, because a build makes them or they are not
  /// published.
  private static func takeUnpublished(below files: ProjectFiles, _ apps: inout [AndroidFacts]) {
    let missing = apps.map { Set($0.made.compactMap(\.resource)).subtracting($0.rawResources) }
    guard missing.contains(where: { !$0.isEmpty }) else { return }
    let ends = [".gradle", ".kts", ".yml", ".yaml", ".sh", ".md", ".properties"]
    let others = files.find { name in name == ".gitignore" || ends.contains(where: name.hasSuffix) }
    for path in others.prefix(codeLimit) {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20) else { continue }
      let isOfAll = ["res/raw", "/raw/", "*.json"].contains { data.hasBytes($0) } && !path.hasSuffix(".md")
      let text = String(decoding: data, as: UTF8.self)
      for index in apps.indices {
        apps[index].unpublishedResources.formUnion(missing[index].filter { isOfAll || text.hasWord($0) })
      }
    }
  }

  /// The dependency that brings in MSAL.
  static let artifact = "com.microsoft.identity.client:msal"

  /// Returns the name that a resource of a file can have, or `nil` if its own is one.
  static func resourceName(insteadOf path: String) -> String? {
    let name = fileName(path)
    let stem = name.prefix { $0 != "." }
    func isPart(_ character: Character, _ lowercase: Bool) -> Bool {
      character == "_"
        || character.isASCII
          && (character.isNumber || character.isLetter && !lowercase || character.isLowercase)
    }
    guard let first = stem.first, !stem.allSatisfy({ isPart($0, true) }) || first.isNumber else { return nil }
    let right = stem.lowercased().map { isPart($0, true) ? $0 : "_" }
    return (first.isNumber ? "_" : "") + String(right) + name.dropFirst(stem.count)
  }

  /// Returns whether a project may depend on MSAL: a configuration, or an activity in a manifest, may be left over from
  /// a dependency that was removed.
  private static func mayDepend(_ facts: AndroidFacts, _ root: String) -> Bool {
    let module = folder(of: folder(of: folder(of: facts.origin.path)))
    guard ProjectFiles.gradleNames.contains(where: { ProjectFiles.exists(module + "/" + $0) }) else {
      return true
    }
    let ends = [".gradle", ".kts", ".toml", ".csproj", ".aar", ".jar"]
    let packages: Set<String> = ["package.json", "pubspec.yaml", "plugin.xml", "config.xml"]
    let files = ProjectFiles(root).find { name in
      packages.contains(name) || ends.contains(where: name.hasSuffix)
    }
    return files.count > codeLimit || files.contains(where: mentionsMSAL)
  }

  /// Returns whether a file of a build names MSAL, or a package that may bring it in, outside comments.
  private static func mentionsMSAL(_ path: String) -> Bool {
    let isGradle = path.hasSuffix(".gradle") || path.hasSuffix(".kts")
    func isSign(_ text: some StringProtocol) -> Bool {
      let text = text.lowercased()
      return ["msal", "msauth", "microsoft.identity"].contains(where: text.contains)
        || !isGradle && ["microsoft", "azure"].contains(where: text.contains)
    }
    if path.hasSuffix(".aar") || path.hasSuffix(".jar") { return isSign(fileName(path)) }
    guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { return true }
    guard isGradle else {
      if fileName(path) == "pubspec.yaml" {
        return PubspecDependency.all(in: text).contains { $0.texts.contains { isSign($0) } }
      }
      return text.lines.contains { isSign($0) && !$0.trimmed.hasPrefix("#") }
    }
    return SourceTokens.read(text, of: path).contains { token in
      (token.word ?? token.text).map { isSign($0) } ?? false
    }
  }

  /// The resource of MSAL with its defaults, which a resource of the app with the same name replaces.
  private static let defaultResource = "msal_default_config"

  /// Takes a copy of MSAL's defaults from the configurations, unless code names it as the app's own: the app passes the
  /// rest of the settings in code.
  ///
  /// A file with the app's client ID and redirect URI is its configuration if it is the only one, as with msal_flutter,
  /// which does not pass another.
  ///
  /// Sources: microsoft-authentication-library-for-android, `PublicClientApplicationConfigurationFactory`,
  /// `loadDefaultConfiguration`; moodio/msal-flutter, `example/android/app/src/main/res/raw`.
  private static func takeDefault(_ facts: inout AndroidFacts) {
    guard !facts.namedResources.contains(defaultResource) else { return }
    func isDefault(_ configuration: AndroidFacts.Configuration) -> Bool {
      configuration.path.contains("/res/raw") && fileName(configuration.path) == defaultResource + ".json"
    }
    if let own = facts.configurations.first(where: isDefault) {
      facts.usesBrokerByDefault = own.isBrokerRegistered?.value ?? false
      let isWhole = own.clientID != nil && own.redirectURI != nil
      if isWhole, !facts.isMadeInCode, facts.configurations.allSatisfy(isDefault) { return }
    }
    facts.configurations.removeAll(where: isDefault)
  }

  /// Records the certificates of the keystores in the project; Expo's service signs builds with its own key.
  private static func takeSigning(
    _ build: GradleBuildFile, _ module: String, _ root: String, _ facts: inout AndroidFacts
  ) {
    let signing = build.signing(project: self.root(of: facts), root: root)
    facts.keystoreHashes = signing.hashes
    facts.isSigningKnown =
      signing.isWhole && !ProjectFiles.exists(folder(of: folder(of: module)) + "/eas.json")
  }

  /// Returns the folder of the Gradle project to which a module belongs, or an empty string if the files do not name
  /// one.
  private static func root(of facts: AndroidFacts) -> String {
    var path = folder(of: facts.origin.path)
    while !path.isEmpty {
      if ["settings.gradle", "settings.gradle.kts"].contains(where: { ProjectFiles.exists(path + "/" + $0) })
      {
        return path
      }
      let parent = folder(of: path)
      guard parent.count < path.count else { break }
      path = parent
    }
    return ""
  }

  /// Returns whether a manifest is a module's own, in a project for Android or, in `androidMain`, for several platforms.
  private static func isMain(_ path: String, _ all: [String]) -> Bool {
    let name = "/AndroidManifest.xml"
    if path.hasSuffix("/src/main" + name) { return true }
    return path.hasSuffix("/src/androidMain" + name)
      && !all.contains(folder(of: folder(of: path)) + "/main" + name)
  }

  /// The Flutter packages that pass an entire asset to MSAL, whose object they create for a single account.
  ///
  /// Sources: msal_mobile, `Authenticator.java`; flutter_microsoft_authentication,
  /// `FlutterMicrosoftAuthenticationPlugin.kt`.
  private static let wholeAssetPackages = ["msal_mobile:", "flutter_microsoft_authentication:"]

  /// Records what Dart passes to MSAL: an asset as the configuration, and the account mode.
  ///
  /// Source: msal_auth, `lib/src/utils/utils.dart`, which adds only the client ID and redirect URI to the asset.
  private static func takeFlutter(
    _ module: String, _ facts: inout AndroidFacts, _ unread: inout [UnreadFile]
  ) {
    takeRedirectMaker(module, &facts)
    guard module.hasSuffix("/android/app") else { return }
    let project = folder(of: folder(of: module))
    let text = (try? ProjectFiles.text(project + "/pubspec.yaml", limit: 1 << 20)) ?? ""
    let isWhole = wholeAssetPackages.contains(where: text.contains)
    guard isWhole || text.contains("msal_auth") else { return }
    let count = facts.configurations.count
    for file in ProjectFiles(project + "/assets").find({ $0.hasSuffix(".json") }).prefix(setLimit) {
      take(file, &facts, &unread)
    }
    let dart = isWhole ? nil : DartReader.read(project, package: "msal_auth", on: .android)
    if !isWhole {
      for index in count..<facts.configurations.count {
        facts.configurations[index].isCompletedByCode = true
        let path = facts.configurations[index].path
        let isOwn =
          dart?.asset.map { project + "/" + $0.value == path } ?? (facts.configurations.count == count + 1)
        guard let dart, isOwn else { continue }
        // The package puts what Dart passes in place of the asset's own values.
        if dart.clientID != .absent { facts.configurations[index].clientID = dart.clientID.found }
        if dart.androidRedirectURI != .absent {
          facts.configurations[index].redirectURI = dart.androidRedirectURI.found
        }
      }
      // Of several assets, the package reads only the asset that Dart names.
      if let own = dart?.asset.map({ project + "/" + $0.value }),
        facts.configurations[count...].contains(where: { $0.path == own })
      {
        facts.configurations.removeAll { $0.path.hasPrefix(project + "/assets/") && $0.path != own }
      }
    }
    if let asset = dart?.asset { takeListing(of: asset, text, project + "/pubspec.yaml", &facts) }
    guard facts.configurations.count == count + 1, let asset = facts.configurations.last else { return }
    if let dart, let named = dart.asset, project + "/" + named.value == asset.path,
      dart.androidRedirectURI == .absent || dart.androidRedirectURI.found != nil
    {
      // The package makes MSAL's object of it.
      facts.usage = facts.usage ?? named.place
    }
    let name = String(asset.path.dropFirst(project.count + 1))
    let calls: [String: AccountMode] =
      isWhole
      ? ["'\(name)'": .single, "\"\(name)\"": .single]
      : ["SingleAccountPca.create(": .single, "MultipleAccountPca.create(": .multiple]
    var made: [AccountMode: FilePlace] = [:]
    let code = ProjectFiles(project + "/lib").find { $0.hasSuffix(".dart") }
    for path in code.prefix(codeLimit) {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20) else { continue }
      for (call, mode) in calls where data.hasBytes(call) { made[mode] = made[mode] ?? FilePlace(path) }
    }
    guard made.count == 1, let (mode, place) = made.first else { return }
    if isWhole { facts.usage = facts.usage ?? place }
    facts.made.append(AndroidFacts.Made(mode: mode, path: asset.path, place: place))
  }

  /// Records the package of a wrapper that makes the redirect URI of the package name and a hash in its settings.
  ///
  /// Source: cordova-plugin-msal, `src/android/MsalPlugin.java`.
  private static func takeRedirectMaker(_ module: String, _ facts: inout AndroidFacts) {
    let path = folder(of: folder(of: module)) + "/package.json"
    guard facts.activity != nil, let text = try? ProjectFiles.text(path, limit: 1 << 20),
      let index = text.lines.firstIndex(where: { $0.trimmed.hasPrefix("\"cordova-plugin-msal\":") })
    else { return }
    facts.redirectMaker = FilePlace(path, line: index + 1)
    facts.usage = facts.usage ?? facts.redirectMaker
  }

  /// Records an asset that Dart names and that `pubspec.yaml` does not list, neither itself nor its folder.
  private static func takeListing(
    of asset: Found<String>, _ pubspec: String, _ path: String, _ facts: inout AndroidFacts
  ) {
    let entries = pubspec.lines.enumerated().filter { $0.element.trimmed.hasPrefix("- ") }
      .map { $0.element.trimmed.dropFirst(2).trimmed.trimmingPrefix("path:") }
      .map { String($0).trimming { $0.properties.isWhitespace || $0 == "\"" || $0 == "'" } }
    guard !entries.contains(asset.value), !entries.contains(folder(of: asset.value) + "/") else { return }
    let line = pubspec.lines.firstIndex { $0.trimmed == "assets:" }
    facts.unlistedAsset = Found(asset.value, FilePlace(path, line: line.map { $0 + 1 } ?? 1))
  }

  /// Returns whether the plugins in a folder may set placeholders: a source does, or there are no sources.
  private static func setsPlaceholders(_ plugins: String) -> Bool {
    guard ProjectFiles.isFolder(plugins) else { return false }
    let ends = [".kt", ".kts", ".java", ".gradle", ".groovy"]
    let files = ProjectFiles(plugins).find { name in ends.contains(where: name.hasSuffix) }
      .filter { $0.contains("/src/") }
    return files.isEmpty || files.count > codeLimit
      || files.contains { path in
        (try? ProjectFiles.data(path, limit: 1 << 20))?.hasBytes("laceholder") ?? true
      }
  }

  /// Returns whether a module's project has its own build plugins, whose settings are not known: `buildSrc`, or a build
  /// that `settings.gradle` includes.
  static func hasOwnPlugins(above module: String, below root: String) -> Bool {
    var base = module
    while true {
      if ["buildSrc", "build-logic"].contains(where: { setsPlaceholders(base + "/" + $0) }) {
        return true
      }
      for name in ["settings.gradle", "settings.gradle.kts"] {
        let text = try? ProjectFiles.text(base + "/" + name, limit: 1 << 20)
        let tokens = text.map { SourceTokens.read($0, of: name) } ?? []
        for index in tokens.indices where tokens[index].word == "includeBuild" {
          let path = tokens[(index + 1)...].prefix(2).compactMap(\.text).first
          // Plugins of libraries do not set an app's values.
          if let path, !path.contains("$"), !path.contains("node_modules"),
            setsPlaceholders(base + "/" + path)
          {
            return true
          }
        }
      }
      guard base.count > root.count, folder(of: base) != base, base != "." else { return false }
      base = folder(of: base)
    }
  }

  /// Returns the source sets of a module, the main one first, except those of its tests.
  static func sourceSets(of module: String) -> [String] {
    let sets = ProjectFiles(module + "/src").folders(depth: 1).dropFirst().filter { set in
      let name = fileName(set)
      return !name.hasPrefix("test") && !name.hasPrefix("androidTest")
    }.prefix(setLimit)
    return sets.filter { fileName($0) == "main" } + sets.filter { fileName($0) != "main" }
  }

  private static func takeManifest(
    _ path: String, _ build: GradleBuildFile, _ facts: inout AndroidFacts, _ unread: inout [UnreadFile]
  ) {
    guard ProjectFiles.exists(path) else { return }
    do throws(ReadingError) {
      let manifest = try XMLReader.read(try ProjectFiles.data(path))
      var values = build.placeholders
      let id = facts.packageName?.value ?? (build.hasUnknownID ? nil : manifest["package"]?.value)
      if let id { values["applicationId"] = id }
      values["packageName"] = values["packageName"] ?? id
      let module = folder(of: folder(of: folder(of: path)))
      AndroidManifestReader.take(manifest, path: path, values: values, into: &facts) {
        strings(named: $0, in: module).map(\.value)
      }
    } catch {
      unread.append(UnreadFile(path: path, error: error))
    }
  }

  /// Returns the distinct values of a string resource: each build of a module may have its own.
  static func strings(named name: String, in module: String) -> [Found<String>] {
    (AndroidStrings(modules: [module]).values(of: name) ?? []).filter { !$0.value.isEmpty }
  }

  /// Records which application objects the app's code creates, and from which files.
  private static func takeCode(_ set: String, _ facts: inout AndroidFacts) {
    let makers: [String: AccountMode] = [
      "createSingleAccountPublicClientApplication": .single,
      "createMultipleAccountPublicClientApplication": .multiple,
    ]
    for path in ProjectFiles(set).find({ $0.hasSuffix(".java") || $0.hasSuffix(".kt") }).prefix(codeLimit) {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
        data.hasBytes("R.raw.") || data.hasBytes("com.microsoft.identity.client")
      else { continue }
      let text = String(decoding: data, as: UTF8.self)
      for range in text.ranges(of: "R.raw.") {
        let name = text[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        facts.namedResources.insert(String(name))
      }
      guard text.contains("com.microsoft.identity.client") else { continue }
      let tokens = SourceTokens.read(text, of: path)
      for (index, token) in tokens.enumerated() {
        guard let word = token.word else { continue }
        let place = FilePlace(path, line: token.line)
        if word.lowercased().contains("scope"), let list = list(after: index, in: tokens, path) {
          facts.scopes.append(list)
        }
        // A comment does not contain tokens, so an import in one does not count.
        if word == "import", isOfMSAL(tokens[(index + 1)...].prefix(6)) { facts.usage = facts.usage ?? place }
        // `PublicClientApplication.create(context, clientID, authority, redirectURI, listener)`
        if word == "create", index > 1, tokens[index - 2].word == "PublicClientApplication" {
          let commas = tokens[(index + 1)...].prefix(40).prefix { !$0.isSymbol("{") && !$0.isSymbol(";") }
            .count { $0.isSymbol(",") }
          if commas > 2 { facts.isMadeInCode = true }
        }
        guard let mode = makers[word] else { continue }
        let arguments = tokens[(index + 1)...].prefix(24).prefix { !$0.isSymbol("{") && !$0.isSymbol(";") }
        let raw = arguments.indices.first { tokens[$0].word == "raw" && tokens[$0 - 1].isSymbol(".") }
        let resource = raw.flatMap { $0 + 2 < tokens.count ? tokens[$0 + 2].word : nil }
        facts.made.append(
          AndroidFacts.Made(
            mode: mode, hasListener: hasListener(arguments), resource: resource, place: place))
      }
    }
  }

  private static let listWords: Set<String> = ["arrayOf", "listOf", "mutableListOf", "asList", "of"]
  private static let listLimit = 80

  /// Returns the list of string literals that follows the name of scopes: `SCOPES = {"…"}`, `withScopes(listOf("…"))`.
  private static func list(after index: Int, in tokens: [SourceToken], _ path: String) -> FoundList? {
    let rest = tokens[(index + 1)...].prefix(12).prefix { !$0.isSymbol(";") && !$0.isSymbol("}") }
    let start = rest.indices.first { place in
      // `listOf<String>("…")`
      let isTyped = place > 3 && tokens[place - 1].isSymbol(">") && tokens[place - 3].isSymbol("<")
      let name = tokens[isTyped ? place - 4 : place - 1].word
      let isCall = tokens[place].isSymbol("(") && listWords.contains(name ?? "")
      return isCall || tokens[place].isSymbol("{") && tokens[place - 1].isSymbol("=")
    }
    guard let start, !rest[..<start].contains(where: { $0.text != nil }) else { return nil }
    let inner = tokens[(start + 1)...].prefix(listLimit).prefix { !$0.isSymbol(")") && !$0.isSymbol("}") }
    let items = inner.compactMap { token in token.text.map { Found($0, FilePlace(path, line: token.line)) } }
    // Another provider's scopes may be in the same file.
    guard !items.isEmpty, !items.contains(where: { $0.value.contains("google") }),
      inner.allSatisfy({ $0.text.map { !$0.contains("$") } ?? $0.isSymbol(",") })
    else {
      return nil
    }
    return FoundList(items, FilePlace(path, line: tokens[start].line))
  }

  /// Returns whether a call that creates an application object has a listener: without one, it has two arguments.
  private static func hasListener(_ tokens: ArraySlice<SourceToken>) -> Bool {
    var (depth, commas) = (0, 0)
    for token in tokens {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if token.isSymbol(","), depth == 1 { commas += 1 }
      if depth == 0 { return commas != 1 }
    }
    return true
  }

  /// Returns whether the tokens after `import` name MSAL's package, with `static` before it or without.
  private static func isOfMSAL(_ tokens: ArraySlice<SourceToken>) -> Bool {
    let words = tokens.compactMap(\.word).drop { $0 == "static" }
    return words.starts(with: ["com", "microsoft", "identity"])
  }

  private static func take(_ path: String, _ facts: inout AndroidFacts, _ unread: inout [UnreadFile]) {
    do throws(ReadingError) {
      let text = try ProjectFiles.text(path, limit: configurationLimit)
      let isNamed = facts.passes(path)
      guard isNamed || AndroidFacts.Configuration.mayBe(text) else { return }
      if isNamed || path.contains("/res/raw") && AndroidFacts.Configuration.hasSeveralKeys(text),
        let error = AndroidFacts.Configuration.parsingError(of: text)
      {
        facts.malformed.append(UnreadFile(path: path, error: error))
      } else if let configuration = try AndroidFacts.Configuration.read(
        text, path: path, isNamed: isNamed)
      {
        facts.configurations.append(configuration)
      }
    } catch {
      unread.append(UnreadFile(path: path, error: error))
    }
  }
}

extension AndroidFacts {
  /// Whether the app has a configuration or an activity of MSAL, or uses it in code.
  fileprivate var showsMSAL: Bool {
    !configurations.isEmpty || !malformed.isEmpty || activity != nil || usage != nil
      || strangers.contains(where: \.isMisspelt)
  }

  /// Returns whether code passes a raw resource to MSAL.
  fileprivate func passes(_ path: String) -> Bool {
    path.contains("/res/raw") && made.contains { $0.names(path) }
  }

  /// Removes and returns the files that are not JSON and that the app may not need: no code passes them to MSAL, and
  /// they are not its only configuration.
  fileprivate mutating func removeOtherMalformed() -> [UnreadFile] {
    let isOnly = configurations.isEmpty && malformed.count == 1 && !isMadeInCode
    let others = malformed.filter { !isOnly && !passes($0.path) }
    malformed.removeAll { others.contains($0) }
    return others
  }

  /// Adds the files of a library module of the same project, whose manifest the build merges.
  fileprivate mutating func merge(_ library: AndroidFacts) {
    configurations += library.configurations
    malformed += library.malformed
    made += library.made
    namedResources.formUnion(library.namedResources)
    rawResources.formUnion(library.rawResources)
    isMadeInCode = isMadeInCode || library.isMadeInCode
    usage = usage ?? library.usage
    strangers += library.strangers
    removal = removal ?? library.removal
    sdkVersion = sdkVersion ?? library.sdkVersion
    guard activity == nil else { return }
    (activity, isExported) = (library.activity, library.isExported)
    filters += library.filters
  }
}
