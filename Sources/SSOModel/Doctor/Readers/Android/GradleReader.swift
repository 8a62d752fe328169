import SSOCore
import SSODevice

/// A reader of the facts of each app module in a Gradle project.
///
/// A module's files are in its source sets: `src/main`, and one for each flavour and build type. A library's files
/// belong to each app of the project.
enum GradleReader {
  private static let codeLimit = 2000
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
      for set in [main] + sourceSets(of: module).filter({ $0 != main }) {
        takeManifest(set + "/AndroidManifest.xml", build, &facts, &unread)
        let raw = ProjectFiles(set + "/res").find { $0.hasSuffix(".json") }.filter { $0.contains("/raw") }
        for file in raw + ProjectFiles(set + "/assets").find({ $0.hasSuffix(".json") }) {
          take(file, &facts, &unread)
        }
        takeCode(set, &facts)
      }
      takeDefault(&facts)
      takeSigning(build, module, files.root, &facts)
      takeFlutter(module, &facts, &unread)
      // Animations and other resources of any size are beside a configuration that code names.
      unread.removeAll { file in
        file.path.hasPrefix(module + "/") && file.error == .tooLarge(Self.configurationLimit)
          && !facts.made.contains { fileName(file.path) == ($0.resource ?? "") + ".json" }
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
      // A library's own manifest names no app, and its app may declare the activity.
      apps = libraries.map { library in
        var app = library
        (app.packageName, app.manifest) = (nil, nil)
        return app
      }
    } else {
      for index in apps.indices {
        let own = root(of: apps[index])
        for library in libraries where root(of: library) == own { apps[index].merge(library) }
      }
    }
    return (apps.filter { $0.showsMSAL && ($0.usage != nil || mayDepend($0, files.root)) }, unread)
  }

  /// Returns whether a project may depend on MSAL: a configuration, or an activity in a manifest, may be left over from
  /// a dependency that was removed.
  private static func mayDepend(_ facts: AndroidFacts, _ root: String) -> Bool {
    let module = folder(of: folder(of: folder(of: facts.origin.path)))
    guard buildFiles.contains(where: { ProjectFiles.exists(module + "/" + $0) }) else { return true }
    let ends = [".gradle", ".kts", ".toml", ".csproj", ".aar", ".jar"]
    let packages: Set<String> = ["package.json", "pubspec.yaml", "plugin.xml", "config.xml"]
    let files = ProjectFiles(root).find { name in
      packages.contains(name) || ends.contains(where: name.hasSuffix)
    }
    return files.count > codeLimit || files.contains(where: mentionsMSAL)
  }

  private static let buildFiles = ["build.gradle", "build.gradle.kts"]

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
    guard isGradle else { return text.lines.contains { isSign($0) && !$0.trimmed.hasPrefix("#") } }
    return SourceTokens.read(text).contains { token in
      (token.word ?? token.text).map { isSign($0) } ?? false
    }
  }

  /// The resource of MSAL with its defaults, which a resource of the app with the same name replaces.
  private static let defaultResource = "msal_default_config"

  /// Takes a copy of MSAL's defaults from the configurations, unless code names it as the app's own: the app passes the
  /// rest of the settings in code.
  ///
  /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfigurationFactory`,
  /// `loadDefaultConfiguration`.
  private static func takeDefault(_ facts: inout AndroidFacts) {
    guard !facts.namedResources.contains(defaultResource) else { return }
    func isDefault(_ configuration: AndroidFacts.Configuration) -> Bool {
      configuration.path.contains("/res/raw") && fileName(configuration.path) == defaultResource + ".json"
    }
    if let own = facts.configurations.first(where: isDefault) {
      facts.usesBrokerByDefault = own.isBrokerRegistered?.value ?? false
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

  /// Returns the folder of the Gradle project to which a module belongs, or an empty string if no file names one.
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
    guard module.hasSuffix("/android/app") else { return }
    let project = folder(of: folder(of: module))
    let text = (try? ProjectFiles.text(project + "/pubspec.yaml", limit: 1 << 20)) ?? ""
    let isWhole = wholeAssetPackages.contains(where: text.contains)
    guard isWhole || text.contains("msal_auth") else { return }
    let count = facts.configurations.count
    for file in ProjectFiles(project + "/assets").find({ $0.hasSuffix(".json") }).prefix(setLimit) {
      take(file, &facts, &unread)
    }
    let dart = isWhole ? nil : DartReader.read(project, package: "msal_auth")
    if !isWhole {
      for index in count..<facts.configurations.count {
        facts.configurations[index].isCompletedByCode = true
        guard let dart, facts.configurations.count == count + 1 else { continue }
        // The package puts them in place of the asset's own.
        facts.configurations[index].clientID = dart.clientID.found ?? facts.configurations[index].clientID
        facts.configurations[index].redirectURI =
          dart.androidRedirectURI.found ?? facts.configurations[index].redirectURI
      }
    }
    if let asset = dart?.asset { takeListing(of: asset, text, project + "/pubspec.yaml", &facts) }
    guard facts.configurations.count == count + 1, let asset = facts.configurations.last else { return }
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

  /// Records an asset that Dart names and that no line of `pubspec.yaml` lists: neither itself nor its folder.
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

  /// Returns the source sets of a module, except those of its tests.
  static func sourceSets(of module: String) -> [String] {
    ProjectFiles(module + "/src").folders(depth: 1).dropFirst().filter { set in
      let name = fileName(set)
      return !name.hasPrefix("test") && !name.hasPrefix("androidTest")
    }.prefix(setLimit).map(\.self)
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
    let start = "<string name=\"\(name)\""
    let files = sourceSets(of: module).flatMap { set in
      ProjectFiles(set + "/res/values").find { $0.hasSuffix(".xml") }
    }
    return files.prefix(codeLimit).reduce(into: []) { values, path in
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20), data.hasBytes(start) else { return }
      let text = String(decoding: data, as: UTF8.self)
      guard let range = text.firstRange(of: start) else { return }
      let value = text[range.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }.trimmed
      guard !value.isEmpty, !values.contains(where: { $0.value == value }) else { return }
      let line = text[..<range.lowerBound].count { $0.isNewline } + 1
      values.append(Found(value, FilePlace(path, line: line)))
    }
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
      let tokens = SourceTokens.read(text)
      for (index, token) in tokens.enumerated() {
        guard let word = token.word else { continue }
        let place = FilePlace(path, line: token.line)
        if word.lowercased().contains("scope"), let list = list(after: index, in: tokens, path) {
          facts.scopes.append(list)
        }
        // A comment has no tokens, so an import in one does not count.
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
      guard AndroidFacts.Configuration.mayBe(text) else { return }
      if let configuration = try AndroidFacts.Configuration.read(text, path: path) {
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
    !configurations.isEmpty || activity != nil || usage != nil || strangers.contains(where: \.isMisspelt)
  }

  /// Adds the files of a library module of the same project, whose manifest the build merges.
  fileprivate mutating func merge(_ library: AndroidFacts) {
    configurations += library.configurations
    made += library.made
    namedResources.formUnion(library.namedResources)
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

/// The values of a module's `build.gradle` or `build.gradle.kts`, if they are literals.
struct GradleBuildFile {
  private static let library = "com.microsoft.identity.client:msal:"

  /// The `applicationId` of the default configuration and of each flavour.
  private var names: [Found<String>] = []
  /// Each `applicationIdSuffix`, such as `.debug`, with the flavour that has it if flavours exclude each other.
  private var suffixes: [(suffix: Found<String>, isOfFlavour: Bool)] = []
  private var namespace: Found<String>?
  private var targetSDK: Int?
  private var sdkVersion: String?
  /// The `manifestPlaceholders`.
  private(set) var placeholders: [String: String] = [:]
  private(set) var isLibrary = false
  private var path = ""
  private var tokens: [SourceToken] = []
  /// Whether an `applicationId` is set, but never to a literal.
  var hasUnknownID: Bool { hasOtherID && names.isEmpty }
  private var hasOtherID = false

  /// The maximum number of package names: flavours multiply with build types.
  private static let nameLimit = 64

  init(_ module: String) {
    // Gradle uses the first of them and ignores the other.
    for name in ["build.gradle", "build.gradle.kts"] where ProjectFiles.exists(module + "/" + name) {
      let path = module + "/" + name
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { return }
      isLibrary =
        isLibrary
        || ["com.android.library", "plugins.android.library", "plugins.androidLibrary"].contains(
          where: text.contains)
      (self.path, tokens) = (path, SourceTokens.read(text))
      take(tokens, path)
      return
    }
  }

  /// Returns how the builds are signed.
  func signing(project: String, root: String) -> GradleSigning {
    GradleSigning(tokens, path, project: project, root: root)
  }

  private mutating func take(_ tokens: [SourceToken], _ path: String) {
    // Flavours of one dimension are never combined; flavours of several are.
    let flavours = GradleSigning.blocks(of: "productFlavors", in: tokens).values
    let dimensions = Set(
      flavours.map { body in
        body.firstIndex { $0.word == "dimension" }.flatMap { place in
          body[place...].prefix(4).first { $0.text != nil }?.text
        } ?? ""
      })
    let exclusive = dimensions.count == 1 ? flavours.map(\.indices) : []
    for (index, token) in tokens.enumerated() {
      if let version = token.text?.suffix(after: Self.library) { sdkVersion = version }
      guard let word = token.word else { continue }
      // `applicationId "com.…"`, `applicationId = "com.…"`
      let rest = tokens[(index + 1)...].prefix(2).drop { $0.isSymbol("=") }
      let literal = rest.first?.text.flatMap { $0.contains("$") ? nil : $0 }
      let found = literal.map { Found($0, FilePlace(path, line: token.line)) }
      switch word {
      case "applicationId":
        if let found { names.append(found) } else { hasOtherID = true }
      case "applicationIdSuffix":
        if let found, !suffixes.contains(where: { $0.suffix.value == found.value }) {
          suffixes.append((found, exclusive.contains { $0.contains(index) }))
        }
      case "namespace": namespace = namespace ?? found
      case "targetSdkVersion", "targetSdk":
        targetSDK = targetSDK ?? rest.first?.word.flatMap { Int($0) }
      case "manifestPlaceholders": takePlaceholders(tokens[(index + 1)...].prefix(60))
      default: break
      }
    }
  }

  /// Reads `[key: "value"]`, `mapOf("key" to "value")`, and `["key"] = "value"`.
  private mutating func takePlaceholders(_ tokens: ArraySlice<SourceToken>) {
    let end = tokens.firstIndex { $0.isSymbol("}") } ?? tokens.endIndex
    for index in tokens.startIndex..<end {
      guard let key = tokens[index].word ?? tokens[index].text, index + 2 < end else { continue }
      let next = tokens[index + 1]
      if next.isSymbol(":") || next.word == "to" || next.isSymbol("=") {
        placeholders[key] = placeholders[key] ?? tokens[index + 2].text
      } else if next.isSymbol("]"), tokens[index + 2].isSymbol("="), index + 3 < end {
        placeholders[key] = placeholders[key] ?? tokens[index + 3].text
      }
    }
  }

  /// Adds the values to the facts of the module.
  func take(into facts: inout AndroidFacts) {
    // Without an application ID, the namespace takes its place.
    facts.packageName = names.first ?? (hasOtherID ? nil : namespace)
    facts.targetSDK = targetSDK
    facts.sdkVersion = sdkVersion
    guard let first = facts.packageName else { return }
    var all: [Found<String>] = names.isEmpty ? [first] : names
    let bases = all
    for (suffix, _) in suffixes where suffixes.contains(where: { $0.suffix == suffix && $0.isOfFlavour }) {
      all += bases.map { Found($0.value + suffix.value, suffix.place) }
    }
    for (suffix, isOfFlavour) in suffixes where !isOfFlavour && all.count < Self.nameLimit {
      all += all.map { Found($0.value + suffix.value, suffix.place) }
    }
    facts.otherPackageNames = all.reduce(into: []) { others, name in
      if name.value != first.value, !others.contains(where: { $0.value == name.value }) {
        others.append(name)
      }
    }
  }
}

extension String {
  /// Returns the text after a prefix, or `nil` if nothing follows it or the prefix does not match.
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
  }
}

/// A reader that extracts what a sign-in needs from an AndroidManifest.xml, as text or in the binary form of an APK.
struct AndroidManifestReader {
  /// MSAL's activity, and the activity of apps that receive the response in the task that started the request.
  private static let activities = [
    "com.microsoft.identity.client.BrowserTabActivity",
    "com.microsoft.identity.client.CurrentTaskBrowserTabActivity",
  ]

  /// Adds the values of a manifest to the facts.
  ///
  /// `values` replaces `${applicationId}` and other Gradle placeholders. `activities` are the names of MSAL's activity.
  /// `strings` returns the values of a string resource.
  static func take(
    _ manifest: XMLElement, path: String, values: [String: String], activities: [String] = activities,
    into facts: inout AndroidFacts,
    strings: (String) -> [String] = { _ in [] }
  ) {
    facts.manifest = facts.manifest ?? FilePlace(path, line: manifest.line)
    if let package = manifest["package"], facts.packageName == nil {
      facts.packageName = Found(package.value, FilePlace(path, line: package.line))
    }
    let sdk = manifest.elements("uses-sdk").first?["android:targetSdkVersion"]?.value
    facts.targetSDK = facts.targetSDK ?? sdk.flatMap { Int($0) }
    for application in manifest.elements("application") {
      for activity in application.elements("activity") {
        guard let name = activity["android:name"] else { continue }
        guard activities.contains(name.value) else {
          let all = activity.elements("intent-filter").filter { !hasPattern($0) }
            .flatMap { filters(of: $0, path: path, values: values, strings) }
          guard activity["tools:node"]?.value != "remove",
            all.contains(where: { $0.scheme?.hasPrefix("ms") == true })
          else { continue }
          facts.strangers.append(
            AndroidFacts.Stranger(name: Found(name.value, FilePlace(path, line: name.line)), filters: all))
          continue
        }
        guard activity["tools:node"]?.value != "remove" else {
          // Another source set removes it from its own builds only.
          if path.contains("/main/") { facts.removal = FilePlace(path, line: activity.line) }
          continue
        }
        let isExported = activity["android:exported"].map { $0.value == "true" }
        if facts.activity == nil || isExported == false && facts.isExported != false {
          facts.activity = FilePlace(path, line: activity.line)
        }
        facts.isExported = facts.isExported.map { $0 && isExported != false } ?? isExported
        let replaces = activity["tools:node"]?.value == "replace"
        facts.filters += activity.elements("intent-filter").flatMap {
          filters(of: $0, path: path, values: values, strings)
        }.map { filter in
          var filter = filter
          filter.replacesOthers = replaces
          return filter
        }
      }
    }
  }

  private static let dataLimit = 8

  /// Returns whether a filter takes paths by a prefix or a pattern, which are not compared.
  private static func hasPattern(_ filter: XMLElement) -> Bool {
    let names = ["pathPrefix", "pathSuffix", "pathPattern", "pathAdvancedPattern"]
    return filter.elements("data").contains { data in names.contains { data["android:" + $0] != nil } }
  }

  /// Returns a filter for each combination of scheme, host, and path of an intent filter.
  ///
  /// Android combines the parts of several `<data>` elements.
  private static func filters(
    of filter: XMLElement, path: String, values: [String: String], _ strings: (String) -> [String]
  ) -> [AndroidFacts.Filter] {
    func names(_ element: String) -> Set<String> {
      Set(filter.elements(element).compactMap { $0["android:name"]?.value })
    }
    let (actions, categories) = (names("action"), names("category"))
    let lacking =
      ["action.VIEW"].filter { !actions.contains("android.intent." + $0) }
      + ["category.DEFAULT", "category.BROWSABLE"].filter { !categories.contains("android.intent." + $0) }
    let data = filter.elements("data").prefix(dataLimit)
    func parts(_ name: String) -> [(text: String?, element: XMLElement?)] {
      let found = data.flatMap { element -> [(text: String?, element: XMLElement?)] in
        guard let attribute = element["android:" + name]?.value else { return [] }
        let resource = "@string/"
        let texts = attribute.hasPrefix(resource) ? strings(String(attribute.dropFirst(resource.count))) : []
        return (texts.isEmpty ? [attribute] : texts).map { text in
          (values.reduce(text) { $0.replacing("${\($1.key)}", with: $1.value) }, element)
        }
      }
      return found.isEmpty ? [(nil, nil)] : found
    }
    return parts("scheme").flatMap { scheme in
      parts("host").flatMap { host in
        parts("path").map { end in
          AndroidFacts.Filter(
            scheme: scheme.text, host: host.text,
            isHostTheApplicationID: host.element?["android:host"]?.value == "${applicationId}",
            path: end.text, isComplete: lacking.isEmpty, lacking: lacking,
            place: FilePlace(path, line: (end.element ?? host.element ?? scheme.element ?? data.first)?.line))
        }
      }
    }
  }
}
