import SSOCore
import SSODevice

/// A reader of the facts of each app in an Xcode project.
struct XcodeReader {
  private let project: XcodeProject
  private let bundle: String
  private let versions: [SDKKind: String]
  private static let sourceLimit = 5000
  /// The file names of all entitlements that a target uses.
  private let namedEntitlements: Set<String>
  /// The project of the wrapper to which the Xcode project belongs.
  private let wrapper: ProjectNote?
  /// The configuration that a script of the wrapper's project passes to the SDK, if any.
  private let configuration: WebFacts.Configuration?
  /// Whether the wrapper's code says that the authority is one of B2C.
  private let isOfUserFlow: Bool
  /// Whether the wrapper's code lets the SDK call the broker, or `nil` if that is not known.
  private let brokerUse: BrokerUse?
  /// The library through which the apps use MSAL, if the wrapper's project file specifies one.
  private var library: Found<String>? { wrapper?.library }
  private(set) var apps: [AppleFacts] = []
  /// The apps for macOS that use another vendor's library, in a sandbox without outgoing connections.
  private(set) var cutOff: [VendorFacts] = []
  private(set) var unread: [UnreadFile] = []
  private let scans = SourceScans(limit: XcodeReader.sourceLimit)
  private let headers: SourceHeaders
  private let packages: LocalPackages

  /// - Parameters:
  ///   - bundle: The path of the `.xcodeproj`.
  ///   - wrapper: The project, such as Flutter's, whose library its apps use if they do not use MSAL in their own code.
  /// - Throws: `ReadingError` if the project file cannot be read.
  init(_ bundle: String, wrapper: ProjectNote? = nil) throws(ReadingError) {
    self.init(try XcodeProject(bundle), bundle, wrapper: wrapper)
  }

  /// Creates a reader of a project whose `.xcodeproj` need not exist.
  init(_ project: XcodeProject, _ bundle: String, wrapper: ProjectNote? = nil) {
    self.bundle = bundle
    self.project = project
    self.wrapper = wrapper
    headers = SourceHeaders(folder(of: bundle))
    // Flutter has a folder for each platform.
    let platform: Platform = fileName(folder(of: bundle)) == "macos" ? .macOS : .iOS
    let dart = wrapper.flatMap { note in
      note.library.flatMap { DartReader.read(note.base, package: $0.value, on: platform) }
    }
    configuration =
      wrapper.flatMap { WebReader.configuration(ofWrapper: $0) }
      ?? dart.flatMap { $0.configuration(of: wrapper?.library?.value ?? "") }
      ?? wrapper.flatMap { FlutterAsset.configuration(of: $0) }
    isOfUserFlow = dart?.isOfUserFlow ?? false
    brokerUse = dart?.brokerUse
    packages = LocalPackages(folder(of: bundle), named: project.localPackages)
    versions = PackageVersions.read(beside: bundle)
    let settings = project.targets.flatMap(\.configurations).map(\.settings)
    namedEntitlements = Set(
      settings.compactMap { $0.value("CODE_SIGN_ENTITLEMENTS").map { fileName($0.value) } })
    for target in project.targets where target.isApplication || target.isExtension { read(target) }
  }

  private var directory: String { folder(of: bundle) }
  /// Whether a target of the project has a team, so that a target without one was not just published that way.
  private var othersHaveTeam: Bool {
    project.targets.flatMap(\.configurations).contains {
      $0.settings.value("DEVELOPMENT_TEAM")?.value.isEmpty == false
    }
  }

  /// The products and frameworks of MSAL and ADAL.
  private static let products: Set<String> = [
    "MSAL", "MSAL.framework", "MSAL.xcframework", "ADAL", "ADAL.framework", "ADAL.xcframework",
    "ADALiOS.framework",
  ]

  private mutating func read(_ target: XcodeProject.Target) {
    let named = ["GCC_PREFIX_HEADER", "SWIFT_OBJC_BRIDGING_HEADER"].flatMap { key in
      target.configurations.compactMap { $0.settings.value(key)?.value }
    }
    let compiled = target.sources.filter(SourceLanguage.isSource)
    let (packaged, needsMSAL) = target.isApplication ? packages.used(by: target.libraries) : ([], false)
    var own = compiled + headers.used(by: compiled, named: named).filter { !compiled.contains($0) } + packaged
    // An app may leave the sign-in to a framework of the project, so also scan the sources that do not belong to an
    // app.
    let links = needsMSAL || !target.libraries.isDisjoint(with: Self.products)
    guard links || library != nil || scans.mayUseSDK(own) else { return readSandbox(target) }
    var sources = scans.scans(of: own)
    if sources.allSatisfy({ $0.sdk == nil }), links {
      let apps = project.targets.filter { $0.isApplication || $0.isExtension }
      let foreign = Set(apps.flatMap(\.sources))
      let shared = project.targets.flatMap(\.sources).filter {
        SourceLanguage.isSource($0) && !foreign.contains($0)
      }
      own += shared
      sources = scans.scans(of: own)
    }
    let isUsed = sources.contains { scan in
      guard links || target.defines(scan.flag) else { return false }
      return scan.sdk.map { !scan.isConditional || links || versions[$0.value] != nil } ?? false
    }
    guard isUsed || library != nil && target.isApplication, !isForOtherDevices(target) else {
      return readSandbox(target)
    }
    // The values that names represent may be in headers.
    sources = scans.scans(of: own + headers.imported(by: own, named: named))
    var first: AppleFacts?
    for configuration in target.configurations {
      var facts = read(target, configuration.settings, sources)
      if let first, facts.hasSameValues(as: first) { continue }
      if first != nil { facts.configuration = configuration.name }
      first = first ?? facts
      apps.append(facts)
    }
  }

  /// The entitlements of Flutter's template (flutter/flutter, `packages/flutter_tools/templates/app/macos.tmpl/Runner`).
  private static let templateEntitlements: Set = [
    "com.apple.security.app-sandbox", "com.apple.security.cs.allow-jit", "com.apple.security.network.server",
  ]

  /// Records an app without MSAL whose sandbox blocks another vendor's library.
  private mutating func readSandbox(_ target: XcodeProject.Target) {
    guard target.isApplication else { return }
    for (_, settings) in target.configurations where platform(settings) == .macOS {
      var reader = AppleReader(
        settings: settings,
        facts: AppleFacts(name: target.name, origin: FilePlace(project.path, line: target.line)))
      guard settings.value("CODE_SIGN_ENTITLEMENTS")?.value.isEmpty == false else { continue }
      readEntitlements(settings, target, &reader)
      guard let place = reader.facts.isCutOff else { continue }
      let own = Vendor.apple.first { !target.libraries.isDisjoint(with: $0.modules) } ?? imported(by: target)
      // Flutter makes a folder for macOS with this sandbox in each project, also in one for other systems.
      let isAsMade = reader.entitlementKeys.isSubset(of: Self.templateEntitlements)
      guard let vendor = own ?? (isAsMade ? nil : wrappedVendor) else { return }
      cutOff.append(
        VendorFacts(
          name: "\(target.name): \(vendor.name)", vendor: vendor, origin: place,
          kind: .sandbox(mayBeLeftOver: own == nil || belongsToAnother(target, vendor))))
      return
    }
  }

  /// Returns whether the bundle ID of an app has another owner than that of another app of the project with the same library,
  /// as where only one target of a sample was taken over: `com.contoso.mail` beside `com.vendor.samples.mail`.
  private func belongsToAnother(_ target: XcodeProject.Target, _ vendor: Vendor) -> Bool {
    func owner(_ target: XcodeProject.Target) -> String? {
      let bundleID = target.configurations.lazy.compactMap { $0.settings.value("PRODUCT_BUNDLE_IDENTIFIER") }
        .first
      return bundleID.map { $0.value.split(separator: ".").prefix(2).joined(separator: ".") }
    }
    return project.targets.contains { other in
      other.isApplication && owner(other) != owner(target) && imported(by: other) == vendor
    }
  }

  /// Returns the vendor whose library the code of a target imports.
  private func imported(by target: XcodeProject.Target) -> Vendor? {
    let code = target.sources.filter(SourceLanguage.isSource).prefix(Self.sourceLimit)
    return code.lazy.compactMap { path in
      let text = (try? ProjectFiles.text(path, limit: 1 << 20)) ?? ""
      return Vendor.apple.first { vendor in
        vendor.modules.contains { name in
          text.lines.contains { $0.trimmed == "import " + name } || text.contains("@import \(name);")
            || text.contains("#import <\(name)/")
        }
      }
    }.first
  }

  /// The vendor whose library a Flutter package brings in.
  private var wrappedVendor: Vendor? {
    guard let text = try? ProjectFiles.text(folder(of: directory) + "/pubspec.yaml", limit: 1 << 20) else {
      return nil
    }
    let lines = text.lines.map(\.trimmed)
    return Vendor.apple.first { vendor in
      vendor.wrappers.contains { wrapper in lines.contains { $0.hasPrefix(wrapper.name + ":") } }
    }
  }

  /// The Flutter packages that have nothing for macOS (the folders of their repositories).
  private static let withoutMac: Set<String> = [
    "msal_flutter", "msal_mobile", "flutter_microsoft_authentication",
  ]

  /// Returns whether a target is for tvOS or watchOS, which MSAL does not support.
  private func isForOtherDevices(_ target: XcodeProject.Target) -> Bool {
    target.configurations.contains {
      ["appletvos", "watchos"].contains($0.settings.value("SDKROOT")?.value)
    }
  }

  private mutating func read(
    _ target: XcodeProject.Target, _ settings: BuildSettings, _ sources: [SourceScan]
  ) -> AppleFacts {
    var reader = AppleReader(
      settings: settings,
      facts: AppleFacts(name: target.name, origin: FilePlace(project.path, line: target.line)))
    reader.facts.isExtension = target.isExtension
    reader.facts.platform = platform(settings)
    reader.facts.bundleID = settings.value("PRODUCT_BUNDLE_IDENTIFIER")
    reader.facts.teamID = settings.value("DEVELOPMENT_TEAM").flatMap { $0.value.isEmpty ? nil : $0 }
    reader.facts.isUnsigned =
      reader.facts.teamID == nil && (othersHaveTeam || settings.value("CODE_SIGN_IDENTITY")?.value == "-")
    reader.facts.displayName = settings.value("INFOPLIST_KEY_CFBundleDisplayName")?.value
    readInfo(settings, target, &reader)
    readEntitlements(settings, target, &reader)
    var source = SourceFacts(
      sources, bundleID: reader.facts.bundleID?.value, info: reader.infoStrings,
      lists: ListedValues.read(sources, below: directory))
    if source.sdk == nil || source.clientID == .absent {
      let isForMac = library.map { !Self.withoutMac.contains($0.value) } ?? true
      reader.facts.library = reader.facts.platform == .iOS || isForMac ? library : nil
      // Flutter makes the folder for macOS in each project; a keychain group, or MSAL in a lock file, shows its use.
      if reader.facts.platform == .iOS || reader.facts.namesGroups || versions[.msal] != nil {
        reader.facts.wrapperSetUp = wrapper?.appleSetUp
      }
      // A script of React Native that uses a library imports it by its name.
      reader.facts.isWrapperUnused =
        source.sdk == nil && wrapper?.appleSetUp == nil && library != nil
        && [.reactNative, .expo].contains(wrapper?.kind)
      reader.facts.impliedSDK = reader.facts.library == nil ? nil : .msal
      reader.facts.wrapperBrokerUse = brokerUse
      if let configuration {
        source.take(configuration)
        if isOfUserFlow { source.authorityClasses.insert("MSALB2CAuthority") }
        reader.facts.isConfiguredByScript = true
        reader.facts.mayHaveDefaultRedirect = configuration.mayHaveRedirect
      }
    }
    reader.facts.source = source
    readNamed(target, settings, &reader)
    reader.facts.hasGeneratedSchemes = hasGeneratedSchemes(target)
    let version = reader.facts.sdk.flatMap { versions[$0] }
    reader.facts.sdkVersion = version.flatMap { $0.contains(".") ? $0 : nil }
    // The versions of msal_flutter bring in different ones of MSAL, from 1.0.3 on (its podspec).
    let isOfFlutter = reader.facts.library?.value == "msal_flutter"
    reader.facts.isOfCommit = (version != nil || isOfFlutter) && reader.facts.sdkVersion == nil
    reader.facts.usesScenes = reader.facts.usesScenes ?? source.swiftUIApp
    for file in reader.unread where !unread.contains(file) { unread.append(file) }
    return reader.facts
  }

  /// Reads whether the target has the scene delegate's class that Info.plist names, and the property list from which code
  /// reads the client ID.
  private func readNamed(
    _ target: XcodeProject.Target, _ settings: BuildSettings, _ reader: inout AppleReader
  ) {
    if let name = reader.facts.sceneDelegate?.value {
      let parts = name.split(separator: ".").map(String.init)
      // A class of another module is not read.
      let modules = ["PRODUCT_MODULE_NAME", "PRODUCT_NAME", "TARGET_NAME"].map {
        settings.expanding("$(\($0))")
      }
      let isOwn = parts.count < 2 || modules.contains(parts[0]) || parts[0].contains("$")
      let names =
        ["class", "@implementation", "@interface"].map { "\($0) \(parts.last ?? "")" } + ["@objc(\(name))"]
      let code = target.sources.filter(SourceLanguage.isSource).prefix(Self.sourceLimit)
      let isDeclared = code.contains { path in
        guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
          names.contains(where: { data.hasBytes($0) })
        else {
          return false
        }
        let tokens = SourceTokens.read(String(decoding: data, as: UTF8.self), of: path)
        return tokens.indices.dropFirst().contains { index in
          tokens[index].word == parts.last
            && ["class", "implementation", "interface", "objc"].contains(tokens[index - 1].word)
            || tokens[index].word == parts.last && tokens[index - 1].isSymbol("(")
        }
      }
      reader.facts.hasSceneDelegate = isOwn && !parts.isEmpty ? isDeclared : nil
    }
    guard let list = reader.facts.clientID?.place, list.path.hasSuffix(".plist"),
      fileName(list.path) != "Info.plist",
      settings.value("INFOPLIST_FILE").map({ path($0.value) }) != list.path,
      leavesOut(fileName(list.path))
    else { return }
    reader.facts.unbundledList = Found(list.path, list)
  }

  /// Returns whether the project's file shows that no target copies a file.
  private func leavesOut(_ name: String) -> Bool {
    guard let text = try? ProjectFiles.text(project.path, limit: 32 << 20) else { return false }
    return XcodeProject.leavesOut(name, text)
  }

  /// Returns whether a script of a build, or of fastlane, may write URL schemes into the Info.plist: it names their keys,
  /// or runs a file of the project that does.
  private func hasGeneratedSchemes(_ target: XcodeProject.Target) -> Bool {
    func names(_ text: String) -> Bool {
      ["CFBundleURLTypes", "CFBundleURLSchemes", "update_url_schemes"].contains(where: text.contains)
    }
    func file(_ name: String) -> String {
      (try? ProjectFiles.text(directory + "/" + name, limit: 1 << 20)) ?? ""
    }
    let run = target.scripts.prefix(Self.scriptLimit).flatMap { script in
      script.replacing("SRCROOT", with: "").replacing("PROJECT_DIR", with: "").split {
        !$0.isLetter && !$0.isNumber && !"._-/".contains($0)
      }.map(String.init)
        .filter { $0.contains("/") || $0.contains(".") }.prefix(Self.scriptLimit)
    }
    let paths = run.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
    // Gradle's wrapper runs the build file beside it.
    return target.scripts.contains(where: names) || names(file("fastlane/Fastfile"))
      || Set(paths.map { $0.hasSuffix("gradlew") ? $0.replacing("gradlew", with: "build.gradle") : $0 })
        .contains { names(file($0)) }
  }

  private static let scriptLimit = 40

  private func platform(_ settings: BuildSettings) -> Platform {
    let root = settings.value("SDKROOT")?.value ?? ""
    let supported = settings.value("SUPPORTED_PLATFORMS")?.value ?? root
    return supported.contains("macosx") && !supported.contains("iphone") ? .macOS : .iOS
  }

  private func readInfo(
    _ settings: BuildSettings, _ target: XcodeProject.Target, _ reader: inout AppleReader
  ) {
    if let file = settings.value("INFOPLIST_FILE"), !file.value.isEmpty {
      var path = path(file.value)
      // The file system of macOS ignores the case of letters.
      if !path.contains("$("), !ProjectFiles.exists(path) { path = inAnotherCase(path) ?? path }
      if let info = target.generated[path] {
        reader.takeInfo(info, path: project.path)
      } else if !path.contains("$("), !ProjectFiles.exists(path) {
        reader.facts.missingInfo = Found(path, file.place)
        reader.facts.similarInfo = similarList(path)
        reader.facts.mayHaveInfo =
          settings.flag("GENERATE_INFOPLIST_FILE") || target.scripts.contains { $0.contains("plist") }
          || isIgnored(fileName(path))
        if reader.facts.similarInfo == nil {
          reader.unread.append(UnreadFile(path: path, error: ReadingError("no such file or directory")))
        }
      } else if !path.contains("$("), let info = reader.propertyList(path, macros(settings)) {
        reader.takeInfo(info, path: path)
      }
    } else if settings.flag("GENERATE_INFOPLIST_FILE") {
      // A generated Info.plist has no URL types, so they are missing at the place of the setting.
      let place = settings.value("GENERATE_INFOPLIST_FILE")?.place ?? reader.facts.origin
      reader.facts.urlSchemes = FoundList([], place)
      reader.facts.querySchemes = FoundList([], place)
    }
    if settings.flag("INFOPLIST_KEY_UIApplicationSceneManifest_Generation") {
      reader.facts.usesScenes = settings.value("INFOPLIST_KEY_UIApplicationSceneManifest_Generation")?.place
    }
  }

  /// Returns the property list whose path resembles that of a missing one.
  private func similarList(_ path: String) -> String? {
    ProjectFiles(directory).find { $0.hasSuffix(".plist") }.map(simplified)
      .closestSpelling(to: path, most: 3)
  }

  /// Returns the property list whose path differs from that of a missing one only in the case of its letters.
  private func inAnotherCase(_ path: String) -> String? {
    ProjectFiles(directory).find { $0.hasSuffix(".plist") }.map(simplified)
      .first { $0.lowercased() == path.lowercased() }
  }

  /// Returns whether a file of the project keeps files with a name from being published.
  private func isIgnored(_ name: String) -> Bool {
    ["", "/.."].contains { parent in
      let text = try? ProjectFiles.text(directory + parent + "/.gitignore", limit: 1 << 20)
      return text?.lines.contains { $0.trimmed.hasSuffix(name) || $0.trimmed == "*.plist" } ?? false
    }
  }

  /// Returns the macros of an Info.plist that a build preprocesses, or `nil` for any other one.
  private func macros(_ settings: BuildSettings) -> PropertyListMacros? {
    guard settings.flag("INFOPLIST_PREPROCESS") else { return nil }
    let header = settings.value("INFOPLIST_PREFIX_HEADER")?.value ?? ""
    return PropertyListMacros(
      definitions: settings.value("INFOPLIST_PREPROCESSOR_DEFINITIONS")?.value ?? "",
      header: header.isEmpty ? "" : try? ProjectFiles.text(path(header), limit: 1 << 20))
  }

  private func readEntitlements(
    _ settings: BuildSettings, _ target: XcodeProject.Target, _ reader: inout AppleReader
  ) {
    guard let file = settings.value("CODE_SIGN_ENTITLEMENTS"), !file.value.isEmpty else {
      guard !settings.isPartial else { return }
      let place = settings.value("PRODUCT_BUNDLE_IDENTIFIER")?.place ?? reader.facts.origin
      let files = ProjectFiles(directory).find { $0.hasSuffix(".entitlements") }
        .filter { !namedEntitlements.contains(fileName($0)) }
      let unused = files.first { fileName($0) == target.name + ".entitlements" } ?? files.first
      let base = simplified(directory) + "/"
      reader.facts.entitlements = .none(
        place, unused: unused.map { $0.hasPrefix(base) ? String($0.dropFirst(base.count)) : $0 })
      return
    }
    let path = path(file.value)
    // The value of a variable is not known.
    guard !path.contains("$(") else { return }
    if let entitlements = target.generated[path] {
      return reader.takeEntitlements(entitlements, path: project.path)
    }
    guard ProjectFiles.exists(path) else {
      reader.facts.entitlements = .none(file.place, unused: nil)
      reader.facts.missingEntitlements = Found(path, file.place)
      return
    }
    if let entitlements = reader.propertyList(path) { reader.takeEntitlements(entitlements, path: path) }
    if settings.flag("ENABLE_OUTGOING_NETWORK_CONNECTIONS") { reader.facts.isCutOff = nil }
  }

  /// Returns the path of a setting, which is relative to the project's folder, as `SRCROOT` is here.
  private func path(_ text: String) -> String {
    guard text.hasPrefix("/") else { return simplified(directory + "/" + text) }
    let path = simplified(text)
    return ProjectFiles.exists(path) ? path : ownPath(path)
  }

  /// Returns the file of this folder to which an absolute path leads on the machine where it was written, or the path
  /// itself if it does not exist.
  private func ownPath(_ path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.indices.dropFirst().lazy.map { self.directory + "/" + parts[$0...].joined(separator: "/") }
      .first(where: ProjectFiles.exists) ?? path
  }
}

extension AppleFacts {
  /// Returns whether both are the same app except for the places of its values, as in most configurations.
  fileprivate func hasSameValues(as other: AppleFacts) -> Bool {
    InstalledApp(self) == InstalledApp(other) && intune == other.intune && platform == other.platform
      && entitlements.isNamed == other.entitlements.isNamed
  }
}

extension AppleFacts.Entitlements {
  fileprivate var isNamed: Bool { if case .none = self { false } else { true } }
}

extension XcodeProject.Target {
  /// Returns whether a build defines a flag, as for `#if FLAG`; without a flag, nothing has to be defined.
  fileprivate func defines(_ flag: String?) -> Bool {
    guard let flag else { return true }
    let keys = ["SWIFT_ACTIVE_COMPILATION_CONDITIONS", "OTHER_SWIFT_FLAGS", "GCC_PREPROCESSOR_DEFINITIONS"]
    return configurations.contains { _, settings in
      keys.contains { settings.value($0)?.value.contains(flag) == true }
    }
  }
}

/// The build settings of one configuration of a target, by level, with variables expanded.
package struct BuildSettings: Hashable, Sendable {
  /// The levels, from the target's own settings down to the project's xcconfig file; the first that has a key applies.
  var levels: [[String: Found<String>]]
  /// The settings that Xcode itself defines, such as `TARGET_NAME` and `SRCROOT`.
  var builtIn: [String: String]
  /// Whether a configuration file is not there, so that a build may have settings that no level has.
  var isPartial = false

  /// The maximum depth of nested expansions, so that the expansion of a setting that refers to itself ends.
  private static let depthLimit = 16
  private static let lengthLimit = 8192
  /// The maximum number of variables to expand in one value, because settings may refer to each other many times.
  private static let replacementLimit = 2000

  /// Returns a setting with its variables expanded, or `nil` if it is not set.
  ///
  /// Of one level, `KEY[sdk=…]` for the devices of the build applies before `KEY`, and the first `KEY[…]` without `KEY`.
  package func value(_ key: String) -> Found<String>? {
    guard let (level, found) = raw(key, from: 0) else { return nil }
    var left = Self.replacementLimit
    return Found(expand(found.value, key: key, level: level, depth: 0, &left), found.place)
  }

  package func flag(_ key: String) -> Bool { value(key)?.value == "YES" }

  /// Returns a string from an Info.plist or an entitlements file with its variables expanded.
  ///
  /// Unknown variables are left unchanged.
  func expanding(_ text: String) -> String {
    var left = Self.replacementLimit
    return expand(text, key: nil, level: 0, depth: 0, &left)
  }

  /// The SDK of the devices for which a build is, or `nil` if the settings do not say it as text.
  private var sdk: String? {
    let roots = levels.lazy.compactMap { ($0["SUPPORTED_PLATFORMS"] ?? $0["SDKROOT"])?.value }
    return roots.first.flatMap { root in
      root.contains("iphoneos") ? "iphoneos" : root.contains("macosx") ? "macosx" : nil
    }
  }

  private func raw(_ key: String, from start: Int) -> (level: Int, found: Found<String>)? {
    for (level, settings) in levels.enumerated().dropFirst(start) {
      if let found = settings[key] {
        return (level, sdk.flatMap { settings["\(key)[sdk=\($0)*]"] } ?? found)
      }
      let own = "config=\(builtIn["CONFIGURATION"] ?? "")]"
      let conditional = settings.keys.filter {
        $0.hasPrefix(key + "[") && (!$0.contains("config=") || $0.hasSuffix(own)) && isForDevices($0)
      }.min()
      if let conditional, let found = settings[conditional] { return (level, found) }
    }
    return nil
  }

  /// Returns whether the condition of a setting, such as `[sdk=iphonesimulator*]`, may hold in a build for devices.
  private func isForDevices(_ key: String) -> Bool {
    guard let start = key.firstRange(of: "sdk=")?.upperBound else { return true }
    let name = key[start...].prefix(while: \.isLetter)
    return name != "iphonesimulator" && (sdk.map { $0.hasPrefix(name) || name.hasPrefix($0) } ?? true)
  }

  private func expand(
    _ text: String, key: String?, level: Int, depth: Int, _ left: inout Int
  ) -> String {
    guard depth < Self.depthLimit, left > 0, text.contains("$") else { return text }
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      let open = rest.dropFirst().first
      guard open == "(" || open == "{",
        let close = rest.firstIndex(of: open == "(" ? ")" : "}")
      else {
        result += "$"
        rest = rest.dropFirst()
        continue
      }
      let variable = String(rest[rest.index(dollar, offsetBy: 2)..<close])
      result +=
        replacement(variable, key: key, level: level, depth: depth, &left) ?? String(rest[dollar...close])
      rest = rest[rest.index(after: close)...]
      guard result.utf8.count < Self.lengthLimit else { return result }
    }
    return result + rest
  }

  private func replacement(
    _ variable: String, key: String?, level: Int, depth: Int, _ left: inout Int
  ) -> String? {
    left -= 1
    let parts = variable.split(separator: ":", maxSplits: 1).map(String.init)
    // `https:/$()/…`: in an xcconfig file, two slashes begin a comment.
    guard let name = parts.first else { return "" }
    let isInherited = name == "inherited"
    let wanted = isInherited ? key : name
    let start = isInherited || name == key ? level + 1 : 0
    var value: String?
    if let wanted, let (level, found) = raw(wanted, from: start) {
      value = expand(found.value, key: wanted, level: level, depth: depth + 1, &left)
    } else {
      value = isInherited ? "" : builtIn[name]
    }
    guard let value else { return nil }
    return parts.dropFirst().first == "rfc1034identifier"
      ? String(value.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" })
      : value
  }
}
