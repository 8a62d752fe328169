/// Makes the facts of each app module of a Gradle project.
enum GradleReader {
  private static let library = "com.microsoft.identity.client:msal:"
  private static let buildFiles = ["build.gradle", "build.gradle.kts"]

  /// The apps below a folder that have a configuration of MSAL, and files that cannot be read.
  static func read(_ files: ProjectFiles) -> (apps: [AndroidFacts], unread: [UnreadFile]) {
    var apps: [AndroidFacts] = []
    var unread: [UnreadFile] = []
    for path in files.find({ $0 == "AndroidManifest.xml" })
    where path.hasSuffix("/src/main/AndroidManifest.xml") {
      let main = folder(of: path)
      let module = folder(of: folder(of: main))
      var facts = AndroidFacts(name: fileName(module), origin: FilePlace(path))
      takeBuildFile(module, &facts)
      // Android Studio gives every app's module this name.
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
      if !facts.configurations.isEmpty || facts.activity != nil { apps.append(facts) }
    }
    return (apps, unread)
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

  /// `applicationId`, `targetSdkVersion` and the version of MSAL, as literals.
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
  /// What follows a prefix; nil if there is nothing, or another beginning.
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
  }
}
