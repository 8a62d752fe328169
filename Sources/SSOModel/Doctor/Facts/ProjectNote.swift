import Essentials
import SSOCore
import SSOReference

/// A note on a project that the doctor reads only in part, which describes that part.
package struct ProjectNote: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case xcodeGen = "XcodeGen"
    case tuist = "Tuist"
    case maui = ".NET MAUI or Uno"
    case expo = "Expo"
    case reactNative = "React Native"
    case flutter = "Flutter"
    case capacitor = "Capacitor"
    case cordova = "Cordova"
    case kotlin = "Kotlin Multiplatform"
    case folder = "A folder without a project file"
    case large = "A large folder"

    /// A description of what is read and what is not.
    var displayText: String {
      switch self {
      case .xcodeGen:
        "The targets of project.yml are read as xcodegen makes them; without their sources, the files are read where they lie."
      case .tuist:
        "Info.plist, entitlements and sources are read where they lie, Project.swift is not: tuist generate makes the project."
      case .maui:
        "Info.plist, entitlements, and of C# the broker, the keychain group, and BrowserTabActivity are read."
      case .expo:
        "ios/ and android/ are read where they are (npx expo prebuild makes them), app.json and plugins are not."
      case .reactNative: "ios/ and android/ are read, and of scripts a configuration of the form auth: { … }."
      case .flutter:
        "ios/ and android/ are read, and of Dart the literals that it gives to msal_auth, azure_ad_authentication, or msal_flutter."
      case .capacitor: "ios/ and android/ are read, capacitor.config and what plugins set are not."
      case .kotlin:
        "Its projects for iOS and Android are read, and what its Kotlin sets for iOS is not known."
      case .folder:
        "Info.plist, entitlements and sources are read where they lie. Build settings are not known."
      case .large:
        "Only its first \(ProjectFiles.entryLimit) entries are read, the rest is not checked: name the folder of the app."
      case .cordova: "platforms/ios and platforms/android are read where they are, config.xml is not."
      }
    }
  }

  package var kind: Kind
  package var place: FilePlace
  /// The library through which the project uses MSAL, if its own file specifies one.
  package var library: Found<String>?
  /// The place where the project's own code sets up the library for iOS.
  var appleSetUp: FilePlace?
  /// Whether the sources of a folder without a project file import AppKit and never UIKit.
  var importsAppKit = false

  package var displayText: String { "\(kind.rawValue): \(kind.displayText)" }
  /// The folder of the project.
  var base: String {
    switch kind {
    case .folder, .large: place.path
    // The module for all platforms is beside the project for iOS.
    case .kotlin: folder(of: folder(of: place.path))
    default: folder(of: place.path)
    }
  }

  /// Whether the project's own file, or the Swift package in its folder, names macOS and no other platform, or the sources
  /// of a folder without either are of macOS alone.
  var isForMac: Bool {
    if importsAppKit { return true }
    let file = kind == .folder ? base + "/Package.swift" : place.path
    guard [.folder, .xcodeGen, .tuist].contains(kind), let text = try? ProjectFiles.text(file, limit: 1 << 20)
    else { return false }
    return text.contains("macOS") && !["iOS", "iPhone", "iPad"].contains(where: text.contains)
  }
}

extension [ProjectNote] {
  /// A line for each kind of project, with the place of the first one: a solution may have many of a kind.
  package var lines: [String] {
    reduce(into: [ProjectNote.Kind]()) { if !$0.contains($1.kind) { $0.append($1.kind) } }.compactMap {
      kind in
      let notes = filter { $0.kind == kind }
      guard let first = notes.first else { return nil }
      return "\(first.place)\(notes.count > 1 ? " and \(notes.count - 1) more" : ""): \(first.displayText)"
    }
  }
}

extension ProjectNote {
  private static let limit = 1 << 20
  /// The maximum number of project files to read below a folder.
  private static let fileLimit = 200
  private static let codeLimit = 1000
  /// The package of MSAL.NET.
  static let dotNetLibrary = "Microsoft.Identity.Client"

  /// Returns notes on the projects of these kinds below a folder.
  static func find(_ files: ProjectFiles) -> [ProjectNote] {
    files.find { ProjectFiles.notedNames.contains($0) || $0.hasSuffix(".csproj") }.prefix(fileLimit)
      .compactMap { path in
        (try? ProjectFiles.text(path, limit: limit)).flatMap { note(of: $0, path) }
      }
  }

  /// Returns a note on a folder without any project file, or `nil` if none of its sources uses MSAL or ADAL.
  static func bareFolder(_ files: ProjectFiles) -> ProjectNote? {
    var imported: Set<String> = []
    for path in files.find(SourceLanguage.isSource).prefix(fileLimit) {
      guard let data = try? ProjectFiles.data(path, limit: limit) else { continue }
      for library in ["MSAL", "ADAL", "Cocoa", "AppKit", "UIKit"] where !imported.contains(library) {
        if data.hasBytes("import \(library)") || data.hasBytes("<\(library)/") { imported.insert(library) }
      }
    }
    guard !imported.isDisjoint(with: ["MSAL", "ADAL"]) else { return nil }
    return ProjectNote(
      kind: .folder, place: FilePlace(files.root),
      importsAppKit: !imported.isDisjoint(with: ["Cocoa", "AppKit"]) && !imported.contains("UIKit"))
  }

  /// Returns the note on the innermost project that contains a path, or `nil` if the project does not have one.
  static func containing(_ path: String, _ notes: [ProjectNote]) -> ProjectNote? {
    notes.filter { note in
      let base = simplified(note.base)
      // The folder in which the program runs.
      return base.isEmpty || base == "." ? !path.hasPrefix("/") : simplified(path).hasPrefix(base + "/")
    }
    .max { $0.place.path.count < $1.place.path.count }
  }

  private static func note(of text: String, _ path: String) -> ProjectNote? {
    func has(_ text: String, _ part: String) -> Bool { text.contains(part) }
    switch fileName(path) {
    case "project.yml", "project.yaml":
      return has(text, "targets:") ? ProjectNote(kind: .xcodeGen, place: FilePlace(path)) : nil
    case "Project.swift":
      return has(text, "import ProjectDescription")
        ? ProjectNote(kind: .tuist, place: FilePlace(path)) : nil
    case "config.xml":
      return has(text, "cordova.apache.org") ? ProjectNote(kind: .cordova, place: FilePlace(path)) : nil
    case "pubspec.yaml":
      guard has(text, "sdk: flutter") else { return nil }
      let dependencies = PubspecDependency.all(in: text)
      let library = library(among: dependencies, path) ?? LocalLibrary.find(dependencies, path)
      let base = folder(of: path)
      // msal_mobile reads the redirect URI for iOS from its asset.
      return ProjectNote(
        kind: .flutter, place: FilePlace(path), library: library,
        appleSetUp: library == nil
          ? nil
          : place(of: ["AppleConfig("], in: [".dart"], below: base + "/lib")
            ?? place(of: ["\"ios_redirect_uri\""], in: [".json"], below: base + "/assets"))
    case "package.json": return note(ofPackage: text, path)
    case "build.gradle.kts":
      let names = ["pod(\"MSAL\")", "pod(name = \"MSAL\")"]
      guard has(text, "cocoapods"), let name = names.first(where: text.contains) else { return nil }
      let place = FilePlace(path, line: line(of: name, in: text))
      return ProjectNote(kind: .kotlin, place: FilePlace(path), library: Found("MSAL", place))
    default:
      let isForPhones = has(text, "<UseMaui>true") || has(text, "-ios") && has(text, "-android")
      guard isForPhones || isForIOS(text) else { return nil }
      return ProjectNote(kind: .maui, place: FilePlace(path), library: dotNetUse(of: path))
    }
  }

  /// Whether XcodeGen writes keychain groups into the entitlements from the project's own file.
  var setsKeychainGroups: Bool {
    kind == .xcodeGen
      && (try? ProjectFiles.text(place.path, limit: Self.limit))?.contains("keychain-access-groups:") == true
  }

  /// Whether a project may be built for Apple's platforms: MAUI's template has a folder for each platform, and the target
  /// frameworks decide which of them a build has.
  var mayBeForApple: Bool {
    guard kind == .maui, let text = try? ProjectFiles.text(place.path, limit: Self.limit) else { return true }
    let targets = text.lines.filter { $0.contains("<TargetFramework") && !$0.trimmed.hasPrefix("<!--") }
    return targets.allSatisfy { !$0.contains("net") }
      || targets.contains { $0.contains("-ios") || $0.contains("-mac") }
  }

  /// Returns whether a project is for iOS alone: one of Xamarin, or of .NET with one target framework.
  private static func isForIOS(_ text: String) -> Bool {
    text.contains("Xamarin.iOS") && text.contains("<OutputType>Exe")
      || text.lines.contains { $0.contains("<TargetFramework>") && $0.contains("-ios") }
  }

  /// Returns MSAL.NET with its place, if a project, or another that it refers to, uses it.
  private static func dotNetUse(of path: String) -> Found<String>? {
    let projects = DotNetSettings.projects(of: path)
    func first(_ package: String) -> Found<String>? {
      projects.lazy.compactMap { project in
        line(of: "\"\(package)\"", in: project.text)
          .map { Found(dotNetLibrary, FilePlace(project.path, line: $0)) }
      }.first
    }
    // Azure.Identity brings in MSAL.NET, which code may then use itself.
    return first(dotNetLibrary)
      ?? first("Azure.Identity").flatMap { DotNetSettings.read(of: path).builder == nil ? nil : $0 }
  }

  private static func note(ofPackage text: String, _ path: String) -> ProjectNote? {
    guard let package = JSONValue(bounded: Data(text.utf8), maximumBytes: limit) else { return nil }
    let dependencies = ["dependencies", "devDependencies"].reduce(into: [String: String]()) { all, key in
      for (name, version) in package[key]?.object ?? [:] { all[name] = version.string ?? "" }
    }
    let names = Array(dependencies.keys)
    let kinds: [(String, Kind)] = [
      ("expo", .expo), ("react-native", .reactNative), ("@capacitor/core", .capacitor), ("cordova", .cordova),
    ]
    guard let kind = kinds.first(where: { names.contains($0.0) })?.1 else { return nil }
    // MSAL.js itself is checked as a web app.
    let library = names.sorted().first { isMSAL($0) && !$0.hasPrefix("@azure/") }
    let found =
      library.map { Found($0, FilePlace(path, line: line(of: "\"\($0)\"", in: text))) }
      ?? LocalLibrary.find(dependencies: dependencies, path)
    return ProjectNote(
      kind: kind, place: FilePlace(path), library: found,
      appleSetUp: found.flatMap { scriptUse(of: $0.value, below: folder(of: path)) })
  }

  /// Returns the place where a script names a package outside comments, or `nil` if none does.
  private static func scriptUse(of name: String, below base: String) -> FilePlace? {
    let paths = ProjectFiles(base).find { SourceLanguage($0) == .script }.prefix(codeLimit)
    return paths.lazy.compactMap { path -> FilePlace? in
      guard let data = try? ProjectFiles.data(path, limit: limit), data.hasBytes(name) else { return nil }
      let token = SourceTokens.read(String(decoding: data, as: UTF8.self), of: path).first { $0.text == name }
      return token.map { FilePlace(path, line: $0.line) }
    }.first
  }

  /// The Flutter packages that bring in MSAL under another name.
  private static let flutterPackages = ["flutter_microsoft_authentication", "azure_ad_authentication"]

  /// Finds a package that brings in MSAL, such as `msal_auth`; `msal_js` is for web pages.
  private static func library(among dependencies: [PubspecDependency], _ path: String) -> Found<String>? {
    dependencies.first {
      (isMSAL($0.name) || flutterPackages.contains($0.name)) && !$0.name.hasSuffix("_js")
    }.flatMap {
      isImported($0.name, below: folder(of: path)) ? Found($0.name, FilePlace(path, line: $0.line)) : nil
    }
  }

  /// Returns whether Dart code imports a package, or the project does not contain Dart code; a dependency may be
  /// unused.
  private static func isImported(_ name: String, below base: String) -> Bool {
    let code = ProjectFiles(base).find { $0.hasSuffix(".dart") }.prefix(codeLimit)
    return code.isEmpty || code.count == codeLimit
      || code.contains { path in
        guard let data = try? ProjectFiles.data(path, limit: limit), data.hasBytes("package:\(name)/") else {
          return false
        }
        return String(decoding: data, as: UTF8.self).lines.contains {
          $0.contains("package:\(name)/") && !$0.trimmed.hasPrefix("//")
        }
      }
  }

  /// Returns the first place of one of the texts in files whose names have one of the endings.
  private static func place(of texts: [String], in ends: [String], below base: String) -> FilePlace? {
    ProjectFiles(base).find { name in ends.contains(where: name.hasSuffix) }.prefix(codeLimit).lazy
      .compactMap { path -> FilePlace? in
        guard let code = try? ProjectFiles.text(path, limit: limit) else { return nil }
        return texts.lazy.compactMap { line(of: $0, in: code) }.first.map { FilePlace(path, line: $0) }
      }.first
  }

  private static func isMSAL(_ name: String) -> Bool {
    ["msal", "msauth"].contains { name.lowercased().contains($0) }
  }

  private static func line(of part: String, in text: String) -> Int? {
    text.lines.firstIndex { $0.contains(part) }
      .map { $0 + 1 }
  }
}

extension ProjectFiles {
  /// The names of Gradle's build files, the first of which Gradle uses.
  static let gradleNames = ["build.gradle", "build.gradle.kts"]

  /// The names of the files that ``ProjectNote`` describes; a project of .NET has any name.
  static let notedNames: Set<String> = [
    "project.yml", "project.yaml", "Project.swift", "pubspec.yaml", "package.json", "config.xml",
    gradleNames[1],
  ]

  /// The names of all files that make a folder a project's, besides those of .NET and Xcode, which have any name.
  static let projectNames = notedNames.union(
    gradleNames + ["Package.swift", "Podfile", "settings.gradle", "settings.gradle.kts"])
}
