import Essentials
import SSOCore

/// MSAL in a package that lies beside a project, such as the plug-in that an example shows.
enum LocalLibrary {
  private static let fileLimit = 200

  /// Returns the dependency of a Flutter project that has a path and brings in MSAL: `path: ../` below its name.
  static func find(_ dependencies: [PubspecDependency], _ path: String) -> Found<String>? {
    dependencies.first { dependency in
      dependency.path.map { bringsMSAL(simplified(folder(of: path) + "/" + $0)) } ?? false
    }.map { Found($0.name, FilePlace(path, line: $0.line)) }
  }

  /// Returns the package of scripts on which a project depends by its path, or whose example the project is, if the package
  /// brings in MSAL.
  static func find(dependencies: [String: String], _ path: String) -> Found<String>? {
    let base = folder(of: path)
    for (name, version) in dependencies.sorted(by: { $0.key < $1.key }) {
      let target = ["file:", "link:", "portal:"].first(where: version.hasPrefix).map {
        version.dropFirst($0.count)
      }
      guard let target = target ?? (version.hasPrefix(".") ? version[...] : nil),
        bringsMSAL(simplified(base + "/" + target))
      else { continue }
      return Found(name, FilePlace(path))
    }
    // Tools for React Native's libraries let the example use the library above it without naming it.
    let parent = simplified(base + "/..")
    guard fileName(base).lowercased().contains("example"), bringsMSAL(parent),
      let text = try? ProjectFiles.text(parent + "/package.json", limit: 1 << 20),
      let package = JSONValue(bounded: Data(text.utf8), maximumBytes: 1 << 20),
      let name = package["name"]?.string
    else { return nil }
    return Found(name, FilePlace(parent + "/package.json"))
  }

  /// Returns whether a package depends on MSAL: its pod, its Swift package, or its module for Android.
  private static func bringsMSAL(_ folder: String) -> Bool {
    let packages = ["microsoft-authentication-library-for-objc"]
    let modules = ["com.microsoft.identity.client:msal"]
    return ["", "/ios", "/darwin", "/macos", "/android"].contains { part in
      ProjectFiles.names(in: folder + part).prefix(fileLimit).contains { name in
        let signs =
          name.hasSuffix(".podspec")
          ? ["'MSAL'", "\"MSAL\"", "'MSAL/", "\"MSAL/"]
          : name == "Package.swift" ? packages : name.hasPrefix("build.gradle") ? modules : []
        guard !signs.isEmpty, let data = try? ProjectFiles.data(folder + part + "/" + name, limit: 1 << 20)
        else {
          return false
        }
        return signs.contains { data.hasBytes($0) }
      }
    }
  }
}
