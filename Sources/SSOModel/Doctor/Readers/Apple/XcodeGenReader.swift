import SSOCore
import SSODevice

/// A reader of the Xcode project that XcodeGen makes from its own file, `project.yml`.
///
/// Sources: XcodeGen, `Docs/ProjectSpec.md`; `Sources/XcodeGenKit/PBXProjGenerator.swift` and `SettingsBuilder.swift`.
struct XcodeGenReader {
  private let path: String
  private let root: PropertyListNode
  private var base: String { folder(of: path) }

  private static let includeLimit = 20
  private static let platforms = ["ios": "iphoneos", "macos": "macosx", "auto": "iphoneos"]

  /// Returns the project, or `nil` if a file cannot be read, or does not say which sources an app has.
  static func read(_ path: String) -> XcodeProject? {
    var left = includeLimit
    guard let root = document(path, &left), root["targets"]?.dictionary != nil else { return nil }
    let reader = XcodeGenReader(path: path, root: root)
    let targets = reader.targets
    guard !targets.isEmpty, targets.allSatisfy({ !$0.isApplication || $0.hasSources }) else { return nil }
    return XcodeProject(path: path, targets: targets.map(\.target), localPackages: reader.localPackages)
  }

  /// Reads a file with the files that it includes, whose values it replaces or extends.
  private static func document(_ path: String, _ left: inout Int) -> PropertyListNode? {
    left -= 1
    guard left > 0, let text = try? ProjectFiles.text(path, limit: 1 << 20),
      let own = try? YAMLDocument.read(text)
    else { return nil }
    var result = PropertyListNode(.dictionary([]))
    let included = own["include"].map { $0.array ?? [$0] } ?? []
    for file in included {
      guard let name = file.string ?? file["path"]?.string,
        let other = document(simplified(folder(of: path) + "/" + name), &left)
      else { return nil }
      result = result.merging(other)
    }
    return included.isEmpty ? own : result.merging(own)
  }

  private var localPackages: [String] {
    (root["packages"]?.dictionary ?? []).compactMap { $0.value["path"]?.string }
      .map { simplified(base + "/" + $0) }
  }

  // MARK: Targets

  private struct Made {
    var target: XcodeProject.Target
    var hasSources: Bool
    var isApplication: Bool { target.isApplication }
  }

  private var targets: [Made] {
    (root["targets"]?.dictionary ?? []).flatMap { entry -> [Made] in
      let whole = applyingTemplates(to: entry.value, named: entry.key)
      let platforms = (whole["platform"]?.strings ?? []).map(\.text)
      return platforms.compactMap { platform -> Made? in
        guard let sdk = Self.platforms[platform.lowercased()] else { return nil }
        let suffix = whole["platformSuffix"]?.string ?? "_" + platform
        let name = platforms.count > 1 ? entry.key + suffix : entry.key
        let target = whole.replacing("${platform}", with: platform)
        return Made(
          target: self.target(name, target, sdk: sdk, line: entry.line), hasSources: target["sources"] != nil)
      }
    }
  }

  private func applyingTemplates(to target: PropertyListNode, named name: String) -> PropertyListNode {
    let attributes = target["templateAttributes"]?.dictionary ?? []
    let templates = (target["templates"]?.strings ?? []).compactMap { root["targetTemplates"]?[$0.text] }
    guard !templates.isEmpty else { return target }
    let whole = templates.reduce(PropertyListNode(.dictionary([]))) { $0.merging($1) }.merging(target)
    return attributes.reduce(whole.replacing("${target_name}", with: name)) { node, attribute in
      node.replacing("${\(attribute.key)}", with: attribute.value.text ?? "")
    }
  }

  private func target(
    _ name: String, _ target: PropertyListNode, sdk: String, line: Int?
  ) -> XcodeProject.Target {
    let sources = sources(of: target)
    let defaults = defaults(name, target, sdk, sources)
    var made = XcodeProject.Target(
      name: name, productType: "com.apple.product-type." + (target["type"]?.string ?? ""), line: line,
      configurations: configurations.map { (name: $0, settings: settings(name, target, $0, defaults)) },
      sources: sources.flatMap(\.files), libraries: libraries(of: target, depth: 0))
    made.scripts = ["preBuildScripts", "postCompileScripts", "postBuildScripts"].flatMap { key in
      (target[key]?.array ?? []).compactMap { $0["script"]?.string }
    }
    for key in ["info", "entitlements"] {
      guard let part = target[key], let file = part["path"]?.string else { continue }
      let path = simplified(base + "/" + file)
      // XcodeGen empties a file without properties, but a file that has some was not made so.
      if part["properties"] == nil, ProjectFiles.exists(path) { continue }
      made.generated[path] = part["properties"] ?? PropertyListNode(.dictionary([]), line: part.line)
    }
    return made
  }

  private var configurations: [String] {
    let own = (root["configs"]?.dictionary ?? []).map(\.key)
    return own.isEmpty ? ["Debug", "Release"] : own
  }

  /// Returns the products that a target links, itself or through another target of the project.
  private func libraries(of target: PropertyListNode, depth: Int) -> Set<String> {
    var found: Set<String> = []
    for dependency in target["dependencies"]?.array ?? [] {
      if let package = dependency["package"]?.string {
        let products = (dependency["products"]?.strings ?? []).map(\.text)
        found.formUnion(products.isEmpty ? [dependency["product"]?.string ?? package] : products)
      }
      for key in ["framework", "carthage"] {
        if let name = dependency[key]?.string { found.insert(fileName(name)) }
      }
      if depth < 8, let other = dependency["target"]?.string.flatMap({ root["targets"]?[$0] }) {
        found.formUnion(libraries(of: other, depth: depth + 1))
      }
    }
    return found
  }

  // MARK: Sources

  private func sources(of target: PropertyListNode) -> [(path: String, files: [String])] {
    let list = target["sources"].map { $0.array ?? [$0] } ?? []
    return list.compactMap { source in
      guard let name = source.string ?? source["path"]?.string else { return nil }
      if let phase = source["buildPhase"]?.string, phase != "sources" { return nil }
      let path = simplified(base + "/" + name)
      guard ProjectFiles.isFolder(path) else { return (path, [path]) }
      let excluded = (source["excludes"]?.strings ?? []).map(\.text)
      return (
        path,
        ProjectFiles(path).find(SourceLanguage.isSource).filter { file in
          let relative = String(file.dropFirst(path.count + 1))
          return !excluded.contains { Self.matches($0, relative) }
        }
      )
    }
  }

  /// Returns whether a pattern with stars at its ends leaves a file out: `Tests/**`, `**/Mock.swift`, `*.md`.
  private static func matches(_ pattern: String, _ path: String) -> Bool {
    let isFolder = pattern.hasSuffix("/**") || pattern.hasSuffix("/*")
    let name = pattern.drop { $0 == "*" || $0 == "/" }
    let plain = isFolder ? String(name.prefix(while: { $0 != "*" }).dropLast()) : String(name)
    if path == plain || path.hasPrefix(plain + "/") { return true }
    return pattern.hasPrefix("*")
      && (isFolder ? ("/" + path).contains("/" + plain + "/") : path.hasSuffix(plain))
  }

  // MARK: Settings

  private func settings(
    _ name: String, _ target: PropertyListNode, _ configuration: String, _ defaults: [String: Found<String>]
  ) -> BuildSettings {
    let entitlements = target["entitlements"]?["path"].flatMap { node in
      node.string.map { ["CODE_SIGN_ENTITLEMENTS": Found($0, FilePlace(path, line: node.line))] }
    }
    let files = [target, root].map { owner in
      owner["configFiles"]?[configuration]?.string.map { ConfigurationFile(simplified(base + "/" + $0)) }
    }
    let levels: [[String: Found<String>]?] = [
      entitlements, own(target["settings"], configuration), files[0]?.settings,
      own(root["settings"], configuration), files[1]?.settings, defaults,
    ]
    var settings = BuildSettings(
      levels: levels.compactMap(\.self),
      builtIn: [
        "TARGET_NAME": name, "PRODUCT_NAME": name, "TARGETNAME": name, "CONFIGURATION": configuration,
        "SRCROOT": ".", "PROJECT_DIR": ".", "SOURCE_ROOT": ".", "EXECUTABLE_NAME": name,
        "PRODUCT_MODULE_NAME": name, "PROJECT_NAME": root["name"]?.string ?? name,
      ])
    settings.isPartial = files.contains { $0?.isPartial == true }
    return settings
  }

  /// Returns the settings of a target or the project: those of its groups, then its own, then the configuration's.
  private func own(_ node: PropertyListNode?, _ configuration: String) -> [String: Found<String>] {
    guard let node else { return [:] }
    let isPlain = ["base", "configs", "groups"].allSatisfy { node[$0] == nil }
    var settings: [String: Found<String>] = [:]
    for group in node["groups"]?.strings ?? [] {
      settings.merge(own(root["settingGroups"]?[group.text], configuration)) { $1 }
    }
    settings.merge(plain(isPlain ? node : node["base"])) { $1 }
    for entry in node["configs"]?.dictionary ?? []
    where configuration.lowercased().contains(entry.key.lowercased()) {
      settings.merge(plain(entry.value)) { $1 }
    }
    return settings
  }

  private func plain(_ node: PropertyListNode?) -> [String: Found<String>] {
    (node?.dictionary ?? []).reduce(into: [:]) { settings, entry in
      let text = entry.value.text ?? entry.value.array?.compactMap(\.text).joined(separator: " ")
      if let text { settings[entry.key] = Found(text, FilePlace(path, line: entry.line)) }
    }
  }

  /// Returns the settings that XcodeGen adds if no other level has them.
  private func defaults(
    _ name: String, _ target: PropertyListNode, _ sdk: String, _ sources: [(path: String, files: [String])]
  ) -> [String: Found<String>] {
    let place = FilePlace(path, line: target.line)
    var settings = ["SDKROOT": Found(sdk, place)]
    let prefix = root["options"]?["bundleIdPrefix"]
    if let prefix, let text = prefix.string {
      let own = name.replacing("_", with: "-").filter {
        $0.isLetter || $0.isNumber || $0 == "-" || $0 == "."
      }
      settings["PRODUCT_BUNDLE_IDENTIFIER"] = Found(text + "." + own, FilePlace(path, line: prefix.line))
    }
    let found = sources.lazy.flatMap { ProjectFiles($0.path).find { $0 == "Info.plist" } }.first
    if let info = target["info"]?["path"]?.string ?? found.map({ String($0.dropFirst(base.count + 1)) }) {
      settings["INFOPLIST_FILE"] = Found(info, place)
    }
    return settings
  }
}

extension PropertyListNode {
  /// Returns this map with the entries of another, which replace values, and extend maps and lists.
  fileprivate func merging(_ other: PropertyListNode) -> PropertyListNode {
    switch (value, other.value) {
    case (.dictionary(let own), .dictionary(let others)):
      var entries = own
      for entry in others {
        let isReplaced = entry.key.hasSuffix(":REPLACE")
        let key = isReplaced ? String(entry.key.dropLast(":REPLACE".count)) : entry.key
        if let index = entries.firstIndex(where: { $0.key == key }) {
          entries[index].value = isReplaced ? entry.value : entries[index].value.merging(entry.value)
          entries[index].line = entry.line
        } else {
          entries.append(.init(key: key, line: entry.line, value: entry.value))
        }
      }
      return PropertyListNode(.dictionary(entries), line: other.line)
    case (.array(let own), .array(let others)):
      return PropertyListNode(.array(own + others), line: other.line)
    default: return other
    }
  }

  fileprivate func replacing(_ text: String, with new: String) -> PropertyListNode {
    switch value {
    case .string(let own): PropertyListNode(.string(own.replacing(text, with: new)), line: line)
    case .array(let elements):
      PropertyListNode(.array(elements.map { $0.replacing(text, with: new) }), line: line)
    case .dictionary(let entries):
      PropertyListNode(
        .dictionary(
          entries.map {
            .init(
              key: $0.key.replacing(text, with: new), line: $0.line,
              value: $0.value.replacing(text, with: new))
          }), line: line)
    case .bool, .integer, .real, .data: self
    }
  }
}
