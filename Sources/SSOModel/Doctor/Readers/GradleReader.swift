/// A reader of the facts of each app module in a Gradle project.
enum GradleReader {
  private static let library = "com.microsoft.identity.client:msal:"
  private static let codeLimit = 2000
  private static let buildFiles = ["build.gradle", "build.gradle.kts"]

  /// Returns the apps below a folder that have a configuration or an activity of MSAL, and the files that cannot be
  /// read.
  static func read(_ files: ProjectFiles) -> (apps: [AndroidFacts], unread: [UnreadFile]) {
    var apps: [AndroidFacts] = []
    var unread: [UnreadFile] = []
    for path in files.find({ $0 == "AndroidManifest.xml" })
    where path.hasSuffix("/src/main/AndroidManifest.xml") {
      let main = folder(of: path)
      let module = folder(of: folder(of: main))
      var facts = AndroidFacts(name: fileName(module), origin: FilePlace(path))
      takeBuildFile(module, &facts)
      // Android Studio gives the module of every app this name.
      if facts.name == "app", let own = facts.packageName?.value.split(separator: ".").last {
        facts.name = String(own)
      }
      do throws(ReadingError) {
        let manifest = try XMLReader.read(try ProjectFiles.data(path))
        var values = ["applicationId": facts.packageName?.value ?? manifest["package"]?.value ?? ""]
        values["packageName"] = values["applicationId"]
        AndroidManifestReader.take(manifest, path: path, values: values, into: &facts)
      } catch {
        unread.append(UnreadFile(path: path, error: error))
      }
      for raw in ProjectFiles(main + "/res").find({ $0.hasSuffix(".json") }) where raw.contains("/raw") {
        take(raw, &facts, &unread)
      }
      for asset in ProjectFiles(main + "/assets").find({ $0.hasSuffix(".json") }) {
        take(asset, &facts, &unread)
      }
      guard !facts.configurations.isEmpty || facts.activity != nil else { continue }
      takeCode(main, &facts)
      apps += [facts] + variants(of: facts, module)
    }
    return (apps, unread)
  }

  /// Returns a variant of the app for each package name suffix, or none if variants have their own files.
  private static func variants(of facts: AndroidFacts, _ module: String) -> [AndroidFacts] {
    let own = ProjectFiles(module + "/src").find { $0 == "AndroidManifest.xml" || $0.hasSuffix(".json") }
    guard let name = facts.packageName,
      !own.contains(where: { !$0.contains("/src/main/") && !$0.contains("est/") })
    else { return [] }
    return suffixes(module).map { suffix in
      var variant = facts
      variant.name += " (\(suffix.value))"
      variant.packageName = Found(name.value + suffix.value, suffix.place)
      variant.filters = facts.filters.map { filter in
        var filter = filter
        if filter.isHostTheApplicationID { filter.host = variant.packageName?.value }
        return filter
      }
      return variant
    }
  }

  /// Returns the distinct suffixes that lines such as `applicationIdSuffix ".debug"` specify.
  private static func suffixes(_ module: String) -> [Found<String>] {
    var found: [Found<String>] = []
    for name in buildFiles {
      let path = module + "/" + name
      let tokens = (try? ProjectFiles.text(path, limit: 1 << 20)).map(SourceTokens.read) ?? []
      for (index, token) in tokens.enumerated() where token.word == "applicationIdSuffix" {
        let rest = tokens[(index + 1)...].prefix(2).drop { $0.isSymbol("=") }
        guard let suffix = rest.first?.text, !found.contains(where: { $0.value == suffix }) else { continue }
        found.append(Found(suffix, FilePlace(path, line: token.line)))
      }
    }
    return found
  }

  /// Records which application objects the app's code creates.
  private static func takeCode(_ main: String, _ facts: inout AndroidFacts) {
    let makers = [
      ("createSingleAccountPublicClientApplication", "SINGLE"),
      ("createMultipleAccountPublicClientApplication", "MULTIPLE"),
    ]
    for path in ProjectFiles(main).find({ $0.hasSuffix(".java") || $0.hasSuffix(".kt") }).prefix(codeLimit) {
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { continue }
      for (maker, mode) in makers where text.contains(maker) {
        let tokens = SourceTokens.read(text)
        guard let call = tokens.first(where: { $0.word == maker }) else { continue }
        facts.madeModes.append(Found(mode, FilePlace(path, line: call.line)))
      }
    }
  }

  private static func take(_ path: String, _ facts: inout AndroidFacts, _ unread: inout [UnreadFile]) {
    do throws(ReadingError) {
      let text = try ProjectFiles.text(path, limit: 1 << 20)
      guard AndroidFacts.Configuration.mayBe(text) else { return }
      if let configuration = try AndroidFacts.Configuration.read(text, path: path) {
        facts.configurations.append(configuration)
      }
    } catch {
      unread.append(UnreadFile(path: path, error: error))
    }
  }

  /// Reads `applicationId`, `targetSdkVersion`, and the version of MSAL, if they are literals.
  private static func takeBuildFile(_ module: String, _ facts: inout AndroidFacts) {
    for name in buildFiles {
      let path = module + "/" + name
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { continue }
      let tokens = SourceTokens.read(text)
      for (index, token) in tokens.enumerated() {
        // `applicationId "com.…"`, `applicationId = "com.…"`
        let rest = tokens[(index + 1)...].prefix(2).drop { $0.isSymbol("=") }
        if let version = token.text?.suffix(after: library) { facts.sdkVersion = version }
        switch token.word {
        case "applicationId":
          if let text = rest.first?.text, facts.packageName == nil {
            facts.packageName = Found(text, FilePlace(path, line: token.line))
          }
        case "targetSdkVersion", "targetSdk":
          facts.targetSDK = facts.targetSDK ?? rest.first?.word.flatMap { Int($0) }
        default: break
        }
      }
    }
  }
}

extension String {
  /// Returns what follows a prefix, or `nil` if nothing follows it or the prefix does not match.
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
  /// `values` replaces `${applicationId}` and other Gradle placeholders.
  static func take(
    _ manifest: XMLElement, path: String, values: [String: String], into facts: inout AndroidFacts
  ) {
    facts.manifest = FilePlace(path, line: manifest.line)
    if let package = manifest["package"], facts.packageName == nil {
      facts.packageName = Found(package.value, FilePlace(path, line: package.line))
    }
    let sdk = manifest.elements("uses-sdk").first?["android:targetSdkVersion"]?.value
    facts.targetSDK = facts.targetSDK ?? sdk.flatMap { Int($0) }
    for application in manifest.elements("application") {
      for activity in application.elements("activity") {
        guard let name = activity["android:name"]?.value, activities.contains(name) else { continue }
        facts.activity = FilePlace(path, line: activity.line)
        facts.isExported = activity["android:exported"].map { $0.value == "true" }
        facts.filters += activity.elements("intent-filter").flatMap {
          filters(of: $0, path: path, values: values)
        }
      }
    }
  }

  /// Returns a filter for each `<data>` of an intent filter.
  ///
  /// Android combines the parts of several `<data>` elements, but MSAL's filters have only one.
  private static func filters(
    of filter: XMLElement, path: String, values: [String: String]
  ) -> [AndroidFacts.Filter] {
    func names(_ element: String) -> Set<String> {
      Set(filter.elements(element).compactMap { $0["android:name"]?.value })
    }
    let categories = names("category")
    let isComplete =
      names("action").contains("android.intent.action.VIEW")
      && categories.contains("android.intent.category.DEFAULT")
      && categories.contains("android.intent.category.BROWSABLE")
    return filter.elements("data").map { data in
      func value(_ name: String) -> String? {
        data["android:" + name].map { attribute in
          values.reduce(attribute.value) { $0.replacing("${\($1.key)}", with: $1.value) }
        }
      }
      return AndroidFacts.Filter(
        scheme: value("scheme"), host: value("host"),
        isHostTheApplicationID: data["android:host"]?.value == "${applicationId}", path: value("path"),
        isComplete: isComplete,
        place: FilePlace(path, line: data.line))
    }
  }
}
