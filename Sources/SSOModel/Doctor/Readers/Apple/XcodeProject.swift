import Essentials
import SSOCore

/// The targets of an Xcode project, with their build settings and source files, from `project.pbxproj`.
struct XcodeProject {
  package struct Target {
    package var name: String
    /// The product type, such as `com.apple.product-type.application`.
    var productType: String
    package var line: Int?
    /// The configurations in order, beginning with the default configuration of `xcodebuild`.
    package var configurations: [(name: String, settings: BuildSettings)]
    package var sources: [String]
    /// The names of package products and frameworks that the target links.
    package var libraries: Set<String>
    /// The texts of the scripts that a build runs.
    var scripts: [String] = []
    /// The property lists that XcodeGen writes before a build, by their paths; their lines are those of its own file.
    var generated: [String: PropertyListNode] = [:]

    var isApplication: Bool { productType == "com.apple.product-type.application" }
    package var isExtension: Bool {
      productType.contains("app-extension") || productType.contains("extensionkit")
    }
  }

  /// The path of `project.pbxproj`.
  package let path: String
  package let targets: [Target]
  /// The folders of the Swift packages that the project names by their path.
  let localPackages: [String]

  /// - Parameter bundle: The path of the `.xcodeproj`.
  /// - Throws: `ReadingError` if `project.pbxproj` cannot be read or is not a property list.
  package init(_ bundle: String) throws(ReadingError) {
    try self.init(try ProjectFiles.data(bundle + "/project.pbxproj"), bundle: bundle)
  }

  /// Returns whether the text of a project's file shows that no target copies a file into its product.
  ///
  /// Xcode writes the phase of each file in a comment; folders bring in their files without naming them.
  static func leavesOut(_ name: String, _ text: String) -> Bool {
    // A build file that no phase lists is not in the app.
    text.contains(" in Resources */")
      && !text.lines.contains { $0.contains("\(name) in ") && !$0.contains("isa = PBXBuildFile") }
      && !text.contains("PBXFileSystemSynchronized") && !text.contains("lastKnownFileType = folder;")
      && !text.lines.contains { $0.contains("shellScript") && $0.contains(name) }
  }

  init(path: String, targets: [Target], localPackages: [String]) {
    (self.path, self.targets, self.localPackages) = (path, targets, localPackages)
  }

  /// Creates a project from the bytes of `project.pbxproj`.
  init(_ data: Data, bundle: String) throws(ReadingError) {
    path = bundle + "/project.pbxproj"
    let root = try PropertyListReader.read(data)
    guard let objects = root["objects"]?.dictionary, let project = root["rootObject"]?.string else {
      throw ReadingError(line: root.line, "it does not contain objects, as Xcode's projects do")
    }
    var reading = ProjectReading(
      path: path, directory: folder(of: bundle),
      objects: Dictionary(objects.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    reading.findFiles(of: project)
    targets = reading.targets(of: project)
    localPackages = reading.localPackages
  }
}

/// The objects of a project, which refer to each other by key, while the targets are created from them.
private struct ProjectReading {
  let path: String
  /// The folder that contains the project, which `SRCROOT` names.
  let directory: String
  let objects: [String: PropertyListNode]
  /// The path of each file by its key, and the paths of all sources in each folder that Xcode keeps synchronised.
  private(set) var files: [String: [String]] = [:]
  /// The folders that Xcode keeps synchronised, by their keys.
  private(set) var folders: [String: String] = [:]

  /// The maximum number of synchronised folders to search.
  private static let folderLimit = 100

  var localPackages: [String] {
    objects.values.filter { $0["isa"]?.string == "XCLocalSwiftPackageReference" }
      .compactMap { $0["relativePath"]?.string }.map { simplified(directory + "/" + $0) }.sorted()
  }

  func targets(of key: String) -> [XcodeProject.Target] {
    guard let project = objects[key] else { return [] }
    let shared = configurations(of: project)
    return (project["targets"]?.strings ?? []).compactMap { reference in
      guard let target = objects[reference.text] else { return nil }
      let name = target["name"]?.string ?? "?"
      let phases = objects(target["buildPhases"])
      let built = phases.flatMap { phase in
        (phase["files"]?.strings ?? []).compactMap { objects[$0.text] }
      }
      let sources = phases.filter { $0["isa"]?.string == "PBXSourcesBuildPhase" }
        .flatMap { $0["files"]?.strings ?? [] }
        .compactMap { objects[$0.text]?["fileRef"]?.string }.flatMap { files[$0] ?? [] }
      let synchronized = synchronizedSources(of: reference.text, target)
      let products =
        objects(target["packageProductDependencies"])
        + built.compactMap { $0["productRef"]?.string }
        .compactMap { objects[$0] }
      let frameworks = built.compactMap { $0["fileRef"]?.string }.compactMap { objects[$0] }
        .compactMap { ($0["path"] ?? $0["name"])?.string }.map(fileName)
      return XcodeProject.Target(
        name: name, productType: target["productType"]?.string ?? "", line: target.line,
        configurations: configurations(of: target).map { name, levels, isPartial in
          let outer = shared.first { $0.name == name }
          var own = settings(levels + (outer?.levels ?? []), target, name)
          own.isPartial = isPartial || outer?.isPartial == true
          return (name: name, settings: own)
        },
        sources: sources + synchronized,
        libraries: Set(products.compactMap { $0["productName"]?.string } + frameworks),
        scripts: phases.compactMap { $0["shellScript"]?.string })
    }
  }

  /// Returns the sources of a target in the folders that Xcode keeps synchronised.
  ///
  /// The exceptions of a folder are the files that its target lacks, or that another target has.
  private func synchronizedSources(of key: String, _ target: PropertyListNode) -> [String] {
    let own = Set((target["fileSystemSynchronizedGroups"]?.strings ?? []).map(\.text))
    return folders.sorted { $0.key < $1.key }.flatMap { group, base in
      let sets = objects(objects[group]?["exceptions"]).filter { $0["target"]?.string == key }
      let listed = sets.flatMap { $0["membershipExceptions"]?.strings ?? [] }.map {
        simplified(base + "/" + $0.text)
      }
      func isListed(_ path: String) -> Bool {
        listed.contains { path == $0 || path.hasPrefix($0 + "/") }
      }
      let isOwn = own.contains(group)
      return (files[group] ?? []).filter { isListed(simplified($0)) != isOwn }
    }
  }

  private func objects(_ keys: PropertyListNode?) -> [PropertyListNode] {
    (keys?.strings ?? []).compactMap { objects[$0.text] }
  }

  // MARK: Build settings

  private func settings(
    _ levels: [[String: Found<String>]], _ target: PropertyListNode, _ configuration: String
  ) -> BuildSettings {
    let name = target["name"]?.string ?? ""
    return BuildSettings(
      levels: levels,
      builtIn: [
        "TARGET_NAME": name, "PRODUCT_NAME": name, "TARGETNAME": name, "CONFIGURATION": configuration,
        "SRCROOT": ".", "PROJECT_DIR": ".", "SOURCE_ROOT": ".", "EXECUTABLE_NAME": name,
        "PRODUCT_MODULE_NAME": name,
        "PROJECT_NAME": fileName(folder(of: path)).replacing(".xcodeproj", with: ""),
      ])
  }

  /// Returns each configuration of a target or project: its own settings, then the settings of its xcconfig file, and
  /// whether that file is not there.
  private func configurations(
    of owner: PropertyListNode
  ) -> [(name: String, levels: [[String: Found<String>]], isPartial: Bool)] {
    guard let list = owner["buildConfigurationList"]?.string.flatMap({ objects[$0] }) else { return [] }
    let first = list["defaultConfigurationName"]?.string
    let all = objects(list["buildConfigurations"]).map { configuration in
      var own: [String: Found<String>] = [:]
      for entry in configuration["buildSettings"]?.dictionary ?? [] {
        let text = entry.value.strings.map(\.text).joined(separator: " ")
        own[entry.key] = Found(text, FilePlace(path, line: entry.value.line))
      }
      var file = configuration["baseConfigurationReference"]?.string.flatMap { files[$0]?.first }
      if file == nil,
        let anchor = configuration["baseConfigurationReferenceAnchor"]?.string.flatMap({ folders[$0] }),
        let path = configuration["baseConfigurationReferenceRelativePath"]?.string
      {
        file = simplified(anchor + "/" + path)
      }
      let base = file.map(ConfigurationFile.init)
      return (
        name: configuration["name"]?.string ?? "?",
        levels: [own] + [base?.settings].compactMap(\.self), isPartial: base?.isPartial ?? false
      )
    }
    return all.filter { $0.name == first } + all.filter { $0.name != first }
  }

  // MARK: Files

  /// Collects the files of all groups, and joins the paths of nested groups.
  mutating func findFiles(of key: String) {
    guard let project = objects[key] else { return }
    var paths: [String: [String]] = [:]
    var visited: Set<String> = []
    var folders: [String: String] = [:]
    func visit(_ key: String, _ base: String, depth: Int) {
      guard depth < PropertyListNode.depthLimit, visited.insert(key).inserted, let object = objects[key]
      else {
        return
      }
      let own = object["path"]?.string
      let isRooted = object["sourceTree"]?.string == "SOURCE_ROOT"
      let place = own.map { $0.hasPrefix("/") ? $0 : (isRooted ? directory : base) + "/" + $0 } ?? base
      switch object["isa"]?.string {
      case "PBXGroup", "PBXVariantGroup":
        for child in object["children"]?.strings ?? [] { visit(child.text, place, depth: depth + 1) }
      case "PBXFileSystemSynchronizedRootGroup":
        guard folders.count < Self.folderLimit else { return }
        folders[key] = simplified(place)
        paths[key] = ProjectFiles(simplified(place)).find(SourceLanguage.isSource)
      default: paths[key] = [simplified(place)]
      }
    }
    if let main = project["mainGroup"]?.string { visit(main, directory, depth: 0) }
    files = paths
    self.folders = folders
  }
}

/// A reader of the property lists of NeXTSTEP, such as `project.pbxproj`.
///
/// It reads `{ key = value; }`, `( a, b, )`, strings with or without quotes, data in hexadecimal digits, and C
/// comments.
struct OpenStepPropertyList {
  static let sizeLimit = 32 << 20

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var nodes = 0

  static func read(_ data: Data) throws(ReadingError) -> PropertyListNode {
    guard data.count <= sizeLimit else { throw ReadingError("more than \(sizeLimit) bytes") }
    var reader = OpenStepPropertyList(bytes: [UInt8](data))
    let root = try reader.node(depth: 0)
    try reader.skip()
    guard reader.position == reader.bytes.count else { throw reader.error("the end of the property list") }
    return root
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func error(_ expected: String) -> ReadingError {
    ReadingError(line: line, position < bytes.count ? "expected \(expected)" : "the property list ends early")
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  /// Skips white space and comments.
  private mutating func skip() throws(ReadingError) {
    while let byte {
      if byte <= 0x20 {
        advance()
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        position += 2
        while self.byte != UInt8(ascii: "*") || next != UInt8(ascii: "/") {
          guard self.byte != nil else { throw error("the end of a comment") }
          advance()
        }
        position += 2
      } else {
        return
      }
    }
  }

  private mutating func takes(_ wanted: Unicode.Scalar) throws(ReadingError) -> Bool {
    try skip()
    guard byte == UInt8(ascii: wanted) else { return false }
    position += 1
    return true
  }

  private mutating func node(depth: Int) throws(ReadingError) -> PropertyListNode {
    nodes += 1
    guard nodes <= PropertyListNode.nodeLimit, depth < PropertyListNode.depthLimit else {
      throw ReadingError(line: line, "too many values, or nested too deeply")
    }
    try skip()
    let start = line
    if try takes("{") {
      var entries: [PropertyListNode.Entry] = []
      while try !takes("}") {
        try skip()
        let key = try text()
        guard try takes("=") else { throw error("\"=\" after \(key)") }
        let value = try node(depth: depth + 1)
        guard try takes(";") else { throw error("\";\" after the value of \(key)") }
        entries.append(.init(key: key, value: value))
      }
      return PropertyListNode(.dictionary(entries), line: start)
    }
    if try takes("(") {
      var elements: [PropertyListNode] = []
      while try !takes(")") {
        elements.append(try node(depth: depth + 1))
        if try takes(",") { continue }
        guard try takes(")") else { throw error("\",\" or \")\"") }
        break
      }
      return PropertyListNode(.array(elements), line: start)
    }
    if try takes("<") {
      while let byte, byte != UInt8(ascii: ">") { advance() }
      guard try takes(">") else { throw error("\">\"") }
      return PropertyListNode(.data(Data()), line: start)
    }
    return PropertyListNode(.string(try text()), line: start)
  }

  private mutating func text() throws(ReadingError) -> String {
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while let byte, Self.isWord(byte) { position += 1 }
      guard position > start else { throw error("a value") }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    position += 1
    var text: [UInt8] = []
    while let byte, byte != quote {
      if byte == UInt8(ascii: "\\"), let escaped = next {
        position += 1
        text.append(escaped == UInt8(ascii: "n") ? 0x0A : escaped == UInt8(ascii: "t") ? 0x09 : escaped)
      } else {
        text.append(byte)
      }
      advance()
    }
    guard byte == quote else { throw error("the closing quote") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
    default: "_$/:.-+@".utf8.contains(byte)
    }
  }
}

/// The Swift packages in a project's folders, whose code an app compiles like its own.
final class LocalPackages {
  private struct Package {
    var folder: String
    /// The names of its products and targets.
    var names: Set<String> = []
    /// The folders of the packages that it depends on.
    var others: [String] = []
    var needsMSAL = false
  }

  private static let packageLimit = 100

  private let places: [String]
  private var known: [Package]?

  /// - Parameters:
  ///   - directory: The folder of the Xcode project.
  ///   - named: The folders of packages that the project names, which may be outside that folder.
  init(_ directory: String, named: [String]) {
    let found = ProjectFiles(directory).find { $0 == "Package.swift" }
    places = Array(Set(found + named.map { $0 + "/Package.swift" }.filter(ProjectFiles.exists))).sorted()
  }

  /// Returns the sources of the packages whose products a target links, and whether they need MSAL.
  func used(by libraries: Set<String>) -> (sources: [String], needsMSAL: Bool) {
    var open = packages.filter { !$0.names.isDisjoint(with: libraries) }
    var folders: Set<String> = []
    var sources: [String] = []
    var needsMSAL = false
    while let package = open.popLast() {
      guard folders.insert(package.folder).inserted else { continue }
      let own = package.folder + "/Sources"
      sources += ProjectFiles(ProjectFiles.exists(own) ? own : package.folder).find(SourceLanguage.isSource)
      needsMSAL = needsMSAL || package.needsMSAL
      open += packages.filter { package.others.contains($0.folder) }
    }
    return (sources.sorted(), needsMSAL)
  }

  private var packages: [Package] {
    if let known { return known }
    let all = places.prefix(Self.packageLimit).compactMap(Self.read)
    known = all
    return all
  }

  /// Reads `.library(name: "…"`, `.target(name: "…"`, and `.package(path: "…"` of a manifest.
  private static func read(_ path: String) -> Package? {
    guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { return nil }
    var package = Package(folder: simplified(folder(of: path)))
    package.needsMSAL = text.contains("microsoft-authentication-library-for-objc")
    let tokens = SourceTokens.read(text)
    for (index, token) in tokens.enumerated() where token.word == "name" || token.word == "path" {
      let rest = tokens[(index + 1)...].prefix(2)
      guard rest.first?.isSymbol(":") == true, let value = rest.last?.text else { continue }
      let call = tokens[..<index].suffix(4).last { ["library", "target", "package"].contains($0.word) }?.word
      if token.word == "name", call == "library" || call == "target" { package.names.insert(value) }
      if token.word == "path", value.hasPrefix(".") {
        package.others.append(simplified(package.folder + "/" + value))
      }
    }
    return package
  }
}
