import SSOCore

/// The plugin of react-native-auth0 in the configuration of an Expo app, from which Expo makes the projects for Android and
/// iOS.
///
/// Sources: react-native-auth0, README and `src/plugin/withAuth0.ts`; Expo, `app.json`.
extension VendorReader {
  /// The first version of react-native-auth0 with a plugin.
  private static let firstWithPlugin = [2, 13]
  private static let package = "react-native-auth0"

  mutating func readPlugins() {
    for path in named("package.json") {
      let base = folder(of: path)
      let others = ["android"] + ["js", "ts", "mjs", "cjs", "mts"].map { "app.config." + $0 }
      guard let lines = text(path)?.lines,
        lines.contains(where: { $0.trimmed.hasPrefix("\"expo\":") }),
        let index = lines.firstIndex(where: { $0.trimmed.hasPrefix("\"\(Self.package)\":") }),
        Self.isVersion(lines[index].drop { $0 != ":" }.drop { !$0.isNumber }, since: Self.firstWithPlugin),
        !others.contains(where: { ProjectFiles.exists(base + "/" + $0) }),
        let data = try? ProjectFiles.data(base + "/app.json", limit: Self.sizeLimit),
        let document = JSONValue(bounded: data, maximumBytes: Self.sizeLimit),
        let expo = document["expo"] ?? (document["slug"] == nil ? nil : document)
      else { continue }
      let major = lines[index].split { !$0.isNumber }.dropFirst().first.flatMap { Int($0) }
      readPlugin(
        of: expo, base + "/app.json", TextLines(data), FilePlace(path, line: index + 1),
        end: major.map { $0 < 3 } ?? false ? "" : ".auth0")
    }
  }

  private mutating func readPlugin(
    of expo: JSONValue, _ path: String, _ lines: TextLines, _ dependency: FilePlace, end: String
  ) {
    var facts = VendorFacts.Module()
    facts.isOfPlugin = true
    facts.packageNames = [expo["android"]?["package"]?.string].compactMap(\.self)
    readAuth0Scripts(dependency, &facts)
    // Expo's own app runs scripts without the libraries of which no script asks anything.
    guard facts.isCalled else { return }
    func isOwn(_ name: JSONValue?) -> Bool { name?.string?.hasPrefix(Self.package) ?? false }
    let plugin = (expo["plugins"]?.array ?? []).first { isOwn($0) || isOwn($0.array?.first) }
    let line = lines.line(of: plugin == nil ? "plugins" : Self.package) ?? lines.line(of: "expo")
    let place = FilePlace(path, line: line)
    let settings = plugin?.array?.dropFirst().first
    // Since version 4, an app may have several domains.
    let all = settings?.array ?? [settings].compactMap(\.self)
    let domains = all.compactMap { $0["domain"]?.string }
    let names = Vendor.auth0.placeholders.map(\.name)
    facts.missing = plugin == nil ? names : domains.isEmpty ? [names[0]] : []
    facts.values[names[0]] = domains.map {
      Found($0, FilePlace(path, line: lines.line(of: "domain") ?? line))
    }
    let usual = facts.packageNames.first.map { $0.lowercased() + end }
    facts.values[names[1]] = all.compactMap { setting in
      let own = setting["customScheme"]?.string
      let line = own.flatMap { _ in lines.line(of: "customScheme") } ?? line
      return (own ?? usual).map { Found($0, FilePlace(path, line: line)) }
    }
    add(facts.packageName ?? fileName(folder(of: path)), .auth0, place, .module(facts))
  }
}
