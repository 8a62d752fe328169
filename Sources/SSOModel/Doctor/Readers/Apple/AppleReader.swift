import Essentials
import SSOCore
import SSODevice

/// A reader that builds the facts of an app from its Info.plist and entitlements, with or without an Xcode target.
struct AppleReader {
  /// The build settings for expanding variables, or `nil` without an Xcode project, as in a built app.
  var settings: BuildSettings?
  var facts: AppleFacts
  /// The files that are referred to but cannot be read.
  var unread: [UnreadFile] = []
  /// The keys of the entitlements.
  private(set) var entitlementKeys: Set<String> = []
  /// The strings of Info.plist by their keys, which code may read.
  private(set) var infoStrings: [String: Found<String>] = [:]

  /// Returns a string with its variables expanded.
  ///
  /// Without build settings, the variable of the bundle ID is replaced if the ID is known. Otherwise, the variable
  /// represents the ID on both sides of each comparison.
  private func expanded(_ text: String) -> String {
    if let settings { return settings.expanding(text) }
    let variable = AppleFacts.bundleIDVariable
    return text.replacing("${PRODUCT_BUNDLE_IDENTIFIER}", with: variable)
      .replacing(variable, with: facts.bundleID?.value ?? variable)
  }

  private func found(_ node: PropertyListNode?, in path: String) -> Found<String>? {
    guard let text = node?.string, !text.isEmpty else { return nil }
    return Found(expanded(text), FilePlace(path, line: node?.line))
  }

  /// Returns a string that code may read, at the build setting if it consists of one.
  private func foundForCode(_ node: PropertyListNode, in path: String) -> Found<String>? {
    guard var value = found(node, in: path) else { return nil }
    let text = node.string ?? ""
    let isVariable = text.hasPrefix("$(") && text.hasSuffix(")") && text.count { $0 == "$" } == 1
    if isVariable, let setting = settings?.value(String(text.dropFirst(2).dropLast())) {
      value.place = setting.place
    }
    return value
  }

  private func list(_ nodes: [(text: String, line: Int?)], in path: String, _ line: Int?) -> FoundList {
    FoundList(
      nodes.map { Found(expanded($0.text), FilePlace(path, line: $0.line)) }, FilePlace(path, line: line))
  }

  /// Reads a file as a property list, or records it as unread and returns `nil`.
  ///
  /// With `macros`, it returns `nil` too if the files do not show what a build has of it.
  mutating func propertyList(_ path: String, _ macros: PropertyListMacros? = nil) -> PropertyListNode? {
    do throws(ReadingError) {
      guard let macros else { return try PropertyListReader.read(try ProjectFiles.data(path)) }
      guard let text = macros.applied(to: try ProjectFiles.text(path)) else { return nil }
      return try PropertyListReader.read(Data(text.utf8))
    } catch {
      unread.append(UnreadFile(path: path, error: error))
      if error.line != nil { facts.damaged.append(UnreadFile(path: path, error: error)) }
      return nil
    }
  }

  // MARK: Info.plist

  mutating func takeInfo(_ info: PropertyListNode, path: String) {
    for entry in info.dictionary ?? [] { infoStrings[entry.key] = foundForCode(entry.value, in: path) }
    if let bundleID = found(info["CFBundleIdentifier"], in: path),
      !bundleID.value.contains("$(") || settings == nil && bundleID.value == AppleFacts.bundleIDVariable
    {
      facts.bundleID = facts.bundleID ?? bundleID
    }
    facts.displayName =
      facts.displayName ?? found(info["CFBundleDisplayName"], in: path)?.value
      ?? found(info["CFBundleName"], in: path)?.value
    let types = info["CFBundleURLTypes"]
    let schemes = (types?.array ?? []).flatMap { $0["CFBundleURLSchemes"]?.listed ?? [] }
    facts.schemeText = (types?.array ?? []).compactMap { found($0["CFBundleURLSchemes"], in: path) }.first
    let lists = (types?.array ?? []).compactMap { $0["CFBundleURLSchemes"]?.line }
    facts.urlSchemes = list(schemes, in: path, lists.first ?? types?.line ?? info.line)
    // A literal scheme reveals the bundle ID that the variable represents.
    if facts.bundleID?.value == AppleFacts.bundleIDVariable,
      let scheme = facts.urlSchemes?.items.first(where: {
        $0.value.hasPrefix("msauth.") && !$0.value.contains("$(")
      })
    {
      facts.bundleID = Found(String(scheme.value.dropFirst("msauth.".count)), scheme.place)
    }
    takeMisspelt(
      info, of: ["CFBundleURLTypes", "LSApplicationQueriesSchemes"], others: ["CFBundleTypeRole"], in: path)
    for type in types?.array ?? [] {
      takeMisspelt(
        type, of: ["CFBundleURLSchemes"],
        others: ["CFBundleURLName", "CFBundleTypeRole", "CFBundleURLIconFile"], in: path)
    }
    let queries = info["LSApplicationQueriesSchemes"]
    facts.querySchemes = list(queries?.listed ?? [], in: path, queries?.line ?? info.line)
    takeScenes(info, path: path)
    if let intune = info["IntuneMAMSettings"] {
      facts.intune = AppleFacts.Intune(
        clientID: found(intune["ADALClientId"], in: path),
        redirectURI: found(intune["ADALRedirectUri"], in: path),
        redirectScheme: found(intune["ADALRedirectScheme"], in: path))
    }
    if info["NSExtension"] != nil || info["EXAppExtensionAttributes"] != nil { facts.isExtension = true }
    if info["LSMinimumSystemVersion"] != nil { facts.platform = .macOS }
  }

  /// Takes the class of the scene delegate, and the keys that name it.
  ///
  /// Source: Apple, “Specifying the scenes your app supports”.
  private mutating func takeScenes(_ info: PropertyListNode, path: String) {
    takeMisspelt(info, of: [SceneKey.manifest], in: path)
    guard let scenes = info[SceneKey.manifest] else { return }
    facts.usesScenes = FilePlace(path, line: scenes.line)
    takeMisspelt(scenes, of: [SceneKey.configurations], in: path)
    defer {
      if facts.sceneDelegate == nil, scenes.dictionary?.isEmpty == false {
        facts.lackingSceneDelegate = facts.usesScenes
      }
    }
    guard let configurations = scenes[SceneKey.configurations] else { return }
    takeMisspelt(
      configurations, of: [SceneKey.role], others: ["UIWindowSceneSessionRoleExternalDisplay"], in: path)
    for scene in configurations[SceneKey.role]?.array ?? [] {
      takeMisspelt(scene, of: [SceneKey.delegate], others: SceneKey.others, in: path)
      facts.sceneDelegate = facts.sceneDelegate ?? found(scene[SceneKey.delegate], in: path)
    }
  }

  /// Takes a bundle ID that the files do not have from a redirect URI, as code has it: `msauth.<bundle ID>://auth`.
  mutating func takeBundleID(ofRedirectURI uri: Found<String>?) {
    guard let uri, let scheme = urlScheme(of: uri.value), scheme.hasPrefix("msauth."),
      !Placeholders.contain(uri.value)
    else { return }
    let id = String(scheme.dropFirst("msauth.".count))
    facts.bundleID = Found(id, uri.place)
    for index in facts.urlSchemes?.items.indices ?? 0..<0 {
      facts.urlSchemes?.items[index].value.replace(AppleFacts.bundleIDVariable, with: id)
    }
  }

  private mutating func takeMisspelt(
    _ list: PropertyListNode, of keys: [String], others: [String] = [], in path: String
  ) {
    let written = (list.dictionary ?? []).map { ($0.key, $0.line) }
    facts.misspelt += MisspeltKey.find(among: written, of: keys, others: others, in: path)
  }

  // MARK: Entitlements

  mutating func takeEntitlements(_ entitlements: PropertyListNode, path: String) {
    entitlementKeys = Set((entitlements.dictionary ?? []).map(\.key))
    takeMisspelt(entitlements, of: ["keychain-access-groups"], in: path)
    let groups = entitlements["keychain-access-groups"]
    facts.entitlements = .groups(
      groups.map { list($0.listed, in: path, $0.line) }, FilePlace(path, line: entitlements.line))
    func flag(_ key: String) -> Bool { entitlements["com.apple.security." + key]?.bool ?? false }
    if flag("app-sandbox"), !flag("network.client") {
      facts.isCutOff = FilePlace(path, line: entitlements["com.apple.security.app-sandbox"]?.line)
    }
    // A signed app has `<team>.<bundle ID>`; a profile for several apps may have `<team>.*`.
    if facts.bundleID == nil, let whole = found(entitlements["application-identifier"], in: path),
      let dot = whole.value.firstIndex(of: "."), !whole.value.contains("$("), !whole.value.hasSuffix("*")
    {
      facts.bundleID = Found(String(whole.value[whole.value.index(after: dot)...]), whole.place)
    }
    if let team = found(entitlements["com.apple.developer.team-identifier"], in: path) {
      facts.teamID = facts.teamID ?? team
    }
  }
}

/// The keys with which Info.plist names the scene delegate, from the outermost one.
enum SceneKey {
  static let manifest = "UIApplicationSceneManifest"
  static let configurations = "UISceneConfigurations"
  static let role = "UIWindowSceneSessionRoleApplication"
  static let delegate = "UISceneDelegateClassName"
  static let all = [manifest, configurations, role, delegate]
  static let others = ["UISceneConfigurationName", "UISceneStoryboardFile", "UISceneClassName"]
}

/// A file that cannot be read, and the error.
package struct UnreadFile: Hashable, Sendable {
  package var path: String
  package var error: ReadingError
}

/// A reader of apps without an Xcode project, because XcodeGen, Tuist, or .NET MAUI generates it for each build, or
/// because it was not published.
///
/// Each Info.plist is treated as an app, and the entitlements and sources below its folder belong to it.
enum FolderAppReader {
  private static let sourceLimit = 2000
  private static let appLimit = 200

  static func read(
    _ files: ProjectFiles, _ notes: [ProjectNote]
  ) -> (apps: [AppleFacts], unread: [UnreadFile]) {
    var apps: [AppleFacts] = []
    var unread: [UnreadFile] = []
    let lists = files.find { $0 == "Info.plist" }.filter { path in
      // MSAL.NET does not support Mac Catalyst.
      !path.dropFirst(files.root.count).split(separator: "/").contains {
        $0.hasSuffix("Tests") || $0 == "MacCatalyst"
      }
    }.prefix(appLimit)
    for note in notes where note.kind.isWithoutProject && note.mayBeForApple {
      let own = lists.filter { ProjectNote.containing($0, notes) == note }
      // Without an Info.plist, the build generates it from the project's own file.
      for path in own.isEmpty ? [nil] : own.map(Optional.some) {
        // The only app of a project may have its files anywhere in the project.
        let base = own.count > 1 ? folder(of: path ?? "") : note.base
        let reader = read(note, info: path, base: base, name: name(of: base, note))
        guard reader.facts.sdk != nil || !reader.unread.isEmpty else { continue }
        apps.append(reader.facts)
        unread += reader.unread
      }
    }
    return (apps, unread)
  }

  private static func read(_ note: ProjectNote, info path: String?, base: String, name: String) -> AppleReader
  {
    let origin = path.map { FilePlace($0) } ?? note.place
    var reader = AppleReader(facts: AppleFacts(name: name, origin: origin))
    reader.facts.bundleID = bundleID(note)
    reader.facts.library = note.library
    if note.isForMac { reader.facts.platform = .macOS }
    reader.facts.isBareFolder = note.kind == .folder
    if let path, let info = reader.propertyList(path) {
      // Frameworks and tests receive no response.
      guard !["BNDL", "FMWK"].contains(info["CFBundlePackageType"]?.string) else { return reader }
      reader.takeInfo(info, path: path)
      if note.kind == .xcodeGen { leaveOut(info, generatedBy: note, &reader) }
    }
    reader.facts.bundleID = reader.facts.bundleID ?? Found(AppleFacts.bundleIDVariable, origin)
    let files = ProjectFiles(base)
    let entitlements = files.find { $0.hasSuffix(".entitlements") || $0.lowercased() == "entitlements.plist" }
      .filter { !$0.contains("/MacCatalyst/") }
    if let file = entitlements.first, let list = reader.propertyList(file),
      list["keychain-access-groups"] != nil || !note.setsKeychainGroups
    {
      reader.takeEntitlements(list, path: file)
    }
    if note.kind == .maui, note.library != nil { takeDotNet(note, info: path, &reader) }
    let scans = SourceScans(limit: sourceLimit).scans(of: files.find(SourceLanguage.isSource))
    if scans.contains(where: { $0.sdk != nil }) {
      if reader.facts.bundleID?.value == AppleFacts.bundleIDVariable {
        reader.takeBundleID(ofRedirectURI: SourceFacts(scans, bundleID: nil).redirectURI.found)
      }
      let source = SourceFacts(
        scans, bundleID: reader.facts.bundleID?.value, info: reader.infoStrings,
        lists: ListedValues.read(scans, below: base))
      reader.facts.source = source
      reader.facts.usesScenes = reader.facts.usesScenes ?? source.swiftUIApp
    }
    // MSAL.NET has other rules, and MAUI has no other MSAL.
    let showsMSAL = note.kind != .maui && reader.facts.showsMSAL
    if reader.facts.sdk == nil, showsMSAL || reader.facts.library != nil {
      reader.facts.impliedSDK = .msal
    }
    return reader
  }

  /// Removes the lists that an Info.plist lacks and that XcodeGen writes into it from the project's own file.
  ///
  /// Source: XcodeGen, `Docs/ProjectSpec.md`, "Plist".
  private static func leaveOut(
    _ info: PropertyListNode, generatedBy note: ProjectNote, _ reader: inout AppleReader
  ) {
    guard let text = try? ProjectFiles.text(note.place.path, limit: 1 << 20) else { return }
    func isGenerated(_ key: String) -> Bool { info[key] == nil && text.contains(key + ":") }
    if isGenerated("CFBundleURLTypes") { reader.facts.urlSchemes = nil }
    if isGenerated("LSApplicationQueriesSchemes") { reader.facts.querySchemes = nil }
  }

  /// Adds what C# code passes to MSAL.NET, and records that an app for iOS has no entitlements.
  private static func takeDotNet(_ note: ProjectNote, info path: String?, _ reader: inout AppleReader) {
    let settings = DotNetSettings.read(of: note.place.path)
    reader.facts.wrapperSetUp = settings.builder
    reader.facts.wrapperBrokerUse = settings.builder == nil ? nil : settings.brokerUse
    reader.facts.wrapperGroup = settings.keychainGroup
    reader.facts.usesOwnGroup = DotNetSettings.majorVersion(for: note.place.path).map { $0 < 2 } ?? false
    if let code = DotNetCode(note.place.path, for: .iOS), code.isInteractive {
      if case .unknown = settings.keychainGroup, let group = code.keychainGroup {
        reader.facts.wrapperGroup = .known(group)
      }
      reader.facts.redirectsOfDotNet = code.redirects ?? []
      if settings.brokerUse == .auto, !code.has("AuthenticationContinuationHelper") {
        reader.facts.lackingContinuation = settings.builder
      }
    }
    let own = path.map { ProjectFiles(folder(of: $0)).find { $0.hasSuffix(".cs") } } ?? []
    reader.facts.namesMSALInPlatform = own.prefix(sourceLimit).contains { file in
      (try? ProjectFiles.text(file, limit: 1 << 20))?.lowercased().contains("msal") == true
    }
    // The build uses the file beside Info.plist, unless the project's file names another.
    guard reader.facts.entitlements == .unread, let path, folder(of: path).hasSuffix("Platforms/iOS"),
      let project = try? ProjectFiles.text(note.place.path, limit: 1 << 20), !namesEntitlementsForIOS(project)
    else { return }
    reader.facts.entitlements = .none(FilePlace(path), unused: nil)
  }

  /// Returns whether a project's file names an entitlements file that a build for iOS may use: a condition may restrict
  /// it to another system.
  private static func namesEntitlementsForIOS(_ project: String) -> Bool {
    var group = ""
    return project.lines.contains { line in
      if line.contains("<PropertyGroup") { group = condition(of: line) }
      defer { if line.contains("</PropertyGroup>") { group = "" } }
      guard line.contains("<CodesignEntitlements") else { return false }
      let conditions = group + condition(of: line)
      return conditions.contains("ios")
        || !["maccatalyst", "android", "windows"].contains(where: conditions.contains)
    }
  }

  /// Returns the condition of an element of a project's file in lowercase, or an empty string without one.
  private static func condition(of line: Substring) -> String {
    line.firstRange(of: "Condition=\"").map { line[$0.upperBound...].prefix { $0 != "\"" }.lowercased() }
      ?? ""
  }

  private static func name(of base: String, _ note: ProjectNote) -> String {
    let file = fileName(note.place.path)
    let isWhole = base == note.base
    guard file.hasSuffix(".csproj") else { return fileName(base) }
    return String(file.dropLast(".csproj".count)) + (isWhole ? "" : " \(fileName(base))")
  }

  /// Returns the lines of the targets of XcodeGen that are not apps, as those of tests are.
  ///
  /// Source: XcodeGen, `Docs/ProjectSpec.md`, "Target".
  private static func linesOfOtherTargets(_ lines: [Substring]) -> Set<Int> {
    func depth(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
    let filled = lines.indices.filter { !lines[$0].trimmed.isEmpty && !lines[$0].trimmed.hasPrefix("#") }
    guard let start = filled.firstIndex(where: { lines[$0].hasPrefix("targets:") }) else { return [] }
    let section = filled[(start + 1)...].prefix { depth(lines[$0]) > 0 }
    guard let first = section.first else { return [] }
    var others: Set<Int> = []
    var target: [Int] = []
    for index in section + [-1] {
      guard index < 0 || depth(lines[index]) <= depth(lines[first]) else {
        target.append(index)
        continue
      }
      let type = target.lazy.map { lines[$0].trimmed }.first { $0.hasPrefix("type:") }
      if let type, !type.contains("application") { others.formUnion(target) }
      target = []
    }
    return others
  }

  /// Returns the bundle ID from the project's own file, or `nil` if the file does not contain exactly one.
  private static func bundleID(_ note: ProjectNote) -> Found<String>? {
    guard let text = try? ProjectFiles.text(note.place.path, limit: 1 << 20) else { return nil }
    var found: [Found<String>] = []
    let others = note.kind == .xcodeGen ? linesOfOtherTargets(text.lines) : []
    for (index, line) in text.lines.enumerated() where !others.contains(index) {
      for start in ["PRODUCT_BUNDLE_IDENTIFIER:", "<ApplicationId>", "bundleId:"] {
        guard let range = line.firstRange(of: start) else { continue }
        let rest = line[range.upperBound...]
        let value = String(
          rest.drop { [" ", "\t", "\"", "'"].contains($0) }
            .prefix { $0.isLetter || $0.isNumber || [".", "-"].contains($0) })
        guard !value.isEmpty, !found.contains(where: { $0.value == value }) else {
          continue
        }
        found.append(Found(value, FilePlace(note.place.path, line: index + 1)))
      }
    }
    return found.count == 1 ? found[0] : nil
  }
}

extension ProjectNote.Kind {
  /// Whether there is no Xcode project to read.
  var isWithoutProject: Bool { [.xcodeGen, .tuist, .maui, .folder].contains(self) }
  /// Whether a tool makes the Xcode project from the project's own file.
  var isGenerated: Bool { [.xcodeGen, .tuist].contains(self) }
}
