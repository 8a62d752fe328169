import Essentials
import SSOCore

/// A note on a project that the doctor reads only in part, which describes that part.
package struct ProjectNote: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case xcodeGen = "XcodeGen"
    case tuist = "Tuist"
    case maui = ".NET MAUI"
    case expo = "Expo"
    case reactNative = "React Native"
    case flutter = "Flutter"
    case capacitor = "Capacitor"
    case cordova = "Cordova"

    /// A description of what is read and what is not.
    var displayText: String {
      switch self {
      case .xcodeGen:
        "Info.plist, entitlements and sources are read where they lie, project.yml is not: xcodegen makes the project."
      case .tuist:
        "Info.plist, entitlements and sources are read where they lie, Project.swift is not: tuist generate makes the project."
      case .maui:
        "Info.plist and entitlements are read, C# is not: neither what MSAL.NET is set to, nor BrowserTabActivity."
      case .expo:
        "ios/ and android/ are read where they are (npx expo prebuild makes them), app.json and plugins are not."
      case .reactNative: "ios/ and android/ are read, and of scripts a configuration of the form auth: { … }."
      case .flutter: "ios/ and android/ are read, Dart is not: what it sets is not known."
      case .capacitor: "ios/ and android/ are read, capacitor.config and what plugins set are not."
      case .cordova: "platforms/ios and platforms/android are read where they are, config.xml is not."
      }
    }
  }

  package var kind: Kind
  package var place: FilePlace
  /// The library through which the project uses MSAL, if its own file specifies one.
  package var library: Found<String>?

  package var displayText: String { "\(kind.rawValue): \(kind.displayText)" }
}

extension ProjectNote {
  private static let limit = 1 << 20
  /// The maximum number of project files to read below a folder.
  private static let fileLimit = 200

  /// Returns notes on the projects of these kinds below a folder.
  static func find(_ files: ProjectFiles) -> [ProjectNote] {
    let names: Set<String> = [
      "project.yml", "project.yaml", "Project.swift", "pubspec.yaml", "package.json", "config.xml",
    ]
    return files.find { names.contains($0) || $0.hasSuffix(".csproj") }.prefix(fileLimit).compactMap { path in
      (try? ProjectFiles.text(path, limit: limit)).flatMap { note(of: $0, path) }
    }
  }

  /// Returns the note on the innermost project that contains a path, or `nil` if there is none.
  static func containing(_ path: String, _ notes: [ProjectNote]) -> ProjectNote? {
    notes.filter { simplified(path).hasPrefix(simplified(folder(of: $0.place.path)) + "/") }
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
      return ProjectNote(kind: .flutter, place: FilePlace(path), library: library(inYAML: text, path))
    case "package.json": return note(ofPackage: text, path)
    default:
      guard has(text, "<UseMaui>true") || has(text, "-ios") && has(text, "-android") else { return nil }
      let library = "Microsoft.Identity.Client"
      return ProjectNote(
        kind: .maui, place: FilePlace(path),
        library: line(of: "\"\(library)\"", in: text).map { Found(library, FilePlace(path, line: $0)) })
    }
  }

  private static func note(ofPackage text: String, _ path: String) -> ProjectNote? {
    guard let package = JSONValue(bounded: Data(text.utf8), maximumBytes: limit) else { return nil }
    let names = ["dependencies", "devDependencies"].flatMap { key in
      package[key]?.object.map { Array($0.keys) } ?? []
    }
    let kinds: [(String, Kind)] = [
      ("expo", .expo), ("react-native", .reactNative), ("@capacitor/core", .capacitor), ("cordova", .cordova),
    ]
    guard let kind = kinds.first(where: { names.contains($0.0) })?.1 else { return nil }
    // MSAL.js itself is checked as a web app.
    let library = names.sorted().first { isMSAL($0) && !$0.hasPrefix("@azure/") }
    return ProjectNote(
      kind: kind, place: FilePlace(path),
      library: library.map { Found($0, FilePlace(path, line: line(of: "\"\($0)\"", in: text))) })
  }

  /// Finds a dependency such as `  msal_auth: ^3.0.0`.
  private static func library(inYAML text: String, _ path: String) -> Found<String>? {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let name = line.prefix { $0 != ":" }.trimmed
      if line.hasPrefix("  "), line.contains(":"), isMSAL(name) {
        return Found(name, FilePlace(path, line: index + 1))
      }
    }
    return nil
  }

  private static func isMSAL(_ name: String) -> Bool {
    ["msal", "msauth"].contains { name.lowercased().contains($0) }
  }

  private static func line(of part: String, in text: String) -> Int? {
    text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(part) }
      .map { $0 + 1 }
  }
}

/// The placeholder strings of samples and templates, which apps must replace.
enum Placeholders {
  private static let parts = [
    "your_", "your-", "yourclient", "yourapp", "yourcompany", "enter_the", "enter-the", "enter your",
    "enter_your",
    "insert_", "insert your", "replace_", "replace with", "<client", "<your", "<enter", "<tenant", "[enter",
    "[your",
    "{client", "{tenant", "{your", "xxxxxxxx", "client_id_here", "00000000-0000-0000-0000",
    "11111111-1111-1111-1111",
    "placeholder",
  ]

  /// Returns whether a value has a placeholder or an unset variable: `Enter_the_Application_Id_Here`, `YOUR_CLIENT_ID`,
  /// `[Enter your …]`.
  static func contain(_ value: String) -> Bool {
    let text = value.lowercased()
    return text.contains("$(") || text.contains("${") || parts.contains { text.contains($0) }
  }
}
