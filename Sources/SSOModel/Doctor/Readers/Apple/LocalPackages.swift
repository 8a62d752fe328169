import Essentials

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
